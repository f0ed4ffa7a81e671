#include "rigidlimit/slip/step_checks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/convergence/neighbour_order.hpp"
#include "rigidlimit/study/precise_motion.hpp"

namespace rigidlimit {

namespace {

/// Of the distance that the two have in `error`.
double order_of(const StepCheck& before, const StepCheck& after, double StepCheck::*error) {
  return neighbour_order({.epsilon = before.step, .error = before.*error},
                         {.epsilon = after.step, .error = after.*error});
}

/// The largest h ≤ step of which an interval between samples is a multiple.
double whole_part(double step, double interval) {
  return interval / std::ceil(interval / step * (1.0 - 1e-9));
}

}  // namespace

std::vector<StepCheck> step_checks(const SlipStudy& study, const Motion& rigid,
                                   const SlipEvents& events,
                                   const std::function<bool()>& stop_requested) {
  std::vector<StepCheck> checks;
  if (rigid.times.size() < 2) return checks;
  NonsmoothOptions options;
  options.stop_requested = stop_requested;
  for (const double wanted : study.solvers.moreau_jean) {
    StepCheck check;
    check.step = whole_part(wanted, rigid.times[1] - rigid.times[0]);
    NonsmoothMotion stepped =
        moreau_jean_motion(study.model, study.initial, rigid.times, check.step, options);
    check.outcome = stepped.outcome;
    check.message = stepped.message;
    check.impacts = static_cast<std::size_t>(
        std::ranges::count(stepped.events, EventKind::impact, &ContactEvent::kind));
    if (stepped.outcome == Outcome::success) {
      check.q_end = stepped.motion.q.rightCols(1);
      check.v_end = stepped.motion.v.rightCols(1);
      const Motion off = difference(stepped.motion, rigid);
      check.q_sup = magnitude(off, {.quantity = SlipQuantity::q}, events);
      check.v_l1 = magnitude(off, {.quantity = SlipQuantity::v, .norm = SlipNorm::l1}, events);
    }
    check.events = std::move(stepped.events);
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
