#include "rigidlimit/systems/rolling/rolling_disk_quaternion.hpp"

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& RollingDiskQuaternion::info() {
  static const SystemInfo info = [] {
    const InitialState start = RollingDiskQuaternion{}.start();
    return SystemInfo{
        .name = "rolling_disk_quaternion",
        .title = "Rolling disc with its attitude as a quaternion",
        .equations =
            "q = (x, y, p0, p1, p2, p3), v = (x', y', Omega1, Omega2, Omega3)\n"
            "(x, y) is the centre, p the attitude (unit quaternion), p' = 1/2 p o (0, Omega),\n"
            "Omega in the body's frame, whose second axis is the axle; gamma = R(p)^T e3\n"
            "height of the centre h = r sqrt(gamma1^2 + gamma3^2), arm = grad h, N = arm x gamma\n"
            "I = axial_ratio m r^2 diag(1/2, 1, 1/2),  P = m g h\n"
            "M = diag(m, m, I + m N N^T)\n"
            "F = (0, 0, (I Omega) x Omega - m N (g + N' Omega))\n"
            "G v = sliding of the contact point along the heading and to the left of it\n"
            "invariant of q: |p|^2 = 1",
        .source = "rolling_disk; Wittenburg, Dynamics of Multibody Systems (2008), chapter 2",
        .closed_form = "none; the motion is that of rolling_disk; K* + P is conserved when rolling",
        .coordinates = {{"x", "m"}, {"y", "m"}, {"p0", "1"}, {"p1", "1"}, {"p2", "1"}, {"p3", "1"}},
        .velocities = {{"x'", "m/s"},
                       {"y'", "m/s"},
                       {"Omega1", "rad/s"},
                       {"Omega2", "rad/s"},
                       {"Omega3", "rad/s"}},
        .contacts = {{"sliding along the heading", "m/s"}, {"sliding to the left", "m/s"}},
        .initial_q = {start.q.begin(), start.q.end()},
        .initial_v = {start.v.begin(), start.v.end()}};
  }();
  return info;
}

std::array<Parameter<RollingDiskQuaternion>, 4> RollingDiskQuaternion::parameters() {
  using Disk = RollingDiskQuaternion;
  return {{{"mass", &Disk::mass, "kg", "mass of the disc", positive},
           {"radius", &Disk::radius, "m", "radius of the disc", positive},
           {"axial_ratio",
            &Disk::axial_ratio,
            "1",
            "moment of inertia about the axle over m r^2 (0.5 disc, 1 hoop)",
            {.low = 0.0, .high = 1.0, .low_open = true}},
           {"gravity", &Disk::gravity, "m/s^2", "gravitational acceleration", non_negative}}};
}

InitialState RollingDiskQuaternion::start() const {
  // That of rolling_disk: yaw 0, tilt 0.3, spin 0, so that the body's rates are
  // (tilt', spin' + sin(tilt) yaw', cos(tilt) yaw').
  constexpr double tilt = 0.3, yaw_rate = 1.0, tilt_rate = 0.2, spin_rate = 4.0;
  const double about_axle = spin_rate + std::sin(tilt) * yaw_rate;
  InitialState start{VectorXd(nq), VectorXd(n)};
  start.q << 0.0, 0.0, std::cos(0.5 * tilt), std::sin(0.5 * tilt), 0.0, 0.0;
  start.v << radius * about_axle, -radius * std::cos(tilt) * tilt_rate, tilt_rate, about_axle,
      std::cos(tilt) * yaw_rate;
  return start;
}

template SystemEntry entry_of<RollingDiskQuaternion>();

}  // namespace rigidlimit
