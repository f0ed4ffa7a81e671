// Type-erased model systems for the tests of the constraint-adapted formulations.
#pragma once

#include "rigidlimit/mechanics/kkt.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit::test {

/// BodyFrameSkate and TwoContacts of support/model_systems.hpp.
System skate();
System two_contacts();
/// The skate with natural quasi-velocities that depend on q; [S; G] is regular for |q_i| ≤ 1.
System skate_with_quasi_velocities();
/// nq = n = 3, contact rows g, 2 g and h: rank 2 of 3, H = [1 0; 2 0; 0 1] up to the choice of the
/// representative of the first two rows.
System proportional_contacts();
/// A bead on the cylinder x² + y² = 1: nq = n = 3, the exact row (x, y, 0), one contact along a
/// helix. M is that of the motion along the cylinder, and singular across it.
System bead_on_cylinder();

/// A random state with |q_i| ≤ 1 and |v_i| ≤ 2, moved onto e(q) = 0 by Newton's iteration and onto
/// E v = 0; in general G v ≠ 0.
InitialState held_state(const System& system, RandomNumbers& random);
/// A state of held_state() with G v = 0.
InitialState rolling_state(const System& system, RandomNumbers& random);

/// x (N) with |x_i| ≤ bound.
VectorXd random_vector(RandomNumbers& random, Index N, double bound = 1.0);

}  // namespace rigidlimit::test
