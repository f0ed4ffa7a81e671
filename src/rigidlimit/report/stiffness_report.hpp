// The report on the contact stiffness for a wanted error.
#pragma once

#include "rigidlimit/experiment/stiffness/find_stiffness.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

Report report_of(const StiffnessResult& result);

}  // namespace rigidlimit
