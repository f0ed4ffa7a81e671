// A table's numbers beside their error bars, and the series whose convergence is judged.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/convergence/ratio.hpp"
#include "rigidlimit/convergence/verdict.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/experiment/judge/expectation.hpp"

namespace rigidlimit {

/// One number of the table: the distance of the compliant from the rigid motion at one ε, in one
/// measure, with the errors that it must exceed to be evidence.
struct Row {
  LawName law;
  std::string rigid_solver;
  std::string compliant_solver;
  double epsilon = 0.0;
  Measure measure;
  double model_error = std::nan("");  ///< ‖compliant − rigid‖; NaN if either failed
  double solver_error = std::nan("");  ///< ‖compliant − compliant at tolerances × θ‖/(1 − θ)
  double reference_error = std::nan("");  ///< ‖rigid − independent reference‖
  double sampling_error = std::nan("");   ///< what the choice of samples can change in model_error
  double rounding = 0.0;                  ///< of the two compared values: no bar is smaller
  double order = 0.0;                     ///< from the row of the next larger ε; NaN for the first
  /// K of the predicted leading term K ε^p (Series::predicted_order), in the norm and window and on
  /// the samples of this row; NaN where nothing is predicted.
  double predicted_coefficient = std::nan("");
  double ratio = std::nan("");              ///< model_error / (K ε^p)
  double ratio_error = std::nan("");        ///< error_bar() / (K ε^p), and K's own error
  Verdict verdict = Verdict::inconclusive;  ///< of the whole series the row belongs to
  /// "ok", "equal" (to rounding), "solver_limited", "reference_limited", "sampling_limited" or
  /// "failed: <why>".
  std::string status;
  Work work;  ///< of the compliant solve

  /// The largest of solver error, reference error and rounding; NaN (unknown) if one is.
  double error_bar() const {
    return larger_known(larger_known(solver_error, reference_error), rounding);
  }

  /// What model_error must exceed tenfold: the larger of error_bar() and sampling_error.
  double floor() const { return larger_known(error_bar(), sampling_error); }

  bool failed() const { return status.starts_with("failed"); }

 private:
  static double larger_known(double a, double b) {
    return std::isnan(a + b) ? std::nan("") : std::fmax(a, b);
  }
};

/// The rows of one (law, rigid solver, compliant solver, measure), largest ε first.
struct Series {
  std::vector<Row> rows;
  Judgement judgement;
  double predicted_order = std::nan("");  ///< p of the predicted leading term K ε^p
  RatioJudgement ratio;                   ///< where a ratio is expected
  std::optional<ExpectationSpec> expectation;

  /// Whether something was expected of the errors and is not confirmed.
  bool order_broken() const {
    return expectation && expectation->judges_errors() && judgement.verdict != Verdict::confirmed;
  }
  /// Whether a ratio was expected and is not confirmed.
  bool ratio_broken() const {
    return expectation && expectation->ratio && ratio.verdict != Verdict::confirmed;
  }
  /// Whether every expectation was confirmed; true where there is none.
  bool held() const { return !order_broken() && !ratio_broken(); }
};

/// Some row of some series is a number.
bool has_numbers(const std::vector<Series>& all);

}  // namespace rigidlimit
