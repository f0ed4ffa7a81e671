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
#include "rigidlimit/experiment/judge/evidence.hpp"
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
  ErrorSizes sizes = {};  ///< measured, with the bounds of a proof if there is one
  double order = 0.0;     ///< from the row of the next larger ε; NaN for the first
  /// K of the predicted leading term K ε^p (Series::predicted_order), in the norm, window and
  /// samples of this row; NaN without a prediction.
  double predicted_coefficient = std::nan("");
  double ratio = std::nan("");              ///< model_error() / (K ε^p)
  double ratio_error = std::nan("");        ///< see compare_with_prediction()
  Verdict verdict = Verdict::inconclusive;  ///< of the whole series
  Evidence evidence = {};
  Work work = {};  ///< of the compliant solve

  /// The number: ‖compliant − rigid‖, or the middle of its bounds if they are proved. NaN if a
  /// solve failed.
  double model_error() const {
    const ProvedSizes* const bounds = proved();
    return bounds ? 0.5 * (bounds->lower + bounds->upper) : sizes.model;
  }
  /// The error of the compliant and of the rigid solve: an estimate, or a bound if one is proved.
  double solver_error() const { return proved() ? proved()->solver : sizes.solver; }
  double reference_error() const { return proved() ? proved()->reference : sizes.reference; }

  /// The largest of solver error, reference error and rounding; NaN if one of them is unknown. Half
  /// the distance of the bounds if the number is proved.
  double error_bar() const {
    if (const ProvedSizes* bounds = proved()) return 0.5 * (bounds->upper - bounds->lower);
    return larger_known(larger_known(sizes.solver, sizes.reference), sizes.rounding);
  }

  /// A tenth of the smallest model_error() that is evidence: max(error_bar(), sampling error).
  double floor() const {
    return proved() != nullptr ? error_bar() : larger_known(error_bar(), sizes.sampling);
  }

  bool failed() const { return evidence.failed(); }
  bool is_evidence() const { return evidence.counts(); }
  /// The bounds of a proof; nullptr: there are none.
  const ProvedSizes* proved() const { return sizes.proved ? &*sizes.proved : nullptr; }
  /// Those of the number.
  std::optional<ProvedInterval> proved_interval() const {
    if (const ProvedSizes* bounds = proved()) return ProvedInterval{bounds->lower, bounds->upper};
    return std::nullopt;
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
