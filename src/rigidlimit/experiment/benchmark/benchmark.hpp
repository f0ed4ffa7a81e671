// A benchmark: its data with all defaults filled in, its problems, and its result.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/result/solve_counts.hpp"
#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// The compliant contact of a rolling study, in each formulation at each ε, and its ideal rolling
/// for ε = 0. The reference is a ContactReference.
struct ContactSet {
  static constexpr bool has_motion = true;    ///< its reference is known at all times
  std::string name;                           ///< in tables; by default that of the study
  std::string file;                           ///< path in the benchmark's file
  std::shared_ptr<const RollingStudy> study;  ///< gives system, start, contact and time
  std::vector<double> epsilons;               ///< decreasing; 0: ideal rolling
  std::vector<Formulation> formulations;
};

/// Trains of N sleighs, sparse.
struct ChainSet {
  static constexpr bool has_motion = true;
  std::string name;
  std::vector<long> counts;      ///< N, increasing
  std::vector<double> epsilons;  ///< decreasing; 0: the rigid train
  double end = 1.0;              ///< T, s
};

/// A classical stiff problem, or one written as text; a DAE as an ODE with the multipliers
/// eliminated. For an ODE, the ratio of absolute tolerances to rtol is that of its source, not
/// atol_factor.
struct ClassicalSet {
  static constexpr bool has_motion = false;  ///< its reference is known at the end
  std::string name;
  std::shared_ptr<const ClassicalEntry> entry = {};
  std::string file = {};  ///< of a problem written as text; empty: an entry of the catalogue
  std::vector<double> parameters{};  ///< one for each of entry->parameters
  double end = 0.0;                  ///< T in the unit of the problem; 0: its default
  bool in_quad = true;  ///< the reference uses 113-bit solves; false: only solves in double
};

using ProblemSet = std::variant<ContactSet, ChainSet, ClassicalSet>;

/// The study behind a set of problems; nullptr: there is none.
inline std::shared_ptr<const RollingStudy> study_of(const ContactSet& set) {
  return set.study;
}
template <class Set>
std::shared_ptr<const RollingStudy> study_of(const Set& /*set*/) {
  return nullptr;
}

/// Setting of one solve: a tolerance or a step size.
struct Setting {
  double rtol = 0.0;
  double atol = 0.0;  ///< NaN: one for each component
  double h = 0.0;     ///< s; 0: the tolerance determines the steps
};

/// Every method of `methods` solves every problem at every setting.
struct Benchmark {
  enum class Kind {
    work_precision,   ///< error against cost: one setting per tolerance
    order_reduction,  ///< error against h and ε, equal steps: one setting per step size
    cost_epsilon,     ///< cost against ε, at one tolerance
    cost_count        ///< cost against N, at one tolerance
  };

  std::string name;
  Kind kind = Kind::work_precision;
  std::string question{};
  std::string source{};
  std::vector<const OdeMethod*> methods{};  ///< of the catalogue, in its order

  std::vector<double> rtol{1e-8};  ///< decreasing; several only for Kind::work_precision
  double atol_factor = 0.01;       ///< atol = atol_factor · rtol, for every component
  std::vector<double> steps{};     ///< h, s, decreasing; Kind::order_reduction only

  int samples = 0;           ///< errors are judged at the end (0), or at this many times up to it
  long most_steps = 100000;  ///< maximum of attempted steps in one solve

  int repeats = 5;            ///< rounds of time measurements; 0: none
  double most_seconds = 2.0;  ///< total of one solve's repetitions; at least one is measured

  std::vector<ProblemSet> problems{};
};

const char* name_of(Benchmark::Kind kind);  ///< "work_precision", …

/// The settings of a benchmark up to the time `end`. Equal steps are h = end/n with n the whole
/// number nearest to end/h, without duplicates.
std::vector<Setting> settings_of(const Benchmark& benchmark, double end);

/// Values at the times of a problem, by group: one row per component, one column per time.
using GroupValues = std::vector<MatrixXd>;

/// Of a published value and the reference. Unresolved: the error bar of the reference is as large
/// as the value, or unknown.
enum class Agreement { agrees, differs, unresolved };

/// A published value at the end of a problem, beside the reference.
struct PublishedValue {
  std::string source{};   ///< publication
  std::string unknown{};  ///< name of the component
  PrintedNumber printed{};
  /// Of the problem with the decimals of its source (ClassicalProblem::as_printed), if it has some.
  double reference = std::nan("");
  double bar = std::nan("");         ///< error of the reference in this component
  double difference = std::nan("");  ///< reference − printed value, not rounded before

  /// Agrees if the rounding of the printed value and `bar` explain the difference.
  Agreement agreement() const;
  const char* verdict() const;  ///< agreement() in a word: "agrees", "differs", "unresolved"
  /// Of agreeing_digits(); NaN for a printed 0 and if unresolved.
  double digits() const;
};

/// The reference of the errors.
struct BenchmarkReference {
  GroupValues values{};         ///< empty: there is no reference
  std::vector<double> error{};  ///< of each group: distance of other reference solves
  std::string how{};            ///< description of `values` and `error`
  std::string message{};        ///< why there is no reference
  std::vector<PublishedValue> published{};
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
  /// Those of BenchmarkReference::published, without the numbers of the reference.
  std::vector<PublishedValue> published{};
  std::function<BenchmarkReference(const std::function<bool()>& stop_requested)> find;
};

struct BenchmarkProblems {
  std::vector<BenchmarkProblem> problems;
  std::vector<ReferenceTask> references;
};

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
struct Trial : SolveEnd {   ///< message: also of a rejection
  std::size_t problem = 0;  ///< index into BenchmarkResult::problems
  const OdeMethod* method = nullptr;
  Setting setting{};
  std::vector<GroupError> errors{};  ///< one for each group of the problem

  double seconds = std::nan("");         ///< processor time of one solve, minimum
  double seconds_median = std::nan("");  ///< median
  int repeats = 0;                       ///< number of measurements

  /// Whether it succeeded and has an error: without a reference it has none.
  bool has_error() const;
};

/// Trial::message of a trial that an interrupted run did not reach.
inline constexpr const char* never_begun = "not run";

struct BenchmarkResult {
  Benchmark benchmark{};
  std::vector<BenchmarkProblem> problems{};
  std::vector<BenchmarkReference> references{};
  std::vector<std::string> reference_names{};
  std::vector<Trial> trials{};  ///< problem by problem, method by method, setting by setting
  bool interrupted = false;
  SolveCounts counts{};

  /// Whether some trial has an error.
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
