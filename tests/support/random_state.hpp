// Random states of a mechanical system.
#pragma once

#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/mechanics/system.hpp"
#include "support/random_numbers.hpp"
#include "support/terms_by_duals.hpp"

namespace rigidlimit::test {

/// State and time of a motion, with compile-time sizes.
template <class Sys>
struct State {
  Coordinates<Sys> q;
  Velocities<Sys> v;
  double t;
};

/// |q_i| ≤ 1, |v_i| ≤ 2 and 0 ≤ t ≤ 3; in general G v ≠ 0.
template <class Sys>
State<Sys> random_state(RandomNumbers& random) {
  return {random.vector<Sys::nq>(-1.0, 1.0), random.vector<Sys::n>(-2.0, 2.0),
          random.uniform(0.0, 3.0)};
}

/// |q_i| ≤ 1, where every model system is regular, and |v_i| ≤ 2; in general G v ≠ 0.
template <class Sys>
InitialState sliding_state(RandomNumbers& random) {
  const Coordinates<Sys> q = random.vector<Sys::nq>();
  const Velocities<Sys> v = random.vector<Sys::n>(-2.0, 2.0);
  return {q, v};
}

/// A random state with v projected onto the constraint.
inline InitialState rolling_state(const System& system, RandomNumbers& random) {
  VectorXd q(system.nq), v(system.n);
  for (double& x : q) x = random.uniform();
  for (double& x : v) x = random.uniform(-2.0, 2.0);
  return {q, projected_velocity<double>(system, contact_basis(system, q), q, v)};
}

}  // namespace rigidlimit::test
