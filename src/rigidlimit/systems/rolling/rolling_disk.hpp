// A thin disc that rolls and tilts on a rough horizontal plane.
#pragma once

#include <array>
#include <cmath>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// q = (x, y, ψ, θ, φ): horizontal position of the centre, yaw of the heading, tilt from the
/// vertical (positive: the top leans to the right of the heading), spin about the axle; v = q'. The
/// height of the centre is r cos θ (the plane holds the disc: no normal sliding). With I = κ m r²
/// about the axle and I/2 about a diameter
///
///   K* = ½ m (x'² + y'² + r² sin²θ θ'²) + ½ (I/2) (θ'² + cos²θ ψ'²) + ½ I (φ' + sin θ ψ')²
///   P  = m g r cos θ
///   G v = ( cos ψ x' + sin ψ y' − r (φ' + sin θ ψ'),      sliding along the heading
///          −sin ψ x' + cos ψ y' + r cos θ θ' )            sliding to the left of it
///
/// Derivation: angular velocity ψ' e₃ + θ' e₁ + φ' n with heading e₁, axle n = cos θ e₂ + sin θ e₃
/// and the contact point at −r d below the centre, d = −sin θ e₂ + cos θ e₃. Conserved when
/// rolling: K* + P. No closed form.
struct RollingDisk {
  static constexpr int nq = 5, n = 5, m = 2;

  double mass = 1.0;         ///< m, kg
  double radius = 0.5;       ///< r, m
  double axial_ratio = 0.5;  ///< κ = I/(m r²): ½ homogeneous disc, 1 hoop
  double gravity = 9.81;     ///< g, m/s²

  static const SystemInfo& info();
  static std::array<Parameter<RollingDisk>, 4> parameters();

  /// Leans by 0.3 rad and rolls along a bend, with oscillating tilt.
  InitialState start() const;

  /// M and F follow from K* and P (docs/theory.md, section 7). They are written by hand, because
  /// deriving them for every right-hand side costs ten times as much. A test compares.
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    const S s = sin(q(3)), c = cos(q(3));
    Matrix<S, n, n> M = Matrix<S, n, n>::Zero();
    M(0, 0) = M(1, 1) = S(mass);
    M(2, 2) = diametral() * c * c + axial() * s * s;
    M(2, 4) = M(4, 2) = axial() * s;
    M(3, 3) = diametral() + mass * radius * radius * s * s;
    M(4, 4) = S(axial());
    return M;
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    using std::cos, std::sin;
    const S s = sin(q(3)), c = cos(q(3));
    const S gyroscopic = axial() * c;
    const S difference = (axial() - diametral()) * s * c;
    return {S(0), S(0),  //
            -v(3) * (2.0 * difference * v(2) + gyroscopic * v(4)),
            difference * v(2) * v(2) + gyroscopic * v(2) * v(4) +
                s * (mass * gravity * radius - mass * radius * radius * c * v(3) * v(3)),
            -gyroscopic * v(2) * v(3)};
  }

  template <class S>
  S kinetic_coenergy(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    using std::cos, std::sin;
    const S sin_tilt = sin(q(3)), cos_tilt = cos(q(3));
    const S sink = radius * sin_tilt * v(3);      // vertical speed of the centre
    const S about_axle = v(4) + sin_tilt * v(2);  // angular velocities
    const S about_radius = cos_tilt * v(2);
    return 0.5 * mass * (v(0) * v(0) + v(1) * v(1) + sink * sink) +
           0.5 * diametral() * (v(3) * v(3) + about_radius * about_radius) +
           0.5 * axial() * about_axle * about_axle;
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    using std::cos;
    return (mass * gravity * radius) * cos(q(3));
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    const S c = cos(q(2)), s = sin(q(2));
    Matrix<S, m, n> G;
    G << c, s, -radius * sin(q(3)), S(0), S(-radius),  //
        -s, c, S(0), radius * cos(q(3)), S(0);
    return G;
  }

  /// u = (ψ', θ', φ'): the rates of yaw, tilt and spin.
  template <class S>
  Matrix<S, n - m, n> quasi_velocities(const Vector<S, nq>&) const {
    Matrix<S, n - m, n> rows = Matrix<S, n - m, n>::Zero();
    rows(0, 2) = rows(1, 3) = rows(2, 4) = S(1);
    return rows;
  }

 private:
  double axial() const { return axial_ratio * mass * radius * radius; }  ///< I, kg m²
  double diametral() const { return 0.5 * axial(); }                     ///< I/2
};

}  // namespace rigidlimit
