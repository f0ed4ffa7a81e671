// The verb that lists what a study can name.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/record/text_table.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/study/catalogue.hpp"
#include "rigidlimit/study/read_study.hpp"

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

/// `what`: systems, solvers, laws, studies, or empty for all.
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

}  // namespace

Verb add_list(CLI::App& program, const SystemCatalogue& systems) {
  struct Arguments {
    std::string what, experiments = "experiments";
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App& app = *program.add_subcommand("list", "List systems, solvers, laws or studies");
  app.add_option("WHAT", arguments->what, "systems, solvers, laws or studies (default: all)")
      ->check(CLI::IsMember({"systems", "solvers", "laws", "studies"}));
  app.add_option("--experiments", arguments->experiments, "directory of the studies")
      ->type_name("DIR")
      ->capture_default_str();
  return {&app,
          [arguments, &systems] { return list(systems, arguments->what, arguments->experiments); }};
}

}  // namespace rigidlimit
