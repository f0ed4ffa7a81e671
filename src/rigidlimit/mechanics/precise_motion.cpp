#include "rigidlimit/mechanics/precise_motion.hpp"

#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

namespace {

template <class T>
VectorX<T> precise_column(const MatrixXd& rounded, const MatrixXd& rest, Index k) {
  VectorX<T> column = rounded.col(k).cast<T>();
  if (rest.cols() > 0) column += rest.col(k).cast<T>();
  return column;
}

template <class T>
VectorXd sliding_in(const System& system, const PreciseMotion& motion, Index k) {
  MatrixX<T> rows(system.ne + system.m, system.n);
  system.in<T>().constraints(precise_column<T>(motion.rounded.q, motion.rest.q, k), rows);
  const VectorX<T> w = rows * precise_column<T>(motion.rounded.v, motion.rest.v, k);
  return w.tail(system.m).template cast<double>();
}

template <class T>
VectorXd invariants_in(const System& system, const PreciseMotion& motion, Index k) {
  VectorX<T> e(system.ni);
  system.in<T>().invariants(precise_column<T>(motion.rounded.q, motion.rest.q, k), e);
  return e.template cast<double>();
}

MotionOf<Quad> quad_motion(const PreciseMotion& motion) {
  const auto sum = [](const MatrixXd& rounded, const MatrixXd& rest) {
    return MatrixX<Quad>(rounded.cast<Quad>() + rest.cast<Quad>());
  };
  const auto& [rounded, rest] = motion;
  return {.times = rounded.times,
          .q = sum(rounded.q, rest.q),
          .v = sum(rounded.v, rest.v),
          .lambda = sum(rounded.lambda, rest.lambda),
          .gap = sum(rounded.gap, rest.gap)};
}

/// a − b; a motion without rows of the gap has the gap 0.
template <class T>
MatrixX<T> gap_difference(const MatrixX<T>& a, const MatrixX<T>& b) {
  if (b.size() == 0) return a;
  if (a.size() == 0) return -b;
  return a - b;
}

}  // namespace

VectorXd sliding_at(const System& system, const PreciseMotion& motion, Index k) {
  return motion.rest.times.empty() ? sliding_in<double>(system, motion, k)
                                   : sliding_in<Quad>(system, motion, k);
}

VectorXd invariants_at(const System& system, const PreciseMotion& motion, Index k) {
  return motion.rest.times.empty() ? invariants_in<double>(system, motion, k)
                                   : invariants_in<Quad>(system, motion, k);
}

Motion difference(const Motion& a, const Motion& b) {
  return {.times = a.times,
          .q = a.q - b.q,
          .v = a.v - b.v,
          .lambda = a.lambda - b.lambda,
          .gap = gap_difference(a.gap, b.gap)};
}

Motion difference(const PreciseMotion& a, const PreciseMotion& b) {
  Motion d = difference(a.rounded, b.rounded);
  const auto add = [&d](const Motion& rest, double sign) {
    if (rest.times.empty()) return;
    d.q += sign * rest.q;
    d.v += sign * rest.v;
    d.lambda += sign * rest.lambda;
    if (rest.gap.size() > 0) d.gap += sign * rest.gap;
  };
  add(a.rest, 1.0);
  add(b.rest, -1.0);
  return d;
}

PreciseMotion precise_difference(const PreciseMotion& a, const PreciseMotion& b) {
  if (a.rest.times.empty() || b.rest.times.empty()) return difference(a, b);
  const MotionOf<Quad> x = quad_motion(a), y = quad_motion(b);
  return PreciseMotion(MotionOf<Quad>{.times = x.times,
                                      .q = x.q - y.q,
                                      .v = x.v - y.v,
                                      .lambda = x.lambda - y.lambda,
                                      .gap = gap_difference(x.gap, y.gap)});
}

Motion restricted(const Motion& motion, const std::vector<std::size_t>& positions) {
  Motion part;
  for (const std::size_t k : positions) part.times.push_back(motion.times[k]);
  part.q = motion.q(Eigen::all, positions);
  part.v = motion.v(Eigen::all, positions);
  part.lambda = motion.lambda(Eigen::all, positions);
  if (motion.gap.size() > 0) part.gap = motion.gap(Eigen::all, positions);
  return part;
}

Motion interpolated(const Motion& motion, const Interpolation& between,
                    const std::vector<double>& times) {
  return {.times = times,
          .q = between(motion.q),
          .v = between(motion.v),
          .lambda = between(motion.lambda),
          .gap = motion.gap.size() > 0 ? between(motion.gap) : MatrixXd()};
}

PreciseMotion interpolated(const PreciseMotion& motion, const Interpolation& between,
                           const std::vector<double>& times) {
  PreciseMotion there(interpolated(motion.rounded, between, times));
  if (!motion.rest.times.empty()) there.rest = interpolated(motion.rest, between, times);
  return there;
}

}  // namespace rigidlimit
