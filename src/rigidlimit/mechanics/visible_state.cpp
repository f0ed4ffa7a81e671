#include "rigidlimit/mechanics/visible_state.hpp"

#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

VectorXd visible_coordinates(const System& system, const VectorXd& q) {
  const Index clock = system.recorded->clock;
  if (clock < 0) return q;
  VectorXd seen(q.size() - 1);
  seen << q.head(clock), q.tail(q.size() - 1 - clock);
  return seen;
}

VectorXd visible_velocities(const System& system, const VectorXd& v) {
  return system.recorded->clock < 0 ? v : VectorXd(v.head(v.size() - 1));
}

}  // namespace rigidlimit
