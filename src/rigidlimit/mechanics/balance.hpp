// The balance of forces at one state, and its derivatives.
#pragma once

#include <memory>

#include "rigidlimit/core/evaluator.hpp"
#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// Derivatives with respect to (q, v), nq + n columns, of what the equations of motion in (q, v)
/// are made of, X = [E; G], at an acceleration a (n) and forces p (ne + m) that do not move.
struct BalanceDerivatives {
  MatrixXd coordinate_rate;  ///< of q' = T v + what draws back to the invariants, nq rows
  MatrixXd velocity;         ///< of X v, ne + m rows
  MatrixXd force;            ///< of F, n rows
  MatrixXd load;             ///< of M a + Xᵀ p, n rows
  MatrixXd drift;            ///< of (∂q X[T v]) v, ne + m rows
  MatrixXd acceleration;     ///< of X a, ne + m rows
};

/// One tape for all of them, made when it is first asked for. Threads may share it.
class Balance {
 public:
  explicit Balance(std::shared_ptr<const RecordedSystem> system) : system_(std::move(system)) {}

  BalanceDerivatives derivatives(double t, VectorIn q, VectorIn v, VectorIn a, VectorIn p) const;
  /// ∂F/∂t (n).
  VectorXd time_derivative(double t, VectorIn q, VectorIn v) const;

 private:
  std::shared_ptr<const RecordedSystem> system_;
  Lazy<Evaluator<double>> derivatives_, in_time_;
};

}  // namespace rigidlimit
