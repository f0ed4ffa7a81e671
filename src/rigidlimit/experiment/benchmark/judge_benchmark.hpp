// Errors of trials, the best methods, and order reduction: the decrease of the error with equal
// steps h.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/experiment/benchmark/benchmark.hpp"

namespace rigidlimit {

/// An error below this multiple of the reference's own error is not evidence.
inline constexpr double reference_factor = 10.0;

/// The errors of `found` in group g of `reference`, over all its times; status ok or
/// reference_limited. Digits (scd, mixed) are at most 15.95, those of a double. The status is
/// failed, with NaN, if there is no reference or `found` is not finite.
GroupError judged(const MatrixXd& found, const BenchmarkReference& reference, std::size_t g);

inline constexpr std::array error_bands{1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};

/// Groups whose errors must be within a band together: q and v, then λ separately (its error has
/// another order). Other groups are separate and relative to their components, since those of a
/// chemical problem differ by many decades.
struct JudgedTogether {
  std::string name;                 ///< "q and v", "lambda", "all, relative"
  std::vector<std::size_t> groups;  ///< indices into BenchmarkProblem::groups
  bool relative = false;            ///< the band bounds 10^(−scd), not the error
};
std::vector<JudgedTogether> judged_together(const BenchmarkProblem& problem);

/// One problem (all its formulations), one set of groups and one band.
struct Winner {
  std::size_t problem = 0;  ///< its first formulation, as an index into BenchmarkResult::problems
  std::string groups;
  double band = 0.0;
  const Trial* fastest = nullptr;     ///< smallest time; nullptr: none in the band, or untimed
  const Trial* fewest_rhs = nullptr;  ///< fewest right-hand sides; nullptr: none in the band
  int reached = 0;      ///< number of methods × formulations that reach the band at some setting
  int contestants = 0;  ///< number of methods × formulations
};

/// The winners by problem, groups and band, without interpolation. A trial reaches the band if the
/// sum of its error and the reference's error bar (relative: the largest relative error) is ≤ band
/// in every group, and the next tighter setting of the same method, if successful, reaches it too:
/// the error has zeros as a function of the tolerance, and hitting one of them would be luck.
std::vector<Winner> winners(const BenchmarkResult& result);

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
