// What a run would do, for a reader.
#pragma once

#include <string>

#include "rigidlimit/record/text_table.hpp"
#include "rigidlimit/study/study_plan.hpp"

namespace rigidlimit {

/// A row for each kind of solve: how many, how many are kept, and the seconds that those took.
TextTable plan_table(const StudyPlan& plan);

/// "about 3 h 20 min to go for 9876 solves", and of how many of them nothing is known yet.
std::string left_text(const Estimate& left);

}  // namespace rigidlimit
