#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_keys.hpp"
#include "rigidlimit/experiment/benchmark/read_problem_text.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

using BenchmarkKind = Benchmark::Kind;

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
  const auto is_in_group = [&](const OdeMethod& method) {
    return holds(wanted, "all") || (holds(wanted, "stiff") && method.stiff);
  };
  for (const std::string& name : without)
    if (holds(wanted, name.c_str()) || !is_in_group(*find_ode_method(name)))
      section.fail("without",
                   fmt::format("{} is {}; remove it from the list", name,
                               holds(wanted, name.c_str()) ? "named in benchmark.methods"
                                                           : "in no group of benchmark.methods"));
  std::vector<const OdeMethod*> methods;
  for (const OdeMethod& method : ode_methods())
    if (holds(wanted, method.name) || (is_in_group(method) && !holds(without, method.name)))
      methods.push_back(&method);
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
  if (benchmark.kind != BenchmarkKind::work_precision)
    benchmark.rtol = {section.number("rtol", valid, benchmark.rtol.front())};
  else if (section.has("rtol"))
    benchmark.rtol = read_values(section, "rtol", valid);
  benchmark_keys::tolerance().read_whole(section, benchmark);
}

void read_judge(Section section, Benchmark& benchmark) {
  const bool grid = section.choice("at", {"end", "grid"}, "end") == "grid";
  if (grid && benchmark.kind == BenchmarkKind::order_reduction)
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
  const bool equal_steps = benchmark.kind == BenchmarkKind::order_reduction;
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
    if (benchmark.samples > 0 && !std::visit([](const auto& one) { return one.has_motion; }, set))
      root.section("judge").fail("at", "a classical problem has its reference at the end");
  return benchmark;
}

namespace {

std::string text_of_set(const ContactSet& set) {
  return benchmark_keys::contact().text(set);
}
std::string text_of_set(const ChainSet& set) {
  return benchmark_keys::chain().text(set);
}
std::string text_of_set(const ClassicalSet& set) {
  return benchmark_keys::classical().text(set);
}

}  // namespace

std::string resolved_toml(const Benchmark& b) {
  using namespace benchmark_keys;
  std::string text = benchmark_keys::benchmark().text(b).substr(1);
  text += b.kind == BenchmarkKind::order_reduction ? step().text(b) : tolerance().text(b);
  text += judge().text(b) + limit().text(b) + timing().text(b);
  for (const ProblemSet& set : b.problems)
    text += std::visit([](const auto& one) { return text_of_set(one); }, set);
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

namespace {

/// Checks the values of ε of a study: 0 is ideal rolling.
void check_epsilons(const Section& section, Benchmark::Kind kind, const ContactSet& set) {
  for (const double epsilon : set.epsilons)
    if (epsilon > 0.0 && epsilon < valid_epsilon.low)
      section.fail("epsilon", fmt::format("{} must be 0 or >= {}", epsilon, valid_epsilon.low));
  if (set.epsilons.back() > 0.0) return;
  if (kind != Benchmark::Kind::work_precision)
    section.fail(
        "epsilon",
        fmt::format("0, ideal rolling, is for kind = \"work_precision\", not {}", name_of(kind)));
  if (set.study->model.switches)
    section.fail("epsilon", "0, ideal rolling, needs a system whose forces have no switches");
}

ContactSet read_contact_set(Section section, Benchmark::Kind kind, const SystemCatalogue& systems) {
  ContactSet set;
  set.file = section.text("study", std::nullopt);
  const std::string text = section.text("study_text", "");
  RollingStudy study =
      text.empty() ? read_rolling_study(section.path("study"), {}, systems)
                   : read_rolling_study(TomlDocument::from_record(text, section.place()), systems);
  study.time.end = section.number("end", valid_time, study.time.end);
  set.study = std::make_shared<const RollingStudy>(std::move(study));
  if (set.study->has_several_laws() || !find_law(set.study->contact.laws.front())->has_spring())
    section.fail("study", "must be a study whose contact.law is a single law with a spring");
  set.name = set.study->name;
  set.epsilons = section.has("epsilon")
                     ? read_values(section, "epsilon", {.low = 0.0, .high = valid_epsilon.high})
                     : set.study->epsilons;
  check_epsilons(section, kind, set);
  for (const std::string& word : section.choices("formulations", {"natural", "adapted"},
                                                 std::vector<std::string>{"natural", "adapted"}))
    set.formulations.push_back(word == "natural" ? Formulation::natural : Formulation::adapted);
  benchmark_keys::contact().read(section, set);
  section.finish();
  return set;
}

/// A sleigh takes 58 kB while the equations are recorded and a sparse Newton matrix is built (583
/// MB of 10 000, 4.1 GB of 100 000 before the first step): 30 000 take 1.7 GB.
constexpr double most_sleighs = 30'000;

ChainSet read_chain_set(Section section) {
  ChainSet set;
  set.name = "sleigh_chain";
  for (const double count : section.numbers("chain", {.low = 1.0, .high = most_sleighs})) {
    if (count != std::round(count)) section.fail("chain", "must be whole numbers of sleighs");
    set.counts.push_back(static_cast<long>(count));
  }
  std::ranges::sort(set.counts);
  if (std::ranges::adjacent_find(set.counts) != set.counts.end())
    section.fail("chain", "a number occurs twice");
  benchmark_keys::chain().read(section, set);
  std::ranges::sort(set.epsilons, std::greater{});
  section.finish();
  return set;
}

std::shared_ptr<const ClassicalEntry> read_classical_entry(Section& section) {
  if (section.has("file")) {
    const std::string text = section.text("file_text", "");
    return text.empty() ? problem_in_file(section.path("file"))
                        : problem_in(TomlDocument::from_record(text, section.place()).root());
  }
  if (section.has("file_text")) section.fail("file_text", "is the text of a file: it needs file");
  std::vector<std::string> names;
  for (const ClassicalEntry& entry : classical_problems()) names.push_back(entry.name);
  return shared_classical_problem(section.choice("classical", names, std::nullopt));
}

/// Refuses comparisons of the unknowns: each solve would step across their changes, and the solves
/// of a reference, each with its own steps, would not agree.
void require_no_switches_of_unknowns(const ClassicalEntry& entry) {
  if (entry.switches_of_unknowns.empty()) return;
  std::vector<std::string> all;
  for (const FormulaSwitch& one : entry.switches_of_unknowns)
    all.push_back(fmt::format("'{}'{}", shortened(printable(one.text), 80),
                              one.where.empty() ? "" : fmt::format(" ({})", one.where)));
  const FormulaSwitch& first = entry.switches_of_unknowns.front();
  throw InputError(
      fmt::format("{}: {} depend{} on the unknowns. The solution is not smooth where a comparison "
                  "changes, a benchmark stops at comparisons of t alone, and without a stop no "
                  "reference can be certified. Write a smooth formula, such as sqrt(x^2 + d^2) for "
                  "abs(x), or state the motion as a study, which locates them",
                  printable(first.key), fmt::join(all, ", "), all.size() == 1 ? "s" : ""),
      printable(first.where));
}

ClassicalSet read_classical_set(Section section) {
  ClassicalSet set;
  set.entry = read_classical_entry(section);
  if (section.has("file")) set.file = section.text("file", std::nullopt);
  set.name = set.entry->name;
  Section parameters = section.section("parameters");
  for (const ClassicalParameter& p : set.entry->parameters)
    set.parameters.push_back(parameters.number(p.name, p.range, p.default_value));
  parameters.finish();
  require_no_switches_of_unknowns(*set.entry);
  const ClassicalProblem problem = set.entry->make(set.parameters);
  set.end = problem.end;
  benchmark_keys::classical().read(section, set);
  section.finish();
  if (problem.pieces) problem.pieces(set.end);  // throws for too many switches
  return set;
}

/// The kind of a table [[problem]]; some kinds do not fit the kind of the benchmark.
std::string benchmark_kind_in(Section& section, Benchmark::Kind kind) {
  std::string found;
  for (const char* word : {"study", "chain", "classical", "file"})
    if (section.has(word)) {
      if (!found.empty())
        section.fail(word, "give exactly one of study, chain, classical and file");
      found = word;
    }
  if (found.empty()) section.fail("", "give exactly one of study, chain, classical and file");
  if ((found == "chain") != (kind == Benchmark::Kind::cost_count))
    section.fail(found,
                 "kind = \"cost_count\" needs chain = [N, …]; the other kinds do not take chain");
  if ((found == "classical" || found == "file") && kind == Benchmark::Kind::cost_epsilon)
    section.fail(found, "has no epsilon to vary; use study = \"FILE\"");
  return found;
}

std::string set_name(const ProblemSet& set) {
  return std::visit([](const auto& one) { return one.name; }, set);
}

}  // namespace

std::vector<ProblemSet> read_problems(std::vector<Section> sections, Benchmark::Kind kind,
                                      const SystemCatalogue& systems) {
  std::vector<ProblemSet> sets;
  std::set<std::string> names;
  for (Section& section : sections) {
    const std::string found = benchmark_kind_in(section, kind);
    if (found == "chain")
      sets.emplace_back(read_chain_set(section));
    else if (found == "classical" || found == "file")
      sets.emplace_back(read_classical_set(section));
    else
      sets.emplace_back(read_contact_set(section, kind, systems));
    if (!names.insert(set_name(sets.back())).second)
      section.fail(section.has("name") ? "name" : "",
                   fmt::format("another problem has the name {}; give this one a different name",
                               set_name(sets.back())));
  }
  return sets;
}

}  // namespace rigidlimit
