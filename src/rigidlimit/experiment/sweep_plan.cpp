#include "rigidlimit/experiment/sweep_plan.hpp"

#include <algorithm>
#include <exception>
#include <tuple>
#include <utility>

#include "rigidlimit/core/memory_message.hpp"
#include "rigidlimit/core/stop_request.hpp"

namespace rigidlimit {

SweepPlan::SweepPlan(Result heading, SweepGrid grid, PlanPoint plan)
    : heading_(std::move(heading)),
      grid_(std::move(grid)),
      plan_point_(std::move(plan)),
      points_(grid_.size()) {}

void SweepPlan::Point::judge() {
  result = plan->judged({.computed = taken, .missing = missing()});
  plan.reset();
}

SolveStage SweepPlan::next_stage() {
  in_stage_.clear();
  of_own_.clear();
  const std::size_t before = tasks_.size();
  SolveStage stage;
  for (std::size_t k = 0; k < points_.size(); ++k)
    if (!points_[k].planned && points_[k].complaint.empty()) add_stage_of(k, stage.decides);
  // Tasks that others need come one point early, so that no thread waits; a shared task that needs
  // others comes after those of its last point. Few points are then open at a time.
  std::vector<std::tuple<std::size_t, bool, std::size_t>> order;
  for (std::size_t i = before; i < tasks_.size(); ++i) {
    Shared& shared = tasks_[i];
    bool needs = false;
    for (const auto& [k, own] : shared.of)
      for (const Task* one : own->after) {
        needs = true;
        shared.task.after.push_back(&of_own_.at(one)->task);
      }
    order.emplace_back(needs ? shared.of.back().first + 1 : shared.of.front().first, needs, i);
  }
  std::ranges::sort(order);
  for (const auto& [point, needs, i] : order) stage.tasks.push_back(&tasks_[i].task);
  return stage;
}

void SweepPlan::add_stage_of(std::size_t k, bool& decides) {
  guarded(k, [&] {
    if (!points_[k].plan) points_[k].plan = plan_point_(k);
    const SolveStage own = points_[k].plan->next_stage();
    for (const Task* task : own.tasks) add(k, *task);
    points_[k].planned = !own.decides;
    decides = decides || own.decides;
  });
}

void SweepPlan::add(std::size_t k, const Task& task) {
  points_[k].solves += static_cast<int>(task.solves.size());
  std::string key;
  for (const Solve& solve : task.solves) key += solve.identity.determinants + '\n';
  const auto [at, is_new] = in_stage_.try_emplace(key, nullptr);
  if (is_new) {
    Shared& shared = tasks_.emplace_back();
    at->second = &shared;
    shared.task = {.solves = task.solves,
                   .what = task.what,
                   .take = [this, &shared](std::vector<SolveRecord> records) {
                     take(shared, std::move(records));
                   }};
    for (std::size_t i = 0; i < task.solves.size(); ++i)
      shared.task.solves[i].run = [this, &shared, i] { return solve(shared, i); };
  }
  Shared& shared = *at->second;
  for (std::size_t i = 0; i < task.solves.size(); ++i) {
    if (task.solves[i].kept == Samples::with) shared.task.solves[i].kept = Samples::with;
    if (task.solves[i].wanted == Samples::with) shared.task.solves[i].wanted = Samples::with;
  }
  shared.of.emplace_back(k, &task);
  of_own_[&task] = &shared;
}

/// Calls an action of a point, which keeps the message of an exception.
template <class Action>
void SweepPlan::guarded(std::size_t k, const Action& action) {
  try {
    action();
  } catch (const DamagedRecord&) {
    throw;  // of the store, not of a point
  } catch (const Stopped&) {
    points_[k].planned = true;  // without a result
  } catch (const std::exception& error) {
    const std::scoped_lock lock(guard_);
    points_[k].planned = true;
    points_[k].complaint = message_of(error, "this point");
  }
}

SolveRecord SweepPlan::solve(const Shared& shared, std::size_t which) {
  try {
    return shared.of.front().second->solves[which].run();
  } catch (const std::exception& error) {
    const std::scoped_lock lock(guard_);
    for (const auto& [k, task] : shared.of)
      points_[k].complaint = message_of(error, "a solve of this point");
    return {};
  }
}

void SweepPlan::take(const Shared& shared, std::vector<SolveRecord> records) {
  const auto finished = std::ranges::count_if(
      records, [](const SolveRecord& record) { return is_finished(record.outcome); });
  for (const auto& [k, task] : shared.of) {
    const bool is_last = task == shared.of.back().second;
    guarded(k, [&, own = task] { own->take(is_last ? std::move(records) : records); });
    const bool last = [&, k = k] {
      const std::scoped_lock lock(guard_);
      Point& one = points_[k];
      one.taken += static_cast<int>(finished);
      return one.planned && one.missing() == 0 && one.complaint.empty();
    }();
    if (last) guarded(k, [this, k = k] { points_[k].judge(); });
  }
}

Result SweepPlan::judged(const SolveCounts& counts) {
  for (std::size_t k = 0; k < points_.size(); ++k) {
    Point& point = points_[k];
    if (!point.result && point.complaint.empty() && point.taken > 0) point.judge();
    const bool interrupted = point.missing() > 0 || !point.result;
    heading_.interrupted = heading_.interrupted || (interrupted && point.complaint.empty());
    results_.push_back({grid_.point(k), std::move(point.result), point.complaint});
  }
  heading_.counts = counts;
  return sweep_result(std::move(heading_), grid_, results_);
}

}  // namespace rigidlimit
