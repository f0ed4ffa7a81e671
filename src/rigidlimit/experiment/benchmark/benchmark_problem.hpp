// The one door through which a problem of any kind comes to the benchmarks.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// Values on the times of a problem, group by group: one row a component, one column a time.
using GroupValues = std::vector<MatrixXd>;

/// What errors are measured from.
struct BenchmarkReference {
  GroupValues values{};         ///< empty: there is none
  std::vector<double> error{};  ///< of each group: how far others of its kind lie from it
  std::string how{};            ///< what `values` and `error` are, for a reader
  std::string message{};        ///< why there is none
};

/// A problem ready to be solved, by one solver at a time: moving coordinates and work space are
/// its own.
struct PosedProblem {
  OdeProblem problem;
  std::function<GroupValues(const Solution&)> groups;
  /// atol/rtol of each component, where they differ; empty: Benchmark::atol_factor for all.
  std::vector<double> atol_over_rtol{};
};

/// A problem that a benchmark solves, and what its results are filed under.
struct BenchmarkProblem {
  std::string name;                      ///< in tables
  std::string system;                    ///< of the catalogue it comes from
  double epsilon = std::nan("");         ///< NaN: it has none
  std::string formulation = "-";         ///< "natural", "adapted"; "-": there is one only
  long count = 0;                        ///< N; 0: it has none
  std::vector<double> times{};           ///< where it is judged; the last one is its end
  std::vector<std::string> groups{};     ///< names: {"q", "v", "lambda"}, or {"all"}
  std::size_t reference = 0;             ///< into BenchmarkProblems::references
  std::function<PosedProblem()> pose{};  ///< makes it; may be called from several threads
};

/// A reference that several problems may share (formulations of one motion).
struct ReferenceTask {
  std::string name;  ///< for the progress line
  std::function<BenchmarkReference(const std::function<bool()>& stop_requested)> find;
};

struct BenchmarkProblems {
  std::vector<BenchmarkProblem> problems;
  std::vector<ReferenceTask> references;
};

}  // namespace rigidlimit
