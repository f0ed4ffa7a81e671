// Who reaches an error at the least cost.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark_result.hpp"

namespace rigidlimit {

inline constexpr std::array error_bands{1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};

/// Groups whose errors must be in a band together: q and v, λ apart (its error is of another
/// order); or whatever else a problem has, each apart, and relative to its components: those of a
/// chemical problem lie many decades apart.
struct JudgedTogether {
  std::string name;                 ///< "q and v", "lambda", "all, relative"
  std::vector<std::size_t> groups;  ///< into BenchmarkProblem::groups
  bool relative = false;            ///< the band is one of 10^(−scd), not of the error
};
std::vector<JudgedTogether> judged_together(const BenchmarkProblem& problem);

/// One problem (all its formulations), one set of groups, one band.
struct Winner {
  std::size_t problem = 0;  ///< the first of its formulations, into BenchmarkResult::problems
  std::string groups;
  double band = 0.0;
  const Trial* fastest = nullptr;     ///< least seconds; nullptr: none reaches it, or untimed
  const Trial* fewest_rhs = nullptr;  ///< fewest right-hand sides; nullptr: none reaches it
  int reached = 0;      ///< methods × formulations that reach the band at some setting
  int contestants = 0;  ///< methods × formulations
};

/// By problem, groups and band, without interpolation: a trial is in the band where error and error
/// bar of the reference together (relative: the largest relative error) are ≤ band in every group,
/// and so they are at the next tighter setting of the same method if that one arrived (an error has
/// zeros as a function of the tolerance: one of them would be luck).
std::vector<Winner> winners(const BenchmarkResult& result);

}  // namespace rigidlimit
