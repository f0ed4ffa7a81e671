// Problems with root functions and known times of the roots.
#pragma once

#include <memory>
#include <utility>

#include "rigidlimit/core/problem.hpp"

namespace rigidlimit::test {

inline constexpr double pi = 3.14159265358979323846;

inline void with_roots(OdeProblem& problem, RootFunctions roots) {
  problem.roots = std::make_shared<const RootFunctions>(std::move(roots));
}

/// x'' = −x for x > 0, −4x for x < 0, from x = 1 at rest: the state is (x, x') = (1, 0) again after
/// 3π/2, and x crosses zero at π/2 and π. A unit error grows to at most 2.
inline OdeProblem spring_with_a_kink(bool located) {
  OdeProblem p;
  p.name = "spring_with_a_kink";
  p.y0 = Eigen::Vector2d(1.0, 0.0);
  const auto stiffness = [](double x) { return x > 0.0 ? 1.0 : 4.0; };
  p.rhs = [=](double, VectorIn y, VectorOut f) { f << y(1), -stiffness(y(0)) * y(0); };
  p.jacobian = [=](double, VectorIn y, MatrixOut J) { J << 0.0, 1.0, -stiffness(y(0)), 0.0; };
  if (located) with_roots(p, {1, [](double, VectorIn y, VectorOut r) { r(0) = y(0); }});
  return p;
}

/// y' = (1, 1) from 0, so that y = (t, t) and the times of roots are known.
inline OdeProblem clock(RootFunctions roots) {
  OdeProblem p;
  p.name = "clock";
  p.y0 = Eigen::Vector2d(0.0, 0.0);
  p.rhs = [](double, VectorIn, VectorOut f) { f << 1.0, 1.0; };
  p.jacobian = [](double, VectorIn, MatrixOut J) { J.setZero(); };
  with_roots(p, std::move(roots));
  return p;
}

/// 0 = y' − f(t, y).
inline DaeProblem implicit_form(const OdeProblem& ode) {
  DaeProblem dae;
  dae.name = ode.name;
  dae.t0 = ode.t0;
  dae.y0 = dae.yp0 = ode.y0;
  ode.rhs(ode.t0, ode.y0, dae.yp0);
  dae.residual = [f = ode.rhs](double t, VectorIn y, VectorIn yp, VectorOut r) {
    f(t, y, r);
    r = yp - r;
  };
  dae.jacobian = [J = ode.jacobian](double t, VectorIn y, VectorIn, double alpha, MatrixOut out) {
    J(t, y, out);
    out *= -1.0;
    out.diagonal().array() += alpha;
  };
  dae.differential.assign(static_cast<std::size_t>(ode.y0.size()), true);
  dae.roots = ode.roots;
  dae.consistent = [f = ode.rhs](double t, VectorOut y, VectorOut yp) { f(t, y, yp); };
  return dae;
}

}  // namespace rigidlimit::test
