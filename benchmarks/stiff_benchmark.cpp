// Cost of stiffness: methods and formulations at equal achieved error, ε = 1e-2 … 1e-8.
//
//   benchmark_stiff experiments/convergence/knife_edge.toml [options of Google Benchmark]
//   benchmark_stiff experiments/convergence/knife_edge.toml --table FILE     Markdown report
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string_view>

#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "stiff_table.hpp"

namespace rigidlimit {
namespace {

/// Searches shared by several runs of a benchmark.
struct Searches {
  RollingStudy study;
  std::map<double, EndReference> references;
  std::map<std::string, std::optional<EndSolve>> found;
};

void equal_error(benchmark::State& state, Searches& searches, const std::string& name,
                 const Contestant& contestant, double epsilon) {
  const EndProblem problem(searches.study, contestant.formulation, epsilon);
  if (!searches.references.contains(epsilon))
    searches.references[epsilon] = end_reference(searches.study, epsilon);
  if (!searches.found.contains(name))
    searches.found[name] =
        loosest_that_serves(problem, *contestant.method, searches.references[epsilon]);
  const std::optional<EndSolve>& solve = searches.found[name];
  if (!solve) {
    state.SkipWithError("fails: the error is not reached");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(problem.solve(*contestant.method, solve->rtol));
  state.counters["steps"] = static_cast<double>(solve->work.steps);
  state.counters["rhs"] = static_cast<double>(solve->work.rhs_evaluations);
  state.counters["rtol"] = solve->rtol;
  state.counters["error"] = solve->error;
}

/// The reference solve for prototypes: rtol 1e-6, ε = 1e-4.
void solve_at_1e_minus_6(benchmark::State& state, const Searches& searches) {
  const EndProblem problem(searches.study, Formulation::adapted, 1e-4);
  const Contestant fast = contestants().front();
  Work work;
  for (auto _ : state) work = problem.solve(*fast.method, 1e-6).work;
  state.counters["steps"] = static_cast<double>(work.steps);
  state.counters["rhs"] = static_cast<double>(work.rhs_evaluations);
}

void register_all(Searches& searches) {
  benchmark::RegisterBenchmark("rtol:1e-06/radau_iia/adapted/epsilon:1e-04", [&searches](
                                                                                 auto& state) {
    solve_at_1e_minus_6(state, searches);
  })->Unit(benchmark::kMicrosecond);
  for (const double epsilon : compared_epsilons())
    for (const Contestant& c : contestants()) {
      const std::string name = fmt::format("equal_error/{}/{}/epsilon:{:.0e}", c.method->name,
                                           name_of(c.formulation), epsilon);
      benchmark::RegisterBenchmark(name.c_str(), [&searches, name, c, epsilon](auto& state) {
        equal_error(state, searches, name, c, epsilon);
      })->Unit(benchmark::kMicrosecond);
    }
}

void write_table(const RollingStudy& study, const char* path) {
  const std::string report = equal_error_report(study);
  std::ofstream file(path);
  file << report;
  file.close();
  if (!file) throw std::runtime_error(fmt::format("cannot write {}", path));
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const bool to_table = argc == 4 && std::string_view(argv[2]) == "--table";
  if (argc != 2 && !to_table)
    throw std::runtime_error("usage: benchmark_stiff STUDY.toml [--table FILE]");
  const RollingStudy study = read_rolling_study(argv[1]);
  if (to_table) {
    write_table(study, argv[3]);
    return 0;
  }
  Searches searches{.study = study, .references = {}, .found = {}};
  register_all(searches);
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
    std::fprintf(stderr, "benchmark_stiff: %s\n", error.what());
    return 2;
  }
}
