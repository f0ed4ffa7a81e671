// Equations y' = f(t, y), written once in expressions and recorded: an OdeProblem with derivatives
// in each precision.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/classical/problem.hpp"
#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/core/tape/pack_evaluator.hpp"
#include "rigidlimit/core/tape/rate_tapes.hpp"

namespace rigidlimit {

/// The equations of a problem in this module: writes f (N) at (t, y). `c` are coefficients printed
/// as decimals in the source that matter beyond 53 bits. They are arguments, so that each precision
/// has its own values. All other numbers are doubles.
using OdeEquations = std::function<void(const Expression& t, const ExpressionVector& y,
                                        const ExpressionVector& c, ExpressionVector& dydt)>;

/// ∂f/∂y of equations without coefficients, if it is given instead of derived from f.
using OdeDerivative =
    std::function<ExpressionMatrix(const Expression& t, const ExpressionVector& y)>;

/// f and its derivatives as tapes of (t, y, c). Immutable; the tapes of derivatives are made on
/// first use.
class RecordedOde {
 public:
  RecordedOde(Index size, Index coefficients, const OdeEquations& equations,
              OdeDerivative derivative = {});

  /// T double or Quad.
  template <class T>
  const Evaluator<T>& rate() const;
  const PackEvaluator& packs() const;                ///< f of eight states
  const Evaluator<double>& jacobian() const;         ///< ∂f/∂y
  const Evaluator<double>& time_derivative() const;  ///< ∂f/∂t
  /// Whether ∂f/∂t is not identically 0.
  bool explicit_time() const;
  /// f and ∂f/∂y of (y, t) with the coefficients c.
  RateTapes with(const VectorXd& c) const;

 private:
  Index size_, coefficients_;
  OdeDerivative derivative_;
  Evaluator<double> rate_;
  Evaluator<Quad> quad_rate_;
  Lazy<PackEvaluator> packs_;
  Lazy<Evaluator<double>> jacobian_, time_derivative_;
};

/// The problem in the real numbers T, from y0 at t0 with the coefficients c; derivatives use the
/// nearest doubles of c.
template <class T>
OdeProblemOf<T> ode_of(const std::shared_ptr<const RecordedOde>& recorded, const std::string& name,
                       double t0, const VectorX<T>& y0, const VectorX<T>& c = {});

/// Sets `real` and `quad` of `problem` from the doubles y0; its other fields are already set. If
/// there are coefficients, also sets ClassicalProblem::as_printed, with the coefficients and y0 as
/// printed decimals.
void set_equations(ClassicalProblem& problem, const OdeEquations& equations,
                   const std::vector<double>& y0, const std::vector<double>& coefficients = {});

/// 0 = M y' − f(t, y) with a diagonal M, for solvers of that form. The rates of algebraic unknowns
/// do not occur in it and are 0 in yp0.
DaeProblem implicit_form(const MassProblemOf<double>& problem);

}  // namespace rigidlimit
