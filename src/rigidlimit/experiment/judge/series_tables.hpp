// Errors and series of rolling and friction studies as tables: for texts, and in machine-readable
// form.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/core/table.hpp"
#include "rigidlimit/experiment/judge/series.hpp"
#include "rigidlimit/result/result.hpp"

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

/// Rows of friction studies also have the power κ of a law and the kind of events of a measure,
/// those of certified ones their bounds.
enum class RowsOf { rolling, certified, friction };

using SharedSeries = std::shared_ptr<const std::vector<Series>>;

/// "errors": a row for each number: law, solvers, ε, measure, error and error bars, order,
/// prediction, verdict, status and the work of the compliant solve.
Table error_rows(const SharedSeries& all, const SeriesNames& names, RowsOf kind, Fields common);

/// "series": a row for each series with rows: the fit, the verdict, and the expectation.
Table series_rows(const SharedSeries& all, const SeriesNames& names, RowsOf kind);

/// Model errors with their bars, and neighbour orders: a line for each ε, two columns for each
/// measure of the `rows` of "errors".
View error_view(std::string key, std::string caption, RowFilter rows);

/// The predicted coefficient K, and measured/(K ε^p) ± its error bar, of those rows; no lines
/// without a prediction.
View ratio_view(std::string key, std::string caption, RowFilter rows);

/// Fitted orders, verdicts and expectations: a line for each row of "series" that is_shown().
View order_view();

/// The verdicts on expected ratios.
View coefficient_view();

/// Fitted and expected orders, measured over predicted coefficients, and one verdict on both: a
/// line for each series with an expectation; if `all` of them have none, the lines of order_view().
View expectation_view(const std::vector<Series>& all);

/// Whether a row of "series" is in the sup norm or has an expectation.
bool is_shown(const Table& series, std::size_t row);

/// "summary", one row: the system; the fitted orders of the first series of each quantity (sup
/// norm, all times), with the expected ones in parentheses; the ratio of measured and
/// predicted coefficient of the first quantity that is judged, or the last one, with its error bar
/// and its ε; the verdict of a report that is concluded.
Table summary_of(const Result& report, const std::string& system, const SharedSeries& all,
                 const std::vector<Quantity>& quantities);

/// Reasons of a study for numbers that do not exist.
struct MissingReasons {
  std::string no_prediction;  ///< why no coefficient is predicted; empty: it is not known
  /// The message of the solve because of which a row has no number; empty: it has none.
  std::function<std::string(const Row& failed)> failure = {};
};

/// A claim for each expected order and each expected ratio.
std::vector<JudgedClaim> cases_of(const std::vector<Series>& all, const SeriesNames& names,
                                  const MissingReasons& missing);
/// A failed case for each expectation, law that it concerns and compliant solver without a row of
/// this number: nothing was compared, for the reason `why`.
std::vector<JudgedClaim> missing_cases(const std::vector<ExpectationSpec>& expectations,
                                       const std::vector<LawName>& laws,
                                       const std::vector<std::string>& solvers,
                                       const std::vector<Series>& all, const SeriesNames& names,
                                       const std::string& why);

/// Result and expectation of a series: "order 1.999 ± 0.001, expected 2 ± 0.05"; without an order
/// the reason: "no order (13 of 13 ε failed: max_steps: more than 500 steps), expected 2 ± 0.05".
/// An inconclusive or floor-limited order has the reason of its verdict: "order -0.001 ± 0.006: no
/// settled order: neighbour orders up to 0.075 away from …".
std::string found_and_expected(const Series& series, const MissingReasons& missing);

/// "1.728e-07 ± 4e-10": the model error and the larger of solver and reference error; of a proved
/// one the interval, rounded outward.
std::string error_text(const Row& row);

/// "q", "v", "λ", "event time", or the component, "x".
std::string symbol_of(const Measure& measure);

/// An error with three digits, "-" for NaN.
std::string number_text(double x);

Tone tone_of(Verdict verdict);
Tone tone_of(Outcome outcome);

}  // namespace rigidlimit
