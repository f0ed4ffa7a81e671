// The integrals of a layer with constant coefficients.
#pragma once

#include <vector>

#include "rigidlimit/certify/decaying_norm.hpp"
#include "rigidlimit/certify/pair_tapes.hpp"

namespace rigidlimit {

/// Of the layer ε g' = J g, g = (g₁, g₂), at one state: with P₂ g = g₂ and Q_i the matrix of ½
/// (∂²R_i/∂w²)[g₁, g₁],
///
///   ∫ E g₂ = ε [M g],  M = E P₂ J⁻¹,     ∫ gᵀQ_i g = ε [gᵀH_i g],  JᵀH_i + H_i J = Q_i.
///
/// [·] is the difference between the ends of the interval. J = [−A D, −A C; 1, 0].
struct LayerIntegrals {
  /// J with the coupling of order ε, J + ε [A ∂Λ/∂w, 0; 0, 0], for all ε in a ball.
  LayerIntegrals(const PairTapes::Terms& at, const BallMatrix& C, const BallMatrix& D,
                 const Ball& epsilon);

  /// gᵀH h for each component (N).
  BallVector quadratic(const BallVector& g, const BallVector& h) const;

  /// The same with the moduli of M and H.
  LayerIntegrals magnitudes() const;

  BallMatrix bracket;                  ///< E, N × m
  BallMatrix sliding_squared;          ///< of PairTapes::Terms
  BallMatrix delassus, sliding_load;   ///< of PairTapes::Terms
  BallMatrix linear;                   ///< M, N × 2m
  std::vector<BallMatrix> quadratics;  ///< H_i, 2m × 2m
};

/// The second half of e^(J τ) g for all τ ≥ 0. Throws std::domain_error unless the norm is shown to
/// decay for all matrices in J.
BallVector range_of_layer(const BallMatrix& J, const BallVector& g, const DecayingNorm& norm);

/// [−A D, −A C; 1, 0].
BallMatrix layer_matrix(const BallMatrix& A, const BallMatrix& C, const BallMatrix& D);

/// Σ Q_jk g_j h_k of the tensor of PairTapes::Terms, for each component (N).
BallVector contracted(const BallMatrix& sliding_squared, const BallVector& g, const BallVector& h);

}  // namespace rigidlimit
