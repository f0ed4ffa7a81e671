// Step counts by formulation and ε as a table.
#pragma once

#include "rigidlimit/experiment/rolling/step_counts.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// One row per (solver, formulation), one column per ε: "57 (1)", steps and in brackets rejected
/// ones, or the outcome of a failed solve; then the growth per decade.
TextTable step_table(const std::vector<StepCount>& counts);

/// The same rows: right-hand sides, and milliseconds of the solve.
TextTable work_table(const std::vector<StepCount>& counts);

/// solver,formulation,epsilon,outcome,steps,rejected_steps,…,milliseconds: one line per solve.
std::string step_csv(const std::string& study, const std::vector<StepCount>& counts);

}  // namespace rigidlimit
