// Order reduction: the decrease of the error with equal steps h, above and below h ~ ε.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_result.hpp"

namespace rigidlimit {

/// A smaller |neighbour order| is a plateau: halving h reduces the error by less than a quarter.
inline constexpr double plateau_order = 0.4;

/// h ≥ 10 ε: the steps do not resolve the contact; h ≤ ε/5: they do.
inline constexpr double stiff_from = 10.0;
inline constexpr double resolved_to = 0.2;

/// Sets GroupError::observed_order in every trial from stored errors and the real ratio of the
/// steps, with its sign. It is NaN in the first trial of a series, next to a failure, and next to
/// an error as large as the solution. Sets the status plateau if |observed order| < plateau_order
/// and both errors are evidence. Sets reference_limited if the error is below 10 × the effect of
/// rounding, one unit in the last place per step; such rows are excluded from fits.
void find_step_orders(BenchmarkResult& result);

/// One method on one problem in one group, for all its h.
struct StepOrders {
  std::size_t problem = 0;  ///< index into BenchmarkResult::problems
  const OdeMethod* method = nullptr;
  std::size_t group = 0;
  OrderFit stiff;     ///< over the rows with h ≥ stiff_from · ε that are evidence
  OrderFit resolved;  ///< over those with h ≤ resolved_to · ε; without ε, over all
  /// Transition between the two orders: the smallest h (as a multiple of ε) whose neighbour order
  /// is nearer to `stiff` than to `resolved`. NaN if they differ by less than plateau_order or one
  /// is unknown.
  double crossover = std::nan("");
  /// The smallest neighbour order between two errors that are evidence, and the h (as a multiple of
  /// ε, or in s without ε) between them: the size of the order reduction.
  double least = std::nan("");
  double least_at = std::nan("");
  double plateau_from = std::nan("");  ///< the smallest and largest h with status plateau, s;
  double plateau_to = std::nan("");    ///< NaN: none
};

/// In the order of the trials.
std::vector<StepOrders> step_orders(const BenchmarkResult& result);

}  // namespace rigidlimit
