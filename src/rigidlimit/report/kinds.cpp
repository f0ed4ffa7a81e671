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
constexpr bool is_swept = false;
template <class Study>
constexpr bool is_swept<Sweep<Study>> = true;

template <class Spec>
Experiment experiment_of(const Kind& kind, Spec spec) {
  return {.kind = &kind,
          .name = spec.name,
          .question = spec.question,
          .systems = systems_of(spec),
          .resolved = resolved_toml(spec),
          .demands_something = demands(spec),
          .is_sweep = is_swept<Spec>,
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
  double steepest() const override { return plan_.steepest(); }
  JudgedExperiment judged(const SolveCounts& counts) override {
    auto result = plan_.judged(counts);
    Report report = report_of(result);
    return {std::move(report), result.counts, curves_in(result)};
  }

 private:
  RunOptions options_;
  decltype(plan_for(std::declval<const Spec&>(), std::declval<const RunOptions&>())) plan_;
};

std::unique_ptr<JudgedPlan> planned(const Experiment& experiment, const RunOptions& options) {
  return std::visit(
      [&]<class Spec>(const Spec& spec) -> std::unique_ptr<JudgedPlan> {
        return std::make_unique<PlanOf<Spec>>(spec, options);
      },
      *experiment.spec);
}

// --- the rows

extern const std::array<Kind, 3> rows;

Experiment read_friction(const TomlDocument& document, const SystemCatalogue& systems) {
  const auto read = [&](const TomlDocument& one) { return read_friction_study(one, systems); };
  const Kind& kind = rows[1];
  if (is_sweep(document)) return experiment_of(kind, read_sweep(document, read));
  return experiment_of(kind, read(document));
}

Experiment read_rolling(const TomlDocument& document, const SystemCatalogue& systems) {
  const auto read = [&](const TomlDocument& one) { return read_rolling_study(one, systems); };
  const Kind& kind = rows[2];
  if (is_sweep(document)) return experiment_of(kind, read_sweep(document, read));
  return experiment_of(kind, read(document));
}

const std::array<Kind, 3> rows{{
    {.name = "benchmark",
     .found_by = "[benchmark]: work-precision of methods",
     .can_be_swept = false,
     .has_timings = true,
     .fits = is_benchmark,
     .read =
         [](const TomlDocument& document, const SystemCatalogue& systems) {
           return experiment_of(read_benchmark(document, systems));
         },
     .plan = planned},
    {.name = "friction",
     .found_by = "[history], or friction in [contact]: stick, slip, impacts",
     .can_be_swept = true,
     .has_timings = false,
     .fits = is_friction,
     .read = read_friction,
     .plan = planned},
    {.name = "rolling",
     .found_by = "[epsilon], [[expect]]: compliant against ideal rolling",
     .can_be_swept = true,
     .has_timings = false,
     .fits = is_any,
     .read = read_rolling,
     .plan = planned},
}};

/// A table of earlier versions is answered with the keys that replace it.
void refuse_maps(const TomlDocument& document) {
  Section root = document.root();
  if (!root.has_table("map")) return;
  root.fail("map", root.section("map").has("half_angles")
                       ? "is now a sweep: [sweep] with system.slope, system.half_angle and "
                         "system.friction_left, and [[expect]] with quantity = \"modes\" (see "
                         "experiments/friction/two_point_ball.toml)"
                       : "is now a sweep: [sweep] with contact.damping_ratio = [...] and "
                         "contact.damping_exponent = [...], and [[least]] with over = "
                         "\"contact.damping_ratio\" (rigidlimit init NAME --kind sweep)");
}

}  // namespace

std::span<const Kind> kinds() {
  return rows;
}

Experiment read_experiment(const TomlDocument& document, const SystemCatalogue& systems) {
  refuse_maps(document);
  for (const Kind& kind : rows)
    if (kind.fits(document, systems)) return kind.read(document, systems);
  document.root().fail("", "is of no kind of experiment");
}

Experiment experiment_of(Benchmark benchmark) {
  return experiment_of(rows[0], std::move(benchmark));
}

JudgedExperiment judged_experiment(const Experiment& experiment, const RunOptions& options) {
  const std::unique_ptr<JudgedPlan> plan = experiment.kind->plan(experiment, options);
  const SolveCounts counts = do_plan(*plan, options);
  return plan->judged(counts);
}

}  // namespace rigidlimit
