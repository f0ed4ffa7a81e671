// Comparison of several realisations of one constraint.
#pragma once

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// One row for each law and pair of solvers: the meaning of its small parameter, the fitted and
/// expected orders of q, v and λ (sup norm, all t), the errors and steps at the smallest ε, and
/// whether all demands of the study on the law held. No rows for a study with one law.
TextTable law_table(const RollingResult& result);

/// The verdict on one law and pair of solvers: "does not converge, as expected", "held", ….
std::string law_verdict(const RollingResult& result, const std::string& law,
                        const std::string& rigid_solver, const std::string& compliant_solver);

}  // namespace rigidlimit
