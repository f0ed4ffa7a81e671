// A user-defined system with the complete command line: a skate in a bowl.
#include "rigidlimit/cli/command_line.hpp"
#include "rigidlimit/systems/entry_of.hpp"

using rigidlimit::Matrix;
using rigidlimit::Vector;

/// q = (x, y, heading); the bowl is shallow, z = k (x² + y²)/(2 m g).
struct BowlSkate {
  static constexpr int nq = 3, n = 3, m = 1;
  double mass = 1.0, inertia = 0.2, bowl = 4.0;

  static rigidlimit::SystemInfo info() {
    return {.name = "bowl_skate",
            .title = "A skate in a shallow bowl",
            .initial_q = {1.0, 0.0, 0.5},
            .initial_v = {0.9, 0.5, 1.0}};  // projected onto rolling
  }
  template <class S>
  S kinetic_coenergy(const Vector<S, 3>&, const Vector<S, 3>& v) const {
    return 0.5 * mass * (v(0) * v(0) + v(1) * v(1)) + 0.5 * inertia * v(2) * v(2);
  }
  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return 0.5 * bowl * (q(0) * q(0) + q(1) * q(1));
  }
  template <class S>
  Matrix<S, 1, 3> constraint(const Vector<S, 3>& q) const {
    return {-sin(q(2)), cos(q(2)), S(0)};
  }
};

int main(int argc, char** argv) {
  const auto systems = rigidlimit::with_builtin({rigidlimit::entry_of<BowlSkate>()});
  return rigidlimit::run_command_line(argc, argv, systems);
}
