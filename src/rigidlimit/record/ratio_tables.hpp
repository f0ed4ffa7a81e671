// Measured over predicted: the tables of the leading coefficients.
#pragma once

#include "rigidlimit/record/text_table.hpp"
#include "rigidlimit/study/result.hpp"

namespace rigidlimit {

/// ε, and for q, v, λ the predicted coefficient K and measured/(K ε^p) ± its error bar, of one pair
/// of solvers in one window and norm. No rows where nothing is predicted.
TextTable ratio_table(const StudyResult& result, const std::string& rigid_solver,
                      const std::string& compliant_solver, Window window, Norm norm,
                      const std::string& law = "viscoelastic");

/// One row for each series of which a ratio is expected; no rows where none is.
TextTable ratio_verdict_table(const StudyResult& result);

/// "ratio 1.00002 ± 3e-06 at ε = 0.0001, expected 1 ± 0.001".
std::string ratio_found_and_expected(const Series& series);

}  // namespace rigidlimit
