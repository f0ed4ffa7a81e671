// Equations y' = f(t, y), written once in expressions: recorded, and an OdeProblem with its
// derivatives in whatever precision.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/classical/problem.hpp"
#include "rigidlimit/core/evaluator.hpp"
#include "rigidlimit/core/expression.hpp"
#include "rigidlimit/core/lazy.hpp"

namespace rigidlimit {

/// What a file of this room writes down: writes f (N) at (t, y). `c` are the coefficients that its
/// source prints as decimals and that matter beyond their 53 bits: arguments, so that each
/// precision has its own. All other numbers are doubles.
using OdeEquations = std::function<void(const Expression& t, const ExpressionVector& y,
                                        const ExpressionVector& c, ExpressionVector& dydt)>;

/// ∂f/∂y of equations without coefficients, where it is not to be derived from f.
using OdeDerivative =
    std::function<ExpressionMatrix(const Expression& t, const ExpressionVector& y)>;

/// f and its derivatives as tapes of (t, y, c). Never changes; the tapes of derivatives are made
/// when they are first asked for.
class RecordedOde {
 public:
  RecordedOde(Index size, Index coefficients, const OdeEquations& equations,
              OdeDerivative derivative = {});

  /// T double or Quad.
  template <class T>
  const Evaluator<T>& rate() const;
  const Evaluator<double>& jacobian() const;         ///< ∂f/∂y
  const Evaluator<double>& time_derivative() const;  ///< ∂f/∂t
  /// ∂f/∂t is not 0 everywhere.
  bool explicit_time() const;

 private:
  Index size_, coefficients_;
  OdeDerivative derivative_;
  Evaluator<double> rate_;
  Evaluator<Quad> quad_rate_;
  Lazy<Evaluator<double>> jacobian_, time_derivative_;
};

/// The problem in the real numbers T, from y0 at t0 with the coefficients c, of which the
/// derivatives have the nearest doubles.
template <class T>
OdeProblemOf<T> ode_of(const std::shared_ptr<const RecordedOde>& recorded, std::string name,
                       double t0, const VectorX<T>& y0, const VectorX<T>& c = {});

/// Writes the problem in both precisions, from the doubles y0: real and quad of `problem`, whose
/// other fields are set already; and, where there are coefficients, ClassicalProblem::as_printed:
/// they and y0 as the decimals that they are printed as.
void set_equations(ClassicalProblem& problem, const OdeEquations& equations,
                   const std::vector<double>& y0, const std::vector<double>& coefficients = {});

}  // namespace rigidlimit
