// Errors and series of rolling and friction studies as tables: for texts, and in machine-readable
// form.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/experiment/judge/series.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/junit_document.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// Names of the series of one study in its report.
struct SeriesNames {
  bool several_laws = false;  ///< a pairing includes its law
  double after = 0.0;         ///< s: start of the window "after"

  /// "cvode_bdf / ida", "projected, κ = 1, cvode_bdf / event-driven".
  std::string pairing(const std::string& law, const std::string& compliant_solver,
                      const std::string& rigid_solver) const;
  std::string pairing(const Row& row) const;
  /// "viscoelastic, " for a study with several laws, else empty.
  std::string law_prefix(const std::string& law) const;
  /// "all t", "t > 0.5", "away from events".
  std::string window(Window window) const;
};

/// The series that one table shows next to each other.
using SeriesColumns = std::vector<const Series*>;

/// Model errors, each with the larger of its solver and reference errors, and neighbour orders: one
/// row per ε, one pair of columns per series. The series have the same law, pair of solvers and ε;
/// a header names norm and window if they differ.
TextTable error_table(const SeriesColumns& columns);

/// The predicted coefficient K, and measured/(K ε^p) ± its error bar; no rows without a prediction.
TextTable ratio_table(const SeriesColumns& columns);

/// Fitted orders, verdicts and expectations: one row per series in the sup norm or with an
/// expectation; with `every_norm`, for all series.
TextTable verdict_table(const std::vector<Series>& all, const SeriesNames& names,
                        bool every_norm = false);

/// One row for each series with an expected ratio.
TextTable ratio_verdict_table(const std::vector<Series>& all, const SeriesNames& names);

/// Fitted and expected orders, measured over predicted coefficients, and one verdict on both: one
/// row per series with an expectation; without any expectation, those of verdict_table().
TextTable expectation_table(const std::vector<Series>& all, const SeriesNames& names);

/// A claim for each expected order and each expected ratio.
std::vector<JunitCase> cases_of(const std::vector<Series>& all, const SeriesNames& names);
/// A failed case for each expectation, law that it concerns and compliant solver without a row of
/// this number: nothing was compared, for the reason `why`.
std::vector<JunitCase> missing_cases(const std::vector<ExpectationSpec>& expectations,
                                     const std::vector<LawName>& laws,
                                     const std::vector<std::string>& solvers,
                                     const std::vector<Series>& all, const SeriesNames& names,
                                     const std::string& why);

/// Result and expectation of a series: "order 1.999 ± 0.001, expected 2 ± 0.05"; without an order
/// the reason: "no order (13 of 13 ε failed: max_steps), expected 2 ± 0.05".
std::string found_and_expected(const Series& series);

/// Whether the series is in the sup norm or has an expectation.
bool is_shown(const Series& series);

/// "1.728e-07 ± 4e-10": the model error and the larger of solver and reference error; of a proved
/// one the interval, rounded outward.
std::string error_text(const Row& row);

/// "q", "v", "λ", "event time", or the component, "x".
std::string symbol_of(const Measure& measure);

/// Fixed number of digits, without "-0.00".
std::string fixed_text(double x, int digits);

/// An error with three digits, "-" for NaN.
std::string number_text(double x);

/// The tone of a verdict.
Tone tone_of(Verdict verdict);

/// Rows of friction studies also have the power κ of a law and the kind of events of a measure.
enum class RowsOf { rolling, certified, friction };

/// One record for each number: law, solvers, ε, measure, error and error bars, order, prediction,
/// verdict, status and the work of the compliant solve. `of_all`: the fields that CSV repeats.
DataTable error_rows(std::string name, Record of_all,
                     const std::shared_ptr<const std::vector<Series>>& all, RowsOf kind);

/// The fields of a record that identify its number: law, solvers, ε, measure.
Record identity_of(const Row& row, RowsOf kind);

/// One record for each series with rows: the fit, the verdict, and the expectation.
DataTable series_rows(const std::vector<Series>& all, RowsOf kind);

}  // namespace rigidlimit
