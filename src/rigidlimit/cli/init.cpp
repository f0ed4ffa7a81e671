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
#include "rigidlimit/cli/study_template.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/study/read_name.hpp"
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
    "  rigidlimit init my_map --system wheel --kind map --directory experiments";

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

const SystemEntry& chosen_system(const SystemCatalogue& systems, const InitArguments& arguments) {
  const std::string& name = arguments.system.empty() ? arguments.name : arguments.system;
  if (const SystemEntry* entry = find_system(systems, name)) return *entry;
  if (arguments.system.empty()) return systems.front();
  throw InputError(fmt::format("'{}' is no system{}", name, suggestion(name, names_of(systems))),
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
  const SystemEntry& entry = chosen_system(systems, arguments);
  const TemplateKind kind = arguments.kind == "map" ? TemplateKind::map : TemplateKind::study;
  const std::string text = study_template(entry, arguments.name, kind);
  const std::string path =
      (std::filesystem::path(arguments.directory) / (arguments.name + ".toml")).string();
  write_new(path, text);
  fmt::print("written to {}: {}\nnext: rigidlimit {} {}\n", path, entry.info.title,
             kind == TemplateKind::map ? "map" : "check", path);
  return exit_status::held;
}

}  // namespace

Verb add_init(CLI::App& program, const SystemCatalogue& systems) {
  CLI::App& app = *program.add_subcommand("init", "Write a commented study file to start from");
  app.footer(footer);
  const auto arguments = std::make_shared<InitArguments>();
  app.add_option("NAME", arguments->name, "of the study: the file is NAME.toml")->required();
  app.add_option("--system", arguments->system,
                 "whose parameters and start it has (default: NAME, or knife_edge)")
      ->type_name("SYSTEM");
  app.add_option("--directory", arguments->directory, "where to write it")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--kind", arguments->kind, "a study, or a map over dampings")
      ->type_name("KIND")
      ->check(CLI::IsMember({"study", "map"}))
      ->capture_default_str();
  return {&app,
          [arguments, &systems] { return init(systems, *arguments); },
          {{"--system", names_of(systems)}, {"NAME", names_of(systems)}}};
}

}  // namespace rigidlimit
