#include "rigidlimit/slip/step_checks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/study/precise_motion.hpp"

namespace rigidlimit {

namespace {

double order_of(double before, double after, double step_before, double step_after) {
  return std::log(before / after) / std::log(step_before / step_after);
}

}  // namespace

double whole_step(double wanted, const std::vector<double>& samples) {
  const double interval = samples.at(1) - samples.at(0);
  return interval / std::ceil(interval / wanted * (1.0 - 1e-9));
}

std::vector<StepCheck> step_checks(const SlipStudy& study, const Motion& rigid,
                                   const SlipEvents& events,
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
      check.q_sup = magnitude(off, {.quantity = SlipQuantity::q}, events);
      check.v_l1 = magnitude(off, {.quantity = SlipQuantity::v, .norm = SlipNorm::l1}, events);
    }
    check.events = stepped.events;
    if (!checks.empty()) {
      const StepCheck& before = checks.back();
      check.q_order = order_of(before.q_sup, check.q_sup, before.step, check.step);
      check.v_order = order_of(before.v_l1, check.v_l1, before.step, check.step);
    }
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace rigidlimit
