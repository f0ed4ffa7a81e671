#include "rigidlimit/contact/least_in_cones.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/dense.hpp"

namespace rigidlimit {

namespace {

VectorXd rim_of(const Cone& cone, const VectorXd& y) {
  return cone.T.rows() == 0 ? VectorXd(0) : VectorXd(cone.T * y + cone.t0);
}

double least_margin(const std::vector<Cone>& cones, const VectorXd& y) {
  double least = std::numeric_limits<double>::infinity();
  for (const Cone& cone : cones) least = std::min(least, cone.margin(y));
  return least;
}

/// ½ yᵀ P y + cᵀ y.
struct Objective {
  MatrixXd P;
  VectorXd c;

  double operator()(const VectorXd& y) const { return 0.5 * y.dot(P * y) + c.dot(y); }
};

/// f(y) = τ objective − Σ log(s² − |t|²) (log s without t), +∞ outside.
double barrier(const Objective& objective, double tau, const std::vector<Cone>& cones,
               const VectorXd& y) {
  double f = tau * objective(y);
  for (const Cone& cone : cones) {
    const double s = cone.slope.dot(y) + cone.offset;
    const VectorXd t = rim_of(cone, y);
    const double inside = t.size() == 0 ? s : s * s - t.squaredNorm();
    if (!(s > 0.0) || !(inside > 0.0)) return std::numeric_limits<double>::infinity();
    f -= std::log(inside);
  }
  return f;
}

/// Gradient and Hessian of the same.
std::pair<VectorXd, MatrixXd> barrier_slopes(const Objective& objective, double tau,
                                             const std::vector<Cone>& cones, const VectorXd& y) {
  VectorXd gradient = tau * (objective.P * y + objective.c);
  MatrixXd hessian = tau * objective.P;
  for (const Cone& cone : cones) {
    const double s = cone.slope.dot(y) + cone.offset;
    const VectorXd slope = cone.slope.transpose();
    if (cone.T.rows() == 0) {
      gradient -= slope / s;
      hessian += slope * slope.transpose() / (s * s);
      continue;
    }
    const VectorXd t = rim_of(cone, y);
    const double inside = s * s - t.squaredNorm();
    const VectorXd change = 2.0 * (s * slope - cone.T.transpose() * t);
    gradient -= change / inside;
    hessian += change * change.transpose() / (inside * inside) -
               2.0 * (slope * slope.transpose() - cone.T.transpose() * cone.T) / inside;
  }
  return {gradient, hessian};
}

/// Newton's method with backtracking for one τ. `enough`, called after each step, ends it early.
template <class Enough>
void centre(const Objective& objective, double tau, const std::vector<Cone>& cones, VectorXd& y,
            Enough enough) {
  for (int iteration = 0; iteration < 60; ++iteration) {
    const auto [gradient, hessian] = barrier_slopes(objective, tau, cones, y);
    const VectorXd step = -symmetric_solve(hessian, gradient);
    const double decrease = -gradient.dot(step);
    if (!step.allFinite() || !(decrease > 1e-12)) return;
    const double before = barrier(objective, tau, cones, y);
    double fraction = 1.0;
    while (fraction > 1e-12 && !(barrier(objective, tau, cones, y + fraction * step) <=
                                 before - 0.1 * fraction * decrease))
      fraction *= 0.5;
    if (fraction <= 1e-12) return;
    y += fraction * step;
    if (enough(y)) return;
  }
}

/// Follows the central path until the gap to the minimum is below 1e-14.
template <class Enough>
void follow(const Objective& objective, const std::vector<Cone>& cones, VectorXd& y,
            Enough enough) {
  const double last = 2e14 * static_cast<double>(cones.size());
  for (double tau = 1.0; tau < last; tau *= 8.0) {
    centre(objective, tau, cones, y, enough);
    if (enough(y)) return;
  }
}

/// A y with s − |t| > 0 in all cones, or as large as possible: minimises z in s + z ≥ |t|.
VectorXd interior_point(const std::vector<Cone>& cones, const VectorXd& start) {
  const Index n = start.size();
  std::vector<Cone> widened = cones;
  for (Cone& cone : widened) {
    cone.slope.conservativeResize(n + 1);
    cone.slope(n) = 1.0;
    if (cone.T.rows() > 0) {
      cone.T.conservativeResize(Eigen::NoChange, n + 1);
      cone.T.col(n).setZero();
    }
  }
  VectorXd y(n + 1);
  y.head(n) = start;
  y(n) = 1.0 - std::min(0.0, least_margin(cones, start));
  // A multiple of |y|² that does not change the solution but keeps y bounded.
  const Objective depth{1e-9 * MatrixXd::Identity(n + 1, n + 1), VectorXd::Unit(n + 1, n)};
  follow(depth, widened, y, [](const VectorXd& z) { return z(z.size() - 1) < -1e-3; });
  return y.head(n);
}

/// The feasible part of a line; empty if low > high.
struct Stretch {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  void cut(double from, double to) {
    low = std::max(low, from);
    high = std::min(high, to);
  }
  void nothing() { cut(1.0, -1.0); }

  /// slope y + offset ≥ 0. A slope of round-off counts as none.
  void cut_by(double slope, double offset) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (slope > 1e-14) {
      cut(-offset / slope, infinity);
    } else if (slope < -1e-14) {
      cut(-infinity, -offset / slope);
    } else if (offset < -1e-12) {
      nothing();
    }
  }
};

/// s ≥ |t| on a line, t with two entries: where a y² + b y + c = s² − |t|² ≥ 0 and s ≥ 0.
void cut_by_disc(const Cone& cone, Stretch& stretch) {
  const double s1 = cone.slope(0), s0 = cone.offset;
  const Eigen::Vector2d t1 = cone.T.col(0), t0 = cone.t0;
  const double a = s1 * s1 - t1.squaredNorm(), b = 2.0 * (s0 * s1 - t0.dot(t1));
  const double c = s0 * s0 - t0.squaredNorm();
  stretch.cut_by(s1, s0);
  if (std::abs(a) < 1e-14) return stretch.cut_by(b, c);
  const double discriminant = b * b - 4.0 * a * c, middle = -b / (2.0 * a);
  // Roots this close are one, the tip of the cone, split by round-off of the discriminant.
  const bool tip = discriminant < 1e-14 * a * a;
  if (tip && discriminant < -1e-10 * a * a) return stretch.nothing();
  const double half = tip ? 0.0 : std::sqrt(discriminant) / (2.0 * std::abs(a));
  if (a < 0.0) return stretch.cut(middle - half, middle + half);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  s1 > 0.0 ? stretch.cut(middle + half, infinity) : stretch.cut(-infinity, middle - half);
}

/// One unknown: the free minimum, projected onto the interval that all cones allow.
std::optional<VectorXd> least_on_line(double free_minimum, const std::vector<Cone>& cones) {
  Stretch stretch;
  for (const Cone& cone : cones) {
    if (cone.T.rows() == 2) {
      cut_by_disc(cone, stretch);
    } else if (cone.T.rows() == 1) {
      stretch.cut_by(cone.slope(0) - cone.T(0, 0), cone.offset - cone.t0(0));
      stretch.cut_by(cone.slope(0) + cone.T(0, 0), cone.offset + cone.t0(0));
    } else {
      stretch.cut_by(cone.slope(0), cone.offset);
    }
  }
  if (stretch.low > stretch.high + 1e-11) return std::nullopt;
  if (stretch.low > stretch.high) return VectorXd::Constant(1, 0.5 * (stretch.low + stretch.high));
  return VectorXd::Constant(1, std::clamp(free_minimum, stretch.low, stretch.high));
}

}  // namespace

double Cone::margin(const VectorXd& y) const {
  return slope.dot(y) + offset - rim_of(*this, y).norm();
}

std::optional<VectorXd> least_in_cones(const MatrixXd& P, const VectorXd& c,
                                       const std::vector<Cone>& cones) {
  const VectorXd free_minimum = -symmetric_solve(P, c);
  if (!free_minimum.allFinite()) return std::nullopt;
  if (cones.empty() || least_margin(cones, free_minimum) >= -1e-14) return free_minimum;
  if (free_minimum.size() == 1) return least_on_line(free_minimum(0), cones);
  VectorXd y = interior_point(cones, free_minimum);
  const double margin = least_margin(cones, y);
  if (margin < -1e-10) return std::nullopt;
  if (margin > 1e-11) follow(Objective{P, c}, cones, y, [](const VectorXd&) { return false; });
  return y;
}

}  // namespace rigidlimit
