// What a benchmark found: one trial a solve, one judgement of it a group.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_problem.hpp"

namespace rigidlimit {

enum class TrialStatus {
  ok,
  reference_limited,  ///< the error is below 10 × the reference's own: it is no evidence
  plateau,            ///< equal steps: the error hardly depends on h here
  failed              ///< not solved, or there is no reference
};

const char* name_of(TrialStatus status);  ///< "ok", "reference_limited", …

/// The error of one solve in one group, over the times at which it is judged. NaN where it failed.
/// e is the difference to the reference y, both by component and time:
struct GroupError {
  double error = std::nan("");  ///< max |e|, in the units of the group
  double scd = std::nan("");  ///< −log10 max |e|/|y|, over the y that the reference tells from 0
  double mixed = std::nan("");  ///< −log10 max |e|/(|y| + 1)
  double reference_error = std::nan("");
  double observed_order = std::nan("");  ///< from the next larger h; signed
  TrialStatus status = TrialStatus::failed;
};

/// One method on one problem at one setting.
struct Trial {
  std::size_t problem = 0;  ///< into BenchmarkResult::problems
  const OdeMethod* method = nullptr;
  Setting setting{};

  Outcome outcome = Outcome::not_run;
  std::string reason{};  ///< of a failure or a refusal, on one line; empty if it arrived
  double t_reached = std::nan("");
  double last_step = std::nan("");
  Work work{};
  std::vector<GroupError> errors{};  ///< one for each group of the problem

  double seconds = std::nan("");         ///< processor time of one solve, the least found
  double seconds_median = std::nan("");  ///< the median of all found
  int repeats = 0;                       ///< how many were
};

/// Trial::reason of a trial that an interrupted run did not come to.
inline constexpr const char* never_begun = "not run";

struct BenchmarkResult {
  Benchmark benchmark{};
  std::vector<BenchmarkProblem> problems{};
  std::vector<BenchmarkReference> references{};
  std::vector<std::string> reference_names{};
  std::vector<Trial> trials{};  ///< problem by problem, method by method, setting by setting
  bool interrupted = false;

  /// A trial has arrived.
  bool has_numbers() const;
  /// Trials that ended by themselves, refusals included: all of them unless interrupted.
  std::size_t ended() const;
};

/// What the solver of a trial is given.
SolveOptions options_of(const Benchmark& benchmark, const PosedProblem& posed,
                        const Setting& setting);

/// "sundials", "odeint", "own": whose code a method is, by the first word of its source.
std::string library_of(const OdeMethod& method);

}  // namespace rigidlimit
