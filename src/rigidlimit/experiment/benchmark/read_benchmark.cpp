#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_keys.hpp"
#include "rigidlimit/experiment/benchmark/read_problems.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

using Kind = Benchmark::Kind;

std::vector<const OdeMethod*> read_methods(Section& section) {
  std::vector<std::string> names, valid{"all", "stiff"};
  for (const OdeMethod& method : ode_methods()) names.emplace_back(method.name);
  std::ranges::copy(names, std::back_inserter(valid));
  const std::vector<std::string> wanted =
      section.choices("methods", valid, std::vector<std::string>{"stiff"});
  std::vector<std::string> without;
  if (section.has("without")) without = section.choices("without", names, std::nullopt);
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

void read_heading(Section section, Benchmark& benchmark) {
  benchmark_keys::benchmark().read(section, benchmark);
  benchmark.methods = read_methods(section);
  section.text("quick", "");  // applied by the caller that opened the file
  section.finish();
}

void read_tolerance(Section section, Benchmark& benchmark) {
  const Range valid{.low = 1e-16, .high = 0.5};
  if (benchmark.kind != Kind::work_precision)
    benchmark.rtol = {section.number("rtol", valid, benchmark.rtol.front())};
  else if (section.has("rtol"))
    benchmark.rtol = read_values(section, "rtol", valid);
  benchmark_keys::tolerance().read_whole(section, benchmark);
}

void read_judge(Section section, Benchmark& benchmark) {
  const bool grid = section.choice("at", {"end", "grid"}, "end") == "grid";
  if (grid && benchmark.kind == Kind::order_reduction)
    section.fail("at",
                 "must be \"end\" for equal steps: intermediate output would shorten the steps of "
                 "methods without dense output");
  if (grid) benchmark.samples = 100;
  benchmark_keys::judge().read_whole(section, benchmark);
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
  read_heading(root.section("benchmark"), benchmark);
  const bool equal_steps = benchmark.kind == Kind::order_reduction;
  if (equal_steps && root.has("tolerance"))
    root.fail("tolerance", "equal steps have no tolerance; give h in [step] instead");
  if (!equal_steps && root.has("step"))
    root.fail("step", fmt::format("is valid only for kind = \"order_reduction\", not for {}",
                                  name_of(benchmark.kind)));
  if (equal_steps) {
    Section step = root.section("step");
    if (!step.has("h")) step.missing("h", "a list or a grid of steps, s");
    benchmark.steps = read_values(step, "h", positive);
    step.finish();
  } else {
    read_tolerance(root.section("tolerance"), benchmark);
  }
  read_judge(root.section("judge"), benchmark);
  benchmark_keys::limit().read_whole(root.section("limit"), benchmark);
  benchmark_keys::timing().read_whole(root.section("timing"), benchmark);
  if (!root.has("problem")) root.missing("problem", "at least one table [[problem]]");
  benchmark.problems = read_problems(root.sections("problem"), benchmark.kind, systems);
  for (const ProblemSet& set : benchmark.problems)
    if (benchmark.samples > 0 && std::holds_alternative<ClassicalSet>(set))
      root.section("judge").fail("at", "a classical problem has its reference at the end");
  return benchmark;
}

std::string resolved_toml(const Benchmark& b) {
  using namespace benchmark_keys;
  std::string text = benchmark_keys::benchmark().text(b).substr(1);
  text += b.kind == Kind::order_reduction ? step().text(b) : tolerance().text(b);
  text += judge().text(b) + limit().text(b) + timing().text(b);
  const auto text_of = [](const ProblemSet& set) {
    if (const auto* one = std::get_if<ContactSet>(&set)) return contact().text(*one);
    if (const auto* one = std::get_if<ChainSet>(&set)) return chain().text(*one);
    return classical().text(std::get<ClassicalSet>(set));
  };
  for (const ProblemSet& set : b.problems) text += text_of(set);
  return text;
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
