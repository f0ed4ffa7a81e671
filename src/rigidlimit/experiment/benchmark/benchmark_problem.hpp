// A benchmark problem of any kind, and its reference.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// Values at the times of a problem, by group: one row per component, one column per time.
using GroupValues = std::vector<MatrixXd>;

/// The reference of the errors.
struct BenchmarkReference {
  GroupValues values{};         ///< empty: there is no reference
  std::vector<double> error{};  ///< of each group: distance of other reference solves
  std::string how{};            ///< description of `values` and `error`
  std::string message{};        ///< why there is no reference
};

/// A problem ready to be solved, by one solver at a time: it has its own moving coordinates and
/// work space.
struct PosedProblem {
  OdeProblem problem;
  std::function<GroupValues(const Solution&)> groups;
  /// atol/rtol of each component if they differ; empty: Benchmark::atol_factor for all.
  std::vector<double> atol_over_rtol{};
};

/// A problem of a benchmark, with its labels.
struct BenchmarkProblem {
  std::string name;                      ///< in tables
  std::string system;                    ///< name in its catalogue
  double epsilon = std::nan("");         ///< NaN: none
  std::string formulation = "-";         ///< "natural", "adapted"; "-": there is only one
  long count = 0;                        ///< N; 0: none
  std::vector<double> times{};           ///< of the judged errors; the last one is the end
  std::vector<std::string> groups{};     ///< names: {"q", "v", "lambda"}, or {"all"}
  std::size_t reference = 0;             ///< index into BenchmarkProblems::references
  std::string determinants{};            ///< all that a solve depends on but method and times
  std::function<PosedProblem()> pose{};  ///< creates the problem; thread-safe
};

/// A reference, which several problems may share (formulations of one motion).
struct ReferenceTask {
  std::string name;            ///< for the progress line
  std::string determinants{};  ///< all that it depends on but the times
  std::function<BenchmarkReference(const std::function<bool()>& stop_requested)> find;
};

struct BenchmarkProblems {
  std::vector<BenchmarkProblem> problems;
  std::vector<ReferenceTask> references;
};

}  // namespace rigidlimit
