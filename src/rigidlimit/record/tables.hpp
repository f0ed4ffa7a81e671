// A study's result as tables: the numbers of a report, without its layout.
#pragma once

#include <string>

#include "rigidlimit/record/text_table.hpp"
#include "rigidlimit/study/result.hpp"

namespace rigidlimit {

/// The model errors of q, v, λ in one norm and window, each beside the larger of its two error
/// bars, with neighbour orders and flags: one row an ε,
/// for one law and pair of solvers.
TextTable error_table(const StudyResult& result, const std::string& rigid_solver,
                      const std::string& compliant_solver, Window window, Norm norm = Norm::sup,
                      const std::string& law = "viscoelastic");

/// "1.728e-07 ± 4e-10": the model error and the larger of solver and reference error.
std::string error_text(const Row& row);

/// Fitted orders, verdicts and expectations: one row a (solver pair, quantity, window), sup norm,
/// and every other norm for which there is an expectation, or `every_norm`.
TextTable verdict_table(const StudyResult& result, bool every_norm = false);

/// The bounds: one row a (bound, solver pair), with the row that comes nearest to its limit, or
/// breaks it most.
TextTable bound_table(const StudyResult& result);

/// "q sup all t ≤ 10 ε^2.5 for ε ≤ 0.01", "solver error of q sup all t ≤ 1e-08".
std::string claim_text(const Study& study, const BoundSpec& spec);

/// "bound CLAIM broken at ε = 0.001 (cvode_bdf / ida): error … is 55.8 times the limit 3.162e-07".
std::string bound_line(const Study& study, const BoundReport& report);

/// The energy of the compliant motions: where it went, and what is unaccounted for.
TextTable energy_table(const StudyResult& result);

/// The rigid motions: distance to their reference, drift, energy error, steps.
TextTable rigid_table(const StudyResult& result);

/// "NAME: held, 6 of 6 expectations, 2 of 2 bounds", or "NAME: not held, …" and a line for each
/// expectation that is broken; then a line for each bound, "NAME: bound …", broken or not.
/// Both are counted once for each pair of solvers.
std::string verdict_line(const StudyResult& result);

/// What one series says against its expectation: "order 1.999 ± 0.001, expected 2 ± 0.05", or why
/// there is none: "no order (13 of 13 ε failed: max_steps), expected 2 ± 0.05".
std::string found_and_expected(const Series& series);

/// "cvode_bdf / ida", and with the law before it where the study has several.
std::string pairing_text(const Study& study, const std::string& law,
                         const std::string& compliant_solver, const std::string& rigid_solver);

/// "q", "v", "λ".
const char* symbol_of(Quantity quantity);

/// Fixed digits, and no "-0.00".
std::string fixed_text(double x, int digits);

/// How a verdict looks.
Tone tone_of(Verdict verdict);

/// "all t" or "t > 0.5".
std::string window_text(const Study& study, Window window);

}  // namespace rigidlimit
