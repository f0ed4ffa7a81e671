// The plans of several experiments as one plan.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/solve_plan.hpp"

namespace rigidlimit {

/// The stages of all members side by side. Equal tasks of several members run once, and their
/// results go to each of them. A member that throws keeps its message, and the others go on.
class UnitedPlan : public SolvePlan {
 public:
  SolveStage next_stage() final;

 protected:
  explicit UnitedPlan(std::size_t count) : members_(count) {}

  struct Member {
    int solves = 0;           ///< of the stages so far
    int taken = 0;            ///< of them, those with a result
    bool planned = false;     ///< no further stage
    std::string complaint{};  ///< why it cannot go on; empty: it can
    int missing() const { return solves - taken; }
  };
  const std::vector<Member>& members() const { return members_; }

  /// The plan of a member. It must stay alive until complete() of this member.
  virtual SolvePlan& member(std::size_t k) = 0;
  /// Called once all solves of a member are done, by the thread of the last one.
  virtual void complete(std::size_t k) = 0;

 private:
  /// A task for several members.
  struct Shared {
    Task task;
    std::vector<std::pair<std::size_t, const Task*>> of;  ///< members and their own tasks
  };

  void add_stage_of(std::size_t k, bool& decides);
  void add(std::size_t k, const Task& task);
  SolveRecord solve(const Shared& shared, std::size_t which);
  void take(const Shared& shared, std::vector<SolveRecord> records);
  template <class Action>
  void guarded(std::size_t k, const Action& action);

  std::vector<Member> members_;
  std::deque<Shared> tasks_;                 ///< of all stages
  std::map<std::string, Shared*> in_stage_;  ///< of the current stage, by determinants
  std::map<const Task*, Shared*> of_own_;    ///< likewise, by the tasks of members
  std::mutex guard_;                         ///< of members_
};

}  // namespace rigidlimit
