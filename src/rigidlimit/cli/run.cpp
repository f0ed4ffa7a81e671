// The verb that solves and reports.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "rigidlimit/cli/dry_run.hpp"
#include "rigidlimit/cli/session.hpp"
#include "rigidlimit/cli/stored_run.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verb.hpp"
#include "rigidlimit/record/output.hpp"
#include "rigidlimit/record/summary.hpp"
#include "rigidlimit/record/tables.hpp"

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
  std::string format = "table";
  std::string output;  ///< -o; empty: standard output
  bool dry_run = false;
};

void report(const StudyResult& result, bool quiet, bool show) {
  if (quiet)
    fmt::print(stderr, "{}\n", verdict_line(result));
  else if (show)
    fmt::print("{}\n", formatted({result}, Format::table, colour_wanted()));
  std::fflush(stdout);
}

int run(const RunArguments& arguments) {
  const Shard shard = arguments.store.shard.empty() ? Shard{} : shard_of(arguments.store.shard);
  const Format format = formats().at(arguments.format);
  require_writable(arguments.output);
  Session session(arguments);
  const InterruptGuard interrupt;
  // The human table is shown study by study; every other format is one document.
  const bool study_by_study = format == Format::table && arguments.output.empty();
  std::vector<StudyResult> results;
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
    std::optional<StudyResult> result =
        run_with_store(study, arguments.results, arguments.store, arguments.quiet, session);
    if (!result) continue;
    report(*result, arguments.quiet, study_by_study);
    results.push_back(std::move(*result));
  }
  if (study_by_study && results.size() > 1 && !arguments.quiet)
    fmt::print("Summary\n{}", terminal_text(summary_table(results), colour_wanted()));
  if (study_by_study || results.empty()) return session.status();
  const std::string text = formatted(results, format, false);
  if (!arguments.output.empty())
    write_file(arguments.output, text);
  else if (!arguments.quiet)
    fmt::print("{}", text);
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
  command.option("--format", arguments->format, "what to print")
      .value("FORMAT")
      .one_of(names_of_formats())
      .shows_default();
  command.option("-o,--output", arguments->output, "print to this file instead").value("FILE");
  add_results(command, *arguments);
  add_shard(command, arguments->store);
  add_store(command, arguments->store);
  command.flag(
      "--dry-run", arguments->dry_run,
      "solve nothing: print what is to be solved, what is kept and how long the rest takes");
  return {command, [arguments] { return run(*arguments); }};
}

}  // namespace rigidlimit
