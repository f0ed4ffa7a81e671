#include "rigidlimit/solvers/root_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {
namespace {

constexpr int points_in_a_step = 8;

int sign_of(double x) {
  return x > 0.0 ? 1 : (x < 0.0 ? -1 : 0);
}

std::vector<int> signs_of(const VectorXd& values) {
  std::vector<int> signs(static_cast<std::size_t>(values.size()));
  for (Index i = 0; i < values.size(); ++i) signs[static_cast<std::size_t>(i)] = sign_of(values(i));
  return signs;
}

/// Resolution of t0 + tau: closer times are indistinguishable.
double resolution_at(double t0, double tau) {
  return 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0), std::abs(tau));
}

/// The vertex of the parabola through three points with any spacing.
double vertex(double x0, double x1, double x2, double f0, double f1, double f2) {
  const double a = (x1 - x0) * (f1 - f2), b = (x1 - x2) * (f1 - f0);
  return x1 - 0.5 * ((x1 - x0) * a - (x1 - x2) * b) / (a - b);
}

}  // namespace

RootWatch::RootWatch(const std::string& name, std::shared_ptr<const RootFunctions> roots)
    : roots_(std::move(roots)) {
  if (!active()) return;
  if (!roots_->values) throw InputError(fmt::format("{}: the root functions have no values", name));
  if (!roots_->directions.empty() && static_cast<Index>(roots_->directions.size()) != roots_->count)
    throw InputError(fmt::format("{}: {} directions for {} root functions", name,
                                 roots_->directions.size(), roots_->count));
}

VectorXd RootWatch::values(double t, VectorIn y) const {
  VectorXd values(roots_->count);
  roots_->values(t, y, values);
  return values;
}

int RootWatch::direction(Index i) const {
  return roots_->directions.empty() ? 0 : roots_->directions[static_cast<std::size_t>(i)];
}

void RootWatch::begin(double t, VectorIn y) {
  start_ = values(t, y);
  start_state_ = y;
  signs_ = signs_of(start_);
}

/// +1 or −1 where the sign of a function differs from `signs` and the crossing counts.
std::vector<int> RootWatch::crossings(const std::vector<int>& signs, const VectorXd& at) const {
  std::vector<int> crossed(signs.size(), 0);
  for (Index i = 0; i < at.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const int now = sign_of(at(i));
    if (now * signs[k] < 0 && direction(i) != -now) crossed[k] = now;
  }
  return crossed;
}

bool RootWatch::any_crossed(const std::vector<int>& signs, const VectorXd& at) const {
  const std::vector<int> crossed = crossings(signs, at);
  return std::any_of(crossed.begin(), crossed.end(), [](int c) { return c != 0; });
}

std::vector<RootWatch::Look> RootWatch::looks(const StepWithRoots& step,
                                              const VectorXd& end) const {
  std::vector<Look> looks{{0.0, start_, start_state_}};
  VectorXd y(step.end.size());
  for (int k = 1; k < points_in_a_step; ++k) {
    const double tau = step.h * k / points_in_a_step;
    step.look(tau, y);
    looks.push_back({tau, values(step.t0 + tau, y), y});
  }
  looks.push_back({step.h, end, step.end});
  refine_minima(step, looks);
  return looks;
}

/// Between the points a function may touch zero and turn back. Where its modulus has a minimum
/// without a change of sign, the vertex of the parabola is evaluated as well.
void RootWatch::refine_minima(const StepWithRoots& step, std::vector<Look>& looks) const {
  VectorXd y(step.end.size());
  std::vector<Look> more;
  for (std::size_t k = 1; k + 1 < looks.size(); ++k)
    for (Index i = 0; i < roots_->count; ++i) {
      const double before = looks[k - 1].values(i), here = looks[k].values(i),
                   after = looks[k + 1].values(i);
      if (!(before * here > 0.0 && here * after > 0.0)) continue;
      if (std::abs(here) > std::abs(before) || std::abs(here) > std::abs(after)) continue;
      const double tau =
          vertex(looks[k - 1].tau, looks[k].tau, looks[k + 1].tau, before, here, after);
      if (!(tau > looks[k - 1].tau && tau < looks[k + 1].tau) || tau == looks[k].tau) continue;
      step.look(tau, y);
      more.push_back({tau, values(step.t0 + tau, y), y});
    }
  looks.insert(looks.end(), more.begin(), more.end());
  std::ranges::sort(looks, {}, &Look::tau);
  const auto repeated = std::ranges::unique(looks, {}, &Look::tau);  // of several functions
  looks.erase(repeated.begin(), repeated.end());
}

/// Adds points to the parts of a step in which a function may change its sign and return, until
/// its ranges exclude it or the first change is found.
class RootWatch::ReturnSearch {
 public:
  ReturnSearch(const RootWatch& watch, const StepWithRoots& step, std::vector<Look>& looks)
      : watch_(watch), step_(step), looks_(looks) {}

  void run() {
    search(0, looks_.size() - 1);
    looks_.insert(looks_.end(), more_.begin(), more_.end());
    std::ranges::sort(looks_, {}, &Look::tau);
  }

 private:
  static constexpr int deepest = 24;
  static constexpr std::size_t most = 200;

  /// The points first to last of the step. true: a function changes its sign.
  bool search(std::size_t first, std::size_t last) {
    if (last - first == 1) return halve(looks_[first], looks_[last], 0);
    const std::size_t middle = (first + last) / 2;
    const Look &left = looks_[first], &right = looks_[last];
    if (!changes(left, right) && may_return(left, looks_[middle], right).empty()) return false;
    return search(first, middle) || search(middle, last);
  }

  bool halve(const Look& left, const Look& right, int depth) {
    if (changes(left, right)) return true;
    VectorXd y(left.y.size());
    const double tau = 0.5 * (left.tau + right.tau);
    step_.look(tau, y);
    Look middle{tau, {}, y};
    if (may_return(left, middle, right).empty()) return false;
    if (depth == deepest || more_.size() == most) return false;
    middle.values = watch_.values(step_.t0 + tau, y);
    more_.push_back(middle);
    return halve(left, middle, depth + 1) || halve(middle, right, depth + 1);
  }

  static bool changes(const Look& left, const Look& right) {
    return ((left.values.array() > 0.0 && right.values.array() < 0.0) ||
            (left.values.array() < 0.0 && right.values.array() > 0.0))
        .any();
  }

  /// The functions that have one sign at both ends and may change it between them. The ranges of y
  /// and y' are those of the parabola through three points, doubled.
  std::vector<Index> may_return(const Look& left, const Look& middle, const Look& right) const {
    const double a = middle.tau - left.tau, b = right.tau - middle.tau;
    const VectorXd before = (middle.y - left.y) / a, after = (right.y - middle.y) / b;
    const VectorXd bend = (after - before).cwiseAbs();
    RootFunctions::Part part{.t0 = step_.t0 + left.tau,
                             .t1 = step_.t0 + right.tau,
                             .low = left.y.cwiseMin(middle.y).cwiseMin(right.y),
                             .high = left.y.cwiseMax(middle.y).cwiseMax(right.y),
                             .rate_low = before.cwiseMin(after) - bend,
                             .rate_high = before.cwiseMax(after) + bend};
    part.low -= 0.25 * (a + b) * bend;
    part.high += 0.25 * (a + b) * bend;
    const std::vector<bool> may = watch_.roots_->may_return(part);
    std::vector<Index> found;
    for (Index i = 0; i < left.values.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double begin = left.values(i) == 0.0 ? watch_.signs_[k] : left.values(i);
      if (may[k] && begin * right.values(i) > 0.0) found.push_back(i);
    }
    return found;
  }

  const RootWatch& watch_;
  const StepWithRoots& step_;
  std::vector<Look>& looks_;
  std::vector<Look> more_;
};

/// A function that is zero at the start of the piece gets its first sign. The search at 1e-5 h,
/// 1e-4 h, … stops where it exceeds 1e-9 of its size in the step. (A parabola that leaves zero
/// without slope has 1e-10 of it at 1e-5 h.)
void RootWatch::learn_unknown_signs(const StepWithRoots& step, const std::vector<Look>& looks) {
  known_from_ = 0.0;
  VectorXd y(step.end.size());
  for (Index i = 0; i < roots_->count; ++i) {
    int& sign = signs_[static_cast<std::size_t>(i)];
    if (sign != 0) continue;
    double size = 0.0;
    for (const Look& look : looks) size = std::max(size, std::abs(look.values(i)));
    for (double tau = 1e-5 * step.h; sign == 0 && tau < step.h; tau *= 10.0) {
      step.look(tau, y);
      const double value = values(step.t0 + tau, y)(i);
      if (std::abs(value) <= std::max(1e-9 * size, 4.0 * std::abs(start_(i)))) continue;
      sign = sign_of(value);
      known_from_ = std::max(known_from_, tau);
    }
    if (sign == 0) sign = sign_of(looks.back().values(i));
  }
}

RootWatch::Look RootWatch::stepped(const StepWithRoots& step, double tau, VectorOut y) const {
  if (tau == step.h)
    y = step.end;
  else
    step.step_to(tau, y);
  return {tau, values(step.t0 + tau, y)};
}

/// The first pair of neighbouring points between which shortened steps confirm a root; y is the
/// state at its far end.
std::optional<RootWatch::Bracket> RootWatch::first_bracket(const StepWithRoots& step,
                                                           const std::vector<Look>& looks,
                                                           VectorOut y) const {
  std::optional<Bracket> bracket;
  std::vector<int> signs = signs_;
  for (std::size_t k = 1; k < looks.size() && !bracket; ++k) {
    if (looks[k].tau <= known_from_ && k + 1 < looks.size()) continue;
    if (any_crossed(signs, looks[k].values)) bracket = confirmed(step, looks, k, signs, y);
    // A function that crossed without counting has its new sign from here on.
    for (std::size_t i = 0; i < signs.size(); ++i) {
      const int now = sign_of(looks[k].values(static_cast<Index>(i)));
      if (now != 0 && direction(static_cast<Index>(i)) == -now) signs[i] = now;
    }
  }
  return bracket;
}

/// A bracket that ends at looks[k] or before it: the root of the polynomial and that of the motion
/// may lie on different sides of a point.
std::optional<RootWatch::Bracket> RootWatch::confirmed(const StepWithRoots& step,
                                                       const std::vector<Look>& looks,
                                                       std::size_t k, const std::vector<int>& signs,
                                                       VectorOut y) const {
  std::optional<Bracket> none;
  Bracket bracket{.low = {}, .high = stepped(step, looks[k].tau, y), .signs = signs};
  if (!any_crossed(signs, bracket.high.values)) return none;
  VectorXd room(y.size());
  for (std::size_t j = k; j-- > 0;) {
    const double tau = std::max(looks[j].tau, known_from_);
    if (tau == 0.0) break;
    bracket.low = stepped(step, tau, room);
    if (!any_crossed(signs, bracket.low.values)) return bracket;
    bracket.high = bracket.low;
    y = room;
    if (tau == known_from_) break;
  }
  bracket.low = {0.0, start_};
  return bracket;
}

/// The Illinois method on the function with the earliest estimate, with a bisection if the bracket
/// has not halved in three steps.
void RootWatch::shrink(const StepWithRoots& step, Bracket& bracket, VectorOut y) const {
  VectorXd room(y.size());
  Look& low = bracket.low;
  Look& high = bracket.high;
  VectorXd f_low = low.values, f_high = high.values;  // halved by Illinois
  double checked = high.tau - low.tau;
  int last_side = 0;
  for (int k = 1; k <= 200; ++k) {
    const double resolution = resolution_at(step.t0, high.tau);
    const double width = high.tau - low.tau;
    if (width <= resolution) return;
    const std::vector<int> crossed = crossings(bracket.signs, high.values);
    double tau = high.tau;
    for (Index i = 0; i < f_low.size(); ++i)
      if (crossed[static_cast<std::size_t>(i)] != 0)
        tau = std::min(tau, low.tau + width * f_low(i) / (f_low(i) - f_high(i)));
    tau = std::clamp(tau, low.tau + 0.4 * resolution, high.tau - 0.4 * resolution);
    if (k % 3 == 0) {
      if (width > 0.5 * checked) tau = low.tau + 0.5 * width;
      checked = width;
    }
    if (!(tau > low.tau && tau < high.tau)) return;
    const Look look = stepped(step, tau, room);
    const int side = any_crossed(bracket.signs, look.values) ? 1 : -1;
    if (side > 0) {
      high = look;
      f_high = look.values;
      if (last_side > 0) f_low *= 0.5;
      y = room;
    } else {
      low = look;
      f_low = look.values;
      if (last_side < 0) f_high *= 0.5;
    }
    last_side = side;
  }
}

/// If a step ends beyond a root, or so close before it that a stage is rounded across, f may be
/// another one in that stage. y then becomes the result of a step to slightly before the root, 64
/// times the resolution of t, extrapolated with its slope there.
void RootWatch::move_across(const StepWithRoots& step, const Bracket& bracket, VectorOut y) const {
  const double near_tau = bracket.low.tau - 64.0 * resolution_at(step.t0, bracket.high.tau);
  if (near_tau <= 0.0) return;
  VectorXd near(y.size()), slope(y.size());
  step.step_to(near_tau, near);
  step.slope(step.t0 + near_tau, near, slope);
  const double t = step.t0 + bracket.high.tau, width = bracket.high.tau - near_tau;
  for (double across = width; across < 10.0 * width; across += 0.01 * width) {
    const VectorXd far = near + across * slope;
    if (!any_crossed(bracket.signs, values(t, far))) continue;
    y = far;
    return;
  }
}

/// Functions that are about to cross within the resolution of t cross here: simultaneous roots are
/// reported together.
void RootWatch::merge_simultaneous(const Bracket& bracket, double resolution) {
  const VectorXd& at = bracket.high.values;
  for (Index i = 0; i < at.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (crossed_[k] != 0 || bracket.signs[k] == 0 || direction(i) == bracket.signs[k]) continue;
    const double slope = (start_(i) - at(i)) / bracket.high.tau;  // > 0 · sign: towards zero
    if (slope * bracket.signs[k] > 0.0 && std::abs(at(i)) <= 2.0 * resolution * std::abs(slope))
      crossed_[k] = -bracket.signs[k];
  }
}

std::optional<double> RootWatch::first_root(const StepWithRoots& step, VectorOut y) {
  const VectorXd end = values(step.t0 + step.h, step.end);
  std::vector<Look> seen = looks(step, end);
  learn_unknown_signs(step, seen);
  if (roots_->may_return) ReturnSearch(*this, step, seen).run();
  std::optional<Bracket> bracket = first_bracket(step, seen, y);
  if (!bracket) {
    // The last known sign: a function may be exactly zero at the end.
    for (const Look& look : seen)
      for (Index i = 0; i < end.size(); ++i)
        if (const int now = sign_of(look.values(i)); now != 0 && look.tau > 0.0)
          signs_[static_cast<std::size_t>(i)] = now;
    start_ = end;
    start_state_ = step.end;
    return std::nullopt;
  }
  shrink(step, *bracket, y);
  move_across(step, *bracket, y);
  crossed_ = crossings(bracket->signs, bracket->high.values);
  merge_simultaneous(*bracket, resolution_at(step.t0, bracket->high.tau));
  return bracket->high.tau;
}

bool RootWatch::report(double t, VectorOut y) {
  const std::vector<int> crossed = crossed_;
  return report(t, crossed, y);
}

bool RootWatch::report(double t, const std::vector<int>& crossed, VectorOut y) {
  for (std::size_t i = 0; i < crossed.size(); ++i)
    if (crossed[i] != 0) told_.push_back({t, static_cast<Index>(i), crossed[i]});
  const VectorXd before = y;
  const bool goes_on = !roots_->reached || roots_->reached(t, crossed, y);
  begin(t, y);
  // A function that has just crossed is zero up to rounding. If `reached` did not change y, it
  // continues; after a jump it may turn back.
  const bool jumped = y != before;
  for (std::size_t i = 0; i < crossed.size(); ++i)
    if (crossed[i] != 0) signs_[i] = jumped ? 0 : crossed[i];
  return goes_on;
}

std::string RootWatch::message() const {
  if (told_.empty()) return "";
  return fmt::format("stopped by root function {} at t = {:.17g}", told_.back().which,
                     told_.back().t);
}

}  // namespace rigidlimit
