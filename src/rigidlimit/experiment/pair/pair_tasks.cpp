#include "rigidlimit/experiment/pair/pair_tasks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rigidlimit/core/stop_request.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"

namespace rigidlimit {

namespace {

/// A hash of the determinants of all these solves.
std::string hash_of_inputs(const std::vector<const Task*>& tasks) {
  std::string inputs;
  for (const Task* task : tasks)
    for (const Solve& solve : task->solves) inputs += solve.identity.determinants + "\n";
  return content_hash(inputs);
}

/// The key of the comparison of two compliant solves with the rigid side, whose inputs have the
/// hash `rigid_side`.
SolveIdentity comparison_identity(const Task& task, const std::string& rigid_side,
                                  const std::string& settings) {
  SolveIdentity identity = task.solves.front().identity;
  identity.kind = SolveIdentity::Kind::comparison;
  identity.grid = {};
  identity.determinants = fmt::format("kind=comparison norms=neighbours rigid_side={} pair={} {}",
                                      rigid_side, hash_of_inputs({&task}), settings);
  return identity;
}

}  // namespace

void PairTasks::plan(PairAxes axes, bool with_errors, const std::vector<const Task*>& rigid,
                     std::deque<Task>& tasks) {
  axes_ = std::move(axes);
  with_errors_ = with_errors;
  rigid_side_ = hash_of_inputs(rigid);
  pairs_ = axes_.pairs();
  for (CompliantPair& pair : pairs_) tasks.push_back(task_of(pair, rigid));
}

Task PairTasks::task_of(CompliantPair& pair, const std::vector<const Task*>& rigid) {
  Task task{.solves = {}, .what = axes_.title(pair), .take = {}, .after = rigid};
  const Samples kept = kind_.keeps_samples(pair) ? Samples::with : Samples::without;
  for (const bool tighter : {true, false}) {
    if (tighter && !with_errors_) continue;
    task.solves.push_back(kind_.solve(pair, tighter));
    task.solves.back().kept = kept;
  }
  if (!options_.archive || kept == Samples::with) {
    task.take = [this, &pair](std::vector<SolveRecord> records) {
      take(std::move(records), pair);
      finish(pair);
    };
    return task;
  }
  const SolveIdentity key = comparison_identity(task, rigid_side_, kind_.comparison_settings());
  const bool known = find_comparison(key, pair, task);
  task.take = [this, &pair, key, known](std::vector<SolveRecord> records) {
    take(std::move(records), pair);
    if (known) return;
    finish(pair);
    if (has_ended(pair) && kind_.is_complete())
      options_.archive->keep(key, {}, comparison_record(pair), Samples::with);
  };
  return task;
}

/// Takes the comparison of a pair from the archive; false: there is none.
bool PairTasks::find_comparison(const SolveIdentity& key, CompliantPair& pair, Task& task) const {
  if (options_.recompute) return false;
  const auto kept = options_.archive->find(key, Samples::with);
  if (!kept) return false;
  try {
    take_comparison(*kept, kind_.measures(), axes_.epsilons[pair.epsilon], pair);
  } catch (const DamagedRecord& damage) {
    throw DamagedRecord(fmt::format("is damaged: a comparison: {}", damage.what()),
                        options_.archive->name());
  }
  for (Solve& solve : task.solves) solve.wanted = Samples::without;
  return true;
}

void PairTasks::take(std::vector<SolveRecord> records, CompliantPair& pair) const {
  const MotionSizes sizes = kind_.sizes();
  const std::vector<double>& times = kind_.times(pair);
  pair.base = compliant_motion_of(std::move(records.back()), sizes, times);
  if (with_errors_) pair.tighter = compliant_motion_of(std::move(records.front()), sizes, times);
}

void PairTasks::prepare() {
  std::call_once(prepared_, [&] { kind_.prepare(); });
}

void PairTasks::finish(CompliantPair& pair) {
  // Only a whole plan is judged; a shard compares what it does not keep.
  if (options_.shard.is_whole() || !kind_.keeps_samples(pair)) {
    prepare();
    try {
      kind_.judge(pair);
    } catch (const Stopped&) {  // an archive keeps its solves
      pair = {.law = pair.law, .solver = pair.solver, .epsilon = pair.epsilon};
    }
  }
  if (kind_.shows(pair)) return;
  for (CompliantMotion* motion : {&pair.base, &pair.tighter}) {
    motion->motion = {};
    motion->energy = {};
  }
}

bool PairTasks::has_ended(const CompliantPair& pair) const {
  return is_finished(pair.base.outcome) && (!with_errors_ || is_finished(pair.tighter.outcome));
}

bool PairTasks::is_complete() const {
  return std::ranges::all_of(pairs_, [&](const CompliantPair& pair) { return has_ended(pair); });
}

PairLadder PairTasks::decreasing() const {
  PairLadder all;
  for (const CompliantPair& pair : pairs_) all.push_back(&pair);
  std::ranges::stable_sort(all, {}, &CompliantPair::epsilon);
  return all;
}

std::vector<PairLadder> PairTasks::ladders() const {
  std::vector<PairLadder> all(axes_.laws.size() * axes_.solvers.size());
  for (const CompliantPair* pair : decreasing())
    if (is_finished(pair->base.outcome))
      all[pair->law * axes_.solvers.size() + pair->solver].push_back(pair);
  std::erase_if(all, [](const PairLadder& ladder) { return ladder.empty(); });
  return all;
}

std::vector<CompliantSolve> PairTasks::solves() const {
  std::vector<CompliantSolve> all;
  for (const CompliantPair* pair : decreasing()) {
    all.push_back(axes_.solve(*pair, false));
    if (with_errors_) all.push_back(axes_.solve(*pair, true));
  }
  return all;
}

}  // namespace rigidlimit
