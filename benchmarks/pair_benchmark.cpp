// What the parts of a solve cost, for every system of the catalogue: one evaluation of the
// compliant right-hand side and of its Jacobian in (q, v, η) and in (q, u, w, η), the latter with
// natural quasi-velocities and with constant rows S, and whole solves at one tolerance. Compare
// within one run only.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "rigidlimit/formulations/adapted.hpp"
#include "rigidlimit/formulations/compliant.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/study/time_grid.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {
namespace {

enum class Variables { natural, adapted, adapted_constant };

MotionProblem<OdeProblem> compliant_problem(const SystemEntry& system, Variables variables,
                                            double epsilon) {
  const System model = system.make(system.default_values());
  const InitialState start = system.start(system.default_values());
  const MatrixXd C = MatrixXd::Identity(model.m, model.m);
  const ViscoelasticLaw law{C, 2.0 * C};
  const VectorXd eta0 = VectorXd::Zero(model.m);
  if (variables == Variables::natural) return compliant_ode(model, start, law, epsilon, eta0);
  return compliant_adapted(model, start, law, epsilon, eta0,
                           {.natural = variables == Variables::adapted});
}

void right_hand_side(benchmark::State& state, const SystemEntry* system, Variables variables) {
  const OdeProblem problem = compliant_problem(*system, variables, 1e-3).problem;
  VectorXd rate(problem.y0.size());
  for (auto _ : state) {
    problem.rhs(0.0, problem.y0, rate);
    benchmark::DoNotOptimize(rate.data());
  }
}

void jacobian(benchmark::State& state, const SystemEntry* system, Variables variables) {
  const OdeProblem problem = compliant_problem(*system, variables, 1e-3).problem;
  MatrixXd J(problem.y0.size(), problem.y0.size());
  for (auto _ : state) {
    problem.jacobian(0.0, problem.y0, J);
    benchmark::DoNotOptimize(J.data());
  }
}

void solve(benchmark::State& state, const SystemEntry* system, const OdeMethod* method,
           double epsilon) {
  const OdeProblem problem = compliant_problem(*system, Variables::natural, epsilon).problem;
  const std::vector<double> times = grid_for({.end = 2.0}, epsilon);
  SolveOptions options;
  options.rtol = 1e-8;
  options.atol = 1e-10;
  Work work;
  for (auto _ : state) work = method->solve(problem, times, options).work;
  state.counters["steps"] = static_cast<double>(work.steps);
  state.counters["rhs"] = static_cast<double>(work.rhs_evaluations);
}

[[maybe_unused]] const bool registered = [] {
  for (const SystemEntry& system : builtin_systems()) {
    const std::string name = system.info.name;
    for (const auto& [word, variables] :
         {std::pair("natural", Variables::natural), std::pair("adapted", Variables::adapted),
          std::pair("adapted_constant", Variables::adapted_constant)}) {
      const std::string end = std::string("/") + word;
      benchmark::RegisterBenchmark((name + "/rhs" + end).c_str(), right_hand_side, &system,
                                   variables);
      benchmark::RegisterBenchmark((name + "/jacobian" + end).c_str(), jacobian, &system,
                                   variables);
    }
    for (const char* method : {"cvode_bdf", "rosenbrock4"})
      for (const double epsilon : {1e-2, 1e-3, 1e-4})
        benchmark::RegisterBenchmark(
            (name + "/" + method + "/epsilon:" + std::to_string(epsilon)).c_str(), solve, &system,
            find_ode_method(method), epsilon)
            ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace rigidlimit
