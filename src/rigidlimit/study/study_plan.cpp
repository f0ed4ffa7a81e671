#include "rigidlimit/study/study_plan.hpp"

#include <map>

#include "rigidlimit/study/solve_clock.hpp"
#include "rigidlimit/study/solve_tasks.hpp"

namespace rigidlimit {

StudyPlan plan_of(const std::vector<const Task*>& tasks, TimeEstimate time,
                  const RunOptions& options) {
  StudyPlan plan;
  std::map<std::string, std::size_t> places;
  for (const Task* task : tasks) {
    const SolveIdentity& solve = task->identity;
    const std::string group = timing_group(solve);
    const auto [place, is_new] = places.try_emplace(group, plan.lines.size());
    if (is_new) plan.lines.push_back({.first = solve});
    PlanLine& line = plan.lines[place->second];
    ++line.solves;
    ++plan.solves;
    const std::size_t number = time.add(group, solve.epsilon);
    const auto kept = options.archive ? options.archive->find(solve) : std::nullopt;
    if (!kept) continue;
    ++line.kept;
    ++plan.kept;
    line.seconds += kept->seconds;
    time.finish(number, kept->seconds);
  }
  plan.left = time.left(options.jobs);
  return plan;
}

StudyPlan plan_of(const Study& study, const RunOptions& options) {
  Solves solves = planned_solves(study);
  const Tasks tasks(study, options, solves);
  return plan_of(tasks.of(options.shard), time_estimate_for(study), options);
}

}  // namespace rigidlimit
