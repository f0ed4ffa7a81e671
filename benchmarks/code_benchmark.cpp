// Speedup by machine code of the recorded equations (core/codegen/tape_code.hpp) for every system
// of the catalogue. The output has the operations of the adapted compliant right-hand side, and the
// times of this right-hand side (double, packs of eight), a Jacobian and a solve. Times are the
// minimum processor times of many calls, with interpreter and code in turns. Compare only within
// one run.
//
//   benchmark_code [part of a system's name]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "rigidlimit/core/batched_rate.hpp"
#include "rigidlimit/core/codegen/tape_code.hpp"
#include "rigidlimit/experiment/benchmark/timing.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {
namespace {

constexpr double epsilon = 1e-3, end = 2.0;  // s, for default parameters and ω = k = 1

/// A problem with interpreted or compiled equations, and a state.
struct Subject {
  Subject(const SystemEntry& entry, bool interpreted) {
    interpreted ? setenv("RIGIDLIMIT_INTERPRET", "1", 1) : unsetenv("RIGIDLIMIT_INTERPRET");
    const CodeCollector collector([this](const TapeForm& form, bool in_packs) {
      if (in_packs) operations = std::max(operations, form.steps.size());  // others are parts of it
    });
    const System model = entry.make(entry.default_values());
    const MatrixXd one = MatrixXd::Identity(model.m, model.m);
    problem = compliant_adapted(model, entry.start(entry.default_values()),
                                {.stiffness = one, .damping = 2.0 * one}, epsilon,
                                VectorXd::Zero(model.m))
                  .problem;
    rate = problem.y0;
    J = MatrixXd(rate.size(), rate.size());
    P = MatrixXd(problem.batched->slow + problem.batched->fast, problem.batched->fast);
    packs.assign(rate.begin(), rate.begin() + P.rows());
    rates = packs;
    forces.resize(static_cast<std::size_t>(P.cols()));
    response(), numbers(), jacobian(), in_packs(), solve();  // records all tapes
  }

  void numbers() { problem.rhs(0.0, problem.y0, rate); }
  void jacobian() { problem.jacobian(0.0, problem.y0, J); }
  void response() { chart = problem.batched->response(problem.y0.data(), P); }
  /// Evaluates at a different state each time, so that nothing is reused.
  void in_packs() {
    packs[static_cast<std::size_t>(turn++) % packs.size()] += Pack(1e-9);
    problem.batched->rates(chart, Pack(0.0), packs.data(), forces.data(), rates.data());
  }
  void solve() {
    const SolveOptions options{.rtol = 1e-11, .atol = 1e-13, .stop_requested = {}};
    work = find_ode_method("radau_iia")->solve(problem, {end}, options).work;
  }

  OdeProblem problem;
  std::size_t operations = 0;  ///< in the right-hand side in packs
  VectorXd rate;
  MatrixXd J, P;
  BatchedRate::Chart chart{};
  std::vector<Pack> packs, rates, forces;
  unsigned turn = 0;
  Work work;
};

/// The minimum of `before` and the time of a call in ns, the mean of `calls` calls.
double least(const std::function<void()>& call, double before, long calls) {
  const double start = thread_seconds();
  for (long i = 0; i < calls; ++i) call();
  const double seconds = thread_seconds() - start;
  return is_duration(seconds) ? std::min(before, 1e9 * seconds / static_cast<double>(calls))
                              : before;
}

/// The cell "interpreted, compiled" of a function, in `unit` ns.
std::string times(Subject& interpreter, Subject& code, void (Subject::*what)(), long calls,
                  double unit = 1.0) {
  double a = std::numeric_limits<double>::infinity(), b = a;
  constexpr double enough = 2.0;  // s; one solve of a disc that tips over takes seconds
  const double begin = thread_seconds();
  for (int trial = 0; trial < 30 && (trial == 0 || thread_seconds() - begin < enough); ++trial) {
    a = least([&] { (interpreter.*what)(); }, a, calls);
    b = least([&] { (code.*what)(); }, b, calls);
  }
  return fmt::format(" {:.0f}, {:.0f} |", a / unit, b / unit);
}

void print_row(const SystemEntry& entry) {
  Subject interpreter(entry, true), code(entry, false);
  fmt::print("| {} | {} |", entry.info.name, code.operations);
  fmt::print("{}", times(interpreter, code, &Subject::numbers, 1000));
  fmt::print("{}", times(interpreter, code, &Subject::in_packs, 300));
  fmt::print("{}", times(interpreter, code, &Subject::jacobian, 100));
  fmt::print("{} {} |\n", times(interpreter, code, &Subject::solve, 1, 1e3), code.work.steps);
}

}  // namespace
}  // namespace rigidlimit

int main(int argc, char** argv) {
  const std::string part = argc > 1 ? argv[1] : "";
  setenv("RIGIDLIMIT_CC", "", 1);  // only built-in code, without compilation at run time
  fmt::print(
      "Times in ns of the compliant right-hand side in adapted variables, in double and in a pack "
      "of "
      "eight, of its Jacobian, and in µs of a solve by `radau_iia` (ε = {}, T = {} s, rtol 1e-11, "
      "default "
      "parameters): interpreted, compiled.\n\n"
      "| system | operations | double | pack of eight | Jacobian | solve | steps |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
      rigidlimit::epsilon, rigidlimit::end);
  for (const auto& entry : rigidlimit::builtin_systems())
    if (entry.rolls() && entry.info.name.find(part) != std::string::npos)
      rigidlimit::print_row(entry);
}
