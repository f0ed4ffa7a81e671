// Constrained mechanical systems, written once as M, F and g. Their equations as DAEs of index 3, 2
// and 1 and as an ODE are derived.
//
//   q' = v,   M(q) v' = F(t, q, v) − G(t, q)ᵀ λ,   0 = g(t, q),   G = ∂g/∂q
#pragma once

#include <memory>
#include <vector>

#include "rigidlimit/classical/problem.hpp"
#include "rigidlimit/core/tape/expression.hpp"

namespace rigidlimit {

/// Interface of a mechanism in this module: sizes n of q and v, m of g and λ, and the functions,
/// which are called for recording.
class Mechanism {
 public:
  /// `constant_mass`: M is diagonal and does not depend on q.
  Mechanism(Index n_, Index m_, bool constant_mass_)
      : n(n_), m(m_), constant_mass(constant_mass_) {}
  Mechanism(const Mechanism&) = delete;
  Mechanism& operator=(const Mechanism&) = delete;
  virtual ~Mechanism() = default;

  const Index n, m;
  const bool constant_mass;

  /// n × n, symmetric and positive definite; M is preset to zero.
  virtual void mass(const ExpressionVector& q, ExpressionMatrix& M) const = 0;
  virtual void force(const Expression& t, const ExpressionVector& q, const ExpressionVector& v,
                     ExpressionVector& F) const = 0;  ///< n
  virtual void constraint(const Expression& t, const ExpressionVector& q,
                          ExpressionVector& g) const = 0;  ///< m
};

/// Time derivative of g = 0 in a formulation: its index is 3 − level.
enum class ConstraintLevel { position = 0, velocity = 1, acceleration = 2 };

/// Sets the equations of a mechanism that starts at `start` = (q, v), given as texts of numbers
/// that are exact or correct to 113 bits; w = v' and λ follow from them. G must have full rank.
///
/// The DAE has the unknowns (q, v, w, λ), because M may depend on q but a mass matrix may not:
///
///   q' = v,   v' = w,   0 = M w − F + Gᵀ λ,   0 = the constraint of the level
///
/// and with constant_mass (q, v, λ): q' = v, M v' = F − Gᵀ λ, 0 = the constraint. The ODE is for
/// (q, v), with λ such that d²g/dt² = 0.
void set_mechanism(ClassicalProblem& problem, const std::shared_ptr<const Mechanism>& mechanism,
                   ConstraintLevel level, const std::vector<PrintedNumber>& start);

}  // namespace rigidlimit
