// Several realisations of one constraint side by side.
#pragma once

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// One row for each law and pair of solvers: what its small parameter is, the fitted orders of q, v
/// and λ (sup norm, all t) each beside what is expected of them, the errors and steps at the
/// smallest ε, and whether everything that the study demands of the law held. No rows where the
/// study has one law.
TextTable law_table(const RollingResult& result);

/// "does not converge, as expected", "held", "not held", …: of one law and pair of solvers.
std::string law_verdict(const RollingResult& result, const std::string& law,
                        const std::string& rigid_solver, const std::string& compliant_solver);

}  // namespace rigidlimit
