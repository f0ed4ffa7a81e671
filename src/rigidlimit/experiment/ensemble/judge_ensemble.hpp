// Sizes of all members → errors and orders over the ensemble, and the claims on every member.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/ensemble/ensemble_tasks.hpp"
#include "rigidlimit/experiment/judge/series.hpp"

namespace rigidlimit {

/// Least value, quantiles 5, 50 and 95 %, and largest value; NaN without values.
struct Quantiles {
  static constexpr std::array levels{0.0, 0.05, 0.5, 0.95, 1.0};
  std::array<double, 5> values{};

  double least() const { return values.front(); }
  double median() const { return values[2]; }
  double largest() const { return values.back(); }
};

/// The quantiles of those values that are no NaN; between two of them linear, as R's type 7.
Quantiles quantiles_of(std::vector<double> values);

/// The errors of all members at one ε in one measure.
struct EnsembleErrors {
  double epsilon = 0.0;
  Measure measure;
  std::size_t judged = 0;  ///< members with a number
  Quantiles errors;
  double largest_bar = 0.0;  ///< of them: solver, reference, rounding and sampling
  std::size_t worst = 0;     ///< member with the largest error
};

/// The orders of all members in one measure.
struct EnsembleOrders {
  Measure measure;
  std::optional<ExpectationSpec> expectation;
  std::size_t judged = 0;  ///< members whose verdict is confirmed, refuted, settled, …
  std::size_t held = 0;    ///< members whose expectation is confirmed; without one, settled
  Quantiles orders;
  std::size_t worst = 0;  ///< a member that does not hold, or with the order farthest from it
  std::string reason;     ///< of that member

  bool all_held() const { return held == judged; }
};

/// One bound for all members.
struct EnsembleBound {
  BoundSpec spec;
  std::size_t judged = 0, held = 0;
  double factor = 0.0;    ///< the largest error in parts of its limit
  std::size_t worst = 0;  ///< its member, …
  std::string reason;     ///< … and the words on it
};

/// One member.
struct EnsembleMember {
  std::size_t number = 0;
  Outcome outcome = Outcome::success;
  /// At the smallest ε, and fitted orders: of q, v and λ in the sup norm over all times.
  std::array<double, 3> errors{}, orders{};
  bool held = true;  ///< every claim of the study
};

/// The comparison of member 0, solved side by side with others, with the study itself.
struct EnsembleCheck {
  std::size_t compared = 0;  ///< numbers
  double largest = 0.0;      ///< |difference| in parts of the sum of both error bars
  std::string where;         ///< of the largest
  bool agrees() const { return compared > 0 && largest <= 1.0; }
};

struct EnsembleResult {
  std::vector<VariedNumber> vary;
  MatrixXd numbers;  ///< drawn_numbers()
  std::vector<EnsembleMember> members;
  std::vector<EnsembleErrors> errors;
  std::vector<EnsembleOrders> orders;
  std::vector<EnsembleBound> bounds;
  EnsembleCheck check;

  std::size_t failed() const;  ///< members with a motion that failed
  /// Whether every claim holds for every member, and member 0 agrees with the study.
  bool held() const;
};

/// `series`: the study's own, with which member 0 is compared. All tasks are complete.
EnsembleResult judged_ensemble(const RollingStudy& study, const EnsembleTasks& tasks,
                               const std::vector<Series>& series);

}  // namespace rigidlimit
