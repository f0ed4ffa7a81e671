// The equations of the proof as tapes (docs/certified.md).
#pragma once

#include <vector>

#include "rigidlimit/certify/ball.hpp"
#include "rigidlimit/certify/motion_pair.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// The tapes of a pair (recorded_pair.hpp) with N components of y.
struct PairTapes {
  explicit PairTapes(const MotionPair& motions);

  Index nq, n, m, size;  ///< size: N

  Tape start;  ///< (q, v) or (q, v, t) -> y, the velocity projected on rolling
  Tape rigid;  ///< y -> X

  /// y -> (∂X, E η, −E μ, Z η, S η', Λ) with η = C⁻¹Λ, its rate η' along the rigid motion and μ =
  /// C⁻¹D η'. The derivative by the start obeys Φ' = (∂X) Φ. The terms of y of the orders 2 and 3
  /// obey α' = (∂X) α + E η and α₁' = (∂X) α₁ − E μ; behind the layer the errors of q and v begin
  /// with (α + Z η)_q and (α + Z η)_r + S η'.
  Tape fields;

  /// (y, w, d, η, f) -> the terms of the remainder, in the order of Terms. d (N) is a displacement
  /// of y, f (m) one of w.
  Tape terms;
  struct Terms {
    BallVector curvature;       ///< (∂²X)[d, d]
    BallVector bracket_change;  ///< (∂(E η))[d] − (∂²X)[d, Z η]
    BallMatrix sliding_squared;  ///< ∂²R/∂w², N m × m: row i + N j, column k for R_i, w_j, w_k
    BallVector substitution;     ///< (∂(Z η))[(∂R/∂w) f]
    BallMatrix bracket;          ///< E, N × m
    BallMatrix shift;            ///< Z, N × m
    BallVector shift_change;     ///< (∂(Z η))[d]
    BallMatrix slip;             ///< S, n × m
    BallVector slip_change;      ///< (∂(S f))[d]
    BallMatrix delassus;         ///< A, m × m
    BallMatrix sliding_load;     ///< A ∂Λ/∂w along S, m × m
    BallVector load_change;      ///< (∂Λ)[d]
    BallVector load;             ///< Λ
    BallVector load_rate;        ///< Λ' along the rigid motion
    BallVector load_curvature;  ///< Λ'' likewise
  };
};

/// The terms for all arguments in these balls.
PairTapes::Terms terms_at(const PairTapes& tapes, const Evaluator<Ball>& evaluator,
                          const BallVector& y, const BallVector& w, const BallVector& d,
                          const BallVector& eta, const BallVector& f);

}  // namespace rigidlimit
