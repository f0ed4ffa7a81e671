// The members of an ensemble as tasks: each solves some members at every ε and keeps the sizes of
// their differences.
#pragma once

#include <atomic>
#include <deque>
#include <utility>
#include <vector>

#include "rigidlimit/experiment/ensemble/lane_errors.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/task.hpp"

namespace rigidlimit {

class EnsembleTasks {
 public:
  /// Draws the members. Refers to both arguments; without members if the study has no ensemble.
  EnsembleTasks(const RollingStudy& study, const RunOptions& options);
  EnsembleTasks(const EnsembleTasks&) = delete;
  EnsembleTasks& operator=(const EnsembleTasks&) = delete;

  /// Members of one task: groups of eight side by side.
  static constexpr std::size_t members_of_task = 64;

  /// Appends the tasks.
  void plan(std::deque<Task>& tasks);
  bool is_complete() const { return taken_ == members_.size(); }
  /// The varied numbers, by member.
  const MatrixXd& numbers() const { return numbers_; }
  const std::vector<MemberSizes>& members() const { return members_; }

 private:
  /// `setting`: the words that all tasks share.
  SolveIdentity identity(const std::string& setting, std::size_t first, std::size_t end) const;
  SolveRecord solved(std::size_t first, std::size_t end) const;
  void take(SolveRecord record, std::size_t first, std::size_t end);

  const RollingStudy& study_;
  const RunOptions& options_;
  MatrixXd numbers_;
  std::vector<MemberSizes> members_;
  std::atomic<std::size_t> taken_ = 0;  ///< members with a result
};

}  // namespace rigidlimit
