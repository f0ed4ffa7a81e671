// Step counts by formulation and ε as a table.
#pragma once

#include "rigidlimit/experiment/rolling/step_counts.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// One row a (solver, formulation), one column an ε: "57 (1)", steps and in brackets the rejected
/// ones, or the outcome of a solve that failed; then the growth a decade.
TextTable step_table(const std::vector<StepCount>& counts);

/// The same rows: right-hand sides, and milliseconds of the solve.
TextTable work_table(const std::vector<StepCount>& counts);

/// solver,formulation,epsilon,outcome,steps,rejected_steps,…,milliseconds: one line a solve.
std::string step_csv(const std::string& study, const std::vector<StepCount>& counts);

}  // namespace rigidlimit
