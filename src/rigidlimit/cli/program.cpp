#include "rigidlimit/cli/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "rigidlimit/report/provenance.hpp"

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
    "  rigidlimit run experiments/convergence/knife_edge.toml\n"
    "  rigidlimit run experiments/convergence/*.toml --jobs 2\n"
    "  rigidlimit run experiments/convergence/knife_edge.toml \\\n"
    "      --set contact.damping_ratio=0.5 --format csv\n"
    "  rigidlimit check experiments/convergence/knife_edge.toml --junit report.xml\n"
    "  rigidlimit run experiments/convergence/knife_edge_steps.toml\n"
    "  rigidlimit run experiments/damping/knife_edge_damping.toml\n"
    "  rigidlimit run experiments/benchmarks/contact_work_precision.toml --quick\n"
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

}  // namespace

Program make_program(const SystemCatalogue& systems, const std::string& name) {
  Program program{std::make_shared<CLI::App>(about, name), {}};
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

}  // namespace rigidlimit
