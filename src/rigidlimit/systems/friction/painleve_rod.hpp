// A rod whose tip slides on a rough floor: Painlevé's example.
#pragma once

#include <array>
#include <cmath>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"
#include "rigidlimit/systems/friction/planar_body.hpp"

namespace rigidlimit {

/// q = (x, z, θ): centre of the rod, half as long as 2 l, z upwards, θ its angle from x to z; the
/// tip at (x − l cos θ, z − l sin θ) touches the floor; v = q', J = κ m l²:
///
///   M = diag(m, m, J),   F = (0, −m g, 0)
///   g = z − l sin θ,   W v = x' + l sin θ θ'
///
/// While the tip slides, σ = sign w, the floor's reaction p obeys g'' = B + A p with
///
///   B = l sin θ θ'² − g,   m A = 1 + cos²θ/κ + σ μ sin θ cos θ/κ
///
/// σ = −1 and μ > (κ tan θ + (1 + κ) cot θ) make A < 0, for the homogeneous rod (κ = ⅓) first at
/// μ = 4/3, tan θ = 2. Then
///
///   B < 0:   no p ≥ 0 prevents penetration of the tip: no solution without an impact
///   B > 0:   p = 0 (the tip takes off) and p = −B/A > 0 (it stays) both obey all laws
///
/// The third possibility is an immediate impulse without approach (a jam).
struct PainleveRod {
  static constexpr int nq = 3, n = 3, m = 1;

  double mass = 1.0;                 ///< m, kg
  double half_length = 0.5;          ///< l, m
  double inertia_ratio = 1.0 / 3.0;  ///< κ = J/(m l²): ⅓ homogeneous rod
  double gravity = 9.81;             ///< g, m/s²
  double friction = 1.8;             ///< μ
  double restitution = 0.0;          ///< e

  static const SystemInfo& info();
  static std::array<Parameter<PainleveRod>, 4> parameters();
  static std::array<Parameter<PainleveRod>, 2> contact_parameters();
  std::vector<ContactPoint> contacts() const;

  /// The body without contacts.
  PlanarBody body() const {
    return {mass, inertia_ratio * mass * half_length * half_length, gravity};
  }

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return body().mass_matrix<S>();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return body().force<S>();
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return body().potential(q);
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::sin;
    return Matrix<S, m, n>(S(1), S(0), half_length * sin(q(2)));
  }

  template <class S>
  Vector<S, 1> gap(const Vector<S, nq>& q) const {
    using std::sin;
    return Vector<S, 1>(S(q(1) - half_length * sin(q(2))));
  }

  /// The tip slides to the left at 1 m/s, at θ = 0.5, where the solution is unique.
  InitialState start() const;

  /// The tip on the floor and sliding at `sliding`, without vertical velocity.
  InitialState sliding_start(double angle, double sliding, double angle_rate) const;

  /// A and B above: of g'' = B + A p while the tip slides in the direction σ = ±1.
  double normal_ease(double angle, double direction) const;
  double normal_drift(double angle, double angle_rate) const;
};

}  // namespace rigidlimit
