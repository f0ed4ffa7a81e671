// A norm in which the layer decays, with proof.
#pragma once

#include "rigidlimit/certify/ball.hpp"

namespace rigidlimit {

/// |g|_V = |V⁻¹ g|₂. A solution of g' = J g + k obeys |g|_V' ≤ −κ |g|_V + |k|_V wherever the
/// symmetric part of V⁻¹ J V is at most −κ, its logarithmic norm (Dahlquist, Lozinskii).
class DecayingNorm {
 public:
  /// V of the quadratic form P with J'ᵀP + P J' = −Q, J' = J + 0.7 ν, −ν the largest real part of
  /// the eigenvalues: the form decays with 0.7 ν at least, also near multiple eigenvalues, where
  /// eigenvectors are useless. Q: the energy of the layer, f₁ᵀA⁻¹f₁ + ηᵀC η. Throws
  /// std::domain_error if ν ≤ 0.
  DecayingNorm(const MatrixXd& J, const MatrixXd& energy);

  /// A κ for all matrices in J; 0 if there is none.
  Ball decay(const BallMatrix& J) const;
  /// ≥ |g|_V for all vectors in g.
  Ball size(const BallVector& g) const;
  /// ≥ |X g|_V/|g|_V for all g.
  Ball norm_of(const BallMatrix& X) const;
  /// ≥ |g|_V/|g|_W for all g.
  Ball relative_to(const DecayingNorm& W) const;
  /// This norm divided by that number, so that it is at most |g|_W for all g.
  DecayingNorm not_above(const DecayingNorm& W) const;
  /// The bounds c of the components, |g_i| ≤ c_i |g|_V.
  BallVector components() const;

 private:
  BallMatrix V_, inverse_;
};

}  // namespace rigidlimit
