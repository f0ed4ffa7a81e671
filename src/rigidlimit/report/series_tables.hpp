// Series of errors as tables and claims, of studies of rolling and of friction alike.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/judge/series.hpp"
#include "rigidlimit/report/junit_document.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// What the series of one study are called in its report.
struct SeriesNames {
  bool several_laws = false;  ///< a pairing says its law
  double after = 0.0;         ///< s: where the window "after" begins

  /// "cvode_bdf / ida", "projected, κ = 1, cvode_bdf / event-driven".
  std::string pairing(const std::string& law, const std::string& compliant_solver,
                      const std::string& rigid_solver) const;
  std::string pairing(const Row& row) const;
  /// "viscoelastic, " where the study has several laws.
  std::string law_prefix(const std::string& law) const;
  /// "all t", "t > 0.5", "away from events".
  std::string window(Window window) const;
};

/// Those that a table shows next to each other.
using SeriesColumns = std::vector<const Series*>;

/// Model errors, each beside the larger of its solver and reference errors, with neighbour orders:
/// one row an ε, one pair of columns a series. The series are of one law and pair of solvers, and
/// have the same ε; a header says norm and window where they differ.
TextTable error_table(const SeriesColumns& columns);

/// The predicted coefficient K and measured/(K ε^p) ± its error bar; no rows where nothing is
/// predicted.
TextTable ratio_table(const SeriesColumns& columns);

/// Fitted orders, verdicts and expectations: one row a series, of the sup norm and of which
/// something is expected, or of `every_norm`.
TextTable verdict_table(const std::vector<Series>& all, const SeriesNames& names,
                        bool every_norm = false);

/// One row for each series of which a ratio is expected; no rows where none is.
TextTable ratio_verdict_table(const std::vector<Series>& all, const SeriesNames& names);

/// A claim for each order and each ratio that is expected.
std::vector<JunitCase> cases_of(const std::vector<Series>& all, const SeriesNames& names);

/// What one series says against its expectation: "order 1.999 ± 0.001, expected 2 ± 0.05", or why
/// there is none: "no order (13 of 13 ε failed: max_steps), expected 2 ± 0.05".
std::string found_and_expected(const Series& series);

/// Whether a reader asks for this series first, or something is expected of it.
bool is_shown(const Series& series);

/// "1.728e-07 ± 4e-10": the model error and the larger of solver and reference error.
std::string error_text(const Row& row);

/// "q", "v", "λ", "event time".
const char* symbol_of(Quantity quantity);

/// Fixed digits, and no "-0.00".
std::string fixed_text(double x, int digits);

/// Three digits of an error, "-" for NaN.
std::string number_text(double x);

/// How a verdict looks.
Tone tone_of(Verdict verdict);

}  // namespace rigidlimit
