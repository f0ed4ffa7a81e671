// The subcommand `list`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "rigidlimit/toml/shipped_studies.hpp"

namespace rigidlimit {

namespace {

constexpr const char* list_footer =
    "Examples:\n"
    "  rigidlimit list\n"
    "  rigidlimit list solvers\n"
    "  rigidlimit list studies --experiments ~/my_studies";

/// Prints a list in one of names_of_formats().
template <class Row>
void show_list(const std::string& name, const std::string& format, const Columns<Row>& columns,
               std::vector<Row> rows) {
  const Table table = table_of<Row>(name, columns, std::move(rows));
  if (format == "csv" || format == "json")
    print_text(format == "json" ? json_text(Document{.tables = {table}})
                                : csv_header(table) + csv_lines(table));
  else if (format == "table")
    print_list(text_table(table));
  else
    print_text(formatted(CaptionedTable{name, caption_of_name(name), text_table(table)},
                         format_named(format), false));
}

/// A system, its file, and why the file cannot be read.
struct ListedSystem {
  std::string name;
  const SystemEntry* system = nullptr;
  std::string fault = {};
};

/// The header of the names is `first`.
void show_systems(const char* first, const std::string& format,
                  const std::vector<ListedSystem>& systems) {
  using L = ListedSystem;
  const auto of_system = [](auto value) {
    return [value](const L& one) { return one.system ? Value(value(*one.system)) : Value(); };
  };
  const auto kind = [](bool can, bool closed, const char* form) {
    return can ? closed ? form : "yes" : "-";
  };
  show_list<L>(
      "systems", format,
      {{"name", first, &L::name},
       {"n", "n", of_system([](const SystemEntry& e) { return visible(e.info.velocities).size(); }),
        "{}"},
       {"m", "m", of_system([](const SystemEntry& e) { return e.info.contacts.size(); }), "{}"},
       {"rolls", "rolls", of_system([=](const SystemEntry& e) {
          return kind(e.rolls(), e.has_closed_form, "closed form");
        })},
       {"slips", "slips", of_system([=](const SystemEntry& e) {
          return kind(e.slips(), e.has_closed_history, "closed history");
        })},
       {"description", "description",
        [](const L& one) { return one.system ? one.system->info.title : one.fault; }, "",
        [](const L& one) { return one.system ? Tone::plain : Tone::bad; }}},
      systems);
}

/// Kind of a TOML file in a list. A broken file counts as an experiment, whose row gives the error.
enum class FileKind { experiment, system, study_with_system, part };

FileKind kind_of_file(const std::string& file) try {
  Section root = TomlDocument::from_file(file).root();
  if (root.has("coordinates")) return FileKind::system;
  const auto named = [&](const char* table) {
    return root.has_table(table) && root.section(table).has("name");
  };
  if (!named("study") && !named("benchmark")) return FileKind::part;  // a base of other files
  if (root.has_table("system") && root.section("system").has("coordinates"))
    return FileKind::study_with_system;
  return FileKind::experiment;
} catch (const InputError&) {
  return FileKind::experiment;
}

/// The TOML files of the `wanted` kinds in a folder and its sub-folders, sorted.
std::vector<std::string> files_in(const std::string& folder, std::initializer_list<FileKind> wanted,
                                  std::error_code& failure) {
  std::vector<std::string> files;
  std::filesystem::recursive_directory_iterator entry(folder, failure);
  for (; entry != std::filesystem::recursive_directory_iterator(); entry.increment(failure)) {
    if (failure) break;
    if (entry.depth() == 2) entry.disable_recursion_pending();  // folders by question
    if (entry->path().extension() == ".toml" &&
        std::ranges::count(wanted, kind_of_file(entry->path().string())) > 0)
      files.push_back(entry->path().string());
  }
  std::ranges::sort(files);
  return files;
}

/// A directory tree of studies and system files.
struct Tree {
  std::string folder;       ///< empty: none
  bool is_shipped = false;  ///< its files have names for other commands

  /// The word that other commands take for a file of the tree.
  std::string word_of(const std::string& file) const {
    return is_shipped ? std::filesystem::path(file).stem().string() : file;
  }
};

/// DIR of --experiments; without it `experiments` of the current folder, or else that of the
/// program.
Tree tree_in(const std::string& given) {
  std::error_code ignored;
  if (!given.empty()) return {given};
  if (std::filesystem::is_directory("experiments", ignored)) return {"experiments"};
  return {shipped_folder(), true};
}

/// Lists the catalogue, and systems defined by formulas: in their own files and in studies. On a
/// terminal these are a second table.
void list_systems(const SystemCatalogue& systems, const Tree& tree, const std::string& format) {
  std::vector<ListedSystem> all;
  for (const SystemEntry& e : systems) all.push_back({e.info.name, &e});
  if (format == "table") {
    show_systems("system", format, all);
    all.clear();
  }
  std::error_code ignored;
  std::vector<std::shared_ptr<const SystemEntry>> read;
  for (const std::string& file :
       files_in(tree.folder, {FileKind::system, FileKind::study_with_system}, ignored))
    try {
      read.push_back(system_in_file(file, systems));
      all.push_back({tree.word_of(file), read.back().get()});
    } catch (const InputError& e) {
      all.push_back({tree.word_of(file), nullptr, fmt::format("cannot be read: {}", e.what())});
    }
  if (all.empty()) return;
  if (format == "table") print_output("\n");
  show_systems(format == "table" ? "system in a file" : "system", format, all);
}

/// Whether the solver locates roots; a closed form has none.
const char* roots_of(const RigidSolver& solver) {
  if (solver.form == RigidForm::closed_form) return "-";
  const bool ida = solver.form == RigidForm::index2 || solver.form == RigidForm::impulse;
  const bool own = solver.form == RigidForm::semi_explicit || solver.form == RigidForm::reduced;
  const bool located =
      ida ? find_dae_method("ida")->roots : find_ode_method(own ? "radau_iia" : solver.name)->roots;
  return located ? "yes" : "no";
}

void list_solvers(const std::string& format) {
  struct Solver {
    std::string name, side, roots, title;
  };
  std::vector<Solver> all;
  const std::vector<std::string> compliant = names_of_ode_methods();
  for (const RigidSolver& s : rigid_solvers()) {
    const bool both = std::ranges::find(compliant, s.name) != compliant.end();
    all.push_back({s.name, both ? "rigid (multiplier eliminated), compliant" : "rigid", roots_of(s),
                   s.title});
  }
  for (const OdeMethod& method : ode_methods())
    if (needs_a_form(method))
      all.push_back({method.name, "compliant", method.roots ? "yes" : "no", method.title});
  show_list<Solver>("solvers", format,
                    {{"name", "solver", &Solver::name},
                     {"side", "side", &Solver::side},
                     {"roots", "roots", &Solver::roots},
                     {"description", "description", &Solver::title}},
                    all);
}

void list_laws(const std::string& format) {
  using L = LawInfo;
  show_list<L>("laws", format,
               {{"name", "law", &L::name},
                {"equations", "equations", &L::equations},
                {"expected_orders", "expected orders", &L::expected}},
               laws());
}

/// Lists the classical benchmark problems.
void list_problems(const std::string& format) {
  using E = ClassicalEntry;
  show_list<E>(
      "problems", format,
      {{"name", "classical problem", &E::name},
       {"kind", "kind",
        [](const E& e) { return e.dae ? fmt::format("DAE of index {}", e.index) : "ODE"; }},
       {"n", "n", [](const E& e) { return e.make_default().size(); }, "{}"},
       {"description", "description", &E::title}},
      {classical_problems().begin(), classical_problems().end()});
}

/// Columns of the row of a file.
struct Listed {
  std::string file, kind, name, system, question, fault;
};

Listed listed(const std::string& file, const Experiment& experiment) {
  const std::string kind = experiment.kind->name;
  return {.file = file,
          .kind = experiment.is_sweep() ? kind + ", sweep" : kind,
          .name = experiment.name,
          .system = fmt::format("{}", fmt::join(experiment.systems, ", ")),
          .question = experiment.question,
          .fault = ""};
}

std::vector<Listed> listed_experiments(const SystemCatalogue& systems, const Tree& tree) {
  std::error_code failure;
  const std::vector<std::string> files =
      files_in(tree.folder, {FileKind::experiment, FileKind::study_with_system}, failure);
  if (failure)
    throw InputError(
        "cannot be listed: " + failure.message() + "; name another directory with --experiments",
        tree.folder.empty() ? "the studies that come with the program" : tree.folder);
  std::vector<Listed> all;
  for (const std::string& file : files) try {
      all.push_back(listed(tree.word_of(file), read_experiment(file, {}, systems)));
    } catch (const InputError& e) {
      all.push_back(
          {tree.word_of(file), "-", "-", "-", "", fmt::format("cannot be read: {}", e.what())});
    }
  return all;
}

void list_studies(const SystemCatalogue& systems, const Tree& tree, const std::string& format) {
  const std::vector<Listed> all = listed_experiments(systems, tree);
  using L = Listed;
  const ColumnOf<L> file("file", "study", &L::file), kind("kind", "kind", &L::kind);
  const ColumnOf<L> question =
      ColumnOf<L>("question", "question", &L::question)
          .said([](const L& one) { return one.fault.empty() ? one.question : one.fault; })
          .toned([](const L& one) { return one.fault.empty() ? Tone::plain : Tone::bad; });
  if (format == "table") {  // name and system repeat the study
    show_list("studies", format, Columns<L>{file, kind, question}, all);
    return;
  }
  const Columns<L> columns{file,
                           kind,
                           {"name", "name", &L::name},
                           {"system", "system", &L::system},
                           question,
                           {"fault", "fault", &L::fault}};
  show_list("studies", format, columns, all);
}

/// `what`: systems, solvers, laws, problems, studies, or empty for all; then studies only if there
/// are some.
int list(const SystemCatalogue& systems, const std::string& what, const Tree& tree,
         const std::string& format) {
  if (format != "table" && what.empty())
    throw InputError("needs one list: rigidlimit list studies --format " + format, "--format");
  std::error_code ignored;
  const bool has_studies = std::filesystem::is_directory(tree.folder, ignored);
  const std::vector<std::pair<std::string, std::function<void()>>> lists{
      {"systems", [&] { list_systems(systems, tree, format); }},
      {"solvers", [&] { list_solvers(format); }},
      {"laws", [&] { list_laws(format); }},
      {"problems", [&] { list_problems(format); }},
      {"studies", [&] { list_studies(systems, tree, format); }}};
  bool first = true;
  for (const auto& [name, print] : lists) {
    if (!what.empty() && what != name) continue;
    if (what.empty() && name == "studies" && !has_studies) {
      print_output("\nstudies: none came with this program; name a directory with --experiments\n");
      continue;
    }
    if (!first) print_output("\n");
    first = false;
    print();
  }
  return exit_status::held;
}

}  // namespace

Subcommand add_list(CLI::App& program, const SystemCatalogue& systems) {
  struct Arguments {
    std::string what, experiments, format = "table";
  };
  const auto arguments = std::make_shared<Arguments>();
  Command command(program, "list", "List systems, solvers, laws, classical problems or studies",
                  list_footer);
  command.option("WHAT", arguments->what, "kind of list (default: all)")
      .one_of({"systems", "solvers", "laws", "problems", "studies"});
  command
      .option("--experiments", arguments->experiments,
              "directory tree of studies and system files (default: experiments, or what came with "
              "the program)")
      .value("DIR");
  command.option("--format", arguments->format, "format of one list")
      .one_of(names_of_formats())
      .shows_default();
  return {command, [arguments, &systems] {
            return list(systems, arguments->what, tree_in(arguments->experiments),
                        arguments->format);
          }};
}

}  // namespace rigidlimit
