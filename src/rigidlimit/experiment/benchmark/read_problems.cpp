#include "rigidlimit/experiment/benchmark/read_problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_keys.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

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

ChainSet read_chain_set(Section section) {
  ChainSet set;
  set.name = "sleigh_chain";
  for (const double count : section.numbers("chain", {.low = 1.0, .high = 1e6})) {
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

ClassicalSet read_classical_set(Section section) {
  std::vector<std::string> names;
  for (const ClassicalEntry& entry : classical_problems()) names.push_back(entry.name);
  ClassicalSet set;
  set.entry = find_classical_problem(section.choice("classical", names, std::nullopt));
  set.name = set.entry->name;
  Section parameters = section.section("parameters");
  for (const ClassicalParameter& p : set.entry->parameters)
    set.parameters.push_back(parameters.number(p.name, p.range, p.default_value));
  parameters.finish();
  set.end = set.entry->make(set.parameters).end;
  benchmark_keys::classical().read(section, set);
  section.finish();
  return set;
}

/// The kind of a table [[problem]]; some kinds do not fit the kind of the benchmark.
std::string kind_of(Section& section, Benchmark::Kind kind) {
  std::string found;
  for (const char* word : {"study", "chain", "classical"})
    if (section.has(word)) {
      if (!found.empty()) section.fail(word, "give exactly one of study, chain and classical");
      found = word;
    }
  if (found.empty()) section.fail("", "give exactly one of study, chain and classical");
  if ((found == "chain") != (kind == Benchmark::Kind::cost_count))
    section.fail(found,
                 "kind = \"cost_count\" needs chain = [N, …]; the other kinds do not take chain");
  if (found == "classical" && kind == Benchmark::Kind::cost_epsilon)
    section.fail(found, "has no epsilon to vary; use study = \"FILE\"");
  return found;
}

std::string name_of(const ProblemSet& set) {
  return std::visit([](const auto& one) { return one.name; }, set);
}

}  // namespace

std::vector<ProblemSet> read_problems(std::vector<Section> sections, Benchmark::Kind kind,
                                      const SystemCatalogue& systems) {
  std::vector<ProblemSet> sets;
  std::set<std::string> names;
  for (Section& section : sections) {
    const std::string found = kind_of(section, kind);
    if (found == "chain")
      sets.emplace_back(read_chain_set(section));
    else if (found == "classical")
      sets.emplace_back(read_classical_set(section));
    else
      sets.emplace_back(read_contact_set(section, kind, systems));
    if (!names.insert(name_of(sets.back())).second)
      section.fail(section.has("name") ? "name" : "",
                   fmt::format("another problem has the name {}; give this one a different name",
                               name_of(sets.back())));
  }
  return sets;
}

}  // namespace rigidlimit
