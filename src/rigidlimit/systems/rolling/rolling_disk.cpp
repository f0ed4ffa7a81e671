#include "rigidlimit/systems/rolling/rolling_disk.hpp"

#include <cmath>

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& RollingDisk::info() {
  static const InitialState start = RollingDisk{}.start();
  static const SystemInfo info{
      .name = "rolling_disk",
      .title = "Thin disc that rolls and tilts on a rough horizontal plane",
      .equations =
          "q = (x, y, yaw, tilt, spin), v = q'; (x, y) is the centre, its height r cos(tilt)\n"
          "K* = m/2 (x'^2 + y'^2 + r^2 sin(tilt)^2 tilt'^2)\n"
          "     + I/4 (tilt'^2 + cos(tilt)^2 yaw'^2) + I/2 (spin' + sin(tilt) yaw')^2\n"
          "P  = m g r cos(tilt),   I = axial_ratio m r^2\n"
          "G v = (cos(yaw) x' + sin(yaw) y' - r (spin' + sin(tilt) yaw'),   along the heading\n"
          "       -sin(yaw) x' + cos(yaw) y' + r cos(tilt) tilt')           to the left of it\n"
          "M and F derived from K* and P",
      .source = "Neimark and Fufaev (1972), chapter II; O'Reilly, Nonlinear Dynamics 10 (1996)",
      .closed_form = "none; K* + P is conserved when rolling",
      .coordinates = {{"x", "m"},
                      {"y", "m"},
                      {"yaw", "rad"},
                      {"tilt",
                       "rad",
                       {.low = -M_PI_2, .high = M_PI_2, .low_open = true, .high_open = true}},
                      {"spin", "rad"}},
      .velocities =
          {{"x'", "m/s"}, {"y'", "m/s"}, {"yaw'", "rad/s"}, {"tilt'", "rad/s"}, {"spin'", "rad/s"}},
      .contacts = {{"sliding along the heading", "m/s"}, {"sliding to the left", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

InitialState RollingDisk::start() const {
  constexpr double tilt = 0.3, yaw_rate = 1.0, tilt_rate = 0.2, spin_rate = 4.0;
  InitialState start{VectorXd::Zero(nq), VectorXd(n)};
  start.q(3) = tilt;
  start.v << radius * (spin_rate + std::sin(tilt) * yaw_rate), -radius * std::cos(tilt) * tilt_rate,
      yaw_rate, tilt_rate, spin_rate;
  return start;
}

std::array<Parameter<RollingDisk>, 4> RollingDisk::parameters() {
  return {
      {{"mass", &RollingDisk::mass, "kg", "mass of the disc", positive},
       {"radius", &RollingDisk::radius, "m", "radius of the disc", positive},
       {"axial_ratio",
        &RollingDisk::axial_ratio,
        "1",
        "moment of inertia about the axle over m r^2 (0.5 disc, 1 hoop)",
        {.low = 0.0, .high = 1.0, .low_open = true}},
       {"gravity", &RollingDisk::gravity, "m/s^2", "gravitational acceleration", non_negative}}};
}

template SystemEntry entry_of<RollingDisk>();

}  // namespace rigidlimit
