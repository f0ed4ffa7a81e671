#include "rigidlimit/cli/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/study/read_study.hpp"
#include "rigidlimit/study/run_study.hpp"

namespace rigidlimit {

namespace {

int status_of(const StudyResult& result) {
  if (result.interrupted) return exit_status::interrupted;
  if (!result.has_numbers()) return exit_status::could_not;
  return !result.study.demands_something() || result.held() ? exit_status::held
                                                            : exit_status::not_held;
}

}  // namespace

Session::Session(const FileArguments& arguments)
    : jobs_(arguments.jobs_at_once()), show_progress_(!arguments.no_progress && !arguments.quiet) {
  for (const std::string& file : arguments.files) try {
      read(file, arguments);
    } catch (const InputError& e) {
      complain(e.what());
    }
}

void Session::complain(const std::string& message) {
  fmt::print(stderr, "rigidlimit: {}\n", message);
  complaints_.push_back(message);
  raise(exit_status::could_not);
}

std::optional<StudyResult> Session::solve(const Study& study) {
  ProgressLine progress(show_progress_);
  RunOptions options;
  options.jobs = jobs_;
  options.stop_requested = InterruptGuard::requested;
  options.on_progress = [&](int done, int total, const std::string& what) {
    progress.show(study.name, done, total, what);
  };
  try {
    StudyResult result = run_study(study, options);
    progress.clear();
    raise(status_of(result));
    return result;
  } catch (const std::exception& e) {
    progress.clear();
    complain(fmt::format("{}: {}", study.name, e.what()));
    return std::nullopt;
  }
}

void Session::read(const std::string& file, const FileArguments& arguments) {
  Study study = read_study(file, arguments.overrides, *arguments.systems);
  if (std::ranges::find(studies_, study.name, &Study::name) != studies_.end())
    throw InputError(fmt::format("study.name = \"{}\": named so in another file as well; their "
                                 "results would share a directory",
                                 study.name),
                     file);
  studies_.push_back(std::move(study));
}

void Session::raise(int status) {
  status_ = std::max(status_, status);
}

}  // namespace rigidlimit
