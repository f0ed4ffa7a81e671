#include "rigidlimit/study/study_plan.hpp"

#include "rigidlimit/study/solve_clock.hpp"
#include "rigidlimit/study/solve_stages.hpp"
#include "rigidlimit/study/solve_tasks.hpp"

namespace rigidlimit {

StudyPlan plan_of(const Study& study, const RunOptions& options) {
  Solves solves = planned_solves(study);
  const Tasks tasks(study, options, solves);
  return plan_of([&] { return SolveStage{pointers_to(tasks.all())}; }, time_estimate_for(study),
                 options);
}

}  // namespace rigidlimit
