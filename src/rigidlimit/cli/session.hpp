// What run and check share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/file_arguments.hpp"
#include "rigidlimit/study/result.hpp"

namespace rigidlimit {

/// The studies that can be read, the status so far, and every complaint.
class Session {
 public:
  explicit Session(const FileArguments& arguments);

  const std::vector<Study>& studies() const { return studies_; }
  const std::vector<std::string>& complaints() const { return complaints_; }
  int status() const { return status_; }

  void complain(const std::string& message);

  /// Nothing, after a complaint, if the study cannot be run: the others go on.
  std::optional<StudyResult> solve(const Study& study);

 private:
  void read(const std::string& file, const FileArguments& arguments);
  void raise(int status);

  int jobs_;
  bool show_progress_;
  std::vector<Study> studies_;
  std::vector<std::string> complaints_;
  int status_ = exit_status::held;
};

}  // namespace rigidlimit
