// Right-hand side of a problem in standard slow-fast form, evaluated at eight states at once.
#pragma once

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/pack.hpp"

namespace rigidlimit {

/// The problem in y = (x, w, η), sizes N_x, m and m, whose fast part is one damped oscillator per
/// direction (docs/theory.md, section 11):
///
///   x' = X(x, w, t) − P_x(x) λ,   w' = W(x, w, t) − P_w(x) λ,   η' = κ w,   λ = C η + D w.
///
/// C, D and κ may be arbitrarily large. With m = 0 there are only slow components.
/// Behind (x, w, η) the state may hold integrals: components that no rate depends on. Their rates
/// are the last entries of OdeProblem::rhs.
class BatchedRate {
 public:
  /// Data that response() computes at a state and rates() needs near it; opaque to callers.
  using Chart = const void*;

  BatchedRate(Index slow_size, const MatrixXd& C, const MatrixXd& D, double kappa)
      : slow(slow_size), fast(C.rows()), stiffness(C), damping(D), deflection_rate(kappa) {}
  BatchedRate(const BatchedRate&) = delete;
  BatchedRate& operator=(const BatchedRate&) = delete;
  virtual ~BatchedRate() = default;

  const Index slow;              ///< N_x
  const Index fast;              ///< m
  const MatrixXd stiffness;      ///< C, m × m
  const MatrixXd damping;        ///< D, m × m
  const double deflection_rate;  ///< κ

  /// (x', w') (N_x + m) of eight states (x, w) near the one of the chart, each with its t and λ
  /// (m). Allocates nothing.
  virtual void rates(Chart chart, const Pack& t, const Pack* state, const Pack* lambda,
                     Pack* rate) const = 0;

  /// Writes P = [P_x; P_w] at (x, w), (N_x + m) × m, and returns the chart there. Allocates
  /// nothing.
  virtual Chart response(const double* state, MatrixOut P) const = 0;
};

}  // namespace rigidlimit
