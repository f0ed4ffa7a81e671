// From the solution of a rigid problem to its motion.
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit::detail {

/// q and v stand first in the columns of `solution`.
template <class T>
MotionOf<T> motion_of_blocks(const SolutionOf<T>& solution, Index nq, Index n,
                             typename MotionOf<T>::Values lambda) {
  return {.times = solution.times,
          .q = solution.states.topRows(nq),
          .v = solution.states.middleRows(nq, n),
          .lambda = std::move(lambda)};
}

/// Λ of the KKT system along a motion (q, v).
template <class Sys, class T>
typename MotionOf<T>::Values kkt_multipliers(const Sys& sys, const SolutionOf<T>& solution) {
  typename MotionOf<T>::Values lambda(Sys::m, solution.states.cols());
  for (Index k = 0; k < lambda.cols(); ++k) {
    const Vector<T, Sys::nq> q = solution.states.col(k).template head<Sys::nq>();
    const Vector<T, Sys::n> v = solution.states.col(k).template segment<Sys::n>(Sys::nq);
    lambda.col(k) = solve_kkt(sys, q, v, T(solution.times[static_cast<std::size_t>(k)])).multiplier;
  }
  return lambda;
}

}  // namespace rigidlimit::detail
