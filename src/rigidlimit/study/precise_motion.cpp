#include "rigidlimit/study/precise_motion.hpp"

namespace rigidlimit {

Motion difference(const Motion& a, const Motion& b) {
  return {.times = a.times, .q = a.q - b.q, .v = a.v - b.v, .lambda = a.lambda - b.lambda};
}

Motion difference(const PreciseMotion& a, const PreciseMotion& b) {
  Motion d = difference(a.rounded, b.rounded);
  const auto add = [&d](const Motion& rest, double sign) {
    if (rest.times.empty()) return;
    d.q += sign * rest.q;
    d.v += sign * rest.v;
    d.lambda += sign * rest.lambda;
  };
  add(a.rest, 1.0);
  add(b.rest, -1.0);
  return d;
}

Motion restricted(const Motion& motion, const std::vector<std::size_t>& positions) {
  Motion part;
  for (const std::size_t k : positions) part.times.push_back(motion.times[k]);
  part.q = motion.q(Eigen::all, positions);
  part.v = motion.v(Eigen::all, positions);
  part.lambda = motion.lambda(Eigen::all, positions);
  return part;
}

PreciseMotion restricted(const PreciseMotion& motion, const std::vector<std::size_t>& positions) {
  PreciseMotion part(restricted(motion.rounded, positions));
  if (!motion.rest.times.empty()) part.rest = restricted(motion.rest, positions);
  return part;
}

}  // namespace rigidlimit
