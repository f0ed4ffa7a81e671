#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <utility>

#include "rigidlimit/classical/read_problem_text.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_keys.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

using BenchmarkKind = Benchmark::Kind;

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
  static const auto tables = tables_of_keys(tables_of_benchmarks());
  Section root = document.root(tables);
  for (const char* table :
       {"benchmark", "tolerance", "step", "judge", "limit", "timing", "problem"})
    root.has(table);
  root.finish();
  if (!root.has("benchmark"))
    root.missing("benchmark", "a benchmark needs a table [benchmark] with name and kind");
  Benchmark benchmark;
  benchmark_keys::benchmark().read_whole(root.section("benchmark"), benchmark);
  const bool equal_steps = benchmark.kind == BenchmarkKind::order_reduction;
  if (equal_steps && root.has("tolerance"))
    root.fail("tolerance", "equal steps have no tolerance; give h in [step] instead");
  if (!equal_steps && root.has("step"))
    root.fail("step", fmt::format("is valid only for kind = \"order_reduction\", not for {}",
                                  name_of(benchmark.kind)));
  if (equal_steps)
    benchmark_keys::step().read_whole(root.section("step"), benchmark);
  else
    benchmark_keys::tolerance().read_whole(root.section("tolerance"), benchmark);
  benchmark_keys::judge().read_whole(root.section("judge"), benchmark);
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

ChainSet read_chain_set(const Section& section) {
  ChainSet set;
  set.name = "sleigh_chain";
  benchmark_keys::chain().read_whole(section, set);
  std::ranges::sort(set.epsilons, std::greater{});
  return set;
}

ClassicalSet read_classical_set(const Section& section) {
  ClassicalSet set;
  benchmark_keys::classical().read_whole(section, set);
  const ClassicalProblem problem = set.entry->make(set.parameters);
  if (problem.pieces) problem.pieces(set.end);  // throws for too many switches
  return set;
}

ContactSet read_contact_set(const Section& section, const ProblemContext& of) {
  ContactSet set;
  benchmark_keys::contact(of).read_whole(section, set);
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
      sets.emplace_back(read_contact_set(section, {.kind = kind, .systems = &systems}));
    if (!names.insert(set_name(sets.back())).second)
      section.fail(section.has("name") ? "name" : "",
                   fmt::format("another problem has the name {}; give this one a different name",
                               set_name(sets.back())));
  }
  return sets;
}

}  // namespace rigidlimit
