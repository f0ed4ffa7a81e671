// Differential-algebraic problems with closed forms, for tests of solvers.
#pragma once

#include <cmath>
#include <functional>

#include "rigidlimit/core/problem.hpp"

namespace rigidlimit::test {

struct DaeModel {
  DaeProblem problem;
  std::function<VectorXd(double t)> exact;
  std::function<VectorXd(double t)> exact_rate;
  double end;
};

/// Index 1: x' = −x z, 0 = z − x. x = z = 1/(1 + t).
inline DaeModel index_one() {
  DaeProblem p;
  p.name = "index_one";
  p.y0 = Eigen::Vector2d(1.0, 1.0);
  p.yp0 = Eigen::Vector2d(-1.0, -1.0);
  p.residual = [](double, VectorIn y, VectorIn yp, VectorOut r) {
    r << yp(0) + y(0) * y(1), y(1) - y(0);
  };
  p.jacobian = [](double, VectorIn y, VectorIn, double alpha, MatrixOut J) {
    J << alpha + y(1), y(0), -1.0, 1.0;
  };
  p.differential = {true, false};
  return {p, [](double t) { return VectorXd::Constant(2, 1.0 / (1.0 + t)); },
          [](double t) { return VectorXd::Constant(2, -1.0 / ((1.0 + t) * (1.0 + t))); }, 2.0};
}

/// Index 2: the knife edge on an incline (docs/theory.md, section 8, values of section 9), m = 1:
/// y = (x, y, φ, v_x, v_y, ω, Λ), q' = v, M v' = F − GᵀΛ, 0 = G v, G = (−sin φ, cos φ, 0).
inline DaeModel knife_edge_index_two() {
  const double J_body = 0.5, omega = 1.3, u0 = 0.7, pull = 9.81 * std::sin(0.3);
  const auto u = [=](double t) { return u0 + pull / omega * std::sin(omega * t); };
  const auto exact = [=](double t) {
    const double phi = omega * t, s = std::sin(phi), c = std::cos(phi);
    VectorXd y(7);
    y << u0 / omega * s + pull * s * s / (2.0 * omega * omega),
        u0 / omega * (1.0 - c) + pull / omega * (t / 2.0 - std::sin(2.0 * phi) / (4.0 * omega)),
        phi, u(t) * c, u(t) * s, omega, -(pull * s + u(t) * omega);
    return y;
  };
  const auto exact_rate = [=](double t) {
    const double phi = omega * t, s = std::sin(phi), c = std::cos(phi), du = pull * c;
    VectorXd yp(7);
    yp << u(t) * c, u(t) * s, omega, du * c - u(t) * omega * s, du * s + u(t) * omega * c, 0.0,
        -(pull * omega * c + du * omega);
    return yp;
  };

  DaeProblem p;
  p.name = "knife_edge_index_two";
  p.y0 = exact(0.0);
  p.yp0 = exact_rate(0.0);
  p.residual = [=](double, VectorIn y, VectorIn yp, VectorOut r) {
    const double s = std::sin(y(2)), c = std::cos(y(2)), lambda = y(6);
    r << yp(0) - y(3), yp(1) - y(4), yp(2) - y(5), yp(3) - pull - s * lambda, yp(4) + c * lambda,
        J_body * yp(5), -s * y(3) + c * y(4);
  };
  p.jacobian = [=](double, VectorIn y, VectorIn, double alpha, MatrixOut J) {
    const double s = std::sin(y(2)), c = std::cos(y(2)), lambda = y(6);
    J.setZero();
    J.diagonal() << alpha, alpha, alpha, alpha, alpha, J_body * alpha, 0.0;
    J(0, 3) = J(1, 4) = J(2, 5) = -1.0;
    J(3, 2) = -c * lambda;
    J(3, 6) = -s;
    J(4, 2) = -s * lambda;
    J(4, 6) = c;
    J(6, 2) = -c * y(3) - s * y(4);
    J(6, 3) = -s;
    J(6, 4) = c;
  };
  p.differential = {true, true, true, true, true, true, false};
  p.algebraic_variables_untested = true;
  return {p, exact, exact_rate, 2.0};
}

}  // namespace rigidlimit::test
