// An epicyclic gear with three planets: redundant contacts.
#pragma once

#include <array>
#include <optional>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/systems/rolling/rippled_torque.hpp"

namespace rigidlimit {

/// q = (sun, carrier, planet 1, 2, 3): angles against space, counter-clockwise; v = q'. The pitch
/// circles (radii r_s, r_p, the ring's r_s + 2 r_p, the planets' centres at r_c = r_s + r_p) roll
/// on one another; a contact's stiffness is that of the mesh. The ring is fixed.
///
///   M = diag(J_s, J_c + 3 m_p r_c², J_p, J_p, J_p)
///   F = (τ(t), −τ_c, 0, 0, 0),   τ(t) = drive + ripple sin(ν t)
///   w_k   = r_c carrier' − r_p planet_k' − r_s sun'        at the sun, k = 1, 2, 3
///   w_3+k = r_c carrier' + r_p planet_k'                   at the ring
///
/// Six contacts on five velocities, and w_k + w_3+k = 2 r_c carrier' − r_s sun' for every k: rank
/// 4, one motion (carrier' = r_s sun'/(2 r_c), planet' = −r_s sun'/(2 r_p)), two internal forces.
/// In them one planet is pressed harder at both its meshes, others less: Σ a_k = 0 with Λ_k, Λ_3+k
/// ∝ a_k. Rigid rolling does not determine the load of each planet; the stiffness does
/// (docs/theory.md, section 6). The C-minimal Λ is, with δ = J_p planet''/r_p = Λ_k − Λ_3+k and the
/// load L = Σ Λ_k = (J_s sun'' − τ)/r_s,
///
///   Λ_k = (μ + δ/c_3+k)/(1/c_k + 1/c_3+k),   μ from Σ Λ_k = L.
///
/// Closed form, because M and G are constant. Its Λ shares the load equally, as for equal
/// stiffness.
struct EpicyclicGear {
  static constexpr int nq = 5, n = 5, m = 6;

  double sun_radius = 0.3;       ///< r_s, m
  double planet_radius = 0.2;    ///< r_p, m
  double sun_inertia = 0.05;     ///< J_s, kg m²
  double carrier_inertia = 0.1;  ///< J_c, kg m², without the planets
  double planet_mass = 0.5;      ///< m_p, kg
  double planet_inertia = 0.01;  ///< J_p, kg m²
  double drive_torque = 1.0;     ///< N m, on the sun
  double drive_ripple = 0.5;
  double ripple_frequency = 5.0;  ///< ν, rad/s
  double load_torque = 2.0;       ///< τ_c, N m, against the carrier

  static const SystemInfo& info();
  static std::array<Parameter<EpicyclicGear>, 10> parameters();
  InitialState start() const;

  double carrier_radius() const { return sun_radius + planet_radius; }
  RippledTorque drive() const { return {drive_torque, drive_ripple, ripple_frequency}; }

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    const double orbit = 3.0 * planet_mass * carrier_radius() * carrier_radius();
    Vector<S, n> diagonal;
    diagonal << S(sun_inertia), S(carrier_inertia + orbit), S(planet_inertia), S(planet_inertia),
        S(planet_inertia);
    return diagonal.asDiagonal();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&, const S& t) const {
    Vector<S, n> F = Vector<S, n>::Zero();
    F(0) = drive().at(t);
    F(1) = S(-load_torque);
    return F;
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    Matrix<S, m, n> G = Matrix<S, m, n>::Zero();
    for (int k = 0; k < 3; ++k) {
      G(k, 0) = S(-sun_radius);
      G(k, 1) = G(3 + k, 1) = S(carrier_radius());
      G(k, 2 + k) = S(-planet_radius);
      G(3 + k, 2 + k) = S(planet_radius);
    }
    return G;
  }

  /// The rigid motion, exact to round-off, with the load shared equally. Needs a consistent
  /// velocity.
  std::optional<Motion> closed_form(const InitialState& start,
                                    const std::vector<double>& times) const;
};

}  // namespace rigidlimit
