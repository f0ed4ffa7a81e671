// Step counts and the claims on their growth, in all formats of a report.
#pragma once

#include <vector>

#include "rigidlimit/experiment/rolling/rolling_tables.hpp"

namespace rigidlimit {

/// "adapted", "natural"; empty for a law without a deflection, which is solved in (q, v).
std::string variables_of(const RollingStudy& study, const std::string& law,
                         const std::string& compliant_solver);

/// "steps": law, solver, variables, ε, outcome, growth and all counters of each first solve.
Table step_rows(const SharedRolling& result);
/// A line for each (solver, law), a column for each ε, or for eight of more: "57 (1)", steps and in
/// brackets rejected ones, or the outcome of a failed solve; then the growth per decade of ε, from
/// the largest ε to the smallest before a failed solve.
View step_view();

/// "growth": a row for each (claim, solver): limits, growth, result.
Table growth_rows(const SharedRolling& result);
View growth_view();

/// A claim for each (expectation on steps, solver).
std::vector<JudgedClaim> step_cases(const RollingResult& result);

}  // namespace rigidlimit
