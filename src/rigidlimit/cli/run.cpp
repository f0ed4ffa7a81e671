// The verb that solves and reports.
#include <memory>

#include "rigidlimit/cli/dry_run.hpp"
#include "rigidlimit/cli/reporter.hpp"
#include "rigidlimit/cli/session.hpp"
#include "rigidlimit/cli/stored_run.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verb.hpp"

namespace rigidlimit {

namespace {

constexpr const char* footer =
    "Examples:\n"
    "  rigidlimit run experiments/knife_edge.toml\n"
    "  rigidlimit run experiments/*.toml --jobs 2\n"
    "  rigidlimit run experiments/knife_edge.toml --dry-run\n"
    "  rigidlimit run experiments/knife_edge.toml --set contact.damping_ratio=0.5 --format csv\n"
    "  rigidlimit run experiments/knife_edge.toml --format latex -o table.tex";

struct RunArguments : FileArguments {
  StoreArguments store;
  OutputArguments output;
  bool dry_run = false;
};

int run(const RunArguments& arguments) {
  const Shard shard = arguments.store.shard.empty() ? Shard{} : shard_of(arguments.store.shard);
  Reporter reporter(arguments.output, arguments.quiet);
  Session session(arguments);
  const InterruptGuard interrupt;
  for (const Study& study : session.studies()) {
    if (InterruptGuard::requested()) break;
    if (arguments.dry_run) {
      print_plan(study, arguments.results, shard, arguments.store, session);
      continue;
    }
    if (!arguments.store.shard.empty()) {
      run_shard(study, arguments.results, shard, arguments.store, arguments.quiet, session);
      continue;
    }
    const auto begin = std::chrono::steady_clock::now();
    std::optional<Report> report =
        run_with_store(study, arguments.results, arguments.store, arguments.quiet, session);
    if (report) reporter.take(std::move(*report), session.file_of(study.name), begin);
  }
  reporter.finish(session.complaints());
  return session.status();
}

}  // namespace

Verb add_run(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "run",
                  "Run studies, or what is missing of them; print their tables and write them to "
                  "results/NAME/",
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
  return {command, [arguments] { return run(*arguments); }};
}

}  // namespace rigidlimit
