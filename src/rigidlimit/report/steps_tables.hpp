// Step counts and the claims on their growth, in all formats of a report.
#pragma once

#include <vector>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/columns.hpp"
#include "rigidlimit/report/junit_document.hpp"

namespace rigidlimit {

/// "adapted", "natural"; empty for a law without a deflection, which is solved in (q, v).
std::string variables_of(const RollingStudy& study, const std::string& law,
                         const std::string& compliant_solver);

/// One row for each (solver, law), one column for each ε, or for eight of more: "57 (1)", steps and
/// in brackets rejected ones, or the outcome of a failed solve; then the growth per decade of ε,
/// from the largest ε to the smallest before a failed solve.
TextTable step_table(const RollingResult& result);

/// Law, solver, variables, ε, outcome, growth and all counters of each first solve.
Columns<StepCount> step_columns(const RollingStudy& study);

/// A row for each (claim, solver): limits, growth, result.
Columns<StepsReport> growth_columns(const RollingStudy& study);

/// A claim for each (expectation on steps, solver).
std::vector<JunitCase> step_cases(const RollingResult& result);

}  // namespace rigidlimit
