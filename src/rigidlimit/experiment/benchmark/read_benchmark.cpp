#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/read_problems.hpp"
#include "rigidlimit/experiment/benchmark/read_values.hpp"
#include "rigidlimit/experiment/spec/read_name.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

using Kind = Benchmark::Kind;

constexpr std::array all_kinds{Kind::work_precision, Kind::order_reduction, Kind::cost_epsilon,
                               Kind::cost_count};

std::vector<const OdeMethod*> read_methods(Section& section) {
  std::vector<std::string> names, valid{"all", "stiff"};
  for (const OdeMethod& method : ode_methods()) names.emplace_back(method.name);
  std::ranges::copy(names, std::back_inserter(valid));
  const std::vector<std::string> wanted =
      section.choices({"methods", "", "names of `list solvers`, or the groups stiff and all"},
                      valid, std::vector<std::string>{"stiff"});
  std::vector<std::string> without;
  if (section.has("without"))
    without = section.choices(
        Key{"without", "", "methods of a group that are left out"}.otherwise("none"), names,
        std::nullopt);
  const auto holds = [](const std::vector<std::string>& list, const char* name) {
    return std::ranges::find(list, name) != list.end();
  };
  std::vector<const OdeMethod*> methods;
  for (const OdeMethod& method : ode_methods()) {
    const bool in_group = holds(wanted, "all") || (holds(wanted, "stiff") && method.stiff);
    if (holds(wanted, method.name) || (in_group && !holds(without, method.name)))
      methods.push_back(&method);
  }
  if (methods.empty()) section.fail("without", "excludes every method; keep at least one");
  return methods;
}

void read_identity(Section section, Benchmark& benchmark) {
  benchmark.name = read_directory_name(section, {"name", "", "directory of the results"});
  std::vector<std::string> kinds;
  for (const Kind kind : all_kinds) kinds.emplace_back(name_of(kind));
  const std::string kind = section.choice(
      {"kind", "", "error against cost; equal steps; cost against epsilon; cost against N"}, kinds,
      std::nullopt);
  benchmark.kind = *std::ranges::find(all_kinds, kind, [](Kind k) { return name_of(k); });
  benchmark.question = section.text({"question", "", "question that the results answer"}, "");
  benchmark.source = section.text({"source", "", "source of the setting"}, "");
  benchmark.methods = read_methods(section);
  section.text({"quick", "", "overrides of the short form (--quick), one a line"},
               "");  // applied by the caller that opened the file
  section.finish();
}

void read_tolerance(Section section, Benchmark& benchmark) {
  const Range valid{.low = 1e-16, .high = 0.5};
  if (benchmark.kind == Kind::work_precision)
    benchmark.rtol = read_values(
        section,
        Key{"rtol", "1", "relative tolerances of kind work_precision: a list or a grid"}.otherwise(
            "1e-08"),
        valid);
  else
    benchmark.rtol = {
        section.number({"rtol", "1", "relative tolerance of the kinds cost_epsilon and cost_count"},
                       valid, benchmark.rtol.front())};
  benchmark.atol_factor =
      section.number({"atol_factor", "1", "atol = atol_factor rtol; a classical ODE has its own"},
                     positive, benchmark.atol_factor);
  section.finish();
}

void read_judge(Section section, Benchmark& benchmark) {
  const bool grid =
      section.choice({"at", "", "judge errors at the end, or at `samples` times up to it"},
                     {"end", "grid"}, "end") == "grid";
  if (grid && benchmark.kind == Kind::order_reduction)
    section.fail("at",
                 "must be \"end\" for equal steps: intermediate output would shorten the steps of "
                 "methods without dense output");
  if (grid)
    benchmark.samples = static_cast<int>(
        section.count({"samples", "", "times of at = \"grid\""}, {2, 100'000}, 100));
  section.finish();
}

void read_effort(Section limit, Section timing, Benchmark& benchmark) {
  benchmark.most_steps =
      limit.count({"steps", "", "attempted steps of one solve; more are a failure"},
                  {1, 1'000'000'000}, benchmark.most_steps);
  limit.finish();
  // Equal steps are for orders, not for times.
  const long repeats = benchmark.kind == Kind::order_reduction ? 0 : benchmark.repeats;
  benchmark.repeats = static_cast<int>(timing.count(
      Key{"repeats", "", "rounds of time measurements; 0: no times (needed for --shard)"}.otherwise(
          "5; 0 for order_reduction"),
      {0, 10'000}, repeats));
  benchmark.most_seconds = timing.number({"most_seconds", "s", "total of one solve's repetitions"},
                                         positive, benchmark.most_seconds);
  timing.finish();
}

/// The lines of [benchmark] quick.
std::vector<std::string> short_form(const TomlDocument& document) {
  Section section = document.root().section("benchmark");
  std::vector<std::string> overrides;
  if (!section.has("quick"))
    section.missing("quick", "the overrides of the short form, one per line");
  std::istringstream lines(section.text("quick", std::nullopt));
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(" \t") != std::string::npos) overrides.push_back(line);
  return overrides;
}

}  // namespace

Benchmark read_benchmark(const TomlDocument& document, const SystemCatalogue& systems) {
  Section root = document.root();
  for (const char* table :
       {"benchmark", "tolerance", "step", "judge", "limit", "timing", "problem"})
    root.has(table);
  root.finish();
  if (!root.has("benchmark"))
    root.missing("benchmark", "a benchmark needs a table [benchmark] with name and kind");
  Benchmark benchmark;
  read_identity(root.section("benchmark"), benchmark);
  const bool equal_steps = benchmark.kind == Kind::order_reduction;
  if (equal_steps && root.has("tolerance"))
    root.fail("tolerance", "equal steps have no tolerance; give h in [step] instead");
  if (!equal_steps && root.has("step"))
    root.fail("step", fmt::format("is valid only for kind = \"order_reduction\", not for {}",
                                  name_of(benchmark.kind)));
  if (equal_steps) {
    Section step = root.section("step");
    benchmark.steps = read_values(
        step, {"h", "s", "equal steps of kind order_reduction: a list or a grid"}, positive);
    step.finish();
  } else {
    read_tolerance(root.section("tolerance"), benchmark);
  }
  read_judge(root.section("judge"), benchmark);
  read_effort(root.section("limit"), root.section("timing"), benchmark);
  if (!root.has("problem")) root.missing("problem", "at least one table [[problem]]");
  benchmark.problems = read_problems(root.sections("problem"), benchmark.kind, systems);
  for (const ProblemSet& set : benchmark.problems)
    if (benchmark.samples > 0 && std::holds_alternative<ClassicalSet>(set))
      root.section("judge").fail("at", "a classical problem has its reference at the end");
  return benchmark;
}

Benchmark read_benchmark(const std::string& path, const BenchmarkReading& how,
                         const SystemCatalogue& systems) {
  std::vector<std::string> overrides;
  if (how.quick) overrides = short_form(TomlDocument::from_file(path));
  std::ranges::copy(how.overrides, std::back_inserter(overrides));
  Benchmark benchmark = read_benchmark(TomlDocument::from_file(path, overrides), systems);
  if (how.quick) benchmark.name += "_quick";
  return benchmark;
}

}  // namespace rigidlimit
