#include "rigidlimit/experiment/friction/step_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/mechanics/precise_motion.hpp"

namespace rigidlimit {

namespace {

/// The distance of the two motions in `error`.
double order_of_steps(const StepCheck& before, const StepCheck& after, double StepCheck::*error) {
  return neighbour_order({.epsilon = before.step, .error = before.*error},
                         {.epsilon = after.step, .error = after.*error});
}

/// Sizes of a motion, over its reached samples.
struct MotionRange {
  double range = 0.0;     ///< the largest of a component of q
  double speed = 0.0;     ///< max |v|, at events as well
  double rounding = 0.0;  ///< of q, for a motion at rest
};

MotionRange range_of(const NonsmoothMotion& rigid) {
  MotionRange sizes;
  const Motion& motion = rigid.motion;
  VectorXd low, high;
  for (Index k = 0; k < motion.q.cols() && motion.q.col(k).allFinite(); ++k) {
    low = k == 0 ? VectorXd(motion.q.col(k)) : VectorXd(low.cwiseMin(motion.q.col(k)));
    high = k == 0 ? VectorXd(motion.q.col(k)) : VectorXd(high.cwiseMax(motion.q.col(k)));
    sizes.speed = std::max(sizes.speed, motion.v.col(k).cwiseAbs().maxCoeff());
  }
  for (const ContactEvent& event : rigid.events)
    sizes.speed = std::max(sizes.speed, event.v_after.cwiseAbs().maxCoeff());
  if (low.size() == 0) return sizes;
  sizes.range = (high - low).maxCoeff();
  // Smaller gaps are closed for both methods.
  sizes.rounding = std::max(NonsmoothOptions{}.gap_tolerance,
                            1e-12 * (low.cwiseAbs().cwiseMax(high.cwiseAbs()).maxCoeff() +
                                     (rigid.t_reached - motion.times.front()) * sizes.speed));
  return sizes;
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
      check.q_order = order_of_steps(before, check, &StepCheck::q_sup);
      check.v_order = order_of_steps(before, check, &StepCheck::v_l1);
    }
    checks.push_back(std::move(check));
  }
  return checks;
}

std::string failed_step(const std::vector<StepCheck>& steps) {
  for (const StepCheck& check : steps)
    if (check.outcome != Outcome::success)
      return fmt::format("{} with h = {:.4g} s", name_of(check.outcome), check.step);
  return {};
}

std::string step_disagreement(const std::vector<StepCheck>& steps, const NonsmoothMotion& rigid) {
  if (const std::string failed = failed_step(steps); !failed.empty()) return failed;
  const MotionRange sizes = range_of(rigid);
  const StepCheck &first = steps.front(), &last = steps.back();
  const std::string distance =
      fmt::format("{:.3g} at the smallest step, {:.4g} s", last.q_sup, last.step);
  if (!(last.q_sup <= std::max(0.1 * sizes.range, sizes.rounding)))
    return fmt::format("{}, of a motion over {:.3g}", distance, sizes.range);
  const double late = static_cast<double>(rigid.events.size() + 1) * last.step * sizes.speed;
  const bool falls = last.q_sup <= first.q_sup * std::sqrt(last.step / first.step);
  if (last.q_sup <= std::max(late, sizes.rounding) || (falls && steps.size() > 1)) return {};
  return fmt::format("{}, without convergence: {:.3g} at {:.4g} s", distance, first.q_sup,
                     first.step);
}

}  // namespace rigidlimit
