// The knife edge with viscoelastic contact, for solvers: docs/theory.md, sections 1 and 11.
#pragma once

#include <cmath>
#include <memory>

#include "rigidlimit/core/problem.hpp"

namespace rigidlimit::test {

inline constexpr double contact_end = 2.0;

/// (x, y, φ, u, ω, w, η) with u along the blade and w across it; m = 1, C = 1, critical damping,
/// incline 0.3 rad. The fast components are (w, η).
template <class T>
OdeProblemOf<T> contact_in_adapted_velocities(double eps) {
  const double pull = 9.81 * std::sin(0.3);
  OdeProblemOf<T> p;
  p.name = "contact_in_adapted_velocities";
  p.y0 = Vector<T, Eigen::Dynamic>::Zero(7);
  p.y0(3) = T(0.7);
  p.y0(4) = T(1.3);
  p.rhs = [s = T(pull), e = T(eps)](const T&, VectorInOf<T> y, VectorOutOf<T> f) {
    using std::cos, std::sin;
    const T c = cos(y(2)), k = sin(y(2)), lambda = y(6) + T(2) / e * y(5);
    f(0) = y(3) * c - y(5) * k;
    f(1) = y(3) * k + y(5) * c;
    f(2) = y(4);
    f(3) = s * c + y(4) * y(5);
    f(4) = T(0);
    f(5) = -s * k - y(4) * y(3) - lambda;
    f(6) = y(5) / (e * e);
  };
  p.jacobian = [=](double, VectorIn y, MatrixOut J) {
    const double c = std::cos(y(2)), k = std::sin(y(2));
    J.setZero();
    J.row(0) << 0, 0, -y(3) * k - y(5) * c, c, 0, -k, 0;
    J.row(1) << 0, 0, y(3) * c - y(5) * k, k, 0, c, 0;
    J(2, 4) = 1.0;
    J.row(3) << 0, 0, -pull * k, 0, y(5), y(4), 0;
    J.row(5) << 0, 0, -pull * c, -y(4), -y(3), -2.0 / eps, -1.0;
    J(6, 5) = 1.0 / (eps * eps);
  };
  return p;
}

}  // namespace rigidlimit::test
