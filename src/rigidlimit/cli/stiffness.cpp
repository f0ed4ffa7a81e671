// The subcommand `stiffness`: the contact for a wanted distance from ideal rolling.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "rigidlimit/cli/solve_experiment.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/stiffness/body_shape.hpp"
#include "rigidlimit/experiment/stiffness/find_stiffness.hpp"

namespace rigidlimit {

namespace {

constexpr const char* stiffness_footer =
    "Finds the softest contact whose motion stays within the wanted distance of the rigid\n"
    "one, rolling or with friction, on the study's interval, with the start, the law and\n"
    "the ratios of stiffness and damping of the file. The first guess is the predicted\n"
    "power of epsilon (or a fitted one); solves correct and confirm it.\n"
    "\n"
    "The answer is the stiffness C/eps^2 and the damping D/eps^beta in SI units, the\n"
    "decay time of the initial layer, the largest step of an explicit Runge-Kutta\n"
    "method of order 4; with --cost also the cost of integrators at that contact.\n"
    "A damper that couples contact rows is also given as a diagonal one, s diag(d) with\n"
    "the s whose layer decays fastest; a solve shows its error and whether it is kept.\n"
    "CSV has a row for each contact row: stiffness, damping, their units, that step.\n"
    "\n"
    "--engine NAME takes the contact law of a simulation program in place of the study's,\n"
    "and prints its settings, by their names in that program, with a step whose error is a\n"
    "few hundredths of the wanted one. Below the floor of the program none is found.\n"
    "Its contact is that of a disc or ball with a surface. For other rows (a blade, a\n"
    "gear) the contact of the study is found, and the answer says why no settings are.\n"
    "\n"
    "--error names a quantity (q, v, lambda, gap of joints) or a component, and optionally\n"
    "a norm and a window of the study (sup, l2; all, after): lambda.sup.after=0.1. Sizes\n"
    "are in SI units. With several --error the stiffest of the contacts is the answer.\n"
    "\n"
    "Exit status: 0 found, 1 no such contact, 2 could not run, 130 interrupted.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit stiffness wheel --error q=1e-4\n"
    "  rigidlimit stiffness rolling_disk --error q=1e-3 \\\n"
    "      --error v=1e-2 --set contact.damping_ratio=0.2\n"
    "  rigidlimit stiffness wheel_slip_to_roll --error x=0.1mm \\\n"
    "      --engine mujoco\n"
    "  rigidlimit stiffness study.toml --error q=1e-6 --cost --methods all \\\n"
    "      --format json";

struct StiffnessArguments : FileArguments {
  OutputArguments output;
  std::vector<std::string> errors;
  bool cost = false;
  std::string engine;
  EngineBody body;
  std::vector<std::string> methods = methods_of_each_family();
};

/// The result of `ask`. Errors at an argument of the library name the option of the command line:
/// "--error x=1" for "wanted x=1".
template <class Ask>
auto with_names_of_options(const Ask& ask) try {
  return ask();
} catch (const InputError& error) {
  const std::string& where = error.where();
  for (const auto& [argument, option] : {std::pair<std::string, std::string>("wanted", "--error"),
                                         {"normal_force", "--normal-force"},
                                         {"mass", "--mass"},
                                         {"methods", "--methods"},
                                         {"engine", "--engine"},
                                         {"body", "--body"}})
    if (where == argument || where.starts_with(argument + " "))
      throw InputError(error.message(), option + where.substr(argument.size()));
  throw;
}

int stiffness(const StiffnessArguments& arguments) {
  StiffnessQuestion asked{.wanted = {}, .body = arguments.body};
  with_names_of_options([&] {
    if (arguments.cost) asked.methods = methods_named(arguments.methods);
    if (!arguments.engine.empty()) asked.engine = &engine_named(arguments.engine);
    return 0;
  });
  Reporter reporter(arguments.output, arguments.quiet);
  return for_each_experiment(arguments, false, reporter, [&](const FromFile& from) {
    const auto begin = std::chrono::steady_clock::now();
    StiffnessQuestion question = asked;
    const PairStudy study = pair_study_of(from.experiment);
    Result report = with_names_of_options([&] {
      for (const std::string& text : arguments.errors)
        question.wanted.push_back(wanted_error_of(text, study));
      return in_tables(run_with_progress(arguments, name_of(study), [&](const RunOptions& options) {
        return find_stiffness(study, question, options);
      }));
    });
    const int status = status_of(report);
    reporter.take(std::move(report), from.file, begin);
    return status;
  });
}

}  // namespace

Subcommand add_stiffness(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "stiffness",
                  "Find the contact stiffness that keeps a motion close to ideal rolling",
                  stiffness_footer);
  const auto arguments = std::make_shared<StiffnessArguments>();
  arguments->systems = &systems;
  add_files(command, *arguments);
  command.option("--error", arguments->errors, "wanted error: QUANTITY[.NORM][.WINDOW]=SIZE")
      .value("WANTED")
      .one_at_a_time()
      .required();
  const OptionDeclaration cost = command.flag(
      "--cost", arguments->cost, "also compare the cost of methods at that contact; takes longer");
  command
      .option("--methods", arguments->methods,
              "with --cost: names of `list solvers`, or all (default: one of each family)")
      .value("NAMES")
      .needs(cost)
      .one_at_a_time()
      .parted_by(',');
  command
      .option("--engine", arguments->engine, "also print the settings of this simulation program")
      .value("NAME")
      .one_of(names_of_engines());
  command
      .option("--body", arguments->body.shape,
              "with --engine: shape of the body in contact (default: known for systems that come "
              "with the program)")
      .value("SHAPE")
      .one_of(names_of_shapes());
  command
      .option("--mass", arguments->body.mass,
              "with --engine: mass of the body, kg (default: the parameter `mass`)")
      .value("KG");
  command
      .option(
          "--normal-force", arguments->body.normal_force,
          "with --engine: normal force, N, where friction is largest (default: that of a friction "
          "study, its mean)")
      .value("N");
  add_jobs(command, *arguments);
  add_quiet(command, *arguments, "print only the answer, on standard error");
  add_output(command, arguments->output);
  return {command, [arguments] { return stiffness(*arguments); }};
}

}  // namespace rigidlimit
