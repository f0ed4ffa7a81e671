// What a run would do, for a reader.
#pragma once

#include <string>

#include "rigidlimit/experiment/plan/plan_summary.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// A row for each kind of solve: how many, how many are kept, and the seconds that those took.
TextTable plan_table(const PlanSummary& plan);

/// "about 3 h 20 min to go for 9876 solves", and of how many of them nothing is known yet.
std::string left_text(const Estimate& left);

}  // namespace rigidlimit
