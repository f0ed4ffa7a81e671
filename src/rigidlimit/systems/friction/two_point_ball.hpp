// A ball in a V-groove that slips or rolls on each wall.
#pragma once

#include <array>
#include <cmath>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// The body with two contact points of Antali and Stepan (2021), as a ball between the walls of an
/// inclined groove. Axes: x down the groove, z normal to it in its plane of symmetry, y to the left
/// (looking down). q = (x, y, z), the centre relative to contact with both walls; v = (q', ω), ω
/// along the axes. The attitude of a homogeneous ball does not matter. The contacts are at ρ = r
/// (0, ±sin γ, −cos γ) from the centre, left and right; with J = κ m r², a couple τ = τ0 + τ1 t
/// about the groove's direction,
///
///   M = diag(m, m, m, J, J, J),   F = (m g sin α, 0, −m g cos α, τ, 0, 0)
///   g = (−y sin γ + z cos γ,  y sin γ + z cos γ)
///   W v, for each contact the two components of q' + ω × ρ,
///         along the groove    x' − r cos γ ω_y ∓ r sin γ ω_z
///         across              y' cos γ ± z' sin γ + r ω_x       up the left, down the right wall
///
/// The modes S (slipping) and R (rolling) of left and right are SS, SR, RS, RR. With both rolling,
/// the four rows and the two normals have rank 5. Friction across the groove, up one wall and down
/// the other with opposite signs, wedges the ball and changes the normal forces. The rigid laws
/// leave this internal force undetermined; springs determine it.
///
/// Without couple, RR without internal force requires (docs/theory.md, section 10)
///
///   μ ≥ cos γ tan α (1 − 1/(1 + κ/cos²γ)),
///
/// λ along the groove ½ m (g sin α − x''), x'' = g sin α/(1 + κ/cos²γ), p = m g cos α/(2 cos γ).
///
/// `holding`: Normal::bilateral keeps both contacts (the paper's assumption); Normal::unilateral
/// lets the ball leave a wall.
template <Normal holding>
struct TwoPointBallOf {
  static constexpr int nq = 3, n = 6, m = 4;

  double mass = 1.0;            ///< m, kg
  double radius = 0.1;          ///< r, m
  double inertia_ratio = 0.4;   ///< κ = J/(m r²): 2/5 homogeneous ball, 2/3 hollow sphere
  double half_angle = 0.7;      ///< γ, rad: of the contact normals from the plane of symmetry
  double slope = 0.3;           ///< α, rad
  double gravity = 9.81;        ///< g, m/s²
  double friction_left = 0.3;   ///< μ of the left contact
  double friction_right = 0.3;  ///< μ of the right contact
  double couple = 0.0;          ///< τ0, N m
  double couple_rate = 0.0;     ///< τ1, N m/s

  static const SystemInfo& info();
  static std::array<Parameter<TwoPointBallOf>, 8> parameters();
  static std::array<Parameter<TwoPointBallOf>, 2> contact_parameters();
  std::vector<ContactPoint> contacts() const;

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    const S M(mass), J(inertia_ratio * mass * radius * radius);
    return Vector<S, n>(M, M, M, J, J, J).asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&, const S& t) const {
    const double weight = mass * gravity;
    Vector<S, n> F = Vector<S, n>::Zero();
    F(0) = S(weight * std::sin(slope));
    F(2) = S(-weight * std::cos(slope));
    F(3) = couple + couple_rate * t;
    return F;
  }

  template <class S>
  Matrix<S, nq, n> velocity_map(const Vector<S, nq>&) const {
    return Matrix<S, nq, n>::Identity();
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    const S c(std::cos(half_angle)), s(std::sin(half_angle)), r(radius), O(0), I(1);
    Matrix<S, m, n> W;
    W << I, O, O, O, -r * c, -r * s,  //
        O, c, s, r, O, O,             //
        I, O, O, O, -r * c, r * s,    //
        O, c, -s, r, O, O;
    return W;
  }

  template <class S>
  Vector<S, 2> gap(const Vector<S, nq>& q) const {
    const double c = std::cos(half_angle), s = std::sin(half_angle);
    return {c * q(2) - s * q(1), c * q(2) + s * q(1)};
  }

  /// At rest on both walls.
  InitialState start() const;
};

using TwoPointBall = TwoPointBallOf<Normal::bilateral>;
using TwoPointBallUnilateral = TwoPointBallOf<Normal::unilateral>;

}  // namespace rigidlimit
