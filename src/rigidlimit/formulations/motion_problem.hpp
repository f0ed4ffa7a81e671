// A problem together with the map from its solution to the motion.
#pragma once

#include <functional>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// `motion` reads (q, v, λ) from a solution of `problem` in any variables; columns that the solver
/// did not reach stay NaN.
template <class Problem, class T = double>
struct MotionProblem {
  Problem problem;
  std::function<MotionOf<T>(const SolutionOf<T>&)> motion;
};

}  // namespace rigidlimit
