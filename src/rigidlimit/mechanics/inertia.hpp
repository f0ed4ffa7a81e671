// Acceleration of a body under a force and its exact constraints.
#pragma once

#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/small_factors.hpp"

namespace rigidlimit {

/// The inertia at one configuration, factorised, in the real numbers T (double or Quad):
///
///   [ M  Eᵀ ] [ a ]   [ force ]
///   [ E  0  ] [ κ ] = [ rate  ]
///
/// Without exact rows, M a = force with M symmetric positive definite. With exact rows, M need be
/// positive definite on ker E only. M of a tangent lift is indefinite
/// (mechanics/tangent_system.hpp). Values are not finite if the factorisation fails. In
/// docs/theory.md "M⁻¹" is always a(force) at rate = 0.
template <class T>
class Inertia {
 public:
  void compute(const System& system, VectorInOf<T> q);
  /// The same if [E; G] at q, (ne + m) × n, is already known.
  void compute(const System& system, VectorInOf<T> q, const MatrixX<T>& rows);
  /// Factorises for given M (n × n) and E (ne × n).
  void compute(const Eigen::Ref<const MatrixX<T>>& M, const Eigen::Ref<const MatrixX<T>>& E);

  /// a (n × K) for K forces (n × K), E a = 0.
  MatrixX<T> solve(const Eigen::Ref<const MatrixX<T>>& forces) const;
  /// a (n) for one force (n) and E a = rate (ne).
  void solve(VectorInOf<T> force, VectorInOf<T> rate, VectorOutOf<T> a) const;
  /// (a, κ) ((n + ne) × K) for K right sides (force, rate).
  MatrixX<T> solve_whole(const Eigen::Ref<const MatrixX<T>>& right) const;

 private:
  MatrixX<T>& sized(Index n, Index ne);
  void factorise(const Eigen::Ref<const MatrixX<T>>& E, bool indefinite);

  Index n_ = 0;
  Index ne_ = 0;
  bool indefinite_ = false;
  MatrixX<T> matrix_;
  MatrixX<T> rows_;
  SmallCholesky<T> cholesky_;  ///< of a definite M, if ne = 0
  SmallLu<T> lu_;              ///< of the whole matrix otherwise
  mutable VectorX<T> work_;
};

}  // namespace rigidlimit
