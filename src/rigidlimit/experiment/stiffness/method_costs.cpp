#include "rigidlimit/experiment/stiffness/method_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/benchmark/run_benchmark.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

/// The part of a wanted error that the method itself may use.
constexpr double own_share = 0.1;

Benchmark benchmark_of(const RollingStudy& study, const std::vector<const OdeMethod*>& methods) {
  Benchmark benchmark{.name = study.name,
                      .kind = Benchmark::Kind::work_precision,
                      .methods = methods,
                      .rtol = {},
                      .samples = 100,
                      .most_steps = 200'000,
                      .repeats = 1,
                      .most_seconds = 1.0};
  for (int k = 2; k <= 11; ++k) benchmark.rtol.push_back(std::pow(10.0, -k));
  std::vector<Formulation> variables{Formulation::natural};
  if (find_law(study.contact.laws.front())->has_spring()) variables.push_back(Formulation::adapted);
  benchmark.problems.emplace_back(ContactSet{.name = study.name,
                                             .file = {},
                                             .study = std::make_shared<RollingStudy>(study),
                                             .epsilons = study.epsilons,
                                             .formulations = std::move(variables)});
  return benchmark;
}

/// Why a trial is not accurate enough; empty: it is.
std::string fault_of(const Trial& trial, const std::vector<WantedError>& wanted) {
  if (trial.outcome != Outcome::success)
    return trial.message.empty() ? name_of(trial.outcome) : trial.message;
  for (const WantedError& w : wanted) {
    const auto group = static_cast<std::size_t>(
        std::ranges::find(all_quantities, w.measure.quantity) - all_quantities.begin());
    if (const double error = trial.errors[group].error; !(error <= own_share * w.size))
      return fmt::format("error {:.2g} in {}", error, quantity_name(w.measure));
  }
  return {};
}

}  // namespace

std::vector<MethodCost> method_costs(const RollingStudy& study,
                                     const std::vector<WantedError>& wanted,
                                     const std::vector<const OdeMethod*>& methods,
                                     const RunOptions& options) {
  for (const WantedError& one : wanted)
    if (one.measure.quantity == Quantity::gap)
      throw InputError(
          "the costs of methods are measured for errors of q, v and lambda, not of gap", "wanted");
  const BenchmarkResult found = run_benchmark(benchmark_of(study, methods), options);
  std::vector<MethodCost> costs;
  const Trial* last = nullptr;
  for (const Trial& trial : found.trials) {  // by problem, by method, from the loosest tolerance
    if (last == nullptr || last->problem != trial.problem || last->method != trial.method)
      costs.push_back(
          {.method = trial.method, .formulation = found.problems[trial.problem].formulation});
    last = &trial;
    MethodCost& cost = costs.back();
    if (!std::isnan(cost.rtol)) continue;
    cost.reason = fault_of(trial, wanted);
    if (!cost.reason.empty()) continue;
    cost.rtol = trial.setting.rtol;
    cost.work = trial.work;
    cost.seconds = trial.seconds;
  }
  return costs;
}

std::vector<const OdeMethod*> methods_named(const std::vector<std::string>& names) {
  std::vector<std::string> known{"all"};
  for (const OdeMethod& method : ode_methods()) known.emplace_back(method.name);
  for (const std::string& name : names)
    if (std::ranges::count(known, name) == 0)
      throw InputError(
          fmt::format("'{}' is not known{}", name, suggestion(name, known, "rigidlimit list")),
          "methods");
  std::vector<const OdeMethod*> methods;
  for (const OdeMethod& method : ode_methods())
    if (std::ranges::count(names, method.name) + std::ranges::count(names, "all") > 0)
      methods.push_back(&method);
  return methods;
}

std::vector<std::string> methods_of_each_family() {
  return {"cvode_bdf", "radau_iia",   "rodas5p", "arkode_dirk_esdirk437l2sa_7_3_4",
          "exprb43",   "cvode_adams", "dopri5",  "runge_kutta_fehlberg78"};
}

}  // namespace rigidlimit
