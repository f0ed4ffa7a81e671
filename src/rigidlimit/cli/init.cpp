// The verb that writes a study to start from.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/one_of.hpp"
#include "rigidlimit/cli/slip_template.hpp"
#include "rigidlimit/cli/study_template.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/slip/read_slip.hpp"
#include "rigidlimit/study/read_name.hpp"
#include "rigidlimit/study/read_system_text.hpp"
#include "rigidlimit/study/suggest.hpp"
#include "rigidlimit/study/toml_text.hpp"

namespace rigidlimit {

namespace {

constexpr const char* footer =
    "Every key is in the file, with unit and meaning; defaults are commented out. It runs as it "
    "is.\n"
    "Nothing is overwritten.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit init knife_edge                      # the system of that name\n"
    "  rigidlimit init my_disc --system rolling_disk\n"
    "  rigidlimit init my_map --system wheel --kind map --directory experiments\n"
    "  rigidlimit init mine --system unicycle.toml     # of formulas in a file\n"
    "  rigidlimit init curb --system wheel_and_curb    # friction and impacts: rigidlimit slip\n"
    "  rigidlimit init groove --system two_point_ball --kind map   # a map of modes";

struct InitArguments {
  std::string name;
  std::string system;  ///< empty: `name` if it is a system, otherwise the first of the catalogue
  std::string directory = ".";
  std::string kind = "study";
};

/// By the rule that the file itself will be read by.
void require_directory_name(const std::string& name) {
  Section section = TomlDocument::from_text("name = " + toml_text(name), "NAME").root();
  read_directory_name(section, "name");
}

/// All that may follow --system.
std::vector<std::string> all_names(const SystemCatalogue& systems) {
  std::vector<std::string> names = names_of(systems);
  for (const std::string& name : names_of(builtin_frictional_systems())) names.push_back(name);
  return names;
}

/// The text of the file, and how to go on.
struct Template {
  std::string text, title;
  const char* verb;
};

Template template_of(const FrictionalEntry& entry, const std::string& name, bool map) {
  if (!map) return {slip_template(entry, name), entry.info.title, "slip"};
  if (std::string_view(entry.info.name) != "two_point_ball")
    throw InputError(
        fmt::format("of {} there is none: maps of modes are of two_point_ball", entry.info.name),
        "--kind map");
  return {mode_map_template(name), entry.info.title, "slip"};
}

Template template_of(const SystemEntry& entry, const std::string& name, bool map) {
  return {study_template(entry, name, map ? TemplateKind::map : TemplateKind::study),
          entry.info.title, map ? "map" : "check"};
}

Template chosen_template(const SystemCatalogue& systems, const InitArguments& arguments) {
  const std::string& system = arguments.system.empty() ? arguments.name : arguments.system;
  const bool map = arguments.kind == "map";
  if (is_system_file(system)) {
    SystemEntry entry = *system_in_file(system, systems);
    if (!entry.file.empty())  // which the study will name as seen from its own place
      entry.file = std::filesystem::proximate(entry.file, arguments.directory).string();
    return template_of(entry, arguments.name, map);
  }
  if (const SystemEntry* entry = find_system(systems, system))
    return template_of(*entry, arguments.name, map);
  if (const FrictionalEntry* entry = find_system(builtin_frictional_systems(), system))
    return template_of(*entry, arguments.name, map);
  if (arguments.system.empty()) return template_of(systems.front(), arguments.name, map);
  throw InputError(fmt::format("'{}' is no system{}", system,
                               suggestion(system, all_names(systems), "rigidlimit list systems")),
                   "--system");
}

/// Fails where the file is there already, even if it came a moment ago.
void write_new(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0)
    throw InputError(errno == EEXIST ? "is there already: nothing is overwritten"
                                     : fmt::format("cannot be written: {}", std::strerror(errno)),
                     path);
  const ssize_t written = write(file, text.data(), text.size());
  const int failure = written < 0 ? errno : ENOSPC;
  const bool whole = written == static_cast<ssize_t>(text.size());
  if (close(file) == 0 && whole) return;
  unlink(path.c_str());  // half a study would be refused the next time
  throw InputError(fmt::format("cannot be written: {}", std::strerror(failure)), path);
}

int init(const SystemCatalogue& systems, const InitArguments& arguments) {
  require_directory_name(arguments.name);
  const Template made = chosen_template(systems, arguments);
  const std::string path =
      (std::filesystem::path(arguments.directory) / (arguments.name + ".toml")).string();
  write_new(path, made.text);
  fmt::print("written to {}: {}\nnext: rigidlimit {} {}\n", path, made.title, made.verb, path);
  return exit_status::held;
}

}  // namespace

Verb add_init(CLI::App& program, const SystemCatalogue& systems) {
  CLI::App& app = *program.add_subcommand("init", "Write a commented study file to start from");
  app.footer(footer);
  const auto arguments = std::make_shared<InitArguments>();
  app.add_option("NAME", arguments->name, "of the study: the file is NAME.toml")->required();
  app.add_option("--system", arguments->system,
                 "whose parameters and start it has, or a file with one (default: NAME, or "
                 "knife_edge)")
      ->type_name("SYSTEM");
  app.add_option("--directory", arguments->directory, "where to write it")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--kind", arguments->kind, "a study, or a map: over dampings, or of modes")
      ->type_name("KIND")
      ->check(one_of({"study", "map"}))
      ->capture_default_str();
  return {&app,
          [arguments, &systems] { return init(systems, *arguments); },
          {{"--system", all_names(systems)}, {"NAME", all_names(systems)}}};
}

}  // namespace rigidlimit
