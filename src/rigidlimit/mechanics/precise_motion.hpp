// A motion in up to 106 bits.
#pragma once

#include "rigidlimit/core/interpolation.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

struct System;

/// A motion as the unevaluated sum of two doubles for each number: `rounded`, and `rest`, the
/// rounding error. A motion computed in double has no rest (0 columns). At ε = 1e-8 the two sides
/// differ in the 16th digit, and the difference of rounded motions would be noise.
struct PreciseMotion {
  Motion rounded;
  Motion rest;

  PreciseMotion() = default;
  PreciseMotion(Motion in_double) : rounded(std::move(in_double)) {}  // NOLINT: implicit on purpose
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
  split(motion.gap, rounded.gap, rest.gap);
}

/// a − b on the same times. The rounded parts and the rests are subtracted separately, so that a
/// small difference keeps its digits. NaN if a value of a or b is NaN.
Motion difference(const PreciseMotion& a, const PreciseMotion& b);

/// a − b in 113 bits, for further differences; without a rest if a or b has none.
PreciseMotion precise_difference(const PreciseMotion& a, const PreciseMotion& b);

/// a − b of two differences.
Motion difference(const Motion& a, const Motion& b);

/// G v (m) and the invariants e(q) (ni) at column k. Evaluated in 113 bits if the motion has a
/// rest: rounding to double alone would leave 1e-16.
VectorXd sliding_at(const System& system, const PreciseMotion& motion, Index k);
VectorXd invariants_at(const System& system, const PreciseMotion& motion, Index k);

/// The columns `positions` of a motion.
Motion restricted(const Motion& motion, const std::vector<std::size_t>& positions);

/// A motion at `times`; `between` interpolates from the times of the motion.
Motion interpolated(const Motion& motion, const Interpolation& between,
                    const std::vector<double>& times);
PreciseMotion interpolated(const PreciseMotion& motion, const Interpolation& between,
                           const std::vector<double>& times);

}  // namespace rigidlimit
