// The rigid dynamics at one instant: the KKT system and what follows from it.
#pragma once

#include "rigidlimit/mechanics/system.hpp"

namespace rigidlimit {

/// [M Gᵀ; G 0] at q, (n + m) × (n + m).
template <class S, MechanicalSystem Sys>
Matrix<S, Sys::n + Sys::m, Sys::n + Sys::m> kkt_matrix(const Sys& sys,
                                                       const Vector<S, Sys::nq>& q) {
  constexpr int n = Sys::n;
  constexpr int m = Sys::m;
  const Matrix<S, m, n> G = constraint(sys, q);
  Matrix<S, n + m, n + m> kkt = Matrix<S, n + m, n + m>::Zero();
  kkt.template topLeftCorner<n, n>() = mass_matrix(sys, q);
  kkt.template topRightCorner<n, m>() = G.transpose();
  kkt.template bottomLeftCorner<m, n>() = G;
  return kkt;
}

/// v' (n) and Λ (m) of rigid rolling at one instant.
template <class S, class Sys>
struct KktSolution {
  Vector<S, Sys::n> acceleration;
  Vector<S, Sys::m> multiplier;
};

/// Solves the KKT system (theory.md, section 1)
///
///   [ M  Gᵀ ] [ v' ]   [ F             ]
///   [ G  0  ] [ Λ  ] = [ −(∂q G[Tv]) v ]
///
/// by LU of the whole matrix: it needs M positive definite on ker G only. Non-finite results mean
/// a singular system (dependent rows of G).
template <MechanicalSystem Sys, class S>
KktSolution<S, Sys> solve_kkt(const Sys& sys, const Vector<S, Sys::nq>& q,
                              const Vector<S, Sys::n>& v, const S& t) {
  constexpr int n = Sys::n;
  constexpr int m = Sys::m;
  Vector<S, n + m> right;
  right << force(sys, q, v, t), -constraint_drift(sys, q, v);
  const Vector<S, n + m> x = kkt_matrix<S>(sys, q).partialPivLu().solve(right);
  return {x.template head<n>(), x.template tail<m>()};
}

/// A = G M⁻¹ Gᵀ (m × m), the Delassus matrix: the inverse effective mass of the contacts, 1/kg for
/// translational sliding.
template <MechanicalSystem Sys, class S>
Matrix<S, Sys::m, Sys::m> delassus(const Sys& sys, const Vector<S, Sys::nq>& q) {
  const Matrix<S, Sys::m, Sys::n> G = constraint(sys, q);
  const Matrix<S, Sys::n, Sys::n> M = mass_matrix(sys, q);
  const Matrix<S, Sys::n, Sys::m> inverse = M.ldlt().solve(G.transpose());
  Matrix<S, Sys::m, Sys::m> A;
  A.noalias() = G * inverse;
  return S(0.5) * (A + A.transpose());
}

/// The M-orthogonal projection of v onto ker G: v − M⁻¹Gᵀ A⁻¹ G v, the velocity after the impulse
/// that stops the sliding.
template <MechanicalSystem Sys, class S>
Vector<S, Sys::n> projected_velocity(const Sys& sys, const Vector<S, Sys::nq>& q,
                                     const Vector<S, Sys::n>& v) {
  const Matrix<S, Sys::m, Sys::n> G = constraint(sys, q);
  const Matrix<S, Sys::n, Sys::n> M = mass_matrix(sys, q);
  const Vector<S, Sys::m> sliding = sliding_velocity(G, v);
  const Vector<S, Sys::m> impulse = delassus(sys, q).ldlt().solve(sliding);
  const Vector<S, Sys::n> momentum = G.transpose() * impulse;
  return v - M.ldlt().solve(momentum);
}

}  // namespace rigidlimit
