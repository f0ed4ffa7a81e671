// Small benchmarks that run in a second, and problems with a known solution.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/run_benchmark.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit::test {

/// The folder of the studies in the sample benchmarks.
inline const std::string studies = in_repository("experiments/convergence");

/// 13 lines.
inline const std::string sample_benchmark_text = R"([benchmark]
name = "sample"
kind = "work_precision"
methods = ["cvode_bdf", "radau_iia", "dopri5"]
[tolerance]
rtol = [1e-6, 1e-3]
[limit]
steps = 300
[timing]
repeats = 1
[[problem]]
study = "knife_edge.toml"
epsilon = [1e-2, 1e-4]
)";

inline Benchmark benchmark_from(const std::string& text,
                                const std::vector<std::string>& overrides = {}) {
  return read_benchmark(TomlDocument::from_text(text, studies + "/sample.toml", overrides));
}

/// The message of the reader's InputError, without the folder; empty if the text is valid.
inline std::string complaint_about_benchmark(const std::string& text) {
  try {
    benchmark_from(text);
  } catch (const InputError& error) {
    const std::string said = error.what();
    return said.starts_with(studies) ? said.substr(studies.size() + 1) : said;
  }
  return "";
}

/// y' = y (1 − y), y(0) = 0.2: y = 1/(1 + 4 e^(−t)), up to t = 2. The Jacobian is multiplied by
/// `factor`: 1 is correct.
inline BenchmarkProblems logistic(double factor) {
  const auto pose = [factor] {
    OdeProblem problem;
    problem.name = "logistic";
    problem.y0 = VectorXd::Constant(1, 0.2);
    problem.rhs = [](double, VectorIn y, VectorOut dydt) { dydt(0) = y(0) * (1.0 - y(0)); };
    problem.jacobian = [factor](double, VectorIn y, MatrixOut dfdy) {
      dfdy(0, 0) = factor * (1.0 - 2.0 * y(0));
    };
    return PosedProblem{.problem = problem,
                        .groups = [](const Solution& s) { return GroupValues{s.states}; }};
  };
  const auto exact = [](const std::function<bool()>&) {
    return BenchmarkReference{
        .values = {MatrixXd::Constant(1, 1, 1.0 / (1.0 + 4.0 * std::exp(-2.0)))},
        .error = {1e-16},
        .how = "closed form"};
  };
  return {.problems = {{.name = "logistic",
                        .system = "logistic",
                        .times = {2.0},
                        .groups = {"all"},
                        .pose = pose}},
          .references = {{.name = "logistic", .find = exact}}};
}

inline RunOptions two_at_a_time() {
  return {.jobs = 2, .stop_requested = {}, .on_progress = {}};
}

/// Equal steps 2/4, 2/8, … 2/64 with these methods.
inline Benchmark equal_steps(const std::vector<const char*>& methods) {
  Benchmark benchmark{.name = "equal_steps", .kind = Benchmark::Kind::order_reduction};
  for (const char* method : methods) benchmark.methods.push_back(find_ode_method(method));
  for (int k = 2; k <= 6; ++k) benchmark.steps.push_back(2.0 / (1 << k));
  benchmark.repeats = 0;
  return benchmark;
}

}  // namespace rigidlimit::test
