#include "rigidlimit/experiment/experiment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/stop_request.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_tables.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/run_benchmark.hpp"
#include "rigidlimit/experiment/friction/friction_tables.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/experiment/sweep_plan.hpp"

namespace rigidlimit {

namespace {

// --- which kind

bool is_benchmark(const TomlDocument& document, const SystemCatalogue& /*systems*/) {
  return document.root().has_table("benchmark");
}

/// The file has keys of contacts that slip, or its system cannot roll.
bool is_friction(const TomlDocument& document, const SystemCatalogue& systems) {
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

// --- reading

/// Without its kind.
template <class Study>
Experiment experiment_with(Study study, bool demands_something) {
  const bool of_library = is_builtin(*study.system);
  return {.name = study.name,
          .question = study.question,
          .systems = {study.system->info.name},
          .resolved = resolved_toml(study),
          .demands_something = demands_something,
          .warnings = of_library ? std::vector<std::string>() : study.system->warnings(),
          .portable = of_library || !study.system->definition.empty(),
          .spec = std::make_shared<const Study>(std::move(study))};
}

Experiment experiment_with(Benchmark benchmark) {
  std::vector<std::string> problems;
  for (const ProblemSet& set : benchmark.problems)
    problems.push_back(std::visit([](const auto& one) { return one.name; }, set));
  // It names problems of the library, and contains the studies of the others.
  return {.name = benchmark.name,
          .question = benchmark.question,
          .systems = std::move(problems),
          .resolved = resolved_toml(benchmark),
          .spec = std::make_shared<const Benchmark>(std::move(benchmark))};
}

Experiment read_one_benchmark(const TomlDocument& document, const SystemCatalogue& systems) {
  return experiment_with(read_benchmark(document, systems));
}

/// It demands at least that the rigid motion succeeds.
Experiment read_friction(const TomlDocument& document, const SystemCatalogue& systems) {
  return experiment_with(read_friction_study(document, systems), true);
}

Experiment read_rolling(const TomlDocument& document, const SystemCatalogue& systems) {
  RollingStudy study = read_rolling_study(document, systems);
  const bool demands = study.demands_something();
  return experiment_with(std::move(study), demands);
}

// --- plans

/// The plan of one kind behind the interface of all.
template <class Spec, class Plan>
class PlanOf final : public ExperimentPlan {
 public:
  PlanOf(const Experiment& experiment, RunOptions options)
      : options_(std::move(options)),
        plan_(*static_cast<const Spec*>(experiment.spec.get()), options_) {}
  SolveStage next_stage() override { return plan_.next_stage(); }
  Result judged(const SolveCounts& counts) override { return in_tables(plan_.judged(counts)); }

 private:
  RunOptions options_;
  Plan plan_;
};

template <class Spec, class Plan>
std::unique_ptr<ExperimentPlan> plan_of(const Experiment& experiment, const RunOptions& options) {
  return std::make_unique<PlanOf<Spec, Plan>>(experiment, options);
}

// --- the kinds

constexpr Kind of_benchmarks{.name = "benchmark",
                             .fits = is_benchmark,
                             .read = read_one_benchmark,
                             .plan = plan_of<Benchmark, BenchmarkPlan>};
constexpr Kind of_friction{.name = "friction",
                           .fits = is_friction,
                           .read = read_friction,
                           .plan = plan_of<FrictionStudy, FrictionPlan>};
constexpr Kind of_rolling{.name = "rolling",
                          .fits = is_any,
                          .read = read_rolling,
                          .plan = plan_of<RollingStudy, RollingPlan>};
constexpr std::array kinds{&of_benchmarks, &of_friction,
                           &of_rolling};  // the last fits every document

template <class Spec>
std::shared_ptr<const Spec> spec_of(const Experiment& experiment, const Kind& kind) {
  return experiment.kind == &kind ? std::static_pointer_cast<const Spec>(experiment.spec) : nullptr;
}

Experiment of_kind(const Kind& kind, Experiment experiment) {
  experiment.kind = &kind;
  return experiment;
}

const Kind& kind_of(const TomlDocument& document, const SystemCatalogue& systems) {
  return **std::ranges::find_if(kinds,
                                [&](const Kind* one) { return one->fits(document, systems); });
}

Experiment read_sweep(const TomlDocument& document, const SystemCatalogue& systems) {
  Sweep sweep{.grid = read_sweep_grid(document), .points = {}};
  const Kind& kind = kind_of(document_at(document, sweep.grid, 0), systems);
  std::vector<std::string> texts;
  bool demands = false;
  for (std::size_t k = 0; k < sweep.grid.size(); ++k) {
    sweep.points.push_back(of_kind(kind, kind.read(document_at(document, sweep.grid, k), systems)));
    texts.push_back(std::exchange(sweep.points.back().resolved, {}));
    demands = demands || sweep.points.back().demands_something;
  }
  Experiment whole = sweep.points.front();
  whole.resolved = resolved_sweep(texts, sweep.grid);
  whole.demands_something = demands;
  whole.spec = nullptr;
  whole.sweep = std::make_shared<const Sweep>(std::move(sweep));
  return whole;
}

}  // namespace

Experiment read_experiment(const TomlDocument& document, const SystemCatalogue& systems) {
  const auto one = [&] {
    const Kind& kind = kind_of(document, systems);
    return of_kind(kind, kind.read(document, systems));
  };
  return is_sweep(document) ? read_sweep(document, systems) : one();
}

std::shared_ptr<const RollingStudy> rolling_study(const Experiment& experiment) {
  return spec_of<RollingStudy>(experiment, of_rolling);
}
std::shared_ptr<const FrictionStudy> friction_study(const Experiment& experiment) {
  return spec_of<FrictionStudy>(experiment, of_friction);
}

std::unique_ptr<ExperimentPlan> plan_for(const Experiment& experiment, const RunOptions& options) {
  if (!experiment.is_sweep()) return experiment.kind->plan(experiment, options);
  Result heading;
  heading.name = experiment.name;
  heading.kind = experiment.kind->name;
  heading.question = experiment.question;
  heading.resolved = experiment.resolved;
  RunOptions of_points = options;
  of_points.curves = false;
  const Sweep& sweep = *experiment.sweep;
  return std::make_unique<SweepPlan>(std::move(heading), sweep.grid,
                                     [&sweep, of_points](std::size_t k) {
                                       if (of_points.stopped()) throw Stopped();
                                       return plan_for(sweep.points[k], of_points);
                                     });
}

Result result_of(const Experiment& experiment, const RunOptions& options) {
  const std::unique_ptr<ExperimentPlan> plan = plan_for(experiment, options);
  const SolveCounts counts = do_plan(*plan, options);
  return plan->judged(counts);
}

namespace {

}  // namespace

Experiment read_experiment(const std::string& file, const std::vector<std::string>& overrides,
                           const SystemCatalogue& systems, bool quick) {
  const TomlDocument document = TomlDocument::from_file(file, overrides, alternative_keys());
  if (document.root().has_table("benchmark"))
    return of_kind(of_benchmarks,
                   experiment_with(read_benchmark(file, {overrides, quick}, systems)));
  return read_experiment(document, systems);
}

}  // namespace rigidlimit
