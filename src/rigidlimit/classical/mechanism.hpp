// Constrained mechanical systems, written once as M, F and g: their equations as DAEs of index 3, 2
// and 1 and as an ODE follow.
//
//   q' = v,   M(q) v' = F(t, q, v) − G(t, q)ᵀ λ,   0 = g(t, q),   G = ∂g/∂q
#pragma once

#include <memory>
#include <vector>

#include "rigidlimit/classical/problem.hpp"
#include "rigidlimit/core/expression.hpp"

namespace rigidlimit {

/// What a file of this room writes down: sizes n of q and v, m of g and λ, and the functions,
/// called while they are recorded.
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

  /// n × n, symmetric and positive definite; zeros are written already.
  virtual void mass(const ExpressionVector& q, ExpressionMatrix& M) const = 0;
  virtual void force(const Expression& t, const ExpressionVector& q, const ExpressionVector& v,
                     ExpressionVector& F) const = 0;  ///< n
  virtual void constraint(const Expression& t, const ExpressionVector& q,
                          ExpressionVector& g) const = 0;  ///< m
};

/// Which derivative in time of g = 0 a formulation asks for: its index is 3 − level.
enum class ConstraintLevel { position = 0, velocity = 1, acceleration = 2 };

/// Writes the equations of a mechanism that starts at `start` = (q, v), texts of numbers that are
/// right to 113 bits or exact; w = v' and λ follow from them. G must have full rank.
///
/// The DAE has the unknowns (q, v, w, λ), as M may depend on q and a mass matrix may not:
///
///   q' = v,   v' = w,   0 = M w − F + Gᵀ λ,   0 = the constraint of the level
///
/// and with constant_mass (q, v, λ): q' = v, M v' = F − Gᵀ λ, 0 = the constraint. The ODE is for
/// (q, v), with λ such that d²g/dt² = 0.
void set_mechanism(ClassicalProblem& problem, const std::shared_ptr<const Mechanism>& mechanism,
                   ConstraintLevel level, const std::vector<PrintedNumber>& start);

}  // namespace rigidlimit
