// A thin disc that spins down on a table: Euler's disc.
#pragma once

#include <array>
#include <cmath>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"
#include "rigidlimit/systems/quaternion.hpp"

namespace rigidlimit {

/// q = (c, p0 … p3): centre and attitude; v = (c', Ω), Ω in the body's frame, whose third axis is
/// the disc's. R = R(p), γ = Rᵀe₃, ρ = √(γ1² + γ2²) = sin of the angle α between disc and table.
/// The lowest point of the rim is at −a, a = r (γ1, γ2, 0)/ρ, and it moves round the rim at the
/// rate ψ' = γ3 (γ1 Ω1 + γ2 Ω2)/ρ² − Ω3. The table holds the disc in contact:
///
///   M = diag(m, m, m, I),  I = κ m r² diag(½, ½, 1)
///   F = (0, 0, −m g, (IΩ) × Ω − b ψ' ∂ψ'/∂Ω)
///   g = z − r ρ,   W v = (c' + R (a × Ω))_xy
///
/// b is Leine's viscous contour friction. Rolling dissipates b ψ'², the only loss while the rim
/// does not slip. Steady turning at the rate Ω_p = √(2 g/(κ r sin α)) about a centre at rest has E
/// = (3/2) m g r sin α. As long as the motion passes through states of steady turning, α² falls at
/// the rate (8/3) b/(κ m r²) for small α, and reaches zero at
///
///   t_flat = (3/8) κ m r² α0²/b
///
/// while Ω_p grows without bound. There the equations end: γ/ρ is undefined, and every solver must
/// fail near it. (Coulomb's law and a table that does not pull describe the motion only until a
/// while before; the normal force shows this.)
struct SpinningDisk {
  static constexpr int nq = 7, n = 6, m = 2;

  double mass = 0.44;              ///< m, kg
  double radius = 0.0375;          ///< r, m
  double axial_ratio = 0.5;        ///< κ = I₃/(m r²): ½ homogeneous disc, 1 hoop
  double gravity = 9.81;           ///< g, m/s²
  double friction = 0.3;           ///< μ
  double contour_friction = 1e-5;  ///< b, N m s

  static const SystemInfo& info();
  static std::array<Parameter<SpinningDisk>, 5> parameters();
  static std::array<Parameter<SpinningDisk>, 1> contact_parameters();
  std::vector<ContactPoint> contacts() const;

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    const S M(mass), axial(axial_ratio * mass * radius * radius);
    return Vector<S, n>(M, M, M, 0.5 * axial, 0.5 * axial, axial).asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    const Vector<S, 3> Omega = v.template tail<3>();
    const double axial = axial_ratio * mass * radius * radius;
    const Vector<S, 3> momentum(0.5 * axial * Omega(0), 0.5 * axial * Omega(1), axial * Omega(2));
    const Vector<S, 3> contour = contour_row(q);
    const S rate = contour.dot(Omega);
    Vector<S, n> F;
    F << S(0), S(0), S(-mass * gravity),
        momentum.cross(Omega) - (contour_friction * rate) * contour;
    return F;
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return (mass * gravity) * q(2);
  }

  template <class S>
  Matrix<S, nq, n> velocity_map(const Vector<S, nq>& q) const {
    Matrix<S, nq, n> T = Matrix<S, nq, n>::Zero();
    T(0, 0) = T(1, 1) = T(2, 2) = S(1);
    T.template bottomRightCorner<4, 3>() = quaternion_rates<S>(q.template tail<4>());
    return T;
  }

  /// |p|² − 1.
  template <class S>
  Vector<S, 1> invariants(const Vector<S, nq>& q) const {
    return Vector<S, 1>(S(q.template tail<4>().squaredNorm() - S(1)));
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    const Matrix<S, 3, 3> R = rotation<S>(q.template tail<4>());
    const S rho = tilt_sine(R);
    const Vector<S, 3> arm(radius * R(2, 0) / rho, radius * R(2, 1) / rho, S(0));
    const Matrix<S, 3, 3> turning = R * cross_matrix(arm);
    Matrix<S, m, n> W = Matrix<S, m, n>::Zero();
    W(0, 0) = W(1, 1) = S(1);
    W.template rightCols<3>() = turning.template topRows<2>();
    return W;
  }

  template <class S>
  Vector<S, 1> gap(const Vector<S, nq>& q) const {
    return Vector<S, 1>(S(q(2) - radius * tilt_sine<S>(rotation<S>(q.template tail<4>()))));
  }

  /// ∂ψ'/∂Ω (3).
  template <class S>
  Vector<S, 3> contour_row(const Vector<S, nq>& q) const {
    const Matrix<S, 3, 3> R = rotation<S>(q.template tail<4>());
    const S rho = tilt_sine(R), steep = R(2, 2) / (rho * rho);
    return {steep * R(2, 0), steep * R(2, 1), S(-1)};
  }

  /// Turning steadily, tilted by 0.3 rad.
  InitialState start() const;

  /// Turning steadily about a centre at rest, tilted by `tilt` in (0, π/2).
  InitialState steady_start(double tilt) const;

 private:
  /// ρ of R(p) as a rotation, also if p is not exactly a unit quaternion.
  template <class S>
  static S tilt_sine(const Matrix<S, 3, 3>& R) {
    using std::sqrt;
    return sqrt(R(2, 0) * R(2, 0) + R(2, 1) * R(2, 1));
  }
};

}  // namespace rigidlimit
