#include "rigidlimit/systems/rolling/chaplygin_sphere.hpp"

#include <cmath>

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& ChaplyginSphere::info() {
  static const SystemInfo info = [] {
    const InitialState start = ChaplyginSphere{}.start();
    return SystemInfo{
        .name = "chaplygin_sphere",
        .title = "Ball with unequal principal inertias on a rough horizontal plane",
        .equations =
            "q = (x, y, p0, p1, p2, p3), v = (x', y', Omega1, Omega2, Omega3)\n"
            "(x, y) is the centre, p the attitude (unit quaternion), p' = 1/2 p o (0, Omega),\n"
            "Omega the angular velocity in the frame of the principal axes; omega = R(p) Omega\n"
            "M = diag(m, m, I1, I2, I3)\n"
            "F = (0, 0, (I Omega) x Omega)\n"
            "G v = (x' - r omega_y, y' + r omega_x), the sliding of the contact point in space\n"
            "invariant of q: |p|^2 = 1\n"
            "a rigid body has no principal moment larger than the sum of the other two",
        .source =
            "Chaplygin (1903), On a ball's rolling on a horizontal plane; Regular and "
            "Chaotic Dynamics 7 (2002) 131",
        .closed_form =
            "none; conserved when rolling: K*, and the angular momentum about the "
            "contact R I Omega + m r^2 (omega_x, omega_y, 0) in space",
        .coordinates = {{"x", "m"}, {"y", "m"}, {"p0", "1"}, {"p1", "1"}, {"p2", "1"}, {"p3", "1"}},
        .velocities = {{"x'", "m/s"},
                       {"y'", "m/s"},
                       {"Omega1", "rad/s"},
                       {"Omega2", "rad/s"},
                       {"Omega3", "rad/s"}},
        .contacts = {{"sliding along x", "m/s"}, {"sliding along y", "m/s"}},
        .initial_q = {start.q.begin(), start.q.end()},
        .initial_v = {start.v.begin(), start.v.end()}};
  }();
  return info;
}

std::array<Parameter<ChaplyginSphere>, 5> ChaplyginSphere::parameters() {
  return {
      {{"mass", &ChaplyginSphere::mass, "kg", "mass of the ball", positive},
       {"radius", &ChaplyginSphere::radius, "m", "radius of the ball", positive},
       {"inertia_1", &ChaplyginSphere::inertia_1, "kg m^2", "first principal moment", positive},
       {"inertia_2", &ChaplyginSphere::inertia_2, "kg m^2", "second principal moment", positive},
       {"inertia_3", &ChaplyginSphere::inertia_3, "kg m^2", "third principal moment", positive}}};
}

InitialState ChaplyginSphere::start() const {
  // A turn of 0.8 rad about (1, 2, 2)/3: no principal axis is vertical. It spins about none either.
  const double s = std::sin(0.4) / 3.0;
  const Eigen::Vector4d p(std::cos(0.4), s, 2.0 * s, 2.0 * s);
  const Eigen::Vector3d Omega(3.0, -2.0, 2.5), omega = rotation(p) * Omega;
  InitialState start{VectorXd(nq), VectorXd(n)};
  start.q << 0.0, 0.0, p;
  start.v << radius * omega(1), -radius * omega(0), Omega;
  return start;
}

template SystemEntry entry_of<ChaplyginSphere>();

}  // namespace rigidlimit
