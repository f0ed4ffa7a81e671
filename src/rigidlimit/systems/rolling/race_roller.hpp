// A roller between two coaxial races: the planar roller bearing.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/systems/rolling/rippled_torque.hpp"

namespace rigidlimit {

/// q = (α, β, σ, γ): angles of the inner race (radius R), of the line from the axis to the roller's
/// centre (at R + r), of the roller (radius r) and of the outer race (radius R + 2r), all against
/// space and counter-clockwise; v = q'.
///
///   M = diag(J_i, m (R + r)², J_r, J_o)
///   F = (τ(t), −m g (R + r) cos β, 0, −τ_o),   τ(t) = drive + ripple sin(ν t)
///   G v = ((R + r) β' − r σ' − R α',                sliding of the roller on the inner race
///          (R + r) β' + r σ' − (R + 2r) γ')         and on the outer one
///
/// Epicyclic kinematics of rolling: 2 (R + r) β' = R α' + (R + 2r) γ', 2 r σ' = (R + 2r) γ' − R α'.
/// Closed form without gravity (vertical axis): M and G are constant. With gravity β oscillates or
/// rotates. The normal forces do no work and are not modelled.
struct RaceRoller {
  static constexpr int nq = 4, n = 4, m = 2;

  double inner_radius = 0.2;      ///< R, m
  double roller_radius = 0.05;    ///< r, m
  double roller_mass = 0.4;       ///< m, kg
  double roller_inertia = 5e-4;   ///< J_r, kg m², about its own axis
  double inner_inertia = 0.02;    ///< J_i, kg m²
  double outer_inertia = 0.05;    ///< J_o, kg m²; a held ring is the limit of a large one
  double drive_torque = 0.4;      ///< N m, on the inner race
  double drive_ripple = 0.3;      ///< N m
  double ripple_frequency = 5.0;  ///< ν, rad/s
  double load_torque = 0.2;       ///< τ_o, N m, against the outer race
  double gravity = 0.0;           ///< g, m/s²; 9.81 for a horizontal axis

  static const SystemInfo& info();
  static std::array<Parameter<RaceRoller>, 11> parameters();
  InitialState start() const;

  double orbit_radius() const { return inner_radius + roller_radius; }
  double outer_radius() const { return inner_radius + 2.0 * roller_radius; }
  RippledTorque drive() const { return {drive_torque, drive_ripple, ripple_frequency}; }

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    const Vector<S, n> diagonal(S(inner_inertia), S(roller_mass * orbit_radius() * orbit_radius()),
                                S(roller_inertia), S(outer_inertia));
    return diagonal.asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>& q, const Vector<S, n>&, const S& t) const {
    using std::cos;
    return {drive().at(t), -(roller_mass * gravity * orbit_radius()) * cos(q(1)), S(0),
            S(-load_torque)};
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    using std::sin;
    return (roller_mass * gravity * orbit_radius()) * sin(q(1));
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    Matrix<S, m, n> G;
    G << S(-inner_radius), S(orbit_radius()), S(-roller_radius), S(0),  //
        S(0), S(orbit_radius()), S(roller_radius), S(-outer_radius());
    return G;
  }

  /// u = (α', γ'): the turning rates of the races.
  template <class S>
  Matrix<S, n - m, n> quasi_velocities(const Vector<S, nq>&) const {
    Matrix<S, n - m, n> rows = Matrix<S, n - m, n>::Zero();
    rows(0, 0) = rows(1, 3) = S(1);
    return rows;
  }

  /// The rigid motion without gravity, exact to round-off. Needs a consistent velocity.
  std::optional<Motion> closed_form(const InitialState& start,
                                    const std::vector<double>& times) const;
};

}  // namespace rigidlimit
