// Cost of a step of a chain of N sleighs, N from 1 to 10 000, rigid and compliant. The output has
// the processor time per step, the steps and the entries of the factors for each N. It also has the
// fitted exponent of N in the time per step. Compare only within one run.
//
//   benchmark_chain [options of Google Benchmark]
//   benchmark_chain --table      prints a table
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "rigidlimit/experiment/benchmark/timing.hpp"
#include "rigidlimit/formulations/compliant/assembly_pair.hpp"
#include "rigidlimit/solvers/sundials/cvode.hpp"
#include "rigidlimit/systems/rolling/sleigh_chain.hpp"

namespace rigidlimit {
namespace {

constexpr double end = 1.0;  // s
constexpr double compliant_epsilon = 1e-3;
const std::vector<Index>& counts() {
  static const std::vector<Index> all{1, 10, 100, 1000, 10000};
  return all;
}

/// The compliant problem; for ε = 0 the rigid problem.
OdeProblem chain_problem(Index count, double epsilon) {
  const SleighChain chain{.count = count, .sleigh = {}, .hitch = {}};
  const Assembly assembly = assembly_of(chain);
  if (epsilon == 0.0) return rigid_assembly(assembly, start_of(chain)).problem;
  const MatrixXd one = MatrixXd::Identity(1, 1);
  return compliant_assembly(assembly, start_of(chain), {.stiffness = one, .damping = 2.0 * one},
                            epsilon, VectorXd::Zero(count))
      .problem;
}

Solution solved(const OdeProblem& problem) {
  const SolveOptions options{.rtol = 1e-6, .atol = 1e-8, .stop_requested = {}};
  Solution solution = solve_cvode_bdf(problem, {end}, options);
  if (solution.outcome != Outcome::success) throw std::runtime_error(solution.message);
  return solution;
}

void solve(benchmark::State& state, Index count, double epsilon) {
  const OdeProblem problem = chain_problem(count, epsilon);
  Work work;
  for (auto _ : state) work = solved(problem).work;
  const auto steps = static_cast<double>(work.steps);
  state.counters["steps"] = steps;
  state.counters["factor_nonzeros"] = static_cast<double>(work.factor_nonzeros);
  state.counters["s_per_step"] =
      benchmark::Counter(steps * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void register_all() {
  for (const double epsilon : {0.0, compliant_epsilon})
    for (const Index count : counts())
      benchmark::RegisterBenchmark(
          fmt::format("{}/sleighs:{}", epsilon == 0.0 ? "rigid" : "compliant", count).c_str(),
          [count, epsilon](auto& state) { solve(state, count, epsilon); })
          ->Unit(benchmark::kMillisecond);
}

/// The minimum over repeated solves of at least a fifth of a second in all.
double seconds_per_step(const OdeProblem& problem, const Work& work) {
  const double begin = thread_seconds();
  double quickest = INFINITY;
  do {
    const double before = thread_seconds();
    benchmark::DoNotOptimize(solved(problem));
    const double seconds = thread_seconds() - before;
    if (is_duration(seconds)) quickest = std::min(quickest, seconds);
  } while (thread_seconds() - begin < 0.2);
  return quickest / static_cast<double>(work.steps);
}

/// The slope of the least-squares line through (log N, log time).
double fitted_exponent(const std::vector<double>& log_n, const std::vector<double>& log_time) {
  const auto n = static_cast<Index>(log_n.size());
  const Eigen::Map<const VectorXd> x(log_n.data(), n), y(log_time.data(), n);
  const VectorXd dx = x.array() - x.mean();
  return dx.dot(y) / dx.squaredNorm();
}

void print_table(double epsilon) {
  fmt::print("{}\n",
             epsilon == 0.0 ? "rigid" : fmt::format("compliant, epsilon = {:.0e}", epsilon));
  fmt::print("{:>7} {:>8} {:>6} {:>9} {:>10} {:>11} {:>11} {:>13} {:>12}\n", "N", "unknowns",
             "steps", "Jacobians", "factorised", "nonzeros J", "L and U", "L and U / N",
             "us per step");
  std::vector<double> log_n, log_time;
  for (const Index count : counts()) {
    const OdeProblem problem = chain_problem(count, epsilon);
    const Work work = solved(problem).work;
    const double time = seconds_per_step(problem, work);
    fmt::print("{:>7} {:>8} {:>6} {:>9} {:>10} {:>11} {:>11} {:>13.1f} {:>12.1f}\n", count,
               problem.y0.size(), work.steps, work.jacobian_evaluations, work.factorisations,
               problem.sparse_jacobian->pattern.nonzeros(), work.factor_nonzeros,
               static_cast<double>(work.factor_nonzeros) / static_cast<double>(count), 1e6 * time);
    std::fflush(stdout);
    log_n.push_back(std::log(static_cast<double>(count)));
    log_time.push_back(std::log(time));
  }
  // Below ten sleighs the part independent of N still matters.
  const std::vector<double> large_n(log_n.begin() + 1, log_n.end());
  const std::vector<double> large_time(log_time.begin() + 1, log_time.end());
  fmt::print("time per step grows as N^{:.3f}; from N = 10 on as N^{:.3f}\n\n",
             fitted_exponent(log_n, log_time), fitted_exponent(large_n, large_time));
}

int run(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--table") {
    print_table(0.0);
    print_table(compliant_epsilon);
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (argc != 1) throw std::runtime_error("usage: benchmark_chain [--table]");
  register_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace rigidlimit

int main(int argc, char** argv) {
  try {
    return rigidlimit::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "benchmark_chain: %s\n", error.what());
    return 2;
  }
}
