// The equations of motion in Directions: what the Jacobians of all formulations in (q, v) share.
#pragma once

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/formulations/jacobian.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"

namespace rigidlimit {

/// The terms at one state (q, v), with v' = a fixed.
struct MovingTerms {
  VectorX<Directions> q_rate;     ///< T v + the restoring rate (nq)
  MatrixX<Directions> rows;       ///< [E; G_I], (ne + r) × n
  VectorX<Directions> velocity;   ///< [E; G_I] v (ne + r)
  VectorX<Directions> unbalance;  ///< F − M a (n)

  /// unbalance −= [E; G_I]ᵀ forces (ne + r).
  void subtract_forces(const VectorX<Directions>& forces);
};
MovingTerms moving_terms(const System& system, const ContactBasis& basis, const Directions& t,
                         const VectorX<Directions>& q, const VectorX<Directions>& v,
                         const VectorXd& a);

/// −(∂q X[T v]) v − γ X v|E − X a of the first `count` rows X of [E; G_I]: how far a is from the
/// acceleration that keeps them (exact rows with their recovery, as solve_kkt() has it).
VectorX<Directions> moving_defect(const System& system, const ContactBasis& basis,
                                  const VectorX<Directions>& q, const VectorX<Directions>& v,
                                  const MovingTerms& terms, const VectorXd& a, Index count);

/// Gives `ode` its ∂f/∂y, and its ∂f/∂t if F depends on t. A Rule differentiates f at one point:
///
///   void prepare(double t, VectorIn y)                                  the values there
///   Columns columns(const Directions& t, const VectorX<Directions>& y)  the derivatives of f
///
/// Each callback owns a copy of the rule, its workspace: one thread at a time.
template <class Ode, class Rule>
void give_derivatives(Ode& ode, bool explicit_time, Rule rule) {
  ode.jacobian = [rule](double t, VectorIn y, MatrixOut J) mutable {
    rule.prepare(t, y);
    const auto columns = [&](const VectorX<Directions>& moving) {
      return rule.columns(Directions(t), moving);
    };
    jacobian_by_columns(y, columns, J);
  };
  if (explicit_time)
    ode.time_derivative = [rule](double t, VectorIn y, VectorOut f) mutable {
      rule.prepare(t, y);
      f = rule.columns(time_direction(t), as_constants<Directions>(VectorXd(y))).col(0);
    };
}

}  // namespace rigidlimit
