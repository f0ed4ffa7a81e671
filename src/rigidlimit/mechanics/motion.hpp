// A motion on a time grid, in the variables in which the pair is compared.
#pragma once

#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// Configuration q (nq) and generalised velocity v (n) at the time t (s) at which a motion begins.
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
