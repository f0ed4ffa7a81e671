// The equations of both motions of a pair, recorded in the coordinates of the proofs.
#pragma once

#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/core/tape/polynomial_form.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// The equations of a pair with independent contacts in the active Recording, for the state y =
/// (q, r), or (q, r, t) if the force depends on t. r = v − S w is the velocity without its sliding
/// part, S = M⁻¹XᵀA⁻¹ for the rows X = [E; G]: E S = 0, G S = 1. With a the acceleration of
/// rolling, which makes X v constant, both motions are
///
///   y' = X(y) = (T r, a(q, r, t), 1),                                      rigid,
///   y' = R(y, w) = (T v, a(q, v, t) − (∂S[T v]) w, 1),  v = r + S w,       compliant,
///   w' = A (Λ(q, v, t) − λ),
///
/// with R(y, 0) = X(y).
class RecordedPair {
 public:
  using V = const ExpressionVector&;

  RecordedPair(const RecordedSystem& system, bool explicit_time)
      : system_(system), explicit_time_(explicit_time) {}

  Index size() const { return system_.nq + system_.n + (explicit_time_ ? 1 : 0); }

  /// W = M⁻¹Gᵀ on ker E, with A = G W; S = W A⁻¹.
  struct Slip {
    ExpressionMatrix response, delassus, directions;
  };
  Slip slip(V y) const;

  ExpressionVector rates(V y, V w) const;     ///< R
  ExpressionVector rates(V y) const;          ///< X
  ExpressionVector load(V y, V w) const;      ///< Λ(q, r + S w, t)
  ExpressionVector load(V y) const;           ///< Λ(q, r, t)
  ExpressionVector velocity(V y, V w) const;  ///< r + S w

  /// (q, v) or (q, v, t) -> y with r = v − S w, then w = G v.
  ExpressionVector start(V given) const;

  ExpressionMatrix sliding_rates(V y, V w) const;  ///< ∂R/∂w, N × m
  ExpressionMatrix shift(V y) const;               ///< Z = ∂R/∂w at w = 0, N × m
  ExpressionMatrix bracket(V y) const;             ///< E = (∂X) Z − (∂Z)[X], N × m

  /// (∂A/∂x)[direction], of the shape of A.
  static ExpressionMatrix derivative(const ExpressionMatrix& A, V x, V direction);

 private:
  ExpressionVector rolling(V y, V v) const;
  ExpressionVector coordinates(V y) const { return y.head(system_.nq); }
  ExpressionMatrix mass(V y) const;
  ExpressionMatrix rows(V y) const;
  ExpressionVector velocity(V y, const ExpressionMatrix& S, V w) const;
  ExpressionVector rate(V y, V v) const;
  ExpressionVector none() const { return ExpressionVector::Zero(system_.m); }

  const RecordedSystem& system_;
  bool explicit_time_;
};

/// A matrix of constants.
ExpressionMatrix recorded(const MatrixXd& A);
/// Hᵀ X H, X for an empty H.
ExpressionMatrix of_independent(const MatrixXd& X, const RationalRows& H);

}  // namespace rigidlimit
