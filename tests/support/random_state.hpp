// Random states of a mechanical system.
#pragma once

#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/motion.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit::test {

/// |q_i| ≤ 1, where every model system is regular, and |v_i| ≤ 2: in general sliding.
template <class Sys>
InitialState sliding_state(RandomNumbers& random) {
  const Coordinates<Sys> q = random.vector<Sys::nq>();
  const Velocities<Sys> v = random.vector<Sys::n>(-2.0, 2.0);
  return {q, v};
}

/// The same with v projected onto the constraint.
template <class Sys>
InitialState rolling_state(const Sys& sys, RandomNumbers& random) {
  const Coordinates<Sys> q = random.vector<Sys::nq>();
  const Velocities<Sys> v = random.vector<Sys::n>(-2.0, 2.0);
  return {q, projected_velocity(sys, q, v)};
}

}  // namespace rigidlimit::test
