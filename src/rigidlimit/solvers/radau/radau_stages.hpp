// Newton's iteration for the stages of a Radau IIA step.
#pragma once

#include <cmath>

#include "rigidlimit/solvers/radau/radau_convergence.hpp"
#include "rigidlimit/solvers/radau/stage_equations.hpp"

namespace rigidlimit {

/// Iterates from the prediction in step.Z with the equations of this step; stores the solution
/// there. `weight` (N) scales the norm; `expected_contraction` is that of the step before, 1 if
/// unknown.
template <class T>
RadauIteration solve_stages(StageEquations<T>& equations, RadauCollocation<T>& step,
                            RadauNewtonMatrix& matrix, const VectorXd& weight,
                            const RadauNewtonGoal& goal, double expected_contraction) {
  RadauIteration result;
  RadauConvergence convergence(goal, expected_contraction);
  equations.begin(step);
  bool ended = false;
  while (!ended && result.iterations < goal.most_iterations) {
    result.end = RadauIteration::End::not_finite;
    if (!equations.evaluate(step)) return result;
    const double norm = equations.correct(step, matrix, weight);
    if (!std::isfinite(norm)) return result;
    ++result.iterations;
    ended = convergence.ends_with(norm, result);
  }
  if (!ended) result.end = RadauIteration::End::slow;
  equations.finish(step);
  return result;
}

}  // namespace rigidlimit
