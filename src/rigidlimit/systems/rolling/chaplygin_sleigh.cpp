#include "rigidlimit/systems/closed_forms.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <utility>

namespace rigidlimit {

namespace {

/// u, ω and φ on the constraint. With k² = (J + m a²)/m the speed scale E = sqrt(u² + k² ω²) is
/// constant and, at s = s0 + a E t/k²,
///   u = E tanh s,  ω = ±(E/k) sech s,  φ = φ0 ± (k/a) (gd s − gd s0),  gd s = 2 atan(tanh(s/2)).
struct TanhSolution {
  double E, k, a, s0, phi0, sign;

  double s(double t) const { return s0 + a * E * t / (k * k); }
  double u(double t) const { return E * std::tanh(s(t)); }
  double omega(double t) const { return sign * (E / k) / std::cosh(s(t)); }
  static double gudermannian(double s) { return 2.0 * std::atan(std::tanh(0.5 * s)); }
  double phi(double t) const {
    return phi0 + sign * (k / a) * (gudermannian(s(t)) - gudermannian(s0));
  }

  /// Length over which the heading turns by at most a quarter radian: the error of a 20-point Gauss
  /// rule is then far below round-off.
  double longest_panel() const { return 0.25 * k / E; }

  /// Adds ∫ u (cos φ, sin φ) dt from `begin` to `end` to (x, y).
  void travel(double begin, double end, double& x, double& y) const {
    using Rule = boost::math::quadrature::gauss<double, 20>;
    const int panels = std::max(1, static_cast<int>(std::ceil((end - begin) / longest_panel())));
    const double width = (end - begin) / panels;
    for (int i = 0; i < panels && end > begin; ++i) {
      const double from = begin + i * width, to = from + width;
      x += Rule::integrate([&](double r) { return u(r) * std::cos(phi(r)); }, from, to);
      y += Rule::integrate([&](double r) { return u(r) * std::sin(phi(r)); }, from, to);
    }
  }
};

}  // namespace

std::optional<Motion> chaplygin_sleigh_motion(const std::vector<double>& values,
                                              const InitialState& start,
                                              const std::vector<double>& times) {
  const auto [mass, inertia, distance] = unpacked<3>(values);
  const double phi0 = start.q(2);
  const double u0 = start.v(0) * std::cos(phi0) + start.v(1) * std::sin(phi0);
  const double omega0 = start.v(2);
  if (omega0 == 0.0 || distance == 0.0) return std::nullopt;
  const double k = std::sqrt(inertia / mass + distance * distance);
  const double E = std::hypot(u0, k * omega0);
  const TanhSolution exact{.E = E,
                           .k = k,
                           .a = distance,
                           .s0 = std::asinh(u0 / (k * std::abs(omega0))),
                           .phi0 = phi0,
                           .sign = std::copysign(1.0, omega0)};

  Motion motion = motion_on(times, 3, 3, 1);
  const Index count = motion.q.cols();

  if (!(times.back() <= 1e5 * exact.longest_panel()))
    return std::nullopt;  // motion is straight by then
  double x = start.q(0), y = start.q(1), reached = 0.0;
  for (Index i = 0; i < count; ++i) {
    const double t = times[static_cast<std::size_t>(i)];
    exact.travel(std::exchange(reached, t), t, x, y);
    const double u = exact.u(t), omega = exact.omega(t), phi = exact.phi(t);
    const double omega_rate = -distance * u * omega / (k * k);
    motion.q.col(i) << x, y, phi;
    motion.v.col(i) << u * std::cos(phi), u * std::sin(phi), omega;
    // Lateral acceleration of the centre of mass: a ω' + u ω.
    motion.lambda(0, i) = -mass * (distance * omega_rate + u * omega);
  }
  return motion;
}

}  // namespace rigidlimit
