#include "rigidlimit/systems/friction/spinning_disk.hpp"

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& SpinningDisk::info() {
  static const InitialState start = SpinningDisk{}.start();
  static const SystemInfo info{
      .name = "spinning_disk",
      .title = "Thin disc that spins down on a table (Euler's disc)",
      .equations =
          "q = (x, y, z, p0 ... p3), v = (x', y', z', Omega), Omega in the body's frame, p its\n"
          "attitude R as a unit quaternion; gamma = R^T e3, rho = sqrt(gamma1^2 + gamma2^2)\n"
          "M = diag(m, m, m, I), I = axial_ratio m r^2 diag(1/2, 1/2, 1)\n"
          "F = (0, 0, -m g, (I Omega) x Omega - contour_friction psi' dpsi'/dOmega)\n"
          "psi' = gamma3 (gamma1 Omega1 + gamma2 Omega2)/rho^2 - Omega3, of the contact along the "
          "rim\n"
          "gap z - r rho of the table, which holds the disc;   W v: horizontal velocity of the\n"
          "lowest point; singular if the disc lies flat, rho = 0",
      .source =
          "Leine, Experimental and theoretical investigation of the energy dissipation of a "
          "rolling disk, Arch. Appl. Mech. 79 (2009): viscous contour friction",
      .closed_form = "steady turning without contour friction; energy balance",
      .coordinates =
          {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"p0", "1"}, {"p1", "1"}, {"p2", "1"}, {"p3", "1"}},
      .velocities = {{"x'", "m/s"},
                     {"y'", "m/s"},
                     {"z'", "m/s"},
                     {"Omega1", "rad/s"},
                     {"Omega2", "rad/s"},
                     {"Omega3", "rad/s"}},
      .contacts = {{"sliding along x", "m/s"}, {"sliding along y", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

std::array<Parameter<SpinningDisk>, 5> SpinningDisk::parameters() {
  return {{{"mass", &SpinningDisk::mass, "kg", "mass of the disc", positive},
           {"radius", &SpinningDisk::radius, "m", "radius of the disc", positive},
           {"axial_ratio",
            &SpinningDisk::axial_ratio,
            "1",
            "moment of inertia about the axle over m r^2 (0.5 disc, 1 hoop)",
            {.low = 0.0, .high = 1.0, .low_open = true}},
           {"gravity", &SpinningDisk::gravity, "m/s^2", "gravitational acceleration", non_negative},
           {"contour_friction", &SpinningDisk::contour_friction, "N m s",
            "couple per rate of the contact along the rim", non_negative}}};
}

std::array<Parameter<SpinningDisk>, 1> SpinningDisk::contact_parameters() {
  return {{{"friction", &SpinningDisk::friction, "1", "coefficient of friction", non_negative}}};
}

std::vector<ContactPoint> SpinningDisk::contacts() const {
  return {{.name = "table",
           .first = 0,
           .components = 2,
           .normal = Normal::bilateral,
           .friction = friction,
           .restitution = 0.0}};
}

InitialState SpinningDisk::start() const {
  return steady_start(0.3);
}

InitialState SpinningDisk::steady_start(double tilt) const {
  // Tilted about y by α: the lowest point is at e₁ of the body, and ω = −Ω_p sin α e₁ turns the
  // disc about the diameter through it.
  const double sine = std::sin(tilt);
  const double rate = std::sqrt(2.0 * gravity / (axial_ratio * radius * sine));
  return {Vector<double, nq>(0.0, 0.0, radius * sine, std::cos(0.5 * tilt), 0.0,
                             std::sin(0.5 * tilt), 0.0),
          Vector<double, n>(0.0, 0.0, 0.0, -rate * sine, 0.0, 0.0)};
}

template SystemEntry entry_of<SpinningDisk>();

}  // namespace rigidlimit
