// The verbs that tell: list and describe.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "rigidlimit/cli/describe_system.hpp"
#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verbs.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/record/text_table.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/study/catalogue.hpp"
#include "rigidlimit/study/read_study.hpp"
#include "rigidlimit/study/suggest.hpp"

namespace rigidlimit {

namespace {

void show(const TextTable& table) {
  fmt::print("{}", terminal_text(table, colour_wanted()));
}

void list_systems(const SystemCatalogue& systems) {
  TextTable table{.headers = {"system", "n", "m", "closed form", "what"},
                  .left_aligned = {true, false, false, true, true},
                  .rows = {}};
  for (const SystemEntry& e : systems)
    table.rows.push_back({{e.info.name},
                          {fmt::format("{}", e.info.velocities.size())},
                          {fmt::format("{}", e.info.contacts.size())},
                          {e.has_closed_form ? "yes" : "no"},
                          {e.info.title}});
  show(table);
}

void list_solvers() {
  TextTable table{
      .headers = {"solver", "side", "what"}, .left_aligned = {true, true, true}, .rows = {}};
  const std::vector<std::string> compliant = names_of_compliant_solvers();
  for (const RigidSolver& s : rigid_solvers()) {
    const bool both = std::ranges::find(compliant, s.name) != compliant.end();
    table.rows.push_back(
        {{s.name}, {both ? "rigid (multiplier eliminated), compliant" : "rigid"}, {s.title}});
  }
  for (const OdeMethod& method : ode_methods())
    if (method.splits) table.rows.push_back({{method.name}, {"compliant"}, {method.title}});
  show(table);
}

void list_laws() {
  TextTable table{.headers = {"law", "equations", "expected orders"},
                  .left_aligned = {true, true, true},
                  .rows = {}};
  for (const LawInfo& law : laws())
    table.rows.push_back({{law.name}, {law.equations}, {law.expected}});
  show(table);
}

void list_studies(const SystemCatalogue& systems, const std::string& experiments) {
  TextTable table{
      .headers = {"study", "system", "question"}, .left_aligned = {true, true, true}, .rows = {}};
  std::error_code failure;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(experiments, failure))
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  if (failure) throw InputError("cannot be listed: " + failure.message(), experiments);
  std::ranges::sort(files);
  for (const std::string& file : files) try {
      const Study study = read_study(file, {}, systems);
      table.rows.push_back({{file}, {study.system->info.name}, {study.question}});
    } catch (const InputError& e) {
      table.rows.push_back(
          {{file}, {"-"}, {fmt::format("cannot be read: {}", e.what()), Tone::bad}});
    }
  show(table);
}

template <class Method>
void describe_method(const char* name, const char* title, const Method& m) {
  fmt::print("{}: {}\n  order {}, {}\n  source: {}\n", name, title, m.order, m.stability, m.source);
}

}  // namespace

int list(const SystemCatalogue& systems, const std::string& what, const std::string& experiments) {
  const std::vector<std::pair<std::string, std::function<void()>>> lists{
      {"systems", [&] { list_systems(systems); }},
      {"solvers", list_solvers},
      {"laws", list_laws},
      {"studies", [&] { list_studies(systems, experiments); }}};
  bool first = true;
  for (const auto& [name, show_list] : lists) {
    if (!what.empty() && what != name) continue;
    if (!first) fmt::print("\n");
    first = false;
    show_list();
  }
  return exit_status::held;
}

int describe(const DescribeVerb& verb) {
  const SystemCatalogue& systems = *verb.systems;
  const std::string& name = verb.name;
  if (const SystemEntry* system = find_system(systems, name)) {
    describe_system(*system, verb);
    return exit_status::held;
  }
  for (const LawInfo& law : laws())
    if (name == law.name) {
      fmt::print("{}: {}\n  eps: {}\n  expected sup-norm orders: {}\n  source: {}\n", law.name,
                 law.equations, law.small_parameter, law.expected, law.source);
      return exit_status::held;
    }
  if (const OdeMethod* method = find_ode_method(name)) {
    describe_method(method->name, method->title, *method);
    return exit_status::held;
  }
  if (const RigidSolver* solver = find_rigid_solver(name)) {
    if (solver->form == RigidForm::closed_form)
      fmt::print("{}: {}\n", solver->name, solver->title);
    else
      describe_method(solver->name, solver->title, *find_dae_method("ida"));
    return exit_status::held;
  }
  std::vector<std::string> known = names_of(systems);
  for (const auto& names : {names_of_laws(), names_of_rigid_solvers()})
    known.insert(known.end(), names.begin(), names.end());
  throw InputError(
      fmt::format("'{}' is no system, law or solver{}", name, suggestion(name, known)));
}

}  // namespace rigidlimit
