// Order reduction: how the error of equal steps falls with h, above and below h ~ ε.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_result.hpp"

namespace rigidlimit {

/// Neighbour orders smaller than this in size are a plateau: halving h gains less than a quarter.
inline constexpr double plateau_order = 0.4;

/// h ≥ 10 ε: the steps pass over what the contact does; h ≤ ε/5: they resolve it.
inline constexpr double stiff_from = 10.0;
inline constexpr double resolved_to = 0.2;

/// Sets GroupError::observed_order in every trial: from stored errors and the real ratio of the
/// steps, sign kept; NaN in the first of a series, beside a failure, and beside an error as large
/// as the solution. Sets the status plateau where |observed order| < plateau_order and both errors
/// are evidence, and reference_limited where the error is below 10 × what rounding may do in so
/// many steps, one unit in the last place each: such rows take no part in a fit.
void find_step_orders(BenchmarkResult& result);

/// One method on one problem in one group, over its h.
struct StepOrders {
  std::size_t problem = 0;  ///< into BenchmarkResult::problems
  const OdeMethod* method = nullptr;
  std::size_t group = 0;
  OrderFit stiff;     ///< over the rows with h ≥ stiff_from · ε that are evidence
  OrderFit resolved;  ///< over those with h ≤ resolved_to · ε, or all where there is no ε
  /// Where one order passes into the other: the h (as a multiple of ε) at which the neighbour
  /// orders, from the smallest h up, first come nearer to `stiff` than to `resolved`. NaN where
  /// the two differ by less than plateau_order, or one of them is unknown.
  double crossover = std::nan("");
  /// The least neighbour order between two errors that are evidence, and the h (as a multiple of ε,
  /// or in s where there is none) in the middle of the two: how far the order is reduced.
  double least = std::nan("");
  double least_at = std::nan("");
  double plateau_from = std::nan("");  ///< the least and the largest h with status plateau, in s;
  double plateau_to = std::nan("");    ///< NaN: there is none
};

/// In the order of the trials.
std::vector<StepOrders> step_orders(const BenchmarkResult& result);

}  // namespace rigidlimit
