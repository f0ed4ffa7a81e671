// What run, check and merge share.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/study/run_study.hpp"

namespace rigidlimit {

/// The studies that can be read, the status so far, and every complaint.
class Session {
 public:
  explicit Session(const FileArguments& arguments);

  const std::vector<Study>& studies() const { return studies_; }
  const std::vector<std::string>& complaints() const { return complaints_; }
  int status() const { return status_; }
  int jobs() const { return jobs_; }
  bool shows_progress() const { return show_progress_; }

  /// The file that the study of this name was read from.
  std::string file_of(const std::string& name) const;

  void complain(const std::string& message);

  /// Nothing, after a complaint, if the study cannot be run: the others go on. Jobs, progress and
  /// the ear for interrupts are the session's, the rest of `options` is the caller's.
  std::optional<StudyResult> solve(const Study& study, RunOptions options = {});
  /// The same of a shard; the status of a run without a verdict.
  std::optional<SolveCounts> solve_shard(const Study& study, RunOptions options);

  void raise(int status);  ///< the worst counts

 private:
  template <class Run>
  auto attempt(const Study& study, RunOptions options, const Run& run)
      -> std::optional<decltype(run(study, options))>;

  int jobs_;
  bool show_progress_;
  bool quiet_;
  std::vector<Study> studies_;
  std::map<std::string, std::string> files_;  ///< by the name of their study
  std::vector<std::string> complaints_;
  int status_ = exit_status::held;
};

}  // namespace rigidlimit
