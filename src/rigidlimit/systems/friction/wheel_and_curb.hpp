// A wheel that falls towards a wall, a step and a floor.
#pragma once

#include <array>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// q = (x, y, φ): centre of the wheel, x away from the wall, y upwards, φ anticlockwise (from x to
/// y). The obstacles are the wall x < 0, the floor y < 0, and a step of height h < r whose upper
/// edge, the curb, is at x = l1:
///
///   M = diag(m, m, J),   F = (0, −m g, 0)
///   g = (x − r,  d − r,  y − r),   d = y − h for x ≤ l1, else hypot(x − l1, y − h)
///   W:   wall   −y' + r φ'
///        curb   n_y x' − n_x y' + r φ'      n = (∂d/∂x, ∂d/∂y): (0, 1) on the step
///        floor  x' + r φ'
///
/// W v is the velocity of the wheel's material point at the contact along the boundary, to the
/// right of its normal. g of the curb is once continuously differentiable; its curvature jumps at x
/// = l1, where the wheel begins to turn about the edge: a kink. d is the distance to the step as
/// long as the centre is above it, y ≥ h, which the floor ensures.
///
/// Grzesikiewicz and Zbiciak (2020) describe the same boundary by y = Φ(x), equations 3 and 4.
/// Their normal and tangent G, H on the edge, (−f', 1, 0) and (1, f', r), are not unit vectors.
/// This does not change the normal force G λ. But H v is not the sliding velocity of the material
/// point where the wheel turns, and μ |G| H λ exceeds the friction by |G|. Here H is scaled to a
/// unit tangent with the arm r. On the wall, the step and the floor both agree.
struct WheelAndCurb {
  static constexpr int nq = 3, n = 3, m = 3;

  double mass = 10.0;        ///< m, kg
  double inertia = 0.05;     ///< J, kg m²
  double radius = 0.1;       ///< r, m
  double height = 0.05;      ///< h, m; below r
  double edge = 0.4;         ///< l1, m: of the step, from the wall; the paper's l − r
  double gravity = 9.81;     ///< g, m/s²
  double friction = 0.4;     ///< μ of all contacts
  double restitution = 0.0;  ///< e of all contacts, the paper's β

  static const SystemInfo& info();
  static std::array<Parameter<WheelAndCurb>, 6> parameters();
  static std::array<Parameter<WheelAndCurb>, 2> contact_parameters();
  std::vector<ContactPoint> contacts() const;

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Vector<S, n>(S(mass), S(mass), S(inertia)).asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return {S(0), S(-mass * gravity), S(0)};
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return (mass * gravity) * q(1);
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    const auto [nx, ny, d] = from_curb(q);
    Matrix<S, m, n> W;
    W << S(0), S(-1), S(radius),  //
        ny, -nx, S(radius),       //
        S(1), S(0), S(radius);
    return W;
  }

  template <class S>
  Vector<S, 3> gap(const Vector<S, nq>& q) const {
    return {q(0) - radius, from_curb(q).distance - radius, q(1) - radius};
  }

  template <class S>
  Vector<S, 1> kinks(const Vector<S, nq>& q) const {
    return Vector<S, 1>(S(q(0) - edge));
  }

  /// The paper's start at (0.8, 0.2), towards the step and down.
  InitialState start() const;

 private:
  template <class S>
  struct Nearest {
    S nx, ny, distance;
  };

  /// From the nearest point of the step to the centre: direction and length.
  template <class S>
  Nearest<S> from_curb(const Vector<S, nq>& q) const {
    using std::sqrt;
    const S dx = q(0) - edge, dy = q(1) - height;
    const auto on_step = dx <= S(0);
    const S d = sqrt(dx * dx + dy * dy);
    return {select(on_step, S(0), S(dx / d)), select(on_step, S(1), S(dy / d)),
            select(on_step, dy, d)};
  }
};

}  // namespace rigidlimit
