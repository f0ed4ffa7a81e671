// Cost of the parts of a solve. For every system of the catalogue: the compliant right-hand side,
// its Jacobian and the factors of an iteration matrix, in (q, v, η) and in (q, u, w, η), the latter
// with natural quasi-velocities and with constant rows S. Also: a step of every method, solves, and
// a study. Compare only within one run.
//
//   benchmark_parts [options of Google Benchmark]     in the root of the repository
#include <benchmark/benchmark.h>

#include <exception>
#include <string>
#include <utility>

#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/formulations/rigid/rigid.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/radau/radau_newton_matrix.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {
namespace {

enum class Variables { natural, adapted, adapted_constant };

/// A system of the catalogue with default parameters and a generic contact.
struct Compliant {
  System model;
  InitialState start;
  ViscoelasticLaw law;
  VectorXd eta0;

  explicit Compliant(const SystemEntry& system)
      : model(system.make(system.default_values())),
        start(system.start(system.default_values())),
        law{MatrixXd::Identity(model.m, model.m), 2.0 * MatrixXd::Identity(model.m, model.m)},
        eta0(VectorXd::Zero(model.m)) {}

  OdeProblem in(Variables variables, double epsilon) const {
    if (variables == Variables::natural)
      return compliant_ode(model, start, law, epsilon, eta0).problem;
    return compliant_adapted(model, start, law, epsilon, eta0,
                             {.natural = variables == Variables::adapted})
        .problem;
  }
};

void count(benchmark::State& state, const Work& work) {
  const auto counter = [&](const char* name, long value) {
    state.counters[name] = static_cast<double>(value);
  };
  counter("steps", work.steps);
  counter("rejected", work.rejected_steps);
  counter("rhs", work.rhs_evaluations);
  counter("jacobians", work.jacobian_evaluations);
  counter("factorisations", work.factorisations);
  counter("newton", work.newton_iterations);
  counter("solves", work.linear_solves);
  state.counters["time_per_step"] = benchmark::Counter(
      static_cast<double>(work.steps),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Times a solve; a failure is an entry with its reason.
template <class Solve>
void time_solve(benchmark::State& state, const Solve& solve) {
  try {
    Solution last;
    for (auto _ : state) last = solve();
    if (last.outcome != Outcome::success) state.SkipWithError(last.message.c_str());
    count(state, last.work);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

void right_hand_side(benchmark::State& state, const SystemEntry* system, Variables variables) {
  const OdeProblem problem = Compliant(*system).in(variables, 1e-3);
  VectorXd rate(problem.y0.size());
  for (auto _ : state) {
    problem.rhs(0.0, problem.y0, rate);
    benchmark::DoNotOptimize(rate.data());
  }
}

void jacobian(benchmark::State& state, const SystemEntry* system, Variables variables) {
  const OdeProblem problem = Compliant(*system).in(variables, 1e-3);
  MatrixXd J(problem.y0.size(), problem.y0.size());
  for (auto _ : state) {
    problem.jacobian(0.0, problem.y0, J);
    benchmark::DoNotOptimize(J.data());
  }
}

/// The Newton matrix of seven stages, h = ε: factors, and a correction.
void factorisation(benchmark::State& state, const SystemEntry* system, bool solve) {
  constexpr double epsilon = 1e-3;
  const OdeProblem problem = Compliant(*system).in(Variables::adapted, epsilon);
  const Index n = problem.y0.size();
  const RadauTransform& transform = radau_tableau<double>(7).transform;
  MatrixXd J(n, n), residual = MatrixXd::Ones(n, 7);
  problem.jacobian(0.0, problem.y0, J);
  RadauNewtonMatrix matrix(n, nullptr);
  matrix.use(J);
  matrix.factorise(transform, epsilon);
  for (auto _ : state) {
    if (solve)
      matrix.correct(residual);
    else
      benchmark::DoNotOptimize(matrix.factorise(transform, epsilon));
    benchmark::DoNotOptimize(residual.data());
  }
  state.counters["N"] = static_cast<double>(n);
}

/// 200 steps of h = ε/4 through the layer of the knife edge, stable for explicit methods too.
/// Methods without fixed steps solve that interval at rtol 1e-8. See the counter time_per_step.
void step(benchmark::State& state, const OdeMethod* method, Variables variables) {
  constexpr double epsilon = 1e-3, h = 0.25 * epsilon, end = 200 * h;
  const OdeProblem problem =
      Compliant(*find_system(builtin_systems(), "knife_edge")).in(variables, epsilon);
  SolveOptions options{.rtol = 1e-8, .atol = 1e-10};
  if (method->fixed_step) options.fixed_step = h;
  time_solve(state, [&] { return method->solve(problem, {0.0, end}, options); });
}

/// The rigid motion as a DAE over the interval of `step` at ε = 1e-3.
void dae_step(benchmark::State& state, const DaeMethod* method) {
  constexpr double end = 50.0 * 1e-3;
  const Compliant c(*find_system(builtin_systems(), "knife_edge"));
  const DaeProblem problem = rigid_dae(c.model, c.start, MultiplierForm::index2).problem;
  time_solve(state, [&] {
    return method->solve(problem, {0.0, end}, {.rtol = 1e-8, .atol = 1e-10});
  });
}

void solve(benchmark::State& state, const SystemEntry* system, const OdeMethod* method,
           double epsilon) {
  const OdeProblem problem = Compliant(*system).in(Variables::natural, epsilon);
  const std::vector<double> times = grid_for({.end = 2.0}, epsilon);
  time_solve(state, [&] { return method->solve(problem, times, {.rtol = 1e-8, .atol = 1e-10}); });
}

/// A study on one thread. Its time minus that of its solves is the cost of the rest of a study.
void study(benchmark::State& state) {
  try {
    const RollingStudy study = read_rolling_study(
        "experiments/prediction/knife_edge_prediction.toml", {"epsilon.from=1e-2"});
    std::size_t held = 0, series = 0;
    for (auto _ : state) {
      const RollingResult result =
          run_rolling_study(study, {.jobs = 1, .stop_requested = {}, .on_progress = {}});
      held = 0;
      for (const Series& one : result.series) held += one.held() ? 1 : 0;
      series = result.series.size();
    }
    state.counters["epsilons"] = static_cast<double>(study.epsilons.size());
    state.counters["series"] = static_cast<double>(series);
    state.counters["held"] = static_cast<double>(held);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

constexpr std::pair<const char*, Variables> all_variables[] = {
    {"natural", Variables::natural},
    {"adapted", Variables::adapted},
    {"adapted_constant", Variables::adapted_constant}};

void register_system(const SystemEntry& system) {
  const std::string name = system.info.name;
  for (const auto& [word, variables] : all_variables) {
    benchmark::RegisterBenchmark((name + "/rhs/" + word).c_str(), right_hand_side, &system,
                                 variables);
    benchmark::RegisterBenchmark((name + "/jacobian/" + word).c_str(), jacobian, &system,
                                 variables);
  }
  benchmark::RegisterBenchmark((name + "/newton_matrix/factors").c_str(), factorisation, &system,
                               false);
  benchmark::RegisterBenchmark((name + "/newton_matrix/correction").c_str(), factorisation, &system,
                               true);
  for (const char* method : {"cvode_bdf", "rosenbrock4"})
    for (const double epsilon : {1e-2, 1e-3, 1e-4})
      benchmark::RegisterBenchmark(
          (name + "/" + method + "/epsilon:" + std::to_string(epsilon)).c_str(), solve, &system,
          find_ode_method(method), epsilon)
          ->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] const bool registered = [] {
  for (const SystemEntry& system : builtin_systems())
    if (system.rolls()) register_system(system);
  for (const OdeMethod& method : ode_methods())
    for (const auto& [word, variables] : {all_variables[0], all_variables[1]})
      benchmark::RegisterBenchmark((std::string("step/") + method.name + "/" + word).c_str(), step,
                                   &method, variables)
          ->Unit(benchmark::kMicrosecond);
  for (const DaeMethod& method : dae_methods())
    benchmark::RegisterBenchmark((std::string("step/") + method.name + "/rigid").c_str(), dae_step,
                                 &method)
        ->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("study/knife_edge_prediction", study)->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
}  // namespace rigidlimit
