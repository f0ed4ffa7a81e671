#include "rigidlimit/systems/friction/painleve_rod.hpp"

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& PainleveRod::info() {
  static const InitialState start = PainleveRod{}.start();
  static const SystemInfo info{
      .name = "painleve_rod",
      .title = "Rod whose tip slides on a rough floor (Painleve)",
      .equations =
          "q = (x, z, theta), v = q'; centre, z upwards, theta the rod's angle from x to z\n"
          "M = diag(m, m, J), J = inertia_ratio m l^2, l half the length,   F = (0, -m g, 0)\n"
          "gap z - l sin(theta) of the tip,   W v = x' + l sin(theta) theta'\n"
          "sliding to the left with friction > ratio tan(theta) + (1 + ratio) cot(theta): no or\n"
          "several accelerations (a homogeneous rod: from friction 4/3 at tan(theta) = 2 on)",
      .source =
          "Painleve, Lecons sur le frottement (1895); figures as in Stewart, Rigid-body dynamics "
          "with friction and impact, SIAM Review 42 (2000)",
      .closed_form = "regions in which the contact problem has no, one or several solutions",
      .coordinates = {{"x", "m"}, {"z", "m"}, {"theta", "rad"}},
      .velocities = {{"x'", "m/s"}, {"z'", "m/s"}, {"theta'", "rad/s"}},
      .contacts = {{"sliding of the tip", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

std::array<Parameter<PainleveRod>, 4> PainleveRod::parameters() {
  return {
      {{"mass", &PainleveRod::mass, "kg", "mass of the rod", positive},
       {"half_length", &PainleveRod::half_length, "m", "half the length of the rod", positive},
       {"inertia_ratio",
        &PainleveRod::inertia_ratio,
        "1",
        "moment of inertia over m l^2 (1/3 homogeneous rod)",
        {.low = 0.0, .high = 1.0, .low_open = true}},
       {"gravity", &PainleveRod::gravity, "m/s^2", "gravitational acceleration", non_negative}}};
}

std::array<Parameter<PainleveRod>, 2> PainleveRod::contact_parameters() {
  return {{{"friction", &PainleveRod::friction, "1", "coefficient of friction", non_negative},
           {"restitution",
            &PainleveRod::restitution,
            "1",
            "coefficient of restitution",
            {.low = 0.0, .high = 1.0}}}};
}

std::vector<ContactPoint> PainleveRod::contacts() const {
  return {{.name = "tip",
           .first = 0,
           .components = 1,
           .normal = Normal::unilateral,
           .friction = friction,
           .restitution = restitution}};
}

InitialState PainleveRod::start() const {
  return sliding_start(0.5, -1.0, 0.0);
}

InitialState PainleveRod::sliding_start(double angle, double sliding, double angle_rate) const {
  const double l = half_length, s = std::sin(angle), c = std::cos(angle);
  return {Eigen::Vector3d(0.0, l * s, angle),
          Eigen::Vector3d(sliding - l * s * angle_rate, l * c * angle_rate, angle_rate)};
}

double PainleveRod::normal_ease(double angle, double direction) const {
  const double s = std::sin(angle), c = std::cos(angle);
  return (1.0 + (c * c + direction * friction * s * c) / inertia_ratio) / mass;
}

double PainleveRod::normal_drift(double angle, double angle_rate) const {
  return half_length * std::sin(angle) * angle_rate * angle_rate - gravity;
}

template SystemEntry entry_of<PainleveRod>();

}  // namespace rigidlimit
