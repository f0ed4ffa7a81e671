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
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/run_benchmark.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
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
  return {.name = study.name,
          .question = study.question,
          .systems = {study.system->info.name},
          .resolved = resolved_toml(study),
          .demands_something = demands_something,
          .portable = is_builtin(*study.system) || !study.system->definition.empty(),
          .spec = std::make_shared<const Experiment::Spec>(std::move(study))};
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
          .spec = std::make_shared<const Experiment::Spec>(std::move(benchmark))};
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

constexpr std::array kinds{
    Kind{.name = "benchmark", .fits = is_benchmark, .read = read_one_benchmark},
    Kind{.name = "friction", .fits = is_friction, .read = read_friction},
    Kind{.name = "rolling", .fits = is_any, .read = read_rolling}};  // fits every document

Experiment of_kind(const Kind& kind, Experiment experiment) {
  experiment.kind = &kind;
  return experiment;
}

const Kind& kind_of(const TomlDocument& document, const SystemCatalogue& systems) {
  return *std::ranges::find_if(kinds, [&](const Kind& one) { return one.fits(document, systems); });
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
  whole.spec = std::make_shared<const Experiment::Spec>(std::move(sweep));
  return whole;
}

// --- plans

/// The plan of one kind behind the interface of all.
template <class Plan>
class PlanOf final : public ExperimentPlan {
 public:
  template <class Spec>
  PlanOf(const Spec& spec, RunOptions options)
      : options_(std::move(options)), plan_(spec, options_) {}
  SolveStage next_stage() override { return plan_.next_stage(); }
  ExperimentResult judged(const SolveCounts& counts) override { return plan_.judged(counts); }

 private:
  RunOptions options_;
  Plan plan_;
};

std::unique_ptr<ExperimentPlan> plan_of(const RollingStudy& study, const RunOptions& options) {
  return std::make_unique<PlanOf<RollingPlan>>(study, options);
}
std::unique_ptr<ExperimentPlan> plan_of(const FrictionStudy& study, const RunOptions& options) {
  return std::make_unique<PlanOf<FrictionPlan>>(study, options);
}
std::unique_ptr<ExperimentPlan> plan_of(const Benchmark& benchmark, const RunOptions& options) {
  return std::make_unique<PlanOf<BenchmarkPlan>>(benchmark, options);
}

}  // namespace

namespace {

/// Of its system, of a sweep that of the first point; none of systems of the library.
std::vector<std::string> warnings_of(const Experiment& experiment) {
  return std::visit(
      []<class Spec>(const Spec& spec) -> std::vector<std::string> {
        if constexpr (std::is_same_v<Spec, Sweep>)
          return warnings_of(spec.points.front());
        else if constexpr (!std::is_same_v<Spec, Benchmark>)
          if (!is_builtin(*spec.system)) return spec.system->warnings();
        return {};
      },
      *experiment.spec);
}

}  // namespace

Experiment read_experiment(const TomlDocument& document, const SystemCatalogue& systems) {
  const auto one = [&] {
    const Kind& kind = kind_of(document, systems);
    return of_kind(kind, kind.read(document, systems));
  };
  Experiment read = is_sweep(document) ? read_sweep(document, systems) : one();
  read.warnings = warnings_of(read);
  return read;
}

Experiment experiment_of(Benchmark benchmark) {
  return of_kind(kinds.front(), experiment_with(std::move(benchmark)));
}

std::unique_ptr<ExperimentPlan> plan_for(const Experiment& experiment, const RunOptions& options) {
  return std::visit(
      [&]<class Spec>(const Spec& spec) -> std::unique_ptr<ExperimentPlan> {
        if constexpr (std::is_same_v<Spec, Sweep>) {
          RunOptions of_points = options;
          of_points.curves = false;
          return std::make_unique<SweepPlan>(SweepResult{.kind = experiment.kind->name,
                                                         .name = experiment.name,
                                                         .question = experiment.question,
                                                         .grid = spec.grid,
                                                         .resolved = experiment.resolved,
                                                         .points = {}},
                                             [&spec, of_points](std::size_t k) {
                                               if (of_points.stopped()) throw Stopped();
                                               return plan_for(spec.points[k], of_points);
                                             });
        } else {
          return plan_of(spec, options);
        }
      },
      *experiment.spec);
}

ExperimentResult result_of(const Experiment& experiment, const RunOptions& options) {
  const std::unique_ptr<ExperimentPlan> plan = plan_for(experiment, options);
  const SolveCounts counts = do_plan(*plan, options);
  return plan->judged(counts);
}

namespace {

/// A hint with files of the same name in nearby folders, since experiments move between folders.
/// Searches three folders deep, and at most a few thousand entries.
std::string same_name_nearby(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code failure;
  fs::path folder = file.parent_path();
  while (!folder.empty() && !fs::is_directory(folder, failure)) folder = folder.parent_path();
  if (folder == file.root_path() && !folder.empty()) return "";
  std::vector<std::string> found;
  fs::recursive_directory_iterator entry(folder.empty() ? "." : folder, failure);
  for (int seen = 0; !failure && entry != fs::recursive_directory_iterator() && seen < 5000;
       entry.increment(failure), ++seen) {
    if (entry.depth() == 2) entry.disable_recursion_pending();
    if (entry->path().filename() == file.filename() && entry->is_regular_file(failure))
      found.push_back(entry->path().lexically_normal().string());
  }
  std::ranges::sort(found);
  if (found.empty()) return "";
  return fmt::format("; there {} {}", found.size() == 1 ? "is" : "are", fmt::join(found, ", "));
}

void require_file(const std::string& file) {
  std::error_code failure;
  if (std::filesystem::exists(file, failure) || failure) return;
  if (const std::string nearby = same_name_nearby(file); !nearby.empty())
    throw InputError("cannot be read: No such file or directory" + nearby, printable(file));
  // Opening it gives the error.
}

}  // namespace

Experiment read_experiment(const std::string& file, const std::vector<std::string>& overrides,
                           const SystemCatalogue& systems, bool quick) {
  require_file(file);
  const TomlDocument document = TomlDocument::from_file(file, overrides, alternative_keys());
  if (document.root().has_table("benchmark"))
    return experiment_of(read_benchmark(file, {overrides, quick}, systems));
  return read_experiment(document, systems);
}

}  // namespace rigidlimit
