// The subcommand `reproduce`: an archived result, computed again and compared.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "rigidlimit/archive/write_archive.hpp"
#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/reporter.hpp"
#include "rigidlimit/cli/solve_experiment.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/memory_message.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/report/reproduction_report.hpp"

namespace rigidlimit {

namespace {

constexpr const char* reproduce_footer =
    "ARCHIVE is a file of 'rigidlimit archive', the folder it was unpacked to, or\n"
    "results/NAME. The experiment with its defaults (resolved.toml) is solved again and\n"
    "judged in a new folder, and every value of result.json is compared. The result is\n"
    "reproduced if\n"
    "\n"
    "  every claim has its verdict,\n"
    "  every number of evidence (status ok) with an error bar is within 3 of them,\n"
    "  and no row is missing or new.\n"
    "\n"
    "The tables list the program and libraries of both results, and each column that\n"
    "differs, with its largest difference. Times are not compared. On the same build all\n"
    "values are equal; another compiler or SUNDIALS changes step sizes and digits.\n"
    "\n"
    "Exit status: 0 reproduced, 1 not, 2 could not run, 130 interrupted (the same\n"
    "command continues).\n"
    "\n"
    "Examples:\n"
    "  rigidlimit reproduce knife_edge.zip\n"
    "  rigidlimit reproduce knife_edge.zip --results again --format markdown\n"
    "  rigidlimit reproduce knife_edge.zip --format json -o differences.json";

struct ReproduceArguments : FileArguments {
  OutputArguments output;
};

int reproduce_one(const ReproduceArguments& arguments, const std::string& file,
                  Reporter& reporter) {
  const auto begin = std::chrono::steady_clock::now();
  const ArchivedResult archived = read_archive(file, [] { return InterruptGuard::requested(); });
  const Experiment experiment = read_experiment(
      TomlDocument::from_record(archived.resolved, file + ":resolved.toml"), *arguments.systems);
  const SolvedExperiment solved = solve_experiment(experiment, arguments, StoreArguments{});
  const std::string directory = directory_of(arguments.results, solved.report);
  write_and_say(solved.report, directory, true);
  if (solved.report.interrupted || !solved.report.has_numbers) return status_of(solved.report);
  Result report = reproduction_report(
      solved.report, difference_of_results(archived.result, solved.report, file + ":result.json"));
  write_and_say(report, (std::filesystem::path(directory) / "reproduction").string(),
                arguments.quiet);
  const int status = std::max(solved.status, status_of(report));
  reporter.take(std::move(report), file, begin);
  return status;
}

int reproduce(const ReproduceArguments& arguments) {
  Reporter reporter(arguments.output, arguments.quiet);
  int status = exit_status::held;
  std::vector<std::string> complaints;
  const InterruptGuard interrupt;
  for (const std::string& file : arguments.files) {
    try {
      status = std::max(status, reproduce_one(arguments, file, reporter));
    } catch (const std::exception& e) {
      complaints.push_back(message_of(e, file));
      print_message("rigidlimit: {}\n", complaints.back());
      status = std::max(status, exit_status::could_not);
    }
    if (InterruptGuard::requested()) break;
  }
  reporter.finish(complaints);
  return InterruptGuard::requested() ? exit_status::interrupted : status;
}

}  // namespace

Subcommand add_reproduce(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "reproduce",
                  "Solve an archived result again and print what differs, and by how much",
                  reproduce_footer);
  const auto arguments = std::make_shared<ReproduceArguments>();
  arguments->systems = &systems;
  arguments->results = "reproduced";
  command.option("ARCHIVE", arguments->files, "files of 'rigidlimit archive', or results/NAME")
      .required();
  command.flag("--no-progress", arguments->no_progress, "print no progress line");
  add_jobs(command, *arguments);
  add_quiet(command, *arguments, "print only the verdict, on standard error");
  add_output(command, arguments->output);
  add_results(command, *arguments);
  return {command, [arguments] { return reproduce(*arguments); }};
}

}  // namespace rigidlimit
