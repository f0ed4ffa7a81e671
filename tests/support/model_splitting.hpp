// Splittings of the model problems, and callbacks for the evaluations of a problem.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "rigidlimit/solvers/method.hpp"
#include "support/model_ode.hpp"

namespace rigidlimit::test {

/// `problem` in the form that `method` needs. If the method needs a splitting and the problem has
/// none, three quarters of f are the stiff part.
inline OdeProblem split_for(const OdeMethod& method, OdeProblem problem) {
  if (!method.splits || problem.splitting) return problem;
  const auto scaled = [f = problem.rhs](double share) {
    return [=](double t, VectorIn y, VectorOut dydt) {
      f(t, y, dydt);
      dydt *= share;
    };
  };
  auto parts = std::make_shared<Splitting>();
  parts->stiff = scaled(0.75);
  parts->rest = scaled(0.25);
  if (problem.jacobian)
    parts->stiff_jacobian = [J = problem.jacobian](double t, VectorIn y, MatrixOut dfdy) {
      J(t, y, dfdy);
      dfdy *= 0.75;
    };
  problem.splitting = std::move(parts);
  return problem;
}

/// `problem` with callbacks: on_rate(t) for evaluations of f or a part of it, and a second one for
/// Jacobians.
inline OdeProblem watched(OdeProblem problem, const std::function<void(double t)>& on_rate,
                          const std::function<void()>& on_jacobian) {
  const auto rate = [&](auto f) -> decltype(problem.rhs) {
    return [=](double t, VectorIn y, VectorOut dydt) {
      on_rate(t);
      f(t, y, dydt);
    };
  };
  const auto jacobian = [&](auto J) -> decltype(problem.jacobian) {
    return [=](double t, VectorIn y, MatrixOut dfdy) {
      on_jacobian();
      J(t, y, dfdy);
    };
  };
  problem.rhs = rate(problem.rhs);
  problem.jacobian = jacobian(problem.jacobian);
  if (problem.splitting) {
    const Splitting& parts = *problem.splitting;
    problem.splitting = std::make_shared<const Splitting>(
        Splitting{rate(parts.stiff), rate(parts.rest), jacobian(parts.stiff_jacobian)});
  }
  return problem;
}

/// y₁' = −2ty₁² + (y₂ − g) y₂/2, y₂' = g' − (y₂ − g)(1 + y₁) + 0.7 (y₁ − 1/(1 + t²)), g = sin(t +
/// 0.3): y = (1/(1 + t²), g). Nonlinear, non-autonomous, coupled, and split within both equations,
/// so that all order conditions matter, also those that couple the halves of an additive pair.
inline OdeModel split_witch() {
  const auto g = [](double t) { return std::sin(t + 0.3); };
  auto parts = std::make_shared<Splitting>();
  parts->stiff = [=](double t, VectorIn y, VectorOut f) {
    const double off = y(1) - g(t);
    f << -t * y(0) * y(0) + 0.5 * off * y(1), -off * (1.0 + y(0));
  };
  parts->rest = [](double t, VectorIn y, VectorOut f) {
    f << -t * y(0) * y(0), std::cos(t + 0.3) + 0.7 * (y(0) - 1.0 / (1.0 + t * t));
  };
  parts->stiff_jacobian = [=](double t, VectorIn y, MatrixOut J) {
    const double off = y(1) - g(t);
    J << -2.0 * t * y(0), 0.5 * (off + y(1)), -off, -(1.0 + y(0));
  };
  OdeProblem p;
  p.name = "split_witch";
  p.y0 = Eigen::Vector2d(1.0, g(0.0));
  p.rhs = [parts](double t, VectorIn y, VectorOut f) {
    Eigen::Vector2d stiff;
    parts->stiff(t, y, stiff);
    parts->rest(t, y, f);
    f += stiff;
  };
  p.jacobian = [parts](double t, VectorIn y, MatrixOut J) {
    parts->stiff_jacobian(t, y, J);
    J(0, 0) += -2.0 * t * y(0);
    J(1, 0) += 0.7;
  };
  p.splitting = parts;
  return {p, [=](double t) { return Eigen::Vector2d(1.0 / (1.0 + t * t), g(t)); }, 2.0, false, 3.0};
}

}  // namespace rigidlimit::test
