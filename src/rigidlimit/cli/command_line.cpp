#include "rigidlimit/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/record/provenance.hpp"
#include "rigidlimit/study/suggest.hpp"

namespace rigidlimit {

namespace {

constexpr const char* about =
    "How fast does motion with a stiff viscoelastic rolling contact converge to ideal rolling?\n"
    "A study file names a system, a contact and values of eps; rigidlimit solves the rigid DAE "
    "and\n"
    "the stiff ODE of the same system and prints errors, orders and verdicts.";

constexpr const char* examples =
    "Examples:\n"
    "  rigidlimit run experiments/knife_edge.toml\n"
    "  rigidlimit run experiments/*.toml --jobs 2\n"
    "  rigidlimit run experiments/knife_edge.toml --set contact.damping_ratio=0.5 --format csv\n"
    "  rigidlimit check experiments/knife_edge.toml --junit report.xml\n"
    "  rigidlimit steps experiments/knife_edge.toml --set solvers.rtol=1e-12\n"
    "  rigidlimit map experiments/maps/knife_edge_damping.toml\n"
    "  rigidlimit bench experiments/benchmarks/contact_work_precision.toml --quick\n"
    "  rigidlimit describe rolling_disk\n"
    "  rigidlimit describe rolling_disk --linearise --q 0,0,0,0,0 --v 2,0,0,0,4\n"
    "  rigidlimit list solvers\n"
    "\n"
    "Exit status: 0 every expectation held, 1 not held, 2 could not run, 130 interrupted.";

std::string version_text() {
  std::string text = "rigidlimit";
  for (const auto& [key, value] : build_provenance())
    text += key == "version" ? " " + value : fmt::format("\n  {}: {}", key, value);
  return text;
}

/// CLI11 would only say that a subcommand is required.
void require_known_verb(const CLI::App& program, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const std::string verb = argv[1];
  std::vector<std::string> known;
  for (const CLI::App* app : program.get_subcommands({})) known.push_back(app->get_name());
  if (std::ranges::find(known, verb) == known.end())
    throw InputError(fmt::format("'{}' is no command{}", verb, suggestion(verb, known)));
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const SystemCatalogue& systems) try {
  CLI::App program(about, "rigidlimit");
  program.footer(examples);
  program.require_subcommand(1);
  program.set_version_flag("--version", version_text, "version, commit, compiler and libraries");
  std::vector<Verb> known;
  for (AddVerb* add : verbs) known.push_back(add(program, systems));
  require_known_verb(program, argc, argv);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return program.exit(e) == 0 ? exit_status::held : exit_status::could_not;
  }
  const auto verb = std::ranges::find_if(known, [](const Verb& v) { return v.app->parsed(); });
  const int status = verb->deed();
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw InputError("cannot be written: disk full?", "standard output");
  return status;
} catch (const std::exception& e) {
  fmt::print(stderr, "rigidlimit: {}\n", printable(e.what()));
  return exit_status::could_not;
}

}  // namespace rigidlimit
