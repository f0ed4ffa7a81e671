// The cheapest method to reach an error.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark_result.hpp"

namespace rigidlimit {

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

}  // namespace rigidlimit
