// The subcommand `run`: solves and reports.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "rigidlimit/cli/solve_experiment.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/core/shell_word.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/experiment/spec/study_copy.hpp"
#include "rigidlimit/report/results_folder.hpp"
#include "rigidlimit/toml/section.hpp"

namespace rigidlimit {

namespace {

constexpr const char* run_footer =
    "The tables of a file decide its kind:\n"
    "\n"
    "  rolling study   [epsilon], [[expect]]: compliant against ideal rolling\n"
    "  friction study  [history], or friction in [contact]: stick, slip, impacts\n"
    "  sweep           [sweep]: a rolling or friction study for all combinations\n"
    "                  of listed values of its keys; [[least]]: the value with the\n"
    "                  least error\n"
    "  benchmark       [benchmark]: work-precision of methods\n"
    "\n"
    "Results go to results/NAME/, where NAME is study.name or benchmark.name. The\n"
    "finished solves are stored there in results.db, and a second run solves only\n"
    "what is missing. A benchmark times one solve at a time, after all errors are\n"
    "known; it keeps the times of a problem by machine and program.\n"
    "Its short form (--quick) is benchmark.quick in its file. --shard K/N writes the\n"
    "store results/NAME/shards/K-of-N.db, and 'rigidlimit merge' joins the shards.\n"
    "\n"
    "Exit status: 0 every expectation held or none was stated, 1 not held, 2 could\n"
    "not run, 130 interrupted.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit run knife_edge\n"
    "  rigidlimit run knife_edge wheel ball_slide_to_roll --jobs 2 \\\n"
    "      --junit report.xml\n"
    "  rigidlimit run knife_edge_damping\n"
    "  rigidlimit run contact_work_precision --quick\n"
    "  rigidlimit run knife_edge \\\n"
    "      --set 'sweep.contact.damping_ratio=[0.5,1,2]'\n"
    "  rigidlimit run knife_edge --dry-run\n"
    "  rigidlimit run knife_edge \\\n"
    "      --set contact.damping_ratio=0.5 --format csv\n"
    "  rigidlimit run knife_edge \\\n"
    "      --format latex -o table.tex";

namespace fs = std::filesystem;

fs::path absolute(const std::string& file) {
  return fs::absolute(file).lexically_normal();
}

/// Writes the experiment file as its author wrote it, and its bases, to DIRECTORY/study, in their
/// places relative to each other, and the command with its overrides to study/command.txt. Then
/// removes the files of an earlier study there, not those of others. Throws InputError if a file
/// cannot be read or written.
void write_study_files(const std::string& file, const std::vector<std::string>& overrides,
                       bool quick, const std::string& directory) {
  const TomlDocument document = TomlDocument::from_file(file, {}, alternative_keys());
  ResultsFolder folder((fs::path(directory) / "study").string());
  std::set<std::string> read;
  for (const auto& [name, text] : document.texts()) read.insert(absolute(name).string());
  const fs::path common = common_folder(read);
  for (const auto& [name, text] : document.texts())
    folder.write(absolute(name).lexically_relative(common).generic_string(), text);
  std::string command =
      "rigidlimit run " +
      shell_word("study/" + absolute(file).lexically_relative(common).generic_string());
  for (const std::string& set : overrides) command += " --set " + shell_word(set);
  folder.write("command.txt", command + (quick ? " --quick\n" : "\n"));
  folder.remove_others(read);
}

struct RunArguments : FileArguments {
  StoreArguments store;
  OutputArguments output;
  bool dry_run = false;
  bool quick = false;  ///< the short form of a benchmark
};

int run_one(const RunArguments& arguments, const FromFile& from, Reporter& reporter) {
  const auto begin = std::chrono::steady_clock::now();
  const SolvedExperiment found = solve_experiment(from.experiment, arguments, arguments.store);
  const Result& report = found.report;
  const int status = std::max(found.status, status_of(report));
  reporter.take(report, from.file, begin);
  if (found.writable) {
    const std::string directory = directory_of(arguments.results, report);
    write_and_say(report, directory, arguments.quiet);
    if (report.has_numbers)
      write_study_files(from.file, arguments.overrides, arguments.quick, directory);
  } else if (!arguments.quiet) {
    print_message("{}: no files written: the results directory is read-only\n", report.name);
  }
  return status;
}

int run(const RunArguments& arguments) {
  const Shard shard = arguments.store.shard.empty() ? Shard{} : shard_of(arguments.store.shard);
  Reporter reporter(arguments.output, arguments.quiet);
  return for_each_experiment(
      arguments, arguments.quick, reporter, [&](const FromFile& from) -> int {
        if (arguments.dry_run) {
          print_plan(from.experiment, shard, arguments, arguments.store);
          return 0;
        }
        if (!arguments.store.shard.empty())
          return solve_shard_of(from.experiment, shard, arguments, arguments.store);
        return run_one(arguments, from, reporter);
      });
}

}  // namespace

Subcommand add_run(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "run",
                  "Solve and judge experiments; print the tables and write them to results/NAME/",
                  run_footer);
  const auto arguments = std::make_shared<RunArguments>();
  arguments->systems = &systems;
  add_files(command, *arguments);
  add_jobs(command, *arguments);
  add_quiet(command, *arguments, "print only the verdicts, on standard error");
  add_output(command, arguments->output);
  add_results(command, *arguments);
  add_shard(command, arguments->store);
  add_store(command, arguments->store);
  command.flag("--dry-run", arguments->dry_run, "only print planned and stored solves");
  command.flag("--quick", arguments->quick, "run the short form of a benchmark as NAME_quick");
  return {command, [arguments] { return run(*arguments); }};
}

}  // namespace rigidlimit
