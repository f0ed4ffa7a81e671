// Enclosure of the solution of a differential equation on one step.
#pragma once

#include <functional>
#include <vector>

#include "rigidlimit/certify/taylor_model.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"

namespace rigidlimit {

/// The solution of y' = f(y), and results g(y), at the times 0 ≤ s ≤ length after the begin of the
/// step.
struct EnclosedStep {
  Ball length;
  std::vector<TaylorModel> values;  ///< y, then g

  BallVector at(const Ball& s) const;
};

/// y -> f(y), or f(y) and then g(y).
using ModelFunction = std::function<std::vector<TaylorModel>(const std::vector<TaylorModel>& y)>;

/// The function of a tape.
ModelFunction function_of(Tape tape);

/// The longest step of y' = f(y), at most `longest`, whose remainder is at most `tolerance` × the
/// size of its component, or `tolerance`. With Taylor polynomials P of degree p − 1 and a ball r,
/// the set of all P(s) + r(s) s^p, r(s) in the ball, is mapped into itself by y ↦ y(0) + ∫f(y): it
/// contains the solution (Schauder), for every y(0) in the given balls. Throws std::domain_error if
/// no step is found, UndecidedComparison where f may have a kink.
EnclosedStep enclosed_step(const ModelFunction& function, const BallVector& y, const Ball& longest,
                           Index order, double tolerance);

}  // namespace rigidlimit
