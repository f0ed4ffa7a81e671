#include "rigidlimit/systems/rolling/two_blade_dumbbell.hpp"

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& TwoBladeDumbbell::info() {
  static const SystemInfo info = [] {
    const InitialState start = TwoBladeDumbbell{}.start();
    return SystemInfo{
        .name = "two_blade_dumbbell",
        .title = "Dumbbell on two knife edges",
        .equations =
            "q = (x, y, phi), v = q'; centre of mass (x down the slope), direction of the bar\n"
            "M = diag(m, m, m1 m2 L^2/m),   m = m1 + m2,   F = (m g sin(slope), 0, 0)\n"
            "G v = (-sin(phi+a1) x' + cos(phi+a1) y' + d1 cos(a1) phi',   front blade\n"
            "       -sin(phi+a2) x' + cos(phi+a2) y' - d2 cos(a2) phi')   back blade\n"
            "d1 = m2 L/m, d2 = m1 L/m; a1, a2 from the bar to the blades\n"
            "rolling: the bar turns about the point where the normals of the blades meet",
        .source =
            "Koshkin and Jovanovic, Realization of nonholonomic constraints and singular "
            "perturbation theory for plane dumbbells, arXiv:1705.06277 (2017)",
        .closed_form = "q, v and Lambda on a horizontal plane (slope = 0): uniform rotation",
        .coordinates = {{"x", "m"}, {"y", "m"}, {"phi", "rad"}},
        .velocities = {{"x'", "m/s"}, {"y'", "m/s"}, {"phi'", "rad/s"}},
        .contacts = {{"lateral sliding of the front blade", "m/s"},
                     {"lateral sliding of the back blade", "m/s"}},
        .initial_q = {start.q.begin(), start.q.end()},
        .initial_v = {start.v.begin(), start.v.end()}};
  }();
  return info;
}

std::array<Parameter<TwoBladeDumbbell>, 7> TwoBladeDumbbell::parameters() {
  using Bar = TwoBladeDumbbell;
  constexpr Range quarter{.low = -M_PI_2, .high = M_PI_2, .low_open = true, .high_open = true};
  return {{{"front_mass", &Bar::front_mass, "kg", "mass at the front end", positive},
           {"back_mass", &Bar::back_mass, "kg", "mass at the back end", positive},
           {"length", &Bar::length, "m", "length of the bar", positive},
           {"front_angle", &Bar::front_angle, "rad", "from the bar to the front blade", quarter},
           {"back_angle", &Bar::back_angle, "rad", "from the bar to the back blade", quarter},
           {"slope",
            &Bar::slope,
            "rad",
            "inclination of the plane; 0 has a closed form",
            {.low = -M_PI_2, .high = M_PI_2}},
           {"gravity", &Bar::gravity, "m/s^2", "gravitational acceleration", non_negative}}};
}

Eigen::Vector3d TwoBladeDumbbell::rolling_motion() const {
  const double c1 = std::cos(front_angle), s1 = std::sin(front_angle);
  const double c2 = std::cos(back_angle), s2 = std::sin(back_angle);
  return {-length * c1 * c2, -front() * c1 * s2 - back() * s1 * c2,
          std::sin(back_angle - front_angle)};
}

InitialState TwoBladeDumbbell::start() const {
  const Eigen::Vector3d k = rolling_motion();
  const double speed = 1.2;                                          // of the centre of mass, m/s
  const Eigen::Vector3d velocity = -speed / k.head<2>().norm() * k;  // forward: k₁ < 0
  return {VectorXd::Zero(nq), velocity};
}

std::optional<Motion> TwoBladeDumbbell::closed_form(const InitialState& start,
                                                    const std::vector<double>& times) const {
  if (downhill() != 0.0) return std::nullopt;
  const double omega = start.v(2), phi0 = start.q(2);
  // In the frame of the bar the velocity of the centre of mass is constant, and so is Λ, from
  // (G M⁻¹ Gᵀ) Λ = (∂q G[v]) v.
  const double u = std::cos(phi0) * start.v(0) + std::sin(phi0) * start.v(1);
  const double w = -std::sin(phi0) * start.v(0) + std::cos(phi0) * start.v(1);
  const Matrix<double, m, n> G = constraint<double>(Eigen::Vector3d::Zero());
  const Eigen::Vector3d light(1.0 / mass(), 1.0 / mass(), 1.0 / inertia());
  const Eigen::Matrix2d A = G * light.asDiagonal() * G.transpose();
  const Eigen::Vector2d drift(-omega * (std::cos(front_angle) * u + std::sin(front_angle) * w),
                              -omega * (std::cos(back_angle) * u + std::sin(back_angle) * w));
  const Eigen::Vector2d multiplier = A.inverse() * drift;

  const Index count = static_cast<Index>(times.size());
  Motion motion{times, MatrixXd(nq, count), MatrixXd(n, count), MatrixXd(m, count)};
  for (Index k = 0; k < count; ++k) {
    const double t = times[static_cast<std::size_t>(k)], half = 0.5 * omega * t;
    const double phi = phi0 + omega * t, middle = phi0 + half;
    const double chord = half == 0.0 ? t : t * std::sin(half) / half;
    motion.q.col(k) << start.q(0) + chord * (u * std::cos(middle) - w * std::sin(middle)),
        start.q(1) + chord * (u * std::sin(middle) + w * std::cos(middle)), phi;
    motion.v.col(k) << u * std::cos(phi) - w * std::sin(phi), u * std::sin(phi) + w * std::cos(phi),
        omega;
    motion.lambda.col(k) = multiplier;
  }
  return motion;
}

template SystemEntry entry_of<TwoBladeDumbbell>();

}  // namespace rigidlimit
