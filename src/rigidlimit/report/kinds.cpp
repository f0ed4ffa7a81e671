#include "rigidlimit/report/kinds.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/run_benchmark.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/plan/sweep_plan.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/report/reports.hpp"
#include "rigidlimit/report/sweep_report.hpp"

namespace rigidlimit {

namespace {

// --- which kind

bool is_benchmark(const TomlDocument& document, const SystemCatalogue& /*systems*/) {
  return document.root().has_table("benchmark");
}

/// The file has keys of contacts that slip, or its system cannot roll.
bool is_friction(const TomlDocument& document, const SystemCatalogue& systems) {
  if (is_sweep(document))
    return is_friction(document_at(document, read_sweep_grid(document), 0), systems);
  Section root = document.root();
  if (root.has_table("history")) return true;
  Section contact = root.section("contact");
  for (const char* key : {"friction", "tangential_stiffness", "normal_stiffness",
                          "tangential_power", "plastic_exponent", "creep"})
    if (contact.has(key)) return true;
  const SystemEntry* system = find_system(systems, root.section("system").text("name", ""));
  return system != nullptr && !system->rolls();
}

bool is_any(const TomlDocument& /*document*/, const SystemCatalogue& /*systems*/) {
  return true;
}

// --- facts of a specification

bool demands(const RollingStudy& study) {
  return study.demands_something();
}
bool demands(const FrictionStudy& /*study*/) {
  return true;  // at least that the rigid motion succeeds
}
bool demands(const Benchmark& /*benchmark*/) {
  return false;
}
template <class Study>
bool demands(const Sweep<Study>& sweep) {
  return std::ranges::any_of(sweep.points, [](const Study& point) { return demands(point); });
}

std::vector<std::string> systems_of(const RollingStudy& study) {
  return {study.system->info.name};
}
std::vector<std::string> systems_of(const FrictionStudy& study) {
  return {study.system->info.name};
}
std::vector<std::string> systems_of(const Benchmark& benchmark) {
  std::vector<std::string> problems;
  for (const ProblemSet& set : benchmark.problems)
    problems.push_back(std::visit([](const auto& one) { return one.name; }, set));
  return problems;
}
template <class Study>
std::vector<std::string> systems_of(const Sweep<Study>& sweep) {
  return systems_of(sweep.points.front());
}

template <class Study>
bool is_portable(const Study& study) {
  return is_builtin(*study.system) || !study.system->definition.empty();
}
bool is_portable(const Benchmark& /*benchmark*/) {
  return true;  // it names problems of the library, and contains the studies of the others
}
template <class Study>
bool is_portable(const Sweep<Study>& sweep) {
  return is_portable(sweep.points.front());
}

template <class Study>
constexpr bool is_swept = false;
template <class Study>
constexpr bool is_swept<Sweep<Study>> = true;

/// Without its kind.
template <class Spec>
Experiment made_of(Spec spec) {
  return {.name = spec.name,
          .question = spec.question,
          .systems = systems_of(spec),
          .resolved = resolved_toml(spec),
          .demands_something = demands(spec),
          .is_sweep = is_swept<Spec>,
          .portable = is_portable(spec),
          .spec = std::make_shared<const Experiment::Spec>(std::move(spec))};
}

// --- plans

std::vector<Curve> curves_in(RollingResult& result) {
  return std::move(result.curves);
}
template <class Result>
std::vector<Curve> curves_in(Result& /*result*/) {
  return {};
}

template <class Spec>
class PlanOf final : public JudgedPlan {
 public:
  PlanOf(const Spec& spec, const RunOptions& options)
      : options_(options), plan_(plan_for(spec, options_)) {}
  SolveStage next_stage() override { return plan_.next_stage(); }
  JudgedExperiment judged(const SolveCounts& counts) override {
    auto result = plan_.judged(counts);
    std::vector<Curve> curves = curves_in(result);
    const SolveCounts of_result = result.counts;
    return {report_of(std::move(result)), of_result, std::move(curves)};
  }

 private:
  RunOptions options_;
  decltype(plan_for(std::declval<const Spec&>(), std::declval<const RunOptions&>())) plan_;
};

// --- the rows

template <class Read>
Experiment read_study(const TomlDocument& document, const Read& read) {
  if (is_sweep(document)) return made_of(read_sweep(document, read));
  return made_of(read(document));
}

constexpr std::array rows{
    Kind{.name = "benchmark",
         .fits = is_benchmark,
         .read =
             [](const TomlDocument& document, const SystemCatalogue& systems) {
               return made_of(read_benchmark(document, systems));
             }},
    Kind{.name = "friction",
         .fits = is_friction,
         .read =
             [](const TomlDocument& document, const SystemCatalogue& systems) {
               return read_study(document, [&](const TomlDocument& one) {
                 return read_friction_study(one, systems);
               });
             }},
    Kind{.name = "rolling",
         .fits = is_any,
         .read = [](const TomlDocument& document, const SystemCatalogue& systems) {
           return read_study(
               document, [&](const TomlDocument& one) { return read_rolling_study(one, systems); });
         }}};

Experiment of_kind(const Kind& kind, Experiment experiment) {
  experiment.kind = &kind;
  return experiment;
}

}  // namespace

Experiment read_experiment(const TomlDocument& document, const SystemCatalogue& systems) {
  const auto kind =
      std::ranges::find_if(rows, [&](const Kind& one) { return one.fits(document, systems); });
  return of_kind(*kind, kind->read(document, systems));  // the last kind fits every document
}

Experiment experiment_of(Benchmark benchmark) {
  return of_kind(rows.front(), made_of(std::move(benchmark)));
}

std::unique_ptr<JudgedPlan> plan_for(const Experiment& experiment, const RunOptions& options) {
  return std::visit(
      [&]<class Spec>(const Spec& spec) -> std::unique_ptr<JudgedPlan> {
        return std::make_unique<PlanOf<Spec>>(spec, options);
      },
      *experiment.spec);
}

JudgedExperiment judged_experiment(const Experiment& experiment, const RunOptions& options) {
  const std::unique_ptr<JudgedPlan> plan = plan_for(experiment, options);
  const SolveCounts counts = do_plan(*plan, options);
  return plan->judged(counts);
}

}  // namespace rigidlimit
