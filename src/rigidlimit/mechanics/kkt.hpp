// The KKT system of the rigid dynamics at one instant, and derived quantities.
#pragma once

#include "rigidlimit/mechanics/contact_basis.hpp"

namespace rigidlimit {

/// [M Eᵀ G_Iᵀ; E 0 0; G_I 0 0] at q, (n + ne + r) × (n + ne + r); T double or Quad.
template <class T>
MatrixX<T> kkt_matrix(const System& system, const ContactBasis& basis, VectorInOf<T> q);

/// v' (n), κ of the exact rows (ne) and Λ (m) of rigid rolling at one instant.
template <class T>
struct KktSolution {
  VectorX<T> acceleration;
  VectorX<T> exact_multiplier;
  VectorX<T> multiplier;
};

/// Solves the KKT system (docs/theory.md, section 1)
///
///   [ M    Eᵀ  G_Iᵀ ] [ v' ]   [ F                     ]
///   [ E    0   0    ] [ κ  ] = [ −(∂q E[Tv]) v − γ (E v − e) ]
///   [ G_I  0   0    ] [ Λ_I ]  [ −(∂q G_I[Tv]) v       ]
///
/// by LU of the whole matrix: M must be positive definite on ker [E; G] only. Λ is zero on the
/// dependent rows: selected_multiplier() distributes it. γ = 10/s damps the drift of a solver from
/// E v = 0; the term vanishes there. T double or Quad.
template <class T>
KktSolution<T> solve_kkt(const System& system, const ContactBasis& basis, VectorInOf<T> q,
                         VectorInOf<T> v, const T& t);

/// Recovery rate γ in 1/s towards E v = 0 where the constraint is differentiated.
inline constexpr double exact_constraint_recovery = 10.0;

/// M⁻¹ Gᵀ (n × m), with E M⁻¹ = 0: the velocity change by unit contact impulses.
MatrixXd velocity_of_impulse(const System& system, const VectorXd& q);

/// A = G M⁻¹ Gᵀ (m × m), the Delassus matrix: the inverse effective mass of the contacts, 1/kg for
/// translational sliding. Singular where contacts are redundant.
MatrixXd delassus(const System& system, const VectorXd& q);

/// w = G v (m).
VectorXd sliding_velocity(const System& system, const InitialState& state);
/// E v − e (ne).
VectorXd exact_velocity(const System& system, const InitialState& state);

/// The M-orthogonal projection of v onto E v = e, G v = 0: the velocity after the impulse that
/// stops sliding. T double or Quad.
template <class T>
VectorX<T> projected_velocity(const System& system, const ContactBasis& basis, VectorInOf<T> q,
                              VectorInOf<T> v);

/// K* = ½ vᵀMv in joule.
double kinetic_energy(const System& system, const VectorXd& q, const VectorXd& v);
/// K* + P in joule.
double mechanical_energy(const System& system, const VectorXd& q, const VectorXd& v);

/// Power of all forces without potential, in watt: d(K* + P)/dt of a motion with Eᵀκ, Gᵀλ = 0,
///
///   vᵀF + ½ vᵀ(∂q M[Tv]) v + ∂q P [Tv].
double non_conservative_power(const System& system, const VectorXd& q, const VectorXd& v, double t);
/// The sum of the absolute values of its terms: a power of 1e-15 of it is rounding.
double size_of_power(const System& system, const VectorXd& q, const VectorXd& v, double t);

}  // namespace rigidlimit
