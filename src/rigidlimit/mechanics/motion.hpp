// A motion on a time grid, in the variables of the comparison.
#pragma once

#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// Initial configuration q (nq) and generalised velocity v (n) of a motion at time t (s).
template <class T>
struct InitialStateOf {
  Vector<T, Eigen::Dynamic> q;  ///< nq
  Vector<T, Eigen::Dynamic> v;  ///< n
  double t = 0.0;               ///< s
};
using InitialState = InitialStateOf<double>;

/// q (nq × K), v (n × K) and the contact force λ or multiplier Λ (m × K) at K times. Sign: the
/// generalised contact force is −Gᵀλ.
template <class T>
struct MotionOf {
  using Values = Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;  ///< a column for each time
  std::vector<double> times;                                 ///< K, s
  Values q;                                                  ///< nq × K
  Values v;                                                  ///< n × K
  Values lambda;                                             ///< m × K
};
using Motion = MotionOf<double>;

}  // namespace rigidlimit
