// Result of a benchmark: one trial per solve, one error per group.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_problem.hpp"
#include "rigidlimit/experiment/plan/solve_counts.hpp"

namespace rigidlimit {

enum class TrialStatus {
  ok,
  reference_limited,  ///< the error is below 10 × the reference's own: not evidence
  plateau,            ///< equal steps: the error hardly depends on h here
  failed              ///< not solved, or without reference
};

const char* name_of(TrialStatus status);  ///< "ok", "reference_limited", …

/// The error of one solve in one group, over the judged times; NaN if the solve failed. e is the
/// difference from the reference y, by component and time:
struct GroupError {
  double error = std::nan("");  ///< max |e|, in the units of the group
  double scd = std::nan("");  ///< −log10 max |e|/|y|, over the y that are not 0 within their error
  double mixed = std::nan("");  ///< −log10 max |e|/(|y| + 1)
  double reference_error = std::nan("");
  double observed_order = std::nan("");  ///< from the next larger h; signed
  TrialStatus status = TrialStatus::failed;
};

/// One method on one problem at one setting.
struct Trial {
  std::size_t problem = 0;  ///< index into BenchmarkResult::problems
  const OdeMethod* method = nullptr;
  Setting setting{};

  Outcome outcome = Outcome::not_run;
  std::string reason{};  ///< of a failure or a rejection, on one line; empty on success
  double t_reached = std::nan("");
  double last_step = std::nan("");
  Work work{};
  std::vector<GroupError> errors{};  ///< one for each group of the problem

  double seconds = std::nan("");         ///< processor time of one solve, minimum
  double seconds_median = std::nan("");  ///< median
  int repeats = 0;                       ///< number of measurements
};

/// Trial::reason of a trial that an interrupted run did not reach.
inline constexpr const char* never_begun = "not run";

struct BenchmarkResult {
  Benchmark benchmark{};
  std::vector<BenchmarkProblem> problems{};
  std::vector<BenchmarkReference> references{};
  std::vector<std::string> reference_names{};
  std::vector<Trial> trials{};  ///< problem by problem, method by method, setting by setting
  bool interrupted = false;
  SolveCounts counts{};

  /// Whether some trial succeeded.
  bool has_numbers() const;
  /// Number of trials that ended by themselves, rejections included.
  std::size_t ended() const;
};

/// The options of the solve of a trial.
SolveOptions options_of(const Benchmark& benchmark, const PosedProblem& posed,
                        const Setting& setting);

/// "sundials", "odeint", "own": the library of a method, from the first word of its source.
std::string library_of(const OdeMethod& method);

}  // namespace rigidlimit
