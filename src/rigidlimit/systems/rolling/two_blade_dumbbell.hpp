// A dumbbell on two knife edges: the negative control for long times.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// Two masses on a light bar of length L, a blade under each at a fixed angle to the bar.
/// q = (x, y, φ): centre of mass, x down the slope, and direction of the bar from the back to the
/// front mass; v = q'. The masses lie d₁ = m₂L/m ahead and d₂ = m₁L/m behind, m = m₁ + m₂:
///
///   M = diag(m, m, m₁m₂L²/m),   F = (m g sin α, 0, 0)
///   G v = (−sin(φ+α₁) x' + cos(φ+α₁) y' + d₁ cos α₁ φ',     lateral sliding of the front blade
///          −sin(φ+α₂) x' + cos(φ+α₂) y' − d₂ cos α₂ φ')     and of the back blade
///
/// Rolling leaves one motion k, in (forward speed, leftward speed, φ') of the centre of mass
///
///   k = (−L cos α₁ cos α₂,  −d₁ cos α₁ sin α₂ − d₂ sin α₁ cos α₂,  sin(α₂ − α₁)):
///
/// The bar turns about the fixed point where the normals of the blades meet. G has rank 2 unless
/// both blades are perpendicular to the bar. Closed form on a horizontal plane: uniform rotation, Λ
/// constant.
///
/// Long times on the plane. Viscous blades (λ = G v/δ) take the power λᵀGv = δ |Λ|² + O(δ²) out of
/// the energy ½ J_k ω², J_k the inertia about the fixed point and Λ = ω² Λ̂, so that
///
///   ω(t)² = ω0²/(1 + 2 κ ω0² δ t),   κ = |Λ̂|²/J_k:
///
/// At t = T/δ it has lost a share of its energy that does not depend on δ, while the rigid dumbbell
/// turns indefinitely. (The viscoelastic blade does not creep: Λ is constant.)
struct TwoBladeDumbbell {
  static constexpr int nq = 3, n = 3, m = 2;

  double front_mass = 1.0;   ///< m₁, kg
  double back_mass = 0.6;    ///< m₂, kg
  double length = 0.8;       ///< L, m
  double front_angle = 0.5;  ///< α₁, rad, from the bar to the blade
  double back_angle = -0.4;  ///< α₂, rad
  double slope = 0.0;        ///< α, rad
  double gravity = 9.81;     ///< g, m/s²

  static const SystemInfo& info();
  static std::array<Parameter<TwoBladeDumbbell>, 7> parameters();
  InitialState start() const;

  double mass() const { return front_mass + back_mass; }
  double front() const { return back_mass * length / mass(); }  ///< d₁, m
  double back() const { return front_mass * length / mass(); }  ///< d₂, m
  double inertia() const { return back_mass * back() * length; }
  double downhill() const { return gravity * std::sin(slope); }  ///< m/s²
  /// k: m, m, 1.
  Eigen::Vector3d rolling_motion() const;

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Vector<S, n>(S(mass()), S(mass()), S(inertia())).asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return {S(mass() * downhill()), S(0), S(0)};
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return -(mass() * downhill()) * q(0);
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    const S first = q(2) + front_angle, second = q(2) + back_angle;
    Matrix<S, m, n> G;
    G << -sin(first), cos(first), S(front() * cos(front_angle)),  //
        -sin(second), cos(second), S(-back() * cos(back_angle));
    return G;
  }

  /// u = k₁ · forward speed + k₂ · leftward speed + k₃ L² φ', in m²/s.
  template <class S>
  Matrix<S, n - m, n> quasi_velocities(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    const Eigen::Vector3d k = rolling_motion();
    const S c = cos(q(2)), s = sin(q(2));
    return Matrix<S, n - m, n>(k(0) * c - k(1) * s, k(0) * s + k(1) * c, S(k(2) * length * length));
  }

  /// The rigid motion on a horizontal plane, exact to round-off. Needs a consistent velocity.
  std::optional<Motion> closed_form(const InitialState& start,
                                    const std::vector<double>& times) const;
};

}  // namespace rigidlimit
