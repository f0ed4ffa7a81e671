// From the solution of a rigid problem to its motion.
#pragma once

#include <cmath>
#include <limits>

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit::detail {

/// The columns of `solution` begin with q and v.
template <class T>
MotionOf<T> motion_of_blocks(const SolutionOf<T>& solution, Index nq, Index n,
                             typename MotionOf<T>::Values lambda) {
  return {.times = solution.times,
          .q = solution.states.topRows(nq),
          .v = solution.states.middleRows(nq, n),
          .lambda = std::move(lambda)};
}

/// Λ (m × K) from its independent components Λ_I (r × K), zero on the other rows. Columns that were
/// not reached are NaN.
template <class T>
typename MotionOf<T>::Values all_multipliers(const ContactBasis& basis,
                                             const MatrixX<T>& independent) {
  if (!basis.redundant()) return independent;
  typename MotionOf<T>::Values lambda(basis.combination.rows(), independent.cols());
  lambda.rowwise() = T(0) * independent.colwise().sum();  // 0, or NaN
  for (Index i = 0; i < basis.rank(); ++i)
    lambda.row(basis.rows[static_cast<std::size_t>(i)]) = independent.row(i);
  return lambda;
}

/// Λ of the KKT system along a motion (q, v).
template <class T>
typename MotionOf<T>::Values kkt_multipliers(const System& system, const ContactBasis& basis,
                                             const SolutionOf<T>& solution) {
  typename MotionOf<T>::Values lambda(system.m, solution.states.cols());
  for (Index k = 0; k < lambda.cols(); ++k) {
    const VectorX<T> y = solution.states.col(k);
    const T t(solution.times[static_cast<std::size_t>(k)]);
    lambda.col(k) =
        solve_kkt<T>(system, basis, y.head(system.nq), y.segment(system.nq, system.n), t)
            .multiplier;
    // The dependent rows hold 0 even there.
    using std::isfinite;
    if (!isfinite(lambda.col(k).sum()))
      lambda.col(k).setConstant(std::numeric_limits<T>::quiet_NaN());
  }
  return lambda;
}

}  // namespace rigidlimit::detail
