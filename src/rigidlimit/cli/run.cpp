// The subcommand `run`: solves and reports.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "rigidlimit/cli/for_each_experiment.hpp"
#include "rigidlimit/cli/solve_experiment.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

namespace {

constexpr const char* footer =
    "What a file is, it says itself: a study of rolling; one of friction and impacts ([history],\n"
    "friction in [contact]); a sweep of either over any of its keys ([sweep]); a map over "
    "dampings\n"
    "or of modes ([map]); a benchmark ([benchmark]). All but benchmarks keep their solves. Times "
    "of\n"
    "a benchmark are taken one solve at a time; what Ctrl-C leaves of it goes to\n"
    "results/NAME_interrupted/.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit run experiments/convergence/knife_edge.toml\n"
    "  rigidlimit run experiments/{convergence,friction}/*.toml --jobs 2 --junit report.xml\n"
    "  rigidlimit run experiments/maps/knife_edge_damping.toml\n"
    "  rigidlimit run experiments/benchmarks/contact_work_precision.toml --quick\n"
    "  rigidlimit run experiments/convergence/knife_edge.toml "
    "--set sweep.contact.damping_ratio=[0.5,1,2]\n"
    "  rigidlimit run experiments/convergence/knife_edge.toml --dry-run\n"
    "  rigidlimit run experiments/convergence/knife_edge.toml --set contact.damping_ratio=0.5 "
    "--format csv\n"
    "  rigidlimit run experiments/convergence/knife_edge.toml --format latex -o table.tex";

struct RunArguments : FileArguments {
  StoreArguments store;
  OutputArguments output;
  bool dry_run = false;
  bool quick = false;  ///< the short form of a benchmark
};

int run_one(const RunArguments& arguments, const FromFile& from, Reporter& reporter) {
  const auto begin = std::chrono::steady_clock::now();
  const SolvedExperiment found = solve_experiment(from.experiment, arguments, arguments.store);
  const Report& report = found.report;
  const int status = std::max(found.status, status_of(report));
  reporter.take(report, from.file, begin);
  if (found.writable)
    write_and_say(report, directory_of(arguments.results, report), arguments.quiet);
  else if (!arguments.quiet)
    fmt::print(stderr, "{}: nothing written, its directory is read-only\n", report.name);
  if (!report.place.empty() && !arguments.quiet)  // interrupted
    fmt::print(stderr, "{0}: {1}/{0} is left as it was\n", report.name,
               printable(arguments.results));
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
  Command command(
      program, "run",
      "Run experiments of any kind, or what is missing of them; print their tables and write them "
      "to results/NAME/",
      footer);
  const auto arguments = std::make_shared<RunArguments>();
  arguments->systems = &systems;
  add_files(command, *arguments);
  add_jobs(command, *arguments);
  add_quiet(command, *arguments, "only the verdicts, on standard error");
  add_output(command, arguments->output);
  add_results(command, *arguments);
  add_shard(command, arguments->store);
  add_store(command, arguments->store);
  command.flag(
      "--dry-run", arguments->dry_run,
      "solve nothing: print what is to be solved, what is kept and how long the rest takes");
  command.flag(
      "--quick", arguments->quick,
      "of a benchmark the short form that its file gives (benchmark.quick), as NAME_quick");
  return {command, [arguments] { return run(*arguments); }};
}

}  // namespace rigidlimit
