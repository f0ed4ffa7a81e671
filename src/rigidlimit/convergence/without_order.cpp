#include "rigidlimit/convergence/without_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "rigidlimit/convergence/bound.hpp"

namespace rigidlimit {

Judgement judge_no_convergence(std::span<const SeriesPoint> points, double within) {
  Judgement judgement = judge(points, {.order = 0.0, .within = within});
  if (judgement.verdict == Verdict::diverging)
    judgement.verdict =
        std::ranges::any_of(points, is_failed) ? Verdict::inconclusive : Verdict::confirmed;
  const bool stays = judgement.verdict == Verdict::confirmed;
  judgement.reason = (stays ? "does not tend to zero: " : "may tend to zero: ") + judgement.reason;
  return judgement;
}

namespace {

/// By increasing weight.
enum class Equality { shown, unknown, different };

Equality equality_of(const SeriesPoint& point, double limit) {
  if (is_evidence(point)) return Equality::different;
  if (!point.usable || !(point.error + point.floor <= limit)) {
    const bool beyond = point.usable && point.error - point.floor > limit;
    return beyond ? Equality::different : Equality::unknown;
  }
  return Equality::shown;
}

}  // namespace

Judgement judge_equality(std::span<const SeriesPoint> points, double limit) {
  if (!(limit > 0.0) || points.empty())
    throw std::invalid_argument(
        fmt::format("equality within {} of {} errors cannot be judged", limit, points.size()));
  Judgement judgement = judge(points);
  Equality state = Equality::shown;
  const SeriesPoint* worst = &points.front();
  for (const SeriesPoint& point : points) {
    const Equality of_point = equality_of(point, limit);
    if (of_point < state || (of_point == state && !(point.error > worst->error))) continue;
    state = of_point;
    worst = &point;
  }
  judgement.verdict = state == Equality::shown     ? Verdict::confirmed
                      : state == Equality::unknown ? Verdict::inconclusive
                                                   : Verdict::refuted;
  const char* const text = state == Equality::shown     ? "no difference is visible"
                           : state == Equality::unknown ? "the error bar is too large to decide"
                                                        : "a difference is visible";
  judgement.reason =
      fmt::format("{}: at ε = {:.4g} the error is {:.3e} ± {:.0e}; expected none above {:.1e}",
                  text, worst->epsilon, worst->error, worst->floor, limit);
  return judgement;
}

Judgement judge_limit(std::span<const SeriesPoint> points, double limit) {
  const BoundJudgement bound = judge_bound(points, {.constant = limit, .power = 0.0});
  Judgement judgement = judge(points);
  judgement.verdict = bound.held()                        ? Verdict::confirmed
                      : bound.state == BoundState::broken ? Verdict::refuted
                                                          : Verdict::inconclusive;
  judgement.reason = bound.reason;
  return judgement;
}

}  // namespace rigidlimit
