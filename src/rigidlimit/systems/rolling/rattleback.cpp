#include "rigidlimit/systems/rolling/rattleback.hpp"

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& Rattleback::info() {
  static const SystemInfo info = [] {
    const InitialState start = Rattleback{}.start();
    return SystemInfo{
        .name = "rattleback",
        .title = "Rattleback (celtic stone): an ellipsoid with skew axes of inertia",
        .equations =
            "q = (x, y, p0, p1, p2, p3), v = (x', y', Omega1, Omega2, Omega3)\n"
            "(x, y) is the centre of mass, p the attitude (unit quaternion), p' = 1/2 p o (0, "
            "Omega),\n"
            "Omega in the frame of the ellipsoid's axes; gamma = R(p)^T e3\n"
            "height of the centre of mass h = sqrt(a^2 gamma1^2 + b^2 gamma2^2 + c^2 gamma3^2)\n"
            "     - depth gamma3, arm = grad h, N = arm x gamma\n"
            "I = Rz(skew) diag(I1, I2, I3) Rz(skew)^T,  P = m g h\n"
            "M = diag(m, m, I + m N N^T)\n"
            "F = (0, 0, (I Omega) x Omega - m N (g + N' Omega))\n"
            "G v = (x', y') + [R (arm x Omega)]_xy, sliding of the contact point in space\n"
            "invariant of q: |p|^2 = 1",
        .source =
            "Walker (1896); Kane and Levinson, Int. J. Non-Linear Mechanics 17 (1982); Bondi, "
            "Proc. R. Soc. A 405 (1986); Garcia and Hubbard, Proc. R. Soc. A 418 (1988)",
        .closed_form = "none; K* + P is conserved when rolling; the spin reverses",
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

std::array<Parameter<Rattleback>, 10> Rattleback::parameters() {
  using Stone = Rattleback;
  return {
      {{"mass", &Stone::mass, "kg", "mass of the stone", positive},
       {"semi_axis_a", &Stone::semi_axis_a, "m", "long semi-axis of the ellipsoid", positive},
       {"semi_axis_b", &Stone::semi_axis_b, "m", "transverse semi-axis", positive},
       {"semi_axis_c", &Stone::semi_axis_c, "m", "semi-axis, vertical at rest", positive},
       {"depth", &Stone::depth, "m",
        "depth of the centre of mass below the centre of the ellipsoid; less than semi_axis_c"},
       {"inertia_1", &Stone::inertia_1, "kg m^2", "principal moment about the turned a axis",
        positive},
       {"inertia_2", &Stone::inertia_2, "kg m^2", "principal moment about the turned b axis",
        positive},
       {"inertia_3", &Stone::inertia_3, "kg m^2", "principal moment about the c axis", positive},
       {"skew",
        &Stone::skew,
        "rad",
        "angle from the axes of the shape to those of inertia, about c",
        {.low = -M_PI_2, .high = M_PI_2}},
       {"gravity", &Stone::gravity, "m/s^2", "gravitational acceleration", non_negative}}};
}

Eigen::Matrix3d Rattleback::inertia() const {
  const double c = std::cos(skew), s = std::sin(skew);
  const double product = (inertia_1 - inertia_2) * c * s;
  Eigen::Matrix3d I;
  I << inertia_1 * c * c + inertia_2 * s * s, product, 0.0,  //
      product, inertia_1 * s * s + inertia_2 * c * c, 0.0,   //
      0.0, 0.0, inertia_3;
  return I;
}

InitialState Rattleback::spinning(double rate, double roll) const {
  const Eigen::Vector4d p(std::cos(0.5 * roll), std::sin(0.5 * roll), 0.0, 0.0);
  const Eigen::Matrix3d R = rotation(p);
  const Support<double> shape = support(R);
  const Eigen::Vector3d Omega = rate * shape.up;
  const Eigen::Vector3d centre = R * Omega.cross(shape.arm);  // the contact point rests
  InitialState start{VectorXd(nq), VectorXd(n)};
  start.q << 0.0, 0.0, p;
  start.v << centre(0), centre(1), Omega;
  return start;
}

InitialState Rattleback::start() const {
  return spinning(-5.0, M_PI / 360.0);
}

template SystemEntry entry_of<Rattleback>();

}  // namespace rigidlimit
