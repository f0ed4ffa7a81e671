#include "rigidlimit/cli/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "rigidlimit/cli/each_file.hpp"
#include "rigidlimit/cli/first_word.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/record/plan_table.hpp"
#include "rigidlimit/study/read_study.hpp"

namespace rigidlimit {

namespace {

/// Of a run that was stopped: by the user, or because its results can no longer be kept.
int status_of_unfinished() {
  return InterruptGuard::requested() ? exit_status::interrupted : exit_status::could_not;
}

}  // namespace

Session::Session(const FileArguments& arguments)
    : jobs_(arguments.jobs_at_once()),
      show_progress_(!arguments.no_progress && !arguments.quiet),
      quiet_(arguments.quiet) {
  studies_ = read_files(
      arguments.files, "study.name",
      [&](const std::string& file) {
        Study study = read_study(file, arguments.overrides, *arguments.systems);
        files_.emplace(study.name, file);
        return study;
      },
      [](const Study& study) { return study.name; }, [this](const char* why) { complain(why); });
}

std::string Session::file_of(const std::string& name) const {
  const auto at = files_.find(name);
  return at == files_.end() ? "" : at->second;
}

void Session::complain(const std::string& message) {
  complaints_.push_back(message);
  raise(rigidlimit::complain(message));
}

template <class Run>
auto Session::attempt(const Study& study, RunOptions options, const Run& run)
    -> std::optional<decltype(run(study, options))> {
  ProgressLine progress(show_progress_);
  options.jobs = jobs_;
  FirstWord word(long_first_solve(study.name));
  if (quiet_) word.hush();
  options.stop_requested = [&word, also = std::move(options.stop_requested)] {
    word.look();
    return InterruptGuard::requested() || (also && also());
  };
  options.on_progress = [&](int done, int total, const std::string& what) {
    word.hush();
    progress.show(study.name, done, total, what);
  };
  options.on_estimate = [&](const Estimate& left) {
    progress.clear();
    if (!quiet_)
      fmt::print(stderr, "{}: {}; Ctrl-C stops{}\n", study.name, left_text(left),
                 options.archive ? ", the same command goes on from there" : "");
  };
  try {
    auto result = run(study, options);
    progress.clear();
    return result;
  } catch (const std::exception& e) {
    progress.clear();
    complain(fmt::format("{}: {}", study.name, e.what()));
    return std::nullopt;
  }
}

std::optional<StudyResult> Session::solve(const Study& study, RunOptions options) {
  return attempt(study, std::move(options), run_study);
}

std::optional<SolveCounts> Session::solve_shard(const Study& study, RunOptions options) {
  auto counts = attempt(study, std::move(options), rigidlimit::solve_shard);
  if (counts && counts->missing > 0) raise(status_of_unfinished());
  return counts;
}

void Session::raise(int status) {
  status_ = std::max(status_, status);
}

}  // namespace rigidlimit
