// The force balance of a rolling motion, and its derivatives along directions.
#pragma once

#include <memory>

#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// The residual of the equations of motion at x = (a, ν), ν the multipliers of all rows X = [E; G],
///
///   r = [ F − M a − Xᵀν                          ]   (n)
///       [ −(∂q X[Tv]) v − X a − (γ E v, 0)       ]   (ne + m),
///
/// γ = exact_constraint_recovery (mechanics/kkt.hpp). One tape per function, made on first use.
/// Threads may share it.
class BalanceAlong {
 public:
  explicit BalanceAlong(std::shared_ptr<const RecordedSystem> system)
      : system_(std::move(system)) {}

  VectorXd residual(double t, VectorIn q, VectorIn v, VectorIn x) const;
  /// dr along (dt, dq, dv), x fixed.
  VectorXd residual_rate(double t, VectorIn q, VectorIn v, VectorIn x, double dt, VectorIn dq,
                         VectorIn dv) const;
  /// d²r/dt² along the parabolas of q and v and the line of x.
  VectorXd residual_second_rate(double t, VectorIn q, VectorIn v, VectorIn x, VectorIn q_rate,
                                VectorIn v_rate, VectorIn x_rate, VectorIn q_second,
                                VectorIn v_second) const;

  /// d(T v) along (dq, dv), nq; and d of the restoring rate along dq.
  VectorXd coordinate_rate_change(VectorIn q, VectorIn v, VectorIn dq, VectorIn dv) const;
  VectorXd restoring_rate_change(VectorIn q, VectorIn dq) const;

  /// ∂F/∂v [s] + d(M s + Xᵀν | s, ν fixed) along dq (n).
  VectorXd momentum_rate(double t, VectorIn q, VectorIn v, VectorIn s, VectorIn nu,
                         VectorIn dq) const;
  /// dP and d(M v | v fixed) along dq (1 + n).
  VectorXd energy_change(VectorIn q, VectorIn v, VectorIn dq) const;

 private:
  std::shared_ptr<const RecordedSystem> system_;
  Lazy<Evaluator<double>> residual_, residual_rate_, residual_second_rate_;
  Lazy<Evaluator<double>> coordinate_rate_change_, restoring_rate_change_, momentum_rate_;
  Lazy<Evaluator<double>> energy_change_;
};

}  // namespace rigidlimit
