// The subcommand `slurm`: a job script that solves experiments on a cluster.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/solve_experiment.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/shell_word.hpp"
#include "rigidlimit/run/read_only_store.hpp"

namespace rigidlimit {

namespace {

constexpr const char* footer =
    "For each file the script submits an array of N jobs, 'run --shard K/N', and a\n"
    "job that merges their stores and judges the experiment once all have ended, with\n"
    "or without success. Slurm reports the exit status of that job. Send the script\n"
    "again after a failure: it computes only the missing solves.\n"
    "\n"
    "The parts are balanced by the time of each kind of solve, fitted to the solves\n"
    "that results/NAME/results.db has; without any, all solves count the same.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit slurm study.toml --parts 16 > job.sh\n"
    "  less job.sh; bash job.sh; squeue --me\n"
    "  rigidlimit slurm study.toml --parts 64 --time 04:00:00 --cpus 4 --mem 4G \\\n"
    "      --partition long --account physics > job.sh\n"
    "  rigidlimit slurm study.toml --parts 16 --sbatch=--nice=100 > job.sh";

struct SlurmArguments : FileArguments {
  bool quick = false;
  int parts = 0;
  std::string time;  ///< empty: from the estimate
  std::string memory = "1G";
  int cpus = 1;
  std::string partition, account;
  std::vector<std::string> sbatch;  ///< further options
};

/// This program by its absolute path: the nodes may have another PATH.
std::string program() {
  std::error_code failure;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failure);
  return failure ? "rigidlimit" : path.string();
}

std::string run_command(const SlurmArguments& arguments, const std::string& file,
                        const SolveCosts& costs) {
  std::string text = fmt::format("exec {} run {}", shell_word(program()), shell_word(file));
  for (const std::string& change : arguments.overrides) text += " --set " + shell_word(change);
  if (arguments.quick) text += " --quick";
  text += fmt::format(
      " --results {} --no-progress \\\n  --shard \"$SLURM_ARRAY_TASK_ID/{}\" --local "
      "\"${{TMPDIR:-/tmp}}\" --jobs \"$SLURM_CPUS_PER_TASK\"",
      shell_word(arguments.results), arguments.parts);
  if (!costs.empty()) text += " \\\n  --cost " + shell_word(text_of(costs));
  return text;
}

/// Options of both jobs.
std::string common_options(const SlurmArguments& arguments) {
  std::string text = " --mem=" + shell_word(arguments.memory);
  if (!arguments.partition.empty()) text += " --partition=" + shell_word(arguments.partition);
  if (!arguments.account.empty()) text += " --account=" + shell_word(arguments.account);
  for (const std::string& option : arguments.sbatch) text += " " + shell_word(option);
  return text;
}

/// Twice the estimate in whole hours, since the nodes may be slower.
std::string time_limit(const SlurmArguments& arguments, double seconds) {
  if (!arguments.time.empty()) return arguments.time;
  return fmt::format("{:02.0f}:00:00", std::max(1.0, std::ceil(2.0 * seconds / 3600.0)));
}

struct Parts {
  PlanSummary plan;
  double longest = 0.0;  ///< estimated time of the longest part, s
};

/// The parts of an experiment, balanced by the solves in the store.
Parts parts_of(const Experiment& experiment, const SlurmArguments& arguments) {
  ReadOnlyStore store(store_path(arguments.results, experiment.name));
  Parts parts{plan_of(experiment, {.archive = &store})};
  if (const std::string why = store.complaint(); !why.empty())
    throw InputError("its times cannot be read: " + why);
  // The parts read the costs with the digits that the script has.
  const SolveCosts costs = solve_costs_of(text_of(parts.plan.costs));
  const PlanSummary shared =
      plan_of(experiment, {.archive = &store, .shard = {1, arguments.parts}, .costs = costs});
  parts.longest = std::ranges::max(shared.shard_seconds) / arguments.cpus;
  parts.plan.costs = costs;
  return parts;
}

std::string script_of(const Experiment& experiment, const std::string& file,
                      const SlurmArguments& arguments) {
  const Parts parts = parts_of(experiment, arguments);
  const std::string& name = experiment.name;
  const std::string time =
      parts.plan.costs.empty()
          ? fmt::format("{} parts of equal numbers of solves: no times are stored", arguments.parts)
          : fmt::format("{} parts of {} at most, from {} stored times", arguments.parts,
                        duration_text(parts.longest), parts.plan.kept);
  const std::string common = common_options(arguments);
  const std::string merge =
      fmt::format("{} merge {}", shell_word(program()),
                  shell_word((std::filesystem::path(arguments.results) / name).string()));
  return fmt::format(
      "\n# {}: {} solves in {} groups; {}.\n"
      "array=$(sbatch --parsable --job-name={} --array=1-{} --time={} --cpus-per-task={} "
      "--signal=B:TERM@120{} <<'JOB'\n"
      "#!/bin/bash\n"
      "{}\n"
      "JOB\n"
      ")\n"
      "sbatch --job-name={} --dependency=afterany:\"${{array%%;*}}\" --time=00:10:00{} --wrap {}\n",
      printable(name), parts.plan.solves, parts.plan.units, time, shell_word(name), arguments.parts,
      time_limit(arguments, parts.plan.costs.empty() ? 0.0 : parts.longest), arguments.cpus, common,
      run_command(arguments, file, parts.plan.costs), shell_word(name + "-merge"), common,
      shell_word(merge));
}

int slurm(const SlurmArguments& arguments) {
  int status = exit_status::held;
  const auto refuse = [&](const std::string& why) {
    fmt::print(stderr, "rigidlimit: {}\n", printable(why));
    status = exit_status::could_not;
  };
  std::string script =
      "#!/bin/bash\n"
      "# Submits an array of jobs and the merge of its results. Send it again after a failure:\n"
      "# stored solves are not repeated. See docs/cluster.md.\n"
      "set -eu\n";
  for (const FromFile& next : read_experiments(arguments, arguments.quick, refuse)) {
    try {
      script += script_of(next.experiment, next.file, arguments);
    } catch (const std::exception& error) {
      refuse(fmt::format("{}: {}", next.experiment.name, error.what()));
    }
  }
  if (status == exit_status::held) fmt::print("{}", script);
  return status;
}

}  // namespace

Subcommand add_slurm(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "slurm", "Print a job script that solves experiments on a Slurm cluster",
                  footer);
  const auto arguments = std::make_shared<SlurmArguments>();
  arguments->systems = &systems;
  add_files(command, *arguments);
  add_results(command, *arguments);
  command.flag("--quick", arguments->quick, "the short form of a benchmark as NAME_quick");
  command.option("--parts", arguments->parts, "number of jobs of the array")
      .value("N")
      .within(2L, 10'000L)
      .required();
  command
      .option("--time", arguments->time,
              "time limit of a part (default: twice the estimate, in whole hours)")
      .value("HH:MM:SS");
  command.option("--mem", arguments->memory, "memory of a job").value("SIZE").shows_default();
  command.option("--cpus", arguments->cpus, "cores of a part, one solve each at a time")
      .value("N")
      .within(1L, 1024L)
      .shows_default();
  command.option("--partition", arguments->partition, "partition of the jobs").value("NAME");
  command.option("--account", arguments->account, "account of the jobs").value("NAME");
  command.option("--sbatch", arguments->sbatch, "a further option of sbatch; repeatable")
      .value("OPTION")
      .one_at_a_time();
  return {command, [arguments] { return slurm(*arguments); }};
}

}  // namespace rigidlimit
