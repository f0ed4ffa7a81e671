#include "rigidlimit/systems/friction/wheel_and_curb.hpp"

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& WheelAndCurb::info() {
  static const InitialState start = WheelAndCurb{}.start();
  static const SystemInfo info{
      .name = "wheel_and_curb",
      .title = "Wheel that falls towards a wall, a step and a floor",
      .equations =
          "q = (x, y, phi), v = q'; x away from the wall, y upwards, phi anticlockwise\n"
          "M = diag(m, m, J),   F = (0, -m g, 0)\n"
          "gaps: wall x - r; curb d - r, d = y - h for x <= l1, else hypot(x - l1, y - h); floor\n"
          "y - r\n"
          "W v: wall -y' + r phi'; curb n_y x' - n_x y' + r phi', n = grad d; floor x' + r phi'\n"
          "kink: x = l1, where the curb's curvature jumps",
      .source =
          "Grzesikiewicz, Zbiciak, The Non-Smooth Problem of Wheel Motion, Adv. Pure Math. 10 "
          "(2020), section 6.3; tangent on the edge scaled to 1",
      .closed_form = "none; the energy does not grow",
      .coordinates = {{"x", "m"}, {"y", "m"}, {"phi", "rad"}},
      .velocities = {{"x'", "m/s"}, {"y'", "m/s"}, {"phi'", "rad/s"}},
      .contacts = {{"sliding down the wall", "m/s"},
                   {"sliding over the curb", "m/s"},
                   {"sliding along the floor", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

std::array<Parameter<WheelAndCurb>, 6> WheelAndCurb::parameters() {
  return {
      {{"mass", &WheelAndCurb::mass, "kg", "mass of the wheel", positive},
       {"inertia", &WheelAndCurb::inertia, "kg m^2", "moment of inertia about the axle", positive},
       {"radius", &WheelAndCurb::radius, "m", "radius of the wheel", positive},
       {"height", &WheelAndCurb::height, "m", "height of the step, below the radius", positive},
       {"edge", &WheelAndCurb::edge, "m", "distance of the edge of the step from the wall",
        positive},
       {"gravity", &WheelAndCurb::gravity, "m/s^2", "gravitational acceleration", non_negative}}};
}

std::array<Parameter<WheelAndCurb>, 2> WheelAndCurb::contact_parameters() {
  return {{{"friction", &WheelAndCurb::friction, "1", "coefficient of friction of all contacts",
            non_negative},
           {"restitution",
            &WheelAndCurb::restitution,
            "1",
            "coefficient of restitution of all contacts",
            {.low = 0.0, .high = 1.0}}}};
}

std::vector<ContactPoint> WheelAndCurb::contacts() const {
  if (!(height < radius))
    throw InputError(fmt::format("height = {} must be below radius = {}", height, radius));
  std::vector<ContactPoint> all;
  for (const char* name : {"wall", "curb", "floor"})
    all.push_back({.name = name,
                   .first = static_cast<Index>(all.size()),
                   .components = 1,
                   .normal = Normal::unilateral,
                   .friction = friction,
                   .restitution = restitution});
  return all;
}

InitialState WheelAndCurb::start() const {
  return {Eigen::Vector3d(0.8, 0.2, 0.0), Eigen::Vector3d(-5.0, -3.0, 0.0)};
}

template SystemEntry entry_of<WheelAndCurb>();

}  // namespace rigidlimit
