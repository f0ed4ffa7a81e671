// The plan of a run as text.
#pragma once

#include <string>

#include "rigidlimit/experiment/plan/plan_summary.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// One row for each kind of solve: number, number in the archive, and time of the latter.
TextTable plan_table(const PlanSummary& plan);

/// "about 3 h 20 min to go for 9876 solves", with the number of solves without an estimate.
std::string left_text(const Estimate& left);

}  // namespace rigidlimit
