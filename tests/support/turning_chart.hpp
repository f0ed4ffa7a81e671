// A motion without constraint forces, in coordinates that become singular as a blade turns.
#pragma once

#include <cmath>
#include <memory>

#include "rigidlimit/core/problem.hpp"

namespace rigidlimit::test {

/// A particle under a constant force F, v' = F, relative to a blade that turns at the rate ω:
/// y = (φ, u, w) with w = (−sin φ, cos φ)·v across the blade, and u = s·v along the constant
/// direction s = (cos θ, sin θ), the chart. With δ = φ − θ:
///
///   φ' = ω,   u' = s·F,   w' = (−sin φ, cos φ)·F − ω (u + w sin δ)/cos δ,
///
/// singular at δ = ±π/2. Output (φ, v); exact: φ = ωt, v = v0 + F t.
struct TurningChart {
  double omega = 2.0, force_x = 0.7, force_y = -0.4, vx = 1.0, vy = 0.3;
  std::shared_ptr<double> theta = std::make_shared<double>(0.0);
  std::shared_ptr<int> changes = std::make_shared<int>(0);  ///< since the last reset

  VectorXd exact(double t) const {
    return Eigen::Vector3d(omega * t, vx + force_x * t, vy + force_y * t);
  }

  /// (φ, v) of y.
  VectorXd output(VectorIn y) const {
    const double delta = y(0) - *theta, c = std::cos(*theta), s = std::sin(*theta);
    const double across = (y(2) + std::sin(delta) * y(1)) / std::cos(delta);
    return Eigen::Vector3d(y(0), c * y(1) - s * across, s * y(1) + c * across);
  }

  /// The problem; `moving` = false keeps the chart of the start.
  OdeProblem problem(bool moving = true) const {
    const TurningChart self = *this;
    OdeProblem p;
    p.name = "turning_chart";
    p.y0 = Eigen::Vector3d(0.0, vx, vy);
    p.rhs = [self](double, VectorIn y, VectorOut f) {
      const double delta = y(0) - *self.theta;
      const double gF = -std::sin(y(0)) * self.force_x + std::cos(y(0)) * self.force_y;
      f << self.omega, std::cos(*self.theta) * self.force_x + std::sin(*self.theta) * self.force_y,
          gF - self.omega * (y(1) + y(2) * std::sin(delta)) / std::cos(delta);
    };
    p.jacobian = [self](double, VectorIn y, MatrixOut J) {
      const double delta = y(0) - *self.theta, sec = 1.0 / std::cos(delta), tan = std::tan(delta);
      const double hF = -std::cos(y(0)) * self.force_x - std::sin(y(0)) * self.force_y;
      J.setZero();
      J.row(2) << hF - self.omega * (y(2) + (y(1) + y(2) * std::sin(delta)) * tan * sec),
          -self.omega * sec, -self.omega * tan;
    };
    p.coordinates = std::make_shared<const MovingCoordinatesOf<double>>(coordinates(moving));
    return p;
  }

 private:
  MovingCoordinatesOf<double> coordinates(bool moving) const {
    const TurningChart self = *this;
    MovingCoordinatesOf<double> c;
    c.reset = [self] {
      *self.theta = 0.0;
      *self.changes = 0;
    };
    c.output_size = 3;
    c.output = [self](double, VectorIn y, VectorOut out) { out = self.output(y); };
    c.rechoose = [self, moving](double bound, MatrixOut states, MatrixOut change) {
      const double q = states(0, 0), delta = q - *self.theta, sine = std::abs(std::sin(delta));
      if (!moving || (bound > 0.0 && std::sqrt((1.0 + sine) / (1.0 - sine)) <= bound)) return false;
      change.setIdentity();
      change.row(1) << 0.0, 1.0 / std::cos(delta), std::tan(delta);
      // u = a cos(q − θ) − w sin(q − θ) with the speed a along the heading.
      for (Index k = 0; k < states.cols(); ++k) {
        const double before = states(0, k) - *self.theta, after = states(0, k) - q;
        const double a = (states(1, k) + states(2, k) * std::sin(before)) / std::cos(before);
        states(1, k) = a * std::cos(after) - states(2, k) * std::sin(after);
      }
      *self.theta = q;
      ++*self.changes;
      return true;
    };
    return c;
  }
};

}  // namespace rigidlimit::test
