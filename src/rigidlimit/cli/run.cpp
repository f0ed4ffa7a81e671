// The verbs that solve: run and check.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verbs.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/record/report.hpp"
#include "rigidlimit/record/rows.hpp"
#include "rigidlimit/study/read_study.hpp"
#include "rigidlimit/study/run_study.hpp"

namespace rigidlimit {

namespace {

/// The studies that can be read; every other file is reported and sets `status`.
std::vector<Study> read_all(const std::vector<std::string>& files,
                            const std::vector<std::string>& overrides, int& status) {
  std::vector<Study> studies;
  for (const std::string& file : files) try {
      Study study = read_study(file, overrides);
      if (std::ranges::find(studies, study.name, &Study::name) != studies.end())
        throw InputError(fmt::format("study.name = \"{}\": named so in another file as well; their "
                                     "results would share a directory",
                                     study.name),
                         file);
      studies.push_back(std::move(study));
    } catch (const InputError& e) {
      fmt::print(stderr, "rigidlimit: {}\n", e.what());
      status = exit_status::could_not;
    }
  return studies;
}

StudyResult solve(const Study& study, int jobs, ProgressLine& progress) {
  RunOptions options;
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  options.jobs = jobs > 0 ? jobs : cores;
  options.stop_requested = InterruptGuard::requested;
  options.on_progress = [&](int done, int total, const std::string& what) {
    progress.show(study.name, done, total, what);
  };
  StudyResult result = run_study(study, options);
  progress.clear();
  return result;
}

int status_of(const StudyResult& result) {
  if (result.interrupted) return exit_status::interrupted;
  return result.study.expectations.empty() || result.held() ? exit_status::held
                                                            : exit_status::not_held;
}

}  // namespace

int run(const RunVerb& verb) {
  int status = exit_status::held;
  const std::vector<Study> studies = read_all(verb.files, verb.overrides, status);
  const InterruptGuard interrupt;
  ProgressLine progress(!verb.no_progress && !verb.quiet);
  // The human table is shown study by study; every other format is one document.
  const bool at_once = verb.format == Format::table && verb.output.empty();
  std::vector<StudyResult> results;
  for (const Study& study : studies) {
    results.push_back(solve(study, verb.jobs, progress));
    const StudyResult& result = results.back();
    status = std::max(status, status_of(result));
    if (verb.quiet)
      fmt::print(stderr, "{}\n", verdict_line(result));
    else if (at_once)
      fmt::print("{}\n", formatted({result}, Format::table, colour_wanted()));
    std::fflush(stdout);
    try {
      const std::string place = write_results(result, verb.results);
      if (!verb.quiet) fmt::print(stderr, "written to {}\n", place);
    } catch (const InputError& e) {
      fmt::print(stderr, "rigidlimit: {}\n", e.what());
      status = std::max(status, exit_status::could_not);
    }
    if (result.interrupted) break;
  }
  if (at_once || results.empty()) return status;
  const std::string text = formatted(results, verb.format, false);
  if (verb.output.empty())
    fmt::print("{}", text);
  else
    write_file(verb.output, text);
  return status;
}

int check(const CheckVerb& verb) {
  int status = exit_status::held;
  const std::vector<Study> studies = read_all(verb.files, verb.overrides, status);
  const InterruptGuard interrupt;
  ProgressLine progress(!verb.no_progress && !verb.quiet);
  std::vector<StudyResult> results;
  for (const Study& study : studies) {
    if (study.expectations.empty()) {
      fmt::print(stderr, "rigidlimit: {}: has no [[expect]]: there is nothing to check\n",
                 study.name);
      status = exit_status::could_not;
      continue;
    }
    results.push_back(solve(study, verb.jobs, progress));
    status = std::max(status, status_of(results.back()));
    if (!verb.quiet) fmt::print("{}\n", verdict_line(results.back()));
    if (results.back().interrupted) break;
  }
  if (!verb.junit.empty()) write_file(verb.junit, junit_text(results));
  return status;
}

}  // namespace rigidlimit
