// The equations of motion in natural quasi-velocities, with all sizes known to the compiler.
#pragma once

#include "rigidlimit/core/batched_rate.hpp"

namespace rigidlimit {

/// With (u, w) = B(q) v, B = [S; G], the contact force λ given (docs/theory.md, section 11):
///
///   q' = T v,   (u, w)' = B a + (∂q B[q']) v,   M a = F − Gᵀλ,   v = B⁻¹ (u, w).
///
/// One call does what a dozen calls of Equations do, in one program that computes nothing twice:
/// some hundred nanoseconds for a system of three velocities. Where the system has invariants q'
/// has their restoring rate too. Made by quasi_velocity_equations() (mechanics/recorded_motion.hpp)
/// of systems with quasi_velocities, without exact rows, whose force does not depend on t, with at
/// most 16 velocities.
///
/// A state is (q, u, w), nq + n numbers; λ has m.
class QuasiVelocityEquations {
 public:
  using Chart = BatchedRate::Chart;

  QuasiVelocityEquations() = default;
  QuasiVelocityEquations(const QuasiVelocityEquations&) = delete;
  QuasiVelocityEquations& operator=(const QuasiVelocityEquations&) = delete;
  virtual ~QuasiVelocityEquations() = default;

  /// (q', u', w'), nq + n. In packs near the state of the chart.
  virtual void rates(const double* state, const double* lambda, double* rate) const = 0;
  virtual void rates(const Chart& chart, const Pack* state, const Pack* lambda,
                     Pack* rate) const = 0;
  /// Rolling: (q', u'), nq + n − m, of (q, u) with w = 0 and the λ that keeps it so.
  virtual void rolling_rates(const double* state, double* rate) const = 0;
  virtual void rolling_rates(const Chart& chart, const Pack* state, Pack* rate) const = 0;

  /// Writes P = −∂(q', u', w')/∂λ = (0, B M⁻¹Gᵀ), (nq + n) × m. The chart is the order of the rows
  /// of B(q) in which elimination with partial pivoting takes them.
  virtual Chart response(const double* state, MatrixOut P) const = 0;
  virtual Chart chart(const double* state) const = 0;
  /// Arithmetic operations of rates(); a sine or another function counts as twenty.
  virtual Index operations() const = 0;
  /// Writes ∂(q', u', w')/∂(q, u, w) with λ fixed, (nq + n) × (nq + n).
  virtual void jacobian(const double* state, const double* lambda, MatrixOut J) const = 0;
  /// Writes ∂(q', u')/∂(q, u) of rolling, (nq + n − m) squared.
  virtual void rolling_jacobian(const double* state, MatrixOut J) const = 0;
};

}  // namespace rigidlimit
