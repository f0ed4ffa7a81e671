// The subcommand `init`: writes a template.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_template.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/friction/friction_template.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_template.hpp"
#include "rigidlimit/experiment/spec/read_name.hpp"
#include "rigidlimit/experiment/spec/study_copy.hpp"
#include "rigidlimit/experiment/spec/template_page.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "rigidlimit/toml/shipped_studies.hpp"
#include "rigidlimit/toml/text.hpp"

namespace rigidlimit {

namespace {

constexpr const char* init_footer =
    "The file lists every key with its unit and meaning; defaults are commented out.\n"
    "It can be run unchanged. Existing files are not overwritten. --kind sweep writes\n"
    "a sweep over the damping. --kind benchmark writes error against cost of methods:\n"
    "on the compliant contact of --system, whose study is written beside it, or of the\n"
    "rolling study in that file; without --system, on a classical stiff problem.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit init knife_edge                      # study of the knife edge\n"
    "  rigidlimit init my_disc --system rolling_disk\n"
    "  rigidlimit init my_sweep --system wheel --kind sweep --directory experiments\n"
    "  rigidlimit init mine --system unicycle.toml     # system defined in a file\n"
    "  rigidlimit init curb --system wheel_and_curb    # friction and impacts\n"
    "  rigidlimit init slide --system wheel --kind friction\n"
    "  rigidlimit init my_cost --system rolling_disk --kind benchmark\n"
    "  rigidlimit init mine --from knife_edge_damping  # copy, to change it";

struct InitArguments {
  std::string name;
  std::string system;  ///< empty: `name` if it is a system, else the first of the catalogue
  std::string directory = ".";
  std::string kind = "study";
  std::string from;  ///< a study to copy; empty: write a template
};

/// The text of the file, and the next command.
struct Template {
  std::string text, title;
  const char* subcommand;
  std::string study = {};  ///< text of the study of a benchmark, for another file; may be empty
};

std::string path_of(const InitArguments& arguments, const std::string& name) {
  return (std::filesystem::path(arguments.directory) / (name + ".toml")).string();
}

std::string study_name(const InitArguments& arguments) {
  return arguments.name + "_study";
}

Template template_of(const SystemEntry& entry, const std::string& name, const std::string& kind) {
  if (kind == "friction" && !entry.slips())
    throw InputError(
        entry.info.name + " defines no friction: its contacts only roll; use --kind rolling",
        "--kind friction");
  if (kind == "rolling" && !entry.rolls())
    throw InputError(entry.info.name + " cannot roll: a contact may open; use --kind friction",
                     "--kind rolling");
  if (kind == "sweep") {
    if (!entry.rolls())
      throw InputError(entry.info.name + " cannot roll, and the template sweeps a rolling study",
                       "--kind sweep");
    return {rolling_template(entry, name, TemplateKind::sweep), entry.info.title, "run"};
  }
  // A system whose contacts may slip is for friction studies, unless its rolling has a closed form.
  const bool slides = entry.slips() && !entry.has_closed_form;
  if (kind == "friction" || !entry.rolls() || (kind == "study" && slides))
    return {friction_template(entry, name), entry.info.title, "run"};
  return {rolling_template(entry, name, TemplateKind::study), entry.info.title, "check"};
}

/// The system of --system, of NAME, or the first of the catalogue.
SystemEntry chosen_system(const SystemCatalogue& systems, const InitArguments& arguments) {
  const std::string word = arguments.system.empty() ? arguments.name : arguments.system;
  std::string system = word;
  if (!arguments.system.empty() && !find_system(systems, system))
    system = path_with_notice(named_system(system));
  if (is_system_file(system)) {
    SystemEntry entry = *system_in_file(system, systems);
    const std::vector<ShippedFile> shipped = shipped_systems();
    if (std::ranges::count(shipped, system, &ShippedFile::path) > 0)
      entry.file = word;
    else if (!entry.file.empty())  // relative to the folder of the study
      entry.file = std::filesystem::proximate(entry.file, arguments.directory).string();
    return entry;
  }
  if (const SystemEntry* entry = find_system(systems, system)) return *entry;
  if (arguments.system.empty()) return systems.front();
  throw InputError(fmt::format("'{}' is not a system{}", system,
                               suggestion(system, names_of(systems), "rigidlimit list systems")),
                   "--system");
}

/// Whether --system names a file with a study, not only a system.
bool names_study(const std::string& system) {
  return is_system_file(system) && TomlDocument::from_file(system).root().has("study");
}

BenchmarkedStudy benchmarked(const RollingStudy& study, const std::string& name,
                             const std::string& file) {
  return {.file = file, .name = name, .system = study.system->info.name, .end = study.time.end};
}

/// A benchmark of the study in --system, of a new study of that system, or of a classical problem.
Template benchmark_of(const SystemCatalogue& systems, const InitArguments& arguments) {
  constexpr const char* title = "work-precision benchmark";
  if (arguments.system.empty() && !find_system(systems, arguments.name))
    return {benchmark_template(arguments.name), title, "run"};
  if (names_study(arguments.system)) {
    const RollingStudy study = read_rolling_study(arguments.system, {}, systems);
    const std::string file =
        std::filesystem::proximate(arguments.system, arguments.directory).string();
    return {benchmark_template(arguments.name, benchmarked(study, study.name, file)), title, "run"};
  }
  const SystemEntry entry = chosen_system(systems, arguments);
  if (!entry.rolls())
    throw InputError(entry.info.name + " cannot roll, and the template needs a rolling study",
                     "--kind benchmark");
  const std::string name = study_name(arguments), path = path_of(arguments, name);
  const std::string text = rolling_template(entry, name, TemplateKind::study);
  const RollingStudy study =
      read_rolling_study(TomlDocument::from_text(text, path, {}, alternative_keys()), systems);
  const BenchmarkedStudy solved = benchmarked(study, entry.info.name, name + ".toml");
  return {benchmark_template(arguments.name, solved), title, "run", text};
}

Template chosen_template(const SystemCatalogue& systems, const InitArguments& arguments) {
  if (arguments.kind == "benchmark") return benchmark_of(systems, arguments);
  return template_of(chosen_system(systems, arguments), arguments.name, arguments.kind);
}

constexpr const char* exists =
    "exists already: nothing is overwritten; choose another NAME or --directory";

void require_new(const std::string& path) {
  if (std::filesystem::exists(std::filesystem::symlink_status(path)))
    throw InputError(exists, path);
}

/// Fails if the file exists, even if it was created a moment ago.
void write_new(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0)
    throw InputError(
        errno == EEXIST ? exists : fmt::format("cannot be written: {}", std::strerror(errno)),
        path);
  const ssize_t written = write(file, text.data(), text.size());
  const int failure = written < 0 ? errno : ENOSPC;
  const bool whole = written == static_cast<ssize_t>(text.size());
  if (close(file) == 0 && whole) return;
  unlink(path.c_str());  // a partial file would block the next attempt
  throw InputError(fmt::format("cannot be written: {}", std::strerror(failure)), path);
}

/// Copies the study of --from. All files are new, or none is written.
int copy_study(const SystemCatalogue& systems, const InitArguments& arguments) {
  const CopiedTexts copy =
      copy_of_study(path_with_notice(named_study(arguments.from)), arguments.name);
  const std::filesystem::path folder(arguments.directory);
  for (const auto& [file, text] : copy) require_new((folder / file).string());
  for (const auto& [file, text] : copy) {
    std::error_code failure;  // write_new() gives it
    std::filesystem::create_directories((folder / file).parent_path(), failure);
    write_new((folder / file).string(), text);
  }
  const std::string path = path_of(arguments, arguments.name);
  const Experiment experiment = read_experiment(path, {}, systems);
  print_output("written to {}: {}\n", path,
               experiment.question.empty() ? "copy of " + arguments.from : experiment.question);
  if (copy.size() > 1)
    print_output("written to {}: {} that it reads\n",
                 (folder / (arguments.name + "_files")).string(),
                 copy.size() == 2 ? "the file" : fmt::format("the {} files", copy.size() - 1));
  print_output("next: rigidlimit run {}\n", path);
  return exit_status::held;
}

int init(const SystemCatalogue& systems, InitArguments arguments) {
  // The name of the file is as good a name.
  if (arguments.name.ends_with(".toml")) arguments.name.resize(arguments.name.size() - 5);
  if (const std::string fault = fault_in_directory_name(arguments.name); !fault.empty())
    throw InputError(fault, fmt::format("NAME '{}'", arguments.name));
  if (!arguments.from.empty()) return copy_study(systems, arguments);
  const Template made = chosen_template(systems, arguments);
  const std::string path = path_of(arguments, arguments.name);
  if (!made.study.empty()) {
    const std::string study = path_of(arguments, study_name(arguments));
    require_new(path);
    write_new(study, made.study);
    print_output("written to {}: the study that the benchmark solves\n", study);
  }
  write_new(path, made.text);
  print_output("written to {}: {}\nnext: rigidlimit {} {}\n", path, made.title, made.subcommand,
               path);
  return exit_status::held;
}

}  // namespace

Subcommand add_init(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "init", "Write a commented study file as a template", init_footer);
  const auto arguments = std::make_shared<InitArguments>();
  command.option("NAME", arguments->name, "name of the study; the file is NAME.toml").required();
  const OptionDeclaration system = command
                                       .option("--system", arguments->system,
                                               "system or its file (default: NAME, or knife_edge)")
                                       .value("SYSTEM");
  command.option("--directory", arguments->directory, "directory of the file")
      .value("DIR")
      .shows_default();
  const OptionDeclaration kind =
      command
          .option("--kind", arguments->kind, "kind of the file (study: usual kind of the system)")
          .value("KIND")
          .one_of({"study", "rolling", "friction", "sweep", "benchmark"})
          .shows_default();
  command
      .option(
          "--from", arguments->from,
          "copy this study and the files that it reads: a name of rigidlimit list studies, or a "
          "file")
      .value("STUDY")
      .excludes(system)
      .excludes(kind);
  return {command, [arguments, &systems] { return init(systems, *arguments); },
          [&systems] {
            return ArgumentWords{{"--system", names_of(systems)},
                                 {"NAME", names_of(systems)},
                                 {"--from", names_of(shipped_studies())}};
          }};
}

}  // namespace rigidlimit
