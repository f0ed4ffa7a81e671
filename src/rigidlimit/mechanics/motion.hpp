// A motion on a time grid, in the variables of the comparison.
#pragma once

#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// Initial configuration q (nq) and generalised velocity v (n) of a motion at time t (s).
template <class T>
struct InitialStateOf {
  Vector<T, Eigen::Dynamic> q;
  Vector<T, Eigen::Dynamic> v;
  double t = 0.0;
};
using InitialState = InitialStateOf<double>;

/// q (nq × K), v (n × K) and the contact force λ or multiplier Λ (m × K) at K times. Sign: the
/// generalised contact force is −Gᵀλ.
template <class T>
struct MotionOf {
  using Values = Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  std::vector<double> times;
  Values q;
  Values v;
  Values lambda;
};
using Motion = MotionOf<double>;

}  // namespace rigidlimit
