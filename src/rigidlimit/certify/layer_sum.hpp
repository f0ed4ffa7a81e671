// What a decaying layer adds to the error of a pair, for all ε at once (docs/certified.md).
#pragma once

#include "rigidlimit/certify/ball.hpp"

namespace rigidlimit {

/// The largest e^(−θ/ε) ε^(−k), 0 < ε ≤ ε₀. Throws std::domain_error for k > 0 if θ may be 0.
Ball decayed(const Ball& theta, int k, const Ball& largest_epsilon);

/// |g|_V ≤ λ + ε² K, λ = ℓ e^(−θ/ε), for the fast variables g = (f₁ − ε η̂', η − η̂ + ε C⁻¹D η̂'), η̂ =
/// C⁻¹Λ.
struct FastBound {
  Ball layer, decay, rest;  ///< ℓ, θ, K

  /// ≥ λ ε^(−k) for 0 < ε ≤ ε₀.
  Ball layer_over_power(int k, const Ball& largest_epsilon) const {
    return (layer * decayed(decay, k, largest_epsilon)).magnitude();
  }
  /// ≥ |g|_V for 0 < ε ≤ ε₀.
  Ball size(const Ball& largest_epsilon) const {
    return (layer_over_power(0, largest_epsilon) + largest_epsilon * largest_epsilon * rest)
        .magnitude();
  }
  /// The bound after a time in the ball `time` in which ε |g|_V' ≤ −κ |g|_V + ε² κ `settled`. In
  /// between, max(K, settled) stands in place of K.
  FastBound after(const Ball& time, const Ball& kappa, const Ball& settled,
                  const Ball& largest_epsilon) const;
};

/// Bounds of the part c of the error that has changed with the layer (Lemma 4): for every 0 < ε ≤
/// ε₀, with λ of FastBound now,
///
///   |c| + s λ + d λ² ≤ bound.
///
/// All entries are ≥ 0. A new norm must not be above the old one (DecayingNorm::not_above): then
/// the bound stays. If λ became f λ, f < 1, a reduction by s (1 − f) λ at ε₀ would be none for ε →
/// 0.
struct LayerSum {
  BallVector bound, single, twice;  ///< bound, s, d

  /// c becomes X c, |X| ≤ `change`.
  void change_frame(const BallMatrix& change);
  /// After a piece with |c|' ≤ p κ λ/ε + 2 q κ λ²/ε + r, λ' ≤ −κ λ/ε, λ ≤ `layer` at its begin, and
  /// ∫ r ≤ `rest`.
  LayerSum after(const BallVector& p, const BallVector& q, const BallVector& rest,
                 const Ball& layer) const;
};

}  // namespace rigidlimit
