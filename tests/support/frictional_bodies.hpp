// Small bodies with frictional contacts for tests.
#pragma once

#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit::test {

/// A wheel, q = (x, y, φ), with gravity along −y and `push` along x, above a floor and beside the
/// edge of a step at the origin. Contacts: "edge" with gap |(x, y)| − r, "floor" with gap y + h −
/// r. The sliding velocity is v · t + r φ', where t is the outer normal rotated clockwise.
struct WheelAtAnEdge {
  static constexpr int nq = 3, n = 3, m = 2;
  double mass = 10.0, inertia = 0.05, radius = 0.1, step = 0.05, gravity = 9.81, push = 0.0;
  double friction = 0.4, restitution = 0.0;

  template <class S>
  Matrix<S, 3, 3> mass_matrix(const Vector<S, 3>&) const {
    return Vector<S, 3>(S(mass), S(mass), S(inertia)).asDiagonal();
  }
  template <class S>
  Vector<S, 3> force(const Vector<S, 3>&, const Vector<S, 3>&) const {
    return {S(push), S(-mass * gravity), S(0)};
  }
  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return S(mass * gravity) * q(1) - S(push) * q(0);
  }
  template <class S>
  Matrix<S, 2, 3> constraint(const Vector<S, 3>& q) const {
    using std::sqrt;
    const S distance = sqrt(q(0) * q(0) + q(1) * q(1));
    Matrix<S, 2, 3> W;
    W << q(1) / distance, -q(0) / distance, S(radius), S(1), S(0), S(radius);
    return W;
  }
  std::vector<ContactPoint> contacts() const {
    return {{.name = "edge", .first = 0, .friction = friction, .restitution = restitution},
            {.name = "floor", .first = 1, .friction = friction, .restitution = restitution}};
  }
  template <class S>
  Vector<S, 2> gap(const Vector<S, 3>& q) const {
    using std::sqrt;
    return {sqrt(q(0) * q(0) + q(1) * q(1)) - S(radius), q(1) + S(step - radius)};
  }
};

/// The position with both contacts closed: x = sqrt(r² − (r − h)²), y = r − h.
inline VectorXd corner_of(const WheelAtAnEdge& wheel) {
  const double y = wheel.radius - wheel.step;
  return Eigen::Vector3d(std::sqrt(wheel.radius * wheel.radius - y * y), y, 0.0);
}

/// A ball, q = (x, y), above a floor y = 0; it slides without spin.
struct BallAboveFloor {
  static constexpr int nq = 2, n = 2, m = 1;
  double mass = 2.0, gravity = 9.81, push = 0.0, friction = 0.3, restitution = 0.5;

  template <class S>
  Matrix<S, 2, 2> mass_matrix(const Vector<S, 2>&) const {
    return Matrix<S, 2, 2>::Identity() * S(mass);
  }
  template <class S>
  Vector<S, 2> force(const Vector<S, 2>&, const Vector<S, 2>&) const {
    return {S(push), S(-mass * gravity)};
  }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return S(mass * gravity) * q(1) - S(push) * q(0);
  }
  template <class S>
  Matrix<S, 1, 2> constraint(const Vector<S, 2>&) const {
    return {S(1), S(0)};
  }
  std::vector<ContactPoint> contacts() const {
    return {{.name = "floor", .friction = friction, .restitution = restitution}};
  }
  template <class S>
  Vector<S, 1> gap(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q(1));
  }
};

/// Two particles (x₁, y₁, x₂, y₂) on a rigid rod, an exact row E, above a floor.
struct DumbbellAboveFloor {
  static constexpr int nq = 4, n = 4, m = 2;
  double mass = 2.0, other = 3.0, gravity = 9.81, friction = 0.3;

  template <class S>
  Matrix<S, 4, 4> mass_matrix(const Vector<S, 4>&) const {
    return Vector<S, 4>(S(mass), S(mass), S(other), S(other)).asDiagonal();
  }
  template <class S>
  Vector<S, 4> force(const Vector<S, 4>&, const Vector<S, 4>&) const {
    return {S(0), S(-mass * gravity), S(0), S(-other * gravity)};
  }
  template <class S>
  Matrix<S, 1, 4> exact_constraint(const Vector<S, 4>& q) const {
    Matrix<S, 1, 4> E;
    E << q(0) - q(2), q(1) - q(3), q(2) - q(0), q(3) - q(1);
    return E;
  }
  template <class S>
  Matrix<S, 2, 4> constraint(const Vector<S, 4>&) const {
    Matrix<S, 2, 4> W;
    W << S(1), S(0), S(0), S(0), S(0), S(0), S(1), S(0);
    return W;
  }
  std::vector<ContactPoint> contacts() const {
    return {{.name = "left", .first = 0, .friction = friction},
            {.name = "right", .first = 1, .friction = friction}};
  }
  template <class S>
  Vector<S, 2> gap(const Vector<S, 4>& q) const {
    return {q(1), q(3)};
  }
};

/// Painlevé's rod: thin, of half length 1, q = (x, y, θ), with the lower end
/// (x − cos θ, y − sin θ) on a floor.
struct RodOnFloor {
  static constexpr int nq = 3, n = 3, m = 1;
  double mass = 1.0, gravity = 9.81, friction = 0.5;

  template <class S>
  Matrix<S, 3, 3> mass_matrix(const Vector<S, 3>&) const {
    return Vector<S, 3>(S(mass), S(mass), S(mass / 3.0)).asDiagonal();
  }
  template <class S>
  Vector<S, 3> force(const Vector<S, 3>&, const Vector<S, 3>&) const {
    return {S(0), S(-mass * gravity), S(0)};
  }
  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return S(mass * gravity) * q(1);
  }
  template <class S>
  Matrix<S, 1, 3> constraint(const Vector<S, 3>& q) const {
    using std::sin;
    return {S(1), S(0), sin(q(2))};
  }
  std::vector<ContactPoint> contacts() const { return {{.name = "floor", .friction = friction}}; }
  template <class S>
  Vector<S, 1> gap(const Vector<S, 3>& q) const {
    using std::sin;
    return Vector<S, 1>(q(1) - sin(q(2)));
  }
};

}  // namespace rigidlimit::test
