#include "rigidlimit/experiment/plan/united_plan.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "rigidlimit/experiment/plan/solve_plan.hpp"

namespace rigidlimit {

SolveStage UnitedPlan::next_stage() {
  in_stage_.clear();
  const std::size_t before = tasks_.size();
  SolveStage stage;
  for (std::size_t k = 0; k < members_.size(); ++k)
    if (!members_[k].planned && members_[k].complaint.empty()) add_stage_of(k, stage.decides);
  for (std::size_t i = before; i < tasks_.size(); ++i) stage.tasks.push_back(&tasks_[i].task);
  return stage;
}

void UnitedPlan::add_stage_of(std::size_t k, bool& decides) {
  guarded(k, [&] {
    const SolveStage own = member(k).next_stage();
    const int first_unit = next_unit_;
    for (const Task* task : own.tasks) {
      add(k, *task, first_unit + task->unit);
      next_unit_ = std::max(next_unit_, first_unit + task->unit + 1);
    }
    members_[k].planned = !own.decides;
    decides = decides || own.decides;
  });
}

void UnitedPlan::add(std::size_t k, const Task& task, int unit) {
  ++members_[k].solves;
  const auto [at, is_new] = in_stage_.try_emplace(task.identity.determinants, nullptr);
  if (is_new) {
    Shared& shared = tasks_.emplace_back();
    at->second = &shared;
    shared.task = {.identity = task.identity,
                   .times = task.times,
                   .unit = unit,
                   .what = task.what,
                   .solve = [this, &shared] { return solve(shared); },
                   .take = [this, &shared](SolveRecord record) { take(shared, std::move(record)); },
                   .kept = Samples::without,
                   .wanted = Samples::without};
  }
  Task& shared = at->second->task;
  if (task.kept == Samples::with) shared.kept = Samples::with;
  if (task.wanted == Samples::with) shared.wanted = Samples::with;
  at->second->of.emplace_back(k, &task);
}

/// Calls an action of a member, which keeps the message of an exception.
template <class Action>
void UnitedPlan::guarded(std::size_t k, const Action& action) {
  try {
    action();
  } catch (const DamagedRecord&) {
    throw;  // of the store, not of a member
  } catch (const std::exception& error) {
    const std::scoped_lock lock(guard_);
    members_[k].planned = true;
    members_[k].complaint = error.what();
  }
}

SolveRecord UnitedPlan::solve(const Shared& shared) {
  try {
    return shared.of.front().second->solve();
  } catch (const std::exception& error) {
    const std::scoped_lock lock(guard_);
    for (const auto& [k, task] : shared.of) members_[k].complaint = error.what();
    return {};
  }
}

void UnitedPlan::take(const Shared& shared, SolveRecord record) {
  const bool finished = is_finished(record.outcome);
  const auto give = [&](std::size_t k, const Task& task, SolveRecord own) {
    guarded(k, [&] { task.take(std::move(own)); });
    const bool last = [&] {
      const std::scoped_lock lock(guard_);
      Member& one = members_[k];
      if (finished) ++one.taken;
      return one.planned && one.missing() == 0 && one.complaint.empty();
    }();
    if (last) guarded(k, [this, k] { complete(k); });
  };
  for (std::size_t i = 0; i + 1 < shared.of.size(); ++i)
    give(shared.of[i].first, *shared.of[i].second, record);
  give(shared.of.back().first, *shared.of.back().second, std::move(record));
}

}  // namespace rigidlimit
