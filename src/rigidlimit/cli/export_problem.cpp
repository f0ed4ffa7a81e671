// The subcommand `export-problem`: a problem as source code for other programs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/codegen/problem_source.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/experiment/plan/build_info.hpp"
#include "rigidlimit/experiment/problem_source/problem_source.hpp"
#include "rigidlimit/report/output.hpp"
#include "rigidlimit/report/reference_record.hpp"

namespace rigidlimit {

namespace {

constexpr const char* export_problem_footer =
    "Writes one file that needs nothing of rigidlimit: y0, t0, t1, rhs(t, y), the exact\n"
    "dense jacobian(t, y), the mass matrix of a DAE, and a reference solution at t1 with\n"
    "a bound of its error. Run as a program, the file compares its equations with\n"
    "values of the library and ends with status 0 only if they agree.\n"
    "\n"
    "--language diffsl writes the equations for diffsol, which differentiates them. The\n"
    "interval, the values to compare and the reference are comments of that file.\n"
    "\n"
    "--language json writes the start, the end, the reference and its error alone, as a\n"
    "record; --reference FILE.json takes the reference from an array of such records.\n"
    "\n"
    "NAME is a classical problem of 'rigidlimit list', or the file of a rolling\n"
    "study:\n"
    "  compliant  natural y = (q, v, eta), adapted y = (q, u, w, eta)\n"
    "  rigid      natural y = (q, v), adapted y = (q, u); multipliers are eliminated\n"
    "\n"
    "Examples:\n"
    "  rigidlimit export-problem hires --language fortran -o hires.f90\n"
    "  rigidlimit export-problem slider_crank --set stiffness=1e10 --language python\n"
    "  rigidlimit export-problem rolling_disk \\\n"
    "      --epsilon 1e-4 --variables adapted --language python -o disk.py\n"
    "  rigidlimit export-problem study.toml --free-law \\\n"
    "      --language javascript -o skate.mjs\n"
    "  rigidlimit export-problem study.toml --side rigid -o rigid.c && cc rigid.c -lm\n"
    "  rigidlimit export-problem hires --language diffsl -o hires.diffsl\n"
    "  rigidlimit export-problem ring_modulator --reference references.json -o ring.c";

constexpr const char* json = "json";  ///< as a language: the reference alone
constexpr std::array<std::string_view, 4> reference_choices{"", "quad", "double", "none"};

struct ExportProblemArguments {
  const SystemCatalogue* systems = nullptr;
  ProblemChoice choice;
  double epsilon = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not given
  std::string language = "c";
  std::string output;
};

/// The command that writes the same file, without the file's own name.
std::string command_of(const ExportProblemArguments& arguments) {
  const ProblemChoice& choice = arguments.choice;
  std::string text = "rigidlimit export-problem " + choice.name;
  const auto add = [&text](const char* option, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}", option, value);
  };
  for (const std::string& one : choice.overrides) add("--set", "'" + one + "'");
  add("--side", choice.side);
  add("--variables", choice.variables);
  add("--law", choice.law);
  if (choice.epsilon) add("--epsilon", fmt::format("{}", *choice.epsilon));
  if (choice.free_law) text += " --free-law";
  add("--reference", choice.reference);
  add("--language", arguments.language);
  return text;
}

int export_problem(ExportProblemArguments& arguments) {
  require_writable(arguments.output);
  if (!std::isnan(arguments.epsilon)) arguments.choice.epsilon = arguments.epsilon;
  const InterruptGuard guard;
  ProgressLine progress(arguments.choice.name, true, "the reference is not solved yet");
  arguments.choice.stop_requested = [&progress] {
    progress.tick();
    return InterruptGuard::requested();
  };
  const bool from_file = arguments.choice.reference.ends_with(".json");
  ProblemChoice choice = arguments.choice;
  if (!from_file &&
      std::ranges::find(reference_choices, choice.reference) == reference_choices.end())
    throw InputError(
        fmt::format("'{}' must be quad, double, none or a file .json", choice.reference),
        "--reference");
  if (from_file) choice.reference = "none";
  WrittenProblem problem = problem_to_write(choice, *arguments.systems);
  if (from_file) read_reference(problem, arguments.choice.reference);
  if (InterruptGuard::requested()) return exit_status::interrupted;
  if (arguments.choice.reference != "none" && !problem.reference)
    print_message("rigidlimit: {}: reference: {}\n", problem.name, problem.reference_text);
  const std::vector<std::string> origin{
      fmt::format("Written by rigidlimit {} ({}) with", build_version(), build_commit()),
      "  " + command_of(arguments)};
  const std::string text =
      arguments.language == json
          ? reference_record(problem)
          : problem_source(problem, source_language(arguments.language), origin);
  if (arguments.output.empty())
    print_text(text);
  else
    write_file(arguments.output, text);
  return exit_status::held;
}

}  // namespace

Subcommand add_export_problem(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "export-problem",
                  "Write a problem as C, Python, Fortran, JavaScript or DiffSL",
                  export_problem_footer);
  const auto arguments = std::make_shared<ExportProblemArguments>();
  arguments->systems = &systems;
  ProblemChoice& choice = arguments->choice;
  command.option("NAME", choice.name, "classical problem, or a rolling study: its file or its name")
      .required();
  std::vector<std::string> languages;
  for (const SourceLanguage language : source_languages) languages.emplace_back(name_of(language));
  languages.emplace_back(json);
  command.option("--language", arguments->language, "language of the file, or json")
      .value("LANGUAGE")
      .shows_default()
      .one_of(languages);
  command.option("--side", choice.side, "side of a study (default: compliant)")
      .value("SIDE")
      .one_of({"compliant", "rigid"});
  command.option("--variables", choice.variables, "variables of a study (default: natural)")
      .value("VARIABLES")
      .one_of({"natural", "adapted"});
  command.option("--epsilon", arguments->epsilon, "eps of a compliant contact (default: 0.001)")
      .value("EPSILON");
  command.option("--law", choice.law, "contact law of the study (default: its first)").value("LAW");
  command.flag("--free-law", choice.free_law,
               "make eps, beta, C and D arguments p of the compliant equations");
  command
      .option("--set", choice.overrides, "override a key, or a parameter of a problem; repeatable")
      .value("KEY=VALUE")
      .one_at_a_time();
  command
      .option("--reference", choice.reference,
              "numbers of its solves: quad (113 bits, the default), double, none; or FILE.json")
      .value("NUMBERS");
  command.option("-o,--output", arguments->output, "write to this file, not to standard output")
      .value("FILE");
  std::vector<std::string> problems;
  for (const ClassicalEntry& entry : classical_problems()) problems.push_back(entry.name);
  return {command, [arguments] { return export_problem(*arguments); },
          [problems] {
            return ArgumentWords{{"NAME", problems}};
          }};
}

}  // namespace rigidlimit
