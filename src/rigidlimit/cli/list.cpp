// The verb that lists what a study can name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/record/text_table.hpp"
#include "rigidlimit/slip/read_mode_map.hpp"
#include "rigidlimit/slip/read_slip.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/study/catalogue.hpp"
#include "rigidlimit/study/read_map.hpp"
#include "rigidlimit/study/read_study.hpp"
#include "rigidlimit/study/read_system_text.hpp"

namespace rigidlimit {

namespace {

constexpr const char* footer =
    "Examples:\n"
    "  rigidlimit list\n"
    "  rigidlimit list solvers\n"
    "  rigidlimit list studies --experiments ~/my_studies";

void show(const TextTable& table) {
  fmt::print("{}", terminal_text(table, colour_wanted()));
}

std::vector<Cell> row_of(const SystemEntry& e) {
  return {{e.info.name},
          {fmt::format("{}", e.info.velocities.size())},
          {fmt::format("{}", e.info.contacts.size())},
          {e.rolls() ? e.has_closed_form ? "closed form" : "yes" : "-"},
          {e.slips() ? e.has_closed_history ? "closed history" : "yes" : "-"},
          {e.info.title}};
}

TextTable table_of_systems(const char* first) {
  return {.headers = {first, "n", "m", "rolls", "slips", "what"},
          .left_aligned = {true, false, false, true, true, true},
          .rows = {}};
}

void list_systems(const SystemCatalogue& systems) {
  TextTable table = table_of_systems("system");
  for (const SystemEntry& e : systems) table.rows.push_back(row_of(e));
  show(table);
}

/// The TOML files of a directory, sorted.
std::vector<std::string> toml_files(const std::string& directory, std::error_code& failure) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory, failure))
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

/// Whether a file is a system, or a study that says what its system is.
bool has_system_text(const std::string& file) try {
  Section root = TomlDocument::from_file(file).root();
  if (!root.has_table("system")) return root.has("coordinates");
  return root.section("system").has("coordinates");
} catch (const InputError&) {
  return false;  // said where studies are listed
}

/// Those that are written as text: all files of the folder `systems` of the experiments, and what
/// lies beside it, studies that say what their system is, and systems alone.
void list_system_files(const SystemCatalogue& systems, const std::string& experiments) {
  std::error_code ignored;
  TextTable table = table_of_systems("system in a file");
  const std::filesystem::path place(experiments);
  std::vector<std::string> files = toml_files((place / "systems").string(), ignored);
  for (const char* folder : {"", "maps", "slip"})
    std::ranges::copy_if(toml_files((place / folder).string(), ignored), std::back_inserter(files),
                         has_system_text);
  for (const std::string& file : files) try {
      table.rows.push_back(row_of(*system_in_file(file, systems)));
      table.rows.back().front() = {file};
    } catch (const InputError& e) {
      table.rows.push_back({{file},
                            {"-"},
                            {"-"},
                            {"-"},
                            {"-"},
                            {fmt::format("cannot be read: {}", e.what()), Tone::bad}});
    }
  if (table.rows.empty()) return;
  fmt::print("\n");
  show(table);
}

/// Does it locate the roots of a problem? A formula has none.
const char* roots_of(const RigidSolver& solver) {
  if (solver.form == RigidForm::closed_form) return "-";
  const bool ida = solver.form == RigidForm::index2 || solver.form == RigidForm::impulse;
  const bool own = solver.form == RigidForm::semi_explicit || solver.form == RigidForm::reduced;
  const bool located =
      ida ? find_dae_method("ida")->roots : find_ode_method(own ? "radau_iia" : solver.name)->roots;
  return located ? "yes" : "no";
}

void list_solvers() {
  TextTable table{.headers = {"solver", "side", "roots", "what"},
                  .left_aligned = {true, true, true, true},
                  .rows = {}};
  const std::vector<std::string> compliant = names_of_compliant_solvers();
  for (const RigidSolver& s : rigid_solvers()) {
    const bool both = std::ranges::find(compliant, s.name) != compliant.end();
    table.rows.push_back({{s.name},
                          {both ? "rigid (multiplier eliminated), compliant" : "rigid"},
                          {roots_of(s)},
                          {s.title}});
  }
  for (const OdeMethod& method : ode_methods())
    if (needs_a_form(method))
      table.rows.push_back(
          {{method.name}, {"compliant"}, {method.roots ? "yes" : "no"}, {method.title}});
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

/// The problems of benchmarks that have nothing to do with rolling.
void list_problems() {
  TextTable table{.headers = {"classical problem", "kind", "n", "what"},
                  .left_aligned = {true, true, false, true},
                  .rows = {}};
  for (const ClassicalEntry& e : classical_problems())
    table.rows.push_back({{e.name},
                          {e.dae ? fmt::format("DAE of index {}", e.index) : "ODE"},
                          {fmt::format("{}", e.make_default().size())},
                          {e.title}});
  show(table);
}

/// What a row says of a file.
struct Listed {
  std::string system, question;
};

template <class Read>
void list_files(const std::vector<std::string>& files, const Read& read, TextTable& table) {
  for (const std::string& file : files) try {
      const Listed study = read(file);
      table.rows.push_back({{file}, {study.system}, {printable(study.question)}});
    } catch (const InputError& e) {
      table.rows.push_back(
          {{file}, {"-"}, {fmt::format("cannot be read: {}", e.what()), Tone::bad}});
    }
}

Listed listed(const Study& study) {
  return {study.system->info.name, study.question};
}

/// A system beside the studies of it is no study.
bool is_system_alone(const std::string& file) try {
  Section root = TomlDocument::from_file(file).root();
  return root.has("coordinates") && !root.has("study");
} catch (const InputError&) {
  return false;
}

/// Studies, those of friction, maps over dampings and maps of modes, each by its own reader.
void list_studies(const SystemCatalogue& systems, const std::string& experiments) {
  TextTable table{
      .headers = {"study", "system", "question"}, .left_aligned = {true, true, true}, .rows = {}};
  std::error_code failure, ignored;
  std::vector<std::string> files = toml_files(experiments, failure);
  if (failure)
    throw InputError("cannot be listed: " + failure.message() +
                         "; --experiments names another directory, and the studies of the "
                         "project are in its repository",
                     experiments);
  const auto in = [&](const char* folder) {
    return toml_files((std::filesystem::path(experiments) / folder).string(), ignored);
  };
  std::erase_if(files, is_system_alone);
  list_files(
      files, [&](const std::string& file) { return listed(read_study(file, {}, systems)); }, table);
  list_files(
      in("maps"),
      [&](const std::string& file) { return listed(read_map(file, {}, systems).study); }, table);
  list_files(
      in("slip"),
      [&](const std::string& file) {
        const SlipStudy study = read_slip(file, {}, systems);
        return Listed{study.system->info.name, study.question};
      },
      table);
  list_files(
      in("slip/maps"),
      [](const std::string& file) {
        return Listed{"two_point_ball", read_mode_map(file).question};
      },
      table);
  show(table);
}

/// `what`: systems, solvers, laws, problems, studies, or empty for all that there are: studies only
/// where the directory is.
int list(const SystemCatalogue& systems, const std::string& what, const std::string& experiments) {
  std::error_code ignored;
  const bool has_studies = std::filesystem::is_directory(experiments, ignored);
  const std::vector<std::pair<std::string, std::function<void()>>> lists{
      {"systems",
       [&] {
         list_systems(systems);
         list_system_files(systems, experiments);
       }},
      {"solvers", list_solvers},
      {"laws", list_laws},
      {"problems", list_problems},
      {"studies", [&] { list_studies(systems, experiments); }}};
  bool first = true;
  for (const auto& [name, show_list] : lists) {
    if (!what.empty() && what != name) continue;
    if (what.empty() && name == "studies" && !has_studies) {
      fmt::print("\nstudies: there is no directory '{}' here (--experiments DIR)\n",
                 printable(experiments));
      continue;
    }
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
  Command command(program, "list", "List systems, solvers, laws, classical problems or studies",
                  footer);
  command
      .option("WHAT", arguments->what,
              "systems, solvers, laws, problems (of benchmarks) or studies (default: all)")
      .one_of({"systems", "solvers", "laws", "problems", "studies"});
  command
      .option("--experiments", arguments->experiments,
              "directory of the studies, and of their systems/*.toml")
      .value("DIR")
      .shows_default();
  return {command,
          [arguments, &systems] { return list(systems, arguments->what, arguments->experiments); }};
}

}  // namespace rigidlimit
