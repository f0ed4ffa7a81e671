// Initial value problems with closed forms, for tests of solvers.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/core/problem.hpp"

namespace rigidlimit::test {

struct OdeModel {
  OdeProblem problem;
  std::function<VectorXd(double t)> exact;
  double end;
  bool stiff;
  /// sup over t ≥ s of the maximum norm of ∂y(t)/∂y(s): the largest amplification of an error.
  double amplification;
};

/// y' = −y: y = exp(−t).
inline OdeModel linear_decay() {
  OdeProblem p;
  p.name = "linear_decay";
  p.y0 = VectorXd::Constant(1, 1.0);
  p.rhs = [](double, VectorIn y, VectorOut f) { f = -y; };
  p.jacobian = [](double, VectorIn, MatrixOut J) { J(0, 0) = -1.0; };
  return {p, [](double t) { return VectorXd::Constant(1, std::exp(-t)); }, 2.0, false, 1.0};
}

/// y₁' = y₂, y₂' = −y₁: (cos t, −sin t). The flow is a rotation: at most √2 in the maximum norm.
inline OdeModel oscillator() {
  OdeProblem p;
  p.name = "oscillator";
  p.y0 = Eigen::Vector2d(1.0, 0.0);
  p.rhs = [](double, VectorIn y, VectorOut f) { f << y(1), -y(0); };
  p.jacobian = [](double, VectorIn, MatrixOut J) { J << 0.0, 1.0, -1.0, 0.0; };
  return {p, [](double t) { return Eigen::Vector2d(std::cos(t), -std::sin(t)); }, 6.0, false,
          std::sqrt(2.0)};
}

/// Prothero & Robinson (1974): y' = −k (y − g) + g', g = sin(t + 0.3), y = g. Depends on t; stiff
/// for large k, and then of index 1 in the limit. Split into −k (y − g) and g'.
inline OdeModel prothero_robinson(double k) {
  const double shift = 0.3;  // no term is zero at t = 0
  OdeProblem p;
  p.name = "prothero_robinson_" + std::to_string(static_cast<long>(k));
  p.y0 = VectorXd::Constant(1, std::sin(shift));
  p.rhs = [=](double t, VectorIn y, VectorOut f) {
    f(0) = -k * (y(0) - std::sin(t + shift)) + std::cos(t + shift);
  };
  p.jacobian = [=](double, VectorIn, MatrixOut J) { J(0, 0) = -k; };
  p.time_derivative = [=](double t, VectorIn, VectorOut dfdt) {
    dfdt(0) = k * std::cos(t + shift) - std::sin(t + shift);
  };
  p.splitting = std::make_shared<const Splitting>(Splitting{
      [=](double t, VectorIn y, VectorOut f) { f(0) = -k * (y(0) - std::sin(t + shift)); },
      [=](double t, VectorIn, VectorOut f) { f(0) = std::cos(t + shift); }, p.jacobian});
  return {p, [=](double t) { return VectorXd::Constant(1, std::sin(t + shift)); }, 2.0, k > 10.0,
          1.0};
}

/// A contact under a load (docs/theory.md, section 4) with A = C = Λ = 1, critical damping and the
/// sliding velocity in units of ε: ε w' = 1 − η − 2w, ε η' = w. With τ = t/ε the solution is w = τ
/// e^(−τ), η = 1 − (1 + τ) e^(−τ): a layer of width ε, then rest. The splitting separates the load.
/// The flow e^(−τ) [[1 − τ, −τ], [τ, 1 + τ]] has a maximum norm ≤ e^(−τ)(1 + 2τ) ≤ 2 e^(−1/2).
inline OdeModel contact_layer(double eps) {
  OdeProblem p;
  p.name = "contact_layer";
  p.y0 = Eigen::Vector2d::Zero();
  p.rhs = [=](double, VectorIn y, VectorOut f) {
    f << (1.0 - y(1) - 2.0 * y(0)) / eps, y(0) / eps;
  };
  p.jacobian = [=](double, VectorIn, MatrixOut J) { J << -2.0 / eps, -1.0 / eps, 1.0 / eps, 0.0; };
  p.splitting = std::make_shared<const Splitting>(Splitting{
      [=](double, VectorIn y, VectorOut f) { f << (-y(1) - 2.0 * y(0)) / eps, y(0) / eps; },
      [=](double, VectorIn, VectorOut f) { f << 1.0 / eps, 0.0; }, p.jacobian});
  return {p,
          [=](double t) {
            const double tau = t / eps, decay = std::exp(-tau);
            return Eigen::Vector2d(tau * decay, 1.0 - (1.0 + tau) * decay);
          },
          1.0, true, 2.0 * std::exp(-0.5)};
}

/// y' = −2 t y²: y = 1/(1 + t²). Nonlinear and non-autonomous, so that all order conditions matter.
inline OdeModel witch_of_agnesi() {
  OdeProblem p;
  p.name = "witch_of_agnesi";
  p.y0 = VectorXd::Constant(1, 1.0);
  p.rhs = [](double t, VectorIn y, VectorOut f) { f(0) = -2.0 * t * y(0) * y(0); };
  p.jacobian = [](double t, VectorIn y, MatrixOut J) { J(0, 0) = -4.0 * t * y(0); };
  p.time_derivative = [](double, VectorIn y, VectorOut dfdt) { dfdt(0) = -2.0 * y(0) * y(0); };
  return {p, [](double t) { return VectorXd::Constant(1, 1.0 / (1.0 + t * t)); }, 2.0, false, 1.0};
}

/// y' = −y², autonomous and nonlinear: y = 1/(1 + t).
inline OdeModel hyperbola() {
  OdeProblem p;
  p.name = "hyperbola";
  p.y0 = VectorXd::Constant(1, 1.0);
  p.rhs = [](double, VectorIn y, VectorOut f) { f(0) = -y(0) * y(0); };
  p.jacobian = [](double, VectorIn y, MatrixOut J) { J(0, 0) = -2.0 * y(0); };
  return {p, [](double t) { return VectorXd::Constant(1, 1.0 / (1.0 + t)); }, 2.0, false, 1.0};
}

inline std::vector<OdeModel> all_ode_models() {
  return {linear_decay(),         oscillator(),        prothero_robinson(1.0),
          prothero_robinson(1e3), contact_layer(1e-3), prothero_robinson(1e6),
          witch_of_agnesi(),      hyperbola()};
}

}  // namespace rigidlimit::test
