// A motion in up to 106 bits, without a template in sight of who compares motions.
#pragma once

#include "rigidlimit/core/interpolation.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

struct System;

/// A motion as the unevaluated sum of two doubles a number: `rounded`, and `rest`, what rounding
/// took away. A motion computed in double has no rest (0 columns). At ε = 1e-8 the pair differs in
/// the 16th digit: the difference of the rounded motions alone would be noise.
struct PreciseMotion {
  Motion rounded;
  Motion rest;

  PreciseMotion() = default;
  PreciseMotion(Motion in_double) : rounded(std::move(in_double)) {}  // NOLINT: a motion is one
  template <class T>
  explicit PreciseMotion(const MotionOf<T>& motion);
};

template <class T>
PreciseMotion::PreciseMotion(const MotionOf<T>& motion) {
  const auto split = [](const typename MotionOf<T>::Values& exact, MatrixXd& high, MatrixXd& low) {
    high = exact.template cast<double>();
    low = (exact - high.cast<T>()).template cast<double>();
  };
  rounded.times = rest.times = motion.times;
  split(motion.q, rounded.q, rest.q);
  split(motion.v, rounded.v, rest.v);
  split(motion.lambda, rounded.lambda, rest.lambda);
}

/// a − b on the same times: rounded parts and rests apart, so that no digit of a small difference
/// is lost. NaN where a or b is.
Motion difference(const PreciseMotion& a, const PreciseMotion& b);

/// a − b of differences, and the like: what remains of one after another is taken off.
Motion difference(const Motion& a, const Motion& b);

/// G v (m) and the invariants e(q) (ni) at column k: in 113 bits where the motion has a rest, for
/// in double its rounding alone would leave 1e-16.
VectorXd sliding_at(const System& system, const PreciseMotion& motion, Index k);
VectorXd invariants_at(const System& system, const PreciseMotion& motion, Index k);

/// The columns `positions` of a motion.
Motion restricted(const Motion& motion, const std::vector<std::size_t>& positions);

/// A motion at `times`, to which `between` leads from its own.
Motion interpolated(const Motion& motion, const Interpolation& between,
                    const std::vector<double>& times);
PreciseMotion interpolated(const PreciseMotion& motion, const Interpolation& between,
                           const std::vector<double>& times);

}  // namespace rigidlimit
