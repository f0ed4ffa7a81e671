// Claims that hold or fail, in all formats of a report.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/judge/expectation.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

std::vector<JunitCase> cases_of(const std::vector<Claim>& claims);

/// "NAME: held, 5 of 5 claims, 6 of 6 expectations, 2 of 2 bounds", or "not held" with a line for
/// each failed claim, and then each advice once.
std::string verdict_of(const Report& report);

}  // namespace rigidlimit
