// Rows of numbers with their errors, and the series whose convergence is judged.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/convergence/ratio.hpp"
#include "rigidlimit/convergence/verdict.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/experiment/judge/difference.hpp"
#include "rigidlimit/experiment/judge/expectation.hpp"

namespace rigidlimit {

/// One number of a table: the distance of the compliant and rigid motions at one ε in one measure,
/// with the errors that it must exceed to be evidence.
struct Row {
  LawName law;
  std::string rigid_solver;
  std::string compliant_solver;
  double epsilon = 0.0;
  Measure measure;
  double model_error = std::nan("");  ///< ‖compliant − rigid‖; NaN if either failed
  double solver_error = std::nan("");  ///< ‖compliant − compliant at tolerances × θ‖/(1 − θ)
  double reference_error = std::nan("");  ///< ‖rigid − independent reference‖
  /// The numbers that were measured, if the model error is proved: then `model_error` is the
  /// middle of its bounds, and `solver_error` and `reference_error` are bounds.
  std::optional<ErrorSizes> measured = std::nullopt;
  double sampling_error = std::nan("");  ///< of the interpolation between samples
  double rounding = 0.0;                 ///< of the compared values: the smallest possible bar
  double order = 0.0;                    ///< from the row of the next larger ε; NaN for the first
  /// K of the predicted leading term K ε^p (Series::predicted_order), in the norm, window and
  /// samples of this row; NaN without a prediction.
  double predicted_coefficient = std::nan("");
  double ratio = std::nan("");              ///< model_error / (K ε^p)
  double ratio_error = std::nan("");        ///< see compare_with_prediction()
  Verdict verdict = Verdict::inconclusive;  ///< of the whole series
  /// "ok", "proved", "equal" (to rounding), "solver_limited", "reference_limited",
  /// "sampling_limited" or "failed: <why>".
  std::string status;
  Work work = {};  ///< of the compliant solve

  /// The largest of solver error, reference error and rounding; NaN if one of them is unknown. Half
  /// the distance of the bounds if the model error is proved.
  double error_bar() const {
    if (const ProvedSizes* bounds = proved()) return 0.5 * (bounds->upper - bounds->lower);
    return larger_known(larger_known(solver_error, reference_error), rounding);
  }

  /// A tenth of the smallest model_error that is evidence: max(error_bar(), sampling_error).
  double floor() const {
    return proved() != nullptr ? error_bar() : larger_known(error_bar(), sampling_error);
  }

  bool failed() const { return status.starts_with("failed"); }
  bool is_evidence() const { return status == "ok" || status == "proved"; }
  /// The bounds of a proof; nullptr: there are none.
  const ProvedSizes* proved() const { return measured ? &*measured->proved : nullptr; }
  /// Those of the model error.
  std::optional<ProvedInterval> proved_interval() const {
    if (const ProvedSizes* bounds = proved()) return ProvedInterval{bounds->lower, bounds->upper};
    return std::nullopt;
  }

  void set(const ErrorSizes& sizes) {
    model_error = sizes.model;
    solver_error = sizes.solver;
    reference_error = sizes.reference;
    sampling_error = sizes.sampling;
    rounding = sizes.rounding;
    measured.reset();
    if (!sizes.proved) return;
    measured = sizes;
    model_error = 0.5 * (sizes.proved->lower + sizes.proved->upper);
    solver_error = sizes.proved->solver;
    reference_error = sizes.proved->reference;
  }

 private:
  static double larger_known(double a, double b) {
    return std::isnan(a + b) ? std::nan("") : std::fmax(a, b);
  }
};

/// The rows of one combination of law, rigid solver, compliant solver and measure, largest ε first.
struct Series {
  std::vector<Row> rows;
  Judgement judgement;
  double predicted_order = std::nan("");  ///< p of the predicted leading term K ε^p
  RatioJudgement ratio;                   ///< if a ratio is expected
  std::optional<ExpectationSpec> expectation;

  /// Whether an expectation about the errors is not confirmed.
  bool order_broken() const {
    return expectation && expectation->judges_errors() && judgement.verdict != Verdict::confirmed;
  }
  /// Whether an expected ratio is not confirmed.
  bool ratio_broken() const {
    return expectation && expectation->ratio && ratio.verdict != Verdict::confirmed;
  }
  /// Whether every expectation is confirmed; true without expectations.
  bool held() const { return !order_broken() && !ratio_broken(); }
};

/// Whether some row of some series is a number.
bool has_numbers(const std::vector<Series>& all);

}  // namespace rigidlimit
