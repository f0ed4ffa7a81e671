#include "rigidlimit/cli/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <string_view>

#include "rigidlimit/cli/help/markdown.hpp"
#include "rigidlimit/core/wrapped_text.hpp"
#include "rigidlimit/experiment/plan/provenance.hpp"

namespace rigidlimit {

namespace {

constexpr const char* about =
    "How fast does motion with a stiff viscoelastic rolling contact converge to ideal\n"
    "rolling? A study file names a system, a contact and values of eps. rigidlimit\n"
    "solves the rigid DAE and the stiff ODE of the same system and prints errors,\n"
    "orders and verdicts.";

constexpr const char* examples =
    "Examples:\n"
    "  rigidlimit init my_disc --system rolling_disk\n"
    "  rigidlimit check my_disc.toml\n"
    "  rigidlimit run knife_edge\n"
    "  rigidlimit run knife_edge wheel --jobs 2\n"
    "  rigidlimit run knife_edge \\\n"
    "      --set contact.damping_ratio=0.5 --format csv\n"
    "  rigidlimit check knife_edge --junit report.xml\n"
    "  rigidlimit run knife_edge_steps\n"
    "  rigidlimit run knife_edge_damping\n"
    "  rigidlimit run contact_work_precision --quick\n"
    "  rigidlimit describe rolling_disk\n"
    "  rigidlimit describe rolling_disk --linearise --q 0,0,0,0,0 --v 2,0,0,0,4\n"
    "  rigidlimit list solvers\n"
    "  rigidlimit explain pre-asymptotic\n"
    "  rigidlimit help study-files\n"
    "\n"
    "Exit status: 0 every expectation held, 1 not held, 2 could not run,\n"
    "130 interrupted.";

std::string version_text() {
  std::string text = "rigidlimit";
  for (const auto& [key, value] : build_provenance())
    text += key == "version" ? " " + value : fmt::format("\n  {}: {}", key, value);
  return text;
}

/// A text with the name of the program in its examples replaced.
std::string called(const std::string& name, std::string text) {
  constexpr std::string_view ours = "  rigidlimit ";
  if (name == "rigidlimit") return text;
  for (std::size_t at = 0; (at = text.find(ours, at)) != std::string::npos; at += name.size())
    text.replace(at + 2, ours.size() - 3, name);
  return text;
}

constexpr std::size_t help_width = 80;  // that of hanging()

/// A paragraph of lines without indentation, broken again if one of them is too long.
std::string refilled(const std::string& paragraph) {
  std::istringstream lines(paragraph);
  std::string all;
  bool is_text = true, is_wide = false;
  for (std::string line; std::getline(lines, line);) {
    is_text = is_text && !line.starts_with(' ');
    is_wide = is_wide || display_width(line) > help_width;
    all += (all.empty() ? "" : " ") + line;
  }
  return is_text && is_wide ? wrapped(all, 0, help_width) : paragraph;
}

/// Help of at most help_width columns: CLI11 breaks no line.
class WrappedHelp : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    const std::string name = make_option_name(option, is_positional) + make_option_opts(option);
    const std::string about = make_option_desc(option);
    return about.empty() ? "  " + name + "\n" : hanging(name, about, get_column_width());
  }
  std::string make_footer(const CLI::App* app) const override {
    const std::string footer = app->get_footer();
    std::string all;
    for (std::size_t at = 0; at < footer.size();) {
      const std::size_t end = std::min(footer.find("\n\n", at), footer.size());
      all += (all.empty() ? "" : "\n") + refilled(footer.substr(at, end - at) + "\n");
      at = end + 2;
    }
    return all;
  }
};

}  // namespace

Program make_program(const SystemCatalogue& systems, const std::string& name) {
  Program program{std::make_shared<CLI::App>(about, name), {}};
  program.app->formatter(std::make_shared<WrappedHelp>());
  program.app->footer(examples);
  program.app->require_subcommand(1);
  program.app->set_version_flag("--version", version_text,
                                "version, commit, compiler and libraries");
  for (AddSubcommand* add : subcommands) program.subcommands.push_back(add(*program.app, systems));
  program.app->footer(called(name, program.app->get_footer()));
  for (const Subcommand& subcommand : program.subcommands) {
    CLI::App& command = subcommand.command.app();
    command.footer(called(name, command.get_footer()));
  }
  return program;
}

const Subcommand* find_subcommand(const Program& program, const std::string& name) {
  const auto at = std::ranges::find(program.subcommands, name, [](const Subcommand& subcommand) {
    return subcommand.command.name();
  });
  return at == program.subcommands.end() ? nullptr : &*at;
}

std::vector<std::string> names_of(const Program& program) {
  return names_of_commands(*program.app);
}

namespace {

using ValueKind = ArgumentModel::Value;

/// The valid words in CLI11's description of a checked value: "FORMAT:{csv,json}".
std::vector<std::string> words_in(const std::string& type) {
  std::vector<std::string> words;
  const std::size_t colon = type.find(':');
  if (colon == std::string::npos || type[colon + 1] != '{' || type.back() != '}') return words;
  for (std::size_t at = colon + 2; at < type.size();) {
    const std::size_t end = std::min(type.find_first_of(",}", at), type.size());
    words.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

ValueKind value_by_name(const std::string& name, bool positional) {
  if (name == "FILE") return positional ? ValueKind::toml_file : ValueKind::file;
  if (name == "DIR") return ValueKind::directory;
  if (name == "KEY=VALUE") return ValueKind::key;
  for (const char* store : {"STUDY", "STORE", "INTO"})
    if (name == store) return ValueKind::store;
  return ValueKind::anything;
}

ArgumentModel model_of(const CLI::Option& option, const ArgumentWords& words) {
  ArgumentModel a;
  a.positional = option.get_positional();
  if (a.positional)
    a.names = {option.get_name(true)};
  else
    for (const auto& [dashes, names] :
         {std::pair("-", option.get_snames()), std::pair("--", option.get_lnames())})
      for (const std::string& name : names) a.names.push_back(dashes + name);
  a.repeats = option.get_expected_max() > 1;
  if (!a.positional && option.get_items_expected_max() == 0) return a;  // a flag
  const std::string type = option.get_type_name();
  a.words = words_in(type);
  for (const std::string& name : a.names)
    if (const auto known = words.find(name); known != words.end() && a.words.empty())
      a.words = known->second;
  const std::string name = a.positional ? a.names[0] : type.substr(0, type.find(':'));
  a.value = a.words.empty() ? value_by_name(name, a.positional) : ValueKind::words;
  return a;
}

SubcommandModel model_of(const Subcommand& subcommand) {
  const CLI::App& command = subcommand.command.app();
  SubcommandModel model{command.get_name(), command.get_description(), {}};
  const ArgumentWords words = subcommand.choices ? subcommand.choices() : ArgumentWords();
  for (const bool positional : {true, false})
    for (const CLI::Option* option : command.get_options())
      if (option->get_positional() == positional)
        model.arguments.push_back(model_of(*option, words));
  return model;
}

}  // namespace

ProgramModel model_of(const Program& program) {
  const CLI::App& app = *program.app;
  ProgramModel model{app.get_description(), {}, {}};
  for (const Subcommand& subcommand : program.subcommands)
    model.subcommands.push_back(model_of(subcommand));
  for (const CLI::Option* option : app.get_options())
    model.options.push_back(model_of(*option, {}));
  return model;
}

}  // namespace rigidlimit
