// The author's statement of a system, in expressions: from a C++ struct
// (mechanics/equations_of.hpp) or another source of expressions.
#pragma once

#include <vector>

#include "rigidlimit/core/tape/expression.hpp"

namespace rigidlimit {

/// The functions of mechanics/system.hpp and mechanics/frictional_system.hpp, called during a
/// Recording. Sizes as in mechanics/equations.hpp; nc contacts.
class AuthoredSystem {
 public:
  AuthoredSystem() = default;
  AuthoredSystem(const AuthoredSystem&) = delete;
  AuthoredSystem& operator=(const AuthoredSystem&) = delete;
  virtual ~AuthoredSystem() = default;

  Index nq = 0, n = 0, m = 0, ne = 0, ni = 0, nc = 0;
  Index np = 0;                      ///< the last np rows of G are the rates of positions
  bool lagrangian = false;           ///< K* and P are stated, else M and F
  bool lagrange_coordinates = true;  ///< T = I: v = q'
  bool explicit_time = false;        ///< F or Q depends on t
  bool natural_velocities = false;   ///< S is stated
  bool has_potential = false;        ///< P is stated
  bool has_dissipation = false;      ///< R is stated
  VectorXd exact_rates;              ///< e of E v = e, ne; empty: zero
  Index clock = -1;                  ///< the coordinate that is the time; -1: none

  virtual ExpressionMatrix mass_matrix(const ExpressionVector& q) const = 0;  ///< of a given system
  virtual ExpressionVector force(const ExpressionVector& q, const ExpressionVector& v,
                                 const Expression& t) const = 0;  ///< likewise

  virtual Expression kinetic_coenergy(const ExpressionVector& q,
                                      const ExpressionVector& v) const = 0;  ///< K*
  virtual Expression dissipation(const ExpressionVector& v) const = 0;       ///< R, or 0
  /// Q of a Lagrangian system, or 0.
  virtual ExpressionVector applied_force(const ExpressionVector& q, const ExpressionVector& v,
                                         const Expression& t) const = 0;

  virtual Expression potential(const ExpressionVector& q) const = 0;           ///< P, or 0
  virtual ExpressionMatrix velocity_map(const ExpressionVector& q) const = 0;  ///< T, or I
  virtual ExpressionMatrix constraints(const ExpressionVector& q) const = 0;   ///< [E; G]
  virtual ExpressionVector invariants(const ExpressionVector& q) const = 0;    ///< ni
  /// g(q) of the last np rows of G, which are (∂g/∂q) T: what rigid joints keep at 0.
  virtual ExpressionVector positions(const ExpressionVector&) const { return ExpressionVector(0); }
  virtual ExpressionMatrix quasi_velocities(
      const ExpressionVector& q) const = 0;  ///< S, or no rows

  virtual ExpressionVector gap(const ExpressionVector& q) const = 0;  ///< nc
  /// Given normal forces of the nc contacts, else 0.
  virtual ExpressionVector normal_force(const ExpressionVector& q, const ExpressionVector& v,
                                        const Expression& t) const = 0;

  /// Instants (s, increasing) at which the force is not smooth without a recorded condition.
  virtual std::vector<double> switching_times() const { return {}; }
};

}  // namespace rigidlimit
