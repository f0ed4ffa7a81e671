// A ball that rolls down a V-groove, on both walls.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// Axes: x down the groove, z normal to it in its plane of symmetry, y to the left (looking down).
/// The ball touches the left and the right wall at ρ = r (0, ±sin γ, −cos γ) from its centre; the
/// normal forces hold it there. v = (s', ω) with the speed of the centre and the angular velocity
/// along the axes; q = (s, ψ) with ψ' = ω. ψ is not an orientation (rotations do not add up), but
/// the equations do not depend on the orientation of a homogeneous ball. With J = κ m r², a drag b
/// on the centre and a couple τ about the groove's direction
///
///   M = diag(m, J, J, J),   F = (m g sin α − b s', τ, 0, 0)
///   G v:  s' − r cos γ ω_y − r sin γ ω_z      left, along the groove
///         r ω_x                               left, across: up the left wall, (0, cos γ, sin γ)
///         s' − r cos γ ω_y + r sin γ ω_z      right, along
///         r ω_x                               right, across: down the right wall
///
/// These are the four components of s' e_x + ω × ρ. Their rank is 3: Gᵀ (0, 1, 0, −1) = 0, forces
/// across the groove that wedge the ball between the walls. The rigid motion does not determine how
/// the walls share Λ₂ + Λ₄ = τ/r; springs share it in the ratio of their stiffnesses
/// (docs/theory.md, section 6).
///
/// Rolling: ω = (0, s'/(r cos γ), 0), (1 + κ/cos²γ) m s'' = m g sin α − b s'. docs/theory.md,
/// section 8, has b = τ = 0 and κ = 2/5: Λ is constant, as for the wheel
/// (systems/friction/wheel.hpp).
struct VGrooveBall {
  static constexpr int nq = 4, n = 4, m = 4;

  double mass = 1.0;           ///< m, kg
  double radius = 0.1;         ///< r, m
  double inertia_ratio = 0.4;  ///< κ = J/(m r²): 2/5 homogeneous ball, 2/3 hollow sphere
  double half_angle = 0.7;     ///< γ, rad: of the contact normals from the plane of symmetry
  double slope = 0.3;          ///< α, rad
  double gravity = 9.81;       ///< g, m/s²
  double drag = 3.0;           ///< b, N s/m
  double couple = 0.1;         ///< τ, N m

  static const SystemInfo& info();
  static std::array<Parameter<VGrooveBall>, 8> parameters();

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    const S J(inertia());
    return Vector<S, n>(S(mass), J, J, J).asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>& v) const {
    return {S(mass * downhill()) - drag * v(0), S(couple), S(0), S(0)};
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    const S lever_y(radius * std::cos(half_angle)), lever_z(radius * std::sin(half_angle));
    Matrix<S, m, n> G;
    G << S(1), S(0), -lever_y, -lever_z,  //
        S(0), S(radius), S(0), S(0),      //
        S(1), S(0), -lever_y, lever_z,    //
        S(0), S(radius), S(0), S(0);
    return G;
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return -(mass * downhill()) * q(0) - couple * q(1);
  }

  /// Rolls down the groove at s' = 0.2 m/s.
  InitialState start() const;

  /// The rigid motion, exact to round-off, with Λ₂ = Λ₄. Needs a consistent velocity.
  std::optional<Motion> closed_form(const InitialState& start,
                                    const std::vector<double>& times) const;

  double inertia() const;   ///< J, kg m²
  double downhill() const;  ///< g sin α, m/s²
};

}  // namespace rigidlimit
