#include "rigidlimit/systems/friction/two_point_ball.hpp"

#include "rigidlimit/systems/entry_of.hpp"
#include "rigidlimit/systems/extended_parameters.hpp"
#include "rigidlimit/systems/groove_ball_parameters.hpp"

namespace rigidlimit {

template <Normal holding>
const SystemInfo& TwoPointBallOf<holding>::info() {
  constexpr bool held = holding == Normal::bilateral;
  static const SystemInfo info{
      .name = held ? "two_point_ball" : "two_point_ball_unilateral",
      .title = held ? "Ball in a V-groove, slipping or rolling on each wall, held by both walls"
                    : "Ball in a V-groove, slipping or rolling on each wall, which it may leave",
      .equations =
          "q = (x, y, z) of the centre, v = (q', omega); x down the groove, z off it, y to the "
          "left\n"
          "M = diag(m, m, m, J, J, J), J = inertia_ratio m r^2, gamma = half_angle\n"
          "F = (m g sin(alpha), 0, -m g cos(alpha), couple + couple_rate t, 0, 0)\n"
          "gaps: -+ y sin(gamma) + z cos(gamma), left and right\n"
          "W v of each contact: x' - r cos(gamma) omega_y -+ r sin(gamma) omega_z,\n"
          "cos(gamma) y' +- sin(gamma) z' + r omega_x; one internal force is undetermined",
      .source =
          "Antali, Stepan, Slipping-rolling transitions of a body with two contact points, "
          "Nonlinear Dyn. (2021); docs/theory.md, sections 8 and 10",
      .closed_form = "the threshold of rolling from rest",
      .coordinates = {{"x", "m"}, {"y", "m"}, {"z", "m"}},
      .velocities = {{"x'", "m/s"},
                     {"y'", "m/s"},
                     {"z'", "m/s"},
                     {"omega_x", "rad/s"},
                     {"omega_y", "rad/s"},
                     {"omega_z", "rad/s"}},
      .contacts = {{"left, along the groove", "m/s"},
                   {"left, up the wall", "m/s"},
                   {"right, along the groove", "m/s"},
                   {"right, down the wall", "m/s"}},
      .initial_q = {},
      .initial_v = {}};
  return info;
}

template <Normal holding>
std::array<Parameter<TwoPointBallOf<holding>>, 8> TwoPointBallOf<holding>::parameters() {
  using Ball = TwoPointBallOf;
  return extended<Ball>(
      groove_ball_parameters<Ball>(),
      {{"couple", &Ball::couple, "N m", "couple about the direction of the groove at t = 0",
        any_finite},
       {"couple_rate", &Ball::couple_rate, "N m/s", "rate of change of the couple", any_finite}});
}

template <Normal holding>
std::array<Parameter<TwoPointBallOf<holding>>, 2> TwoPointBallOf<holding>::contact_parameters() {
  using Ball = TwoPointBallOf;
  return {{{"friction_left", &Ball::friction_left, "1", "coefficient of friction, left wall",
            non_negative},
           {"friction_right", &Ball::friction_right, "1", "coefficient of friction, right wall",
            non_negative}}};
}

template <Normal holding>
std::vector<ContactPoint> TwoPointBallOf<holding>::contacts() const {
  return {{.name = "left",
           .first = 0,
           .components = 2,
           .normal = holding,
           .friction = friction_left,
           .restitution = 0.0},
          {.name = "right",
           .first = 2,
           .components = 2,
           .normal = holding,
           .friction = friction_right,
           .restitution = 0.0}};
}

template <Normal holding>
InitialState TwoPointBallOf<holding>::start() const {
  return {VectorXd::Zero(nq), VectorXd::Zero(n)};
}

template struct TwoPointBallOf<Normal::bilateral>;
template struct TwoPointBallOf<Normal::unilateral>;
template SystemEntry entry_of<TwoPointBall>();
template SystemEntry entry_of<TwoPointBallUnilateral>();

}  // namespace rigidlimit
