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
/// generalised contact force is −Gᵀλ. Of a system whose joints have positions, also their gap g(q)
/// (np × K); a motion without these rows, such as every rigid one, has the gap 0.
template <class T>
struct MotionOf {
  using Values = Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;  ///< a column for each time
  std::vector<double> times;                                 ///< K, s
  Values q;                                                  ///< nq × K
  Values v;                                                  ///< n × K
  Values lambda;                                             ///< m × K
  Values gap = {};  ///< np × K, or empty; in the units of SystemInfo::positions
};
using Motion = MotionOf<double>;

}  // namespace rigidlimit
