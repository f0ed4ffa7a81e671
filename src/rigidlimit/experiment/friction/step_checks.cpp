#include "rigidlimit/experiment/friction/step_checks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/convergence/neighbour_order.hpp"
#include "rigidlimit/experiment/judge/precise_motion.hpp"

namespace rigidlimit {

namespace {

/// The distance of the two motions in `error`.
double order_of(const StepCheck& before, const StepCheck& after, double StepCheck::*error) {
  return neighbour_order({.epsilon = before.step, .error = before.*error},
                         {.epsilon = after.step, .error = after.*error});
}

}  // namespace

double whole_step(double wanted, const std::vector<double>& samples) {
  const double interval = samples.at(1) - samples.at(0);
  return interval / std::ceil(interval / wanted * (1.0 - 1e-9));
}

std::vector<StepCheck> step_checks(const FrictionStudy& study, const Motion& rigid,
                                   const Windows& windows,
                                   const std::vector<NonsmoothMotion>& all) {
  std::vector<StepCheck> checks;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const NonsmoothMotion& stepped = all[k];
    StepCheck check;
    check.step = whole_step(study.solvers.moreau_jean[k], rigid.times);
    check.outcome = stepped.outcome;
    check.message = stepped.message;
    check.impacts = static_cast<std::size_t>(
        std::ranges::count(stepped.events, EventKind::impact, &ContactEvent::kind));
    if (stepped.outcome == Outcome::success) {
      check.q_end = stepped.motion.q.rightCols(1);
      check.v_end = stepped.motion.v.rightCols(1);
      const Motion off = difference(stepped.motion, rigid);
      check.q_sup = magnitude(off, {.quantity = Quantity::q}, windows);
      check.v_l1 = magnitude(off, {.quantity = Quantity::v, .norm = Norm::l1}, windows);
    }
    check.events = stepped.events;
    if (!checks.empty()) {
      const StepCheck& before = checks.back();
      check.q_order = order_of(before, check, &StepCheck::q_sup);
      check.v_order = order_of(before, check, &StepCheck::v_l1);
    }
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace rigidlimit
