// The verbs that solve: run and check.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <thread>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/cli/verbs.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/record/report.hpp"
#include "rigidlimit/record/rows.hpp"
#include "rigidlimit/record/summary.hpp"
#include "rigidlimit/study/read_study.hpp"
#include "rigidlimit/study/run_study.hpp"

namespace rigidlimit {

namespace {

/// What run and check share: the studies that can be read, the status so far, and every complaint.
class Session {
 public:
  /// Verb: RunVerb or CheckVerb.
  template <class Verb>
  explicit Session(const Verb& verb)
      : jobs_(verb.jobs > 0 ? verb.jobs
                            : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
        show_progress_(!verb.no_progress && !verb.quiet) {
    for (const std::string& file : verb.files) try {
        read(file, verb.overrides, *verb.systems);
      } catch (const InputError& e) {
        complain(e.what());
      }
  }

  const std::vector<Study>& studies() const { return studies_; }
  const std::vector<std::string>& complaints() const { return complaints_; }
  int status() const { return status_; }

  void complain(const std::string& message) {
    fmt::print(stderr, "rigidlimit: {}\n", printable(message));
    complaints_.push_back(message);
    raise(exit_status::could_not);
  }

  /// Nothing, after a complaint, if the study cannot be run: the others go on.
  std::optional<StudyResult> solve(const Study& study) {
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

 private:
  void read(const std::string& file, const std::vector<std::string>& overrides,
            const SystemCatalogue& systems) {
    Study study = read_study(file, overrides, systems);
    if (std::ranges::find(studies_, study.name, &Study::name) != studies_.end())
      throw InputError(fmt::format("study.name = \"{}\": named so in another file as well; their "
                                   "results would share a directory",
                                   study.name),
                       file);
    studies_.push_back(std::move(study));
  }

  static int status_of(const StudyResult& result) {
    if (result.interrupted) return exit_status::interrupted;
    if (!result.has_numbers()) return exit_status::could_not;
    return !result.study.demands_something() || result.held() ? exit_status::held
                                                              : exit_status::not_held;
  }

  void raise(int status) { status_ = std::max(status_, status); }

  int jobs_;
  bool show_progress_;
  std::vector<Study> studies_;
  std::vector<std::string> complaints_;
  int status_ = exit_status::held;
};

/// Reports and writes one result of `run`.
void hand_out(const StudyResult& result, const RunVerb& verb, bool show, Session& session) {
  if (verb.quiet)
    fmt::print(stderr, "{}\n", verdict_line(result));
  else if (show)
    fmt::print("{}\n", formatted({result}, Format::table, colour_wanted()));
  std::fflush(stdout);
  // An interrupted study without a row must not replace the files of an earlier run.
  if (result.interrupted && !result.has_numbers()) return;
  try {
    const std::string place = write_results(result, verb.results);
    if (!verb.quiet) fmt::print(stderr, "written to {}\n", printable(place));
  } catch (const InputError& e) {
    session.complain(e.what());
  }
}

}  // namespace

int run(const RunVerb& verb) {
  Session session(verb);
  const InterruptGuard interrupt;
  // The human table is shown study by study; every other format is one document.
  const bool study_by_study = verb.format == Format::table && verb.output.empty();
  std::vector<StudyResult> results;
  for (const Study& study : session.studies()) {
    std::optional<StudyResult> result = session.solve(study);
    if (!result) continue;
    hand_out(*result, verb, study_by_study, session);
    results.push_back(std::move(*result));
    if (results.back().interrupted) break;
  }
  if (study_by_study && results.size() > 1 && !verb.quiet)
    fmt::print("Summary\n{}", terminal_text(summary_table(results), colour_wanted()));
  if (study_by_study || results.empty()) return session.status();
  const std::string text = formatted(results, verb.format, false);
  if (!verb.output.empty())
    write_file(verb.output, text);
  else if (!verb.quiet)
    fmt::print("{}", text);
  return session.status();
}

int check(const CheckVerb& verb) {
  Session session(verb);
  const InterruptGuard interrupt;
  std::vector<StudyResult> results;
  for (const Study& study : session.studies()) {
    if (!study.demands_something()) {
      session.complain(study.name +
                       ": has no [[expect]] and no [[bound]]: there is nothing to check");
      continue;
    }
    std::optional<StudyResult> result = session.solve(study);
    if (!result) continue;
    if (!verb.quiet) fmt::print("{}\n", verdict_line(*result));
    results.push_back(std::move(*result));
    if (results.back().interrupted) break;
  }
  if (!verb.junit.empty()) write_file(verb.junit, junit_text(results, session.complaints()));
  return session.status();
}

}  // namespace rigidlimit
