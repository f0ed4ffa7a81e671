// Small mechanical systems that use every form of a MechanicalSystem.
#pragma once

#include <cmath>

#include "rigidlimit/mechanics/equations_of.hpp"

namespace rigidlimit::test {

/// The nonholonomic particle y' = z x' under a constant force: n = nq = 3, m = 1.
/// By hand: A = (1 + z²)/mass, Λ = (F_y − z F_x − mass z' x')/(1 + z²).
struct NonholonomicParticle {
  static constexpr int nq = 3, n = 3, m = 1;
  double mass = 2.0;
  Eigen::Vector3d pull{0.3, -0.2, 0.5};

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Vector<S, n>::Constant(S(mass)).asDiagonal();
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return {S(pull(0)), S(pull(1)), S(pull(2))};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    return Matrix<S, m, n>(-q(2), S(1), S(0));
  }
};

/// A pendulum (angle from the downward vertical) under a cart with the force drive · sin 2t and a
/// viscous hinge: every term of the Lagrangian interface. q = (x, angle). The artificial constraint
/// makes M, F, G and t all matter.
///   K* = ½ (M_c + m_p) x'² + m_p l x' θ' cos θ + ½ m_p l² θ'²,  P = −m_p g l cos θ,  R = ½ b θ'²
struct DrivenPendulum {
  static constexpr int nq = 2, n = 2, m = 1;
  double cart = 1.5, bob = 0.8, length = 0.7, gravity = 9.81, hinge = 0.3, drive = 2.0;

  template <class S>
  S kinetic_coenergy(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    using std::cos;
    return 0.5 * (cart + bob) * v(0) * v(0) + (bob * length) * cos(q(1)) * v(0) * v(1) +
           (0.5 * bob * length * length) * v(1) * v(1);
  }
  template <class S>
  S potential(const Vector<S, nq>& q) const {
    using std::cos;
    return -(bob * gravity * length) * cos(q(1));
  }
  template <class S>
  S dissipation(const Vector<S, n>& v) const {
    return (0.5 * hinge) * v(1) * v(1);
  }
  template <class S>
  Vector<S, n> applied_force(const Vector<S, nq>&, const Vector<S, n>&, const S& t) const {
    using std::sin;
    return {S(drive * sin(2.0 * t)), S(0)};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos;
    return Matrix<S, m, n>(S(1) + 0.3 * q(0), length * cos(q(1)));
  }

  Eigen::Matrix2d mass_matrix_by_hand(const Eigen::Vector2d& q) const {
    const double off = bob * length * std::cos(q(1));
    Eigen::Matrix2d M;
    M << cart + bob, off, off, bob * length * length;
    return M;
  }
  Eigen::Vector2d force_by_hand(const Eigen::Vector2d& q, const Eigen::Vector2d& v,
                                double t) const {
    return {drive * std::sin(2.0 * t) + bob * length * std::sin(q(1)) * v(1) * v(1),
            -bob * gravity * length * std::sin(q(1)) - hinge * v(1)};
  }
};

/// An artificial skate with a unit vector (c, s) as heading and body-fixed velocities (u, w, ω):
/// nq = 4, n = 3, m = 1, T ≠ I and not square. All functions depend on all variables, including t.
/// M is positive definite for |q_i| ≤ 1.
struct BodyFrameSkate {
  static constexpr int nq = 4, n = 3, m = 1;
  double mass = 2.0, inertia = 1.0;
  double mass_variation = 1.0;  ///< 0: M is constant

  template <class S>
  Matrix<S, nq, n> velocity_map(const Vector<S, nq>& q) const {
    const S c = q(2), s = q(3);
    Matrix<S, nq, n> T;
    T << c, -s, S(0), s, c, S(0), S(0), S(0), -s, S(0), S(0), c;
    return T;
  }
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>& q) const {
    const S a = mass_variation * 0.2 * q(3);
    const S b = mass_variation * 0.3 * q(0);
    Matrix<S, n, n> M;
    M << mass * (1.0 + mass_variation * 0.3 * q(2) * q(2)), a, S(0.1),  //
        a, S(mass), b,                                                  //
        S(0.1), b, inertia + mass_variation * 0.2 * q(1) * q(1);
    return M;
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>& q, const Vector<S, n>& v, const S& t) const {
    using std::sin;
    return {sin(2.0 * t) + v(2) * v(1), 0.5 * q(0) * t - v(2) * v(0), q(2) * v(0) - 0.3 * v(2)};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    return Matrix<S, m, n>(0.1 * q(3), S(1), 0.3 + 0.2 * q(2) + 0.1 * q(1) * q(0));
  }
};

/// An artificial autonomous system with three coordinates and two contacts, from a Lagrangian with
/// a coupled, q-dependent K* (positive definite for |q_i| ≤ 1) and a damper.
struct TwoContacts {
  static constexpr int nq = 3, n = 3, m = 2;

  template <class S>
  S kinetic_coenergy(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    using std::cos, std::sin;
    const S sine = sin(q(1)), coupling = 0.3 * v(0) + 0.2 * q(0) * v(2);
    return 0.5 * ((1.0 + 0.5 * sine * sine) * v(0) * v(0) + (2.0 + cos(q(0))) * v(1) * v(1) +
                  (1.0 + q(2) * q(2)) * v(2) * v(2)) +
           cos(q(2)) * v(1) * coupling;
  }
  template <class S>
  S potential(const Vector<S, nq>& q) const {
    using std::cos;
    return 0.5 * q(0) * q(0) + cos(q(1) * q(2)) + 0.1 * q(2) * q(2) * q(2);
  }
  template <class S>
  S dissipation(const Vector<S, n>& v) const {
    return 0.15 * (v(0) * v(0) + v(2) * v(2)) + 0.1 * v(0) * v(1);
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    Matrix<S, m, n> G;
    G << S(1), sin(q(1)), q(2), q(2), S(1), -cos(q(0));
    return G;
  }
};

static_assert(MechanicalSystem<NonholonomicParticle> && !HasLagrangian<NonholonomicParticle>);
static_assert(MechanicalSystem<DrivenPendulum> && !HasGivenMatrices<DrivenPendulum>);
static_assert(MechanicalSystem<BodyFrameSkate> && HasVelocityMap<BodyFrameSkate>);
static_assert(MechanicalSystem<TwoContacts> && HasLagrangian<TwoContacts>);
static_assert(HasTimeDependentForce<DrivenPendulum> && HasTimeDependentForce<BodyFrameSkate>);
static_assert(!HasTimeDependentForce<NonholonomicParticle> && !HasTimeDependentForce<TwoContacts>);

}  // namespace rigidlimit::test

namespace rigidlimit {

// Instantiated once, in support/model_systems.cpp: it is most of a test's compilation time.
extern template System make_system(const test::NonholonomicParticle&);
extern template System make_system(const test::DrivenPendulum&);
extern template System make_system(const test::BodyFrameSkate&);
extern template System make_system(const test::TwoContacts&);

}  // namespace rigidlimit
