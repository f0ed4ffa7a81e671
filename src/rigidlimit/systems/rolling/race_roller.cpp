#include "rigidlimit/systems/rolling/race_roller.hpp"

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& RaceRoller::info() {
  static const SystemInfo info = [] {
    const InitialState start = RaceRoller{}.start();
    return SystemInfo{
        .name = "race_roller",
        .title = "Roller between two coaxial races (planar roller bearing)",
        .equations =
            "q = (inner, orbit, spin, outer), v = q': angles of the inner race (radius R), of the\n"
            "roller's centre (at R + r), of the roller (radius r), of the outer race (R + 2r)\n"
            "M = diag(Ji, m (R + r)^2, Jr, Jo)\n"
            "F = (drive + ripple sin(nu t), -m g (R + r) cos(orbit), 0, -load)\n"
            "G v = ((R + r) orbit' - r spin' - R inner',           sliding on the inner race\n"
            "       (R + r) orbit' + r spin' - (R + 2r) outer')    sliding on the outer race\n"
            "rolling: 2 (R + r) orbit' = R inner' + (R + 2r) outer'",
        .source =
            "Deppler, Braun, Fidlin and Hochbruck (2016), introduction; kinematics of "
            "epicyclic trains: Harris and Kotzalas, Rolling Bearing Analysis (2006)",
        .closed_form = "q, v and Lambda without gravity",
        .coordinates = {{"inner", "rad"}, {"orbit", "rad"}, {"spin", "rad"}, {"outer", "rad"}},
        .velocities = {{"inner'", "rad/s"},
                       {"orbit'", "rad/s"},
                       {"spin'", "rad/s"},
                       {"outer'", "rad/s"}},
        .contacts = {{"sliding on the inner race", "m/s"}, {"sliding on the outer race", "m/s"}},
        .initial_q = {start.q.begin(), start.q.end()},
        .initial_v = {start.v.begin(), start.v.end()}};
  }();
  return info;
}

std::array<Parameter<RaceRoller>, 11> RaceRoller::parameters() {
  using Bearing = RaceRoller;
  return {
      {{"inner_radius", &Bearing::inner_radius, "m", "of the inner race", positive},
       {"roller_radius", &Bearing::roller_radius, "m", "of the roller", positive},
       {"roller_mass", &Bearing::roller_mass, "kg", "of the roller", positive},
       {"roller_inertia", &Bearing::roller_inertia, "kg m^2", "of the roller about its axis",
        positive},
       {"inner_inertia", &Bearing::inner_inertia, "kg m^2", "of the inner race and shaft",
        positive},
       {"outer_inertia", &Bearing::outer_inertia, "kg m^2", "of the outer race", positive},
       {"drive_torque", &Bearing::drive_torque, "N m", "mean torque on the inner race"},
       {"drive_ripple", &Bearing::drive_ripple, "N m", "amplitude of its harmonic part"},
       {"ripple_frequency", &Bearing::ripple_frequency, "rad/s", "of the harmonic part", positive},
       {"load_torque", &Bearing::load_torque, "N m", "constant torque against the outer race"},
       {"gravity", &Bearing::gravity, "m/s^2",
        "in the plane of the bearing; 0 for a vertical axis, which has a closed form"}}};
}

InitialState RaceRoller::start() const {
  constexpr double inner_rate = 3.0, outer_rate = -0.5;
  const double inner = inner_radius * inner_rate, outer = outer_radius() * outer_rate;
  InitialState start{VectorXd::Zero(nq), VectorXd(n)};
  start.q(1) = 0.5;
  start.v << inner_rate, (inner + outer) / (2.0 * orbit_radius()),
      (outer - inner) / (2.0 * roller_radius), outer_rate;
  return start;
}

namespace {

/// v' and Λ under a constant force, M diagonal.
struct Response {
  Eigen::Vector4d acceleration;
  Eigen::Vector2d multiplier;
};
Response response_to(const RaceRoller& sys, const Eigen::Vector4d& F) {
  const Eigen::Vector4d q = Eigen::Vector4d::Zero();
  const Eigen::Vector4d light = sys.mass_matrix(q).diagonal().cwiseInverse();
  const Matrix<double, 2, 4> G = sys.constraint(q);
  const Eigen::Matrix2d A = G * light.asDiagonal() * G.transpose();
  const Eigen::Vector2d multiplier = A.inverse() * (G * light.cwiseProduct(F));
  return {light.cwiseProduct(F - G.transpose() * multiplier), multiplier};
}

}  // namespace

std::optional<Motion> RaceRoller::closed_form(const InitialState& start,
                                              const std::vector<double>& times) const {
  if (gravity != 0.0) return std::nullopt;
  const Response drive_response = response_to(*this, Eigen::Vector4d(1.0, 0.0, 0.0, 0.0));
  const Response load_response = response_to(*this, Eigen::Vector4d(0.0, 0.0, 0.0, -load_torque));
  const RippledTorque torque = drive();
  const Index count = static_cast<Index>(times.size());
  Motion motion{times, MatrixXd(nq, count), MatrixXd(n, count), MatrixXd(m, count)};
  for (Index k = 0; k < count; ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    motion.q.col(k) = start.q + start.v * t +
                      drive_response.acceleration * torque.twice_integrated(t) +
                      load_response.acceleration * (0.5 * t * t);
    motion.v.col(k) =
        start.v + drive_response.acceleration * torque.impulse(t) + load_response.acceleration * t;
    motion.lambda.col(k) = drive_response.multiplier * torque.at(t) + load_response.multiplier;
  }
  return motion;
}

template SystemEntry entry_of<RaceRoller>();

}  // namespace rigidlimit
