#include "rigidlimit/systems/friction/bouncing_ball.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

namespace {

constexpr std::size_t most_impacts = 100000;

/// The floor's part of the history: effect of friction on the sliding velocity w = x' + r φ'.
class Floor {
 public:
  explicit Floor(const BouncingBall& ball) : ball_(ball) {}

  double sliding(const VectorXd& v) const { return v(0) + ball_.radius * v(2); }

  /// v after a tangential impulse that would end the sliding, limited to μ p.
  void apply_friction(double p, VectorXd& v) const {
    const double most = ball_.friction * p;
    push(std::clamp(tangential_mass() * sliding(v), -most, most), v);
  }

  /// v' under the friction λ and, beside it, `vertical`.
  VectorXd acceleration(double lambda, double vertical) const {
    VectorXd a = Eigen::Vector3d(0.0, vertical, 0.0);
    push(lambda, a);
    return a;
  }

  /// Motion on the floor from (t, q, v) on: sliding, then free rolling.
  void append_motion_on_floor(double t, VectorXd q, VectorXd v,
                              std::vector<UniformPiece>& pieces) const {
    const double N = ball_.mass * ball_.gravity, w = sliding(v);
    q(1) = ball_.radius;
    v(1) = 0.0;
    const bool slides = std::abs(w) > 1e-15 * (std::abs(v(0)) + ball_.radius * std::abs(v(2)));
    const double lambda = slides ? std::copysign(ball_.friction * N, w) : 0.0;
    pieces.push_back({t, q, v, acceleration(lambda, 0.0), Eigen::Vector2d(lambda, N)});
    if (!slides || ball_.friction == 0.0) return;
    const double end = t + std::abs(w) * tangential_mass() / (ball_.friction * N);
    const UniformPiece last = pieces.back();
    pieces.push_back({end, last.position(end), last.speed(end), acceleration(0.0, 0.0),
                      Eigen::Vector2d(0.0, N)});
  }

 private:
  double tangential_mass() const {
    return ball_.mass * ball_.inertia_ratio / (1.0 + ball_.inertia_ratio);
  }
  void push(double lambda, VectorXd& v) const {
    v(0) -= lambda / ball_.mass;
    v(2) -= lambda / (ball_.inertia_ratio * ball_.mass * ball_.radius);
  }

  const BouncingBall& ball_;
};

}  // namespace

const SystemInfo& BouncingBall::info() {
  static const InitialState start = BouncingBall{}.start();
  static const SystemInfo info{
      .name = "bouncing_ball",
      .title = "Disc that bounces on a floor until it rests",
      .equations =
          "q = (x, z, phi), v = q'; z upwards, phi from x to z\n"
          "M = diag(m, m, J), J = inertia_ratio m r^2,   F = (0, -m g, 0)\n"
          "gap z - r,   W v = x' + r phi'\n"
          "flights shrink by the restitution e: from a height h at rest they end at\n"
          "sqrt(2 h/g) (1 + e)/(1 - e)",
      .source = "textbook; impacts after Grzesikiewicz, Zbiciak (2020), equations 31 to 35",
      .closed_form = "all impacts, the end of the bouncing, sliding, rolling",
      .coordinates = {{"x", "m"}, {"z", "m"}, {"phi", "rad"}},
      .velocities = {{"x'", "m/s"}, {"z'", "m/s"}, {"phi'", "rad/s"}},
      .contacts = {{"sliding along the floor", "m/s"}},
      .initial_q = {start.q.begin(), start.q.end()},
      .initial_v = {start.v.begin(), start.v.end()}};
  return info;
}

std::array<Parameter<BouncingBall>, 4> BouncingBall::parameters() {
  return {
      {{"mass", &BouncingBall::mass, "kg", "mass of the disc", positive},
       {"radius", &BouncingBall::radius, "m", "radius of the disc", positive},
       {"inertia_ratio",
        &BouncingBall::inertia_ratio,
        "1",
        "moment of inertia over m r^2 (0.5 disc, 1 hoop)",
        {.low = 0.0, .high = 1.0, .low_open = true}},
       {"gravity", &BouncingBall::gravity, "m/s^2", "gravitational acceleration", non_negative}}};
}

std::array<Parameter<BouncingBall>, 2> BouncingBall::contact_parameters() {
  return {{{"friction", &BouncingBall::friction, "1", "coefficient of friction", non_negative},
           {"restitution",
            &BouncingBall::restitution,
            "1",
            "coefficient of restitution",
            {.low = 0.0, .high = 1.0}}}};
}

std::vector<ContactPoint> BouncingBall::contacts() const {
  return {{.name = "floor",
           .first = 0,
           .components = 1,
           .normal = Normal::unilateral,
           .friction = friction,
           .restitution = restitution}};
}

InitialState BouncingBall::start() const {
  return {Eigen::Vector3d(0.0, radius + 0.5, 0.0), Eigen::Vector3d::Zero()};
}

std::optional<KnownHistory> BouncingBall::closed_history(const InitialState& start,
                                                         const std::vector<double>& times) const {
  double t = 0.0, gap0 = start.q(1) - radius;
  if (gap0 < 0.0 || gravity == 0.0) return std::nullopt;
  const Floor floor(*this);
  const double last = times.empty() ? 0.0 : times.back();
  std::vector<UniformPiece> pieces;
  VectorXd q = start.q, v = start.v;
  if (gap0 == 0.0 && v(1) == 0.0) {
    floor.append_motion_on_floor(t, q, v, pieces);
    return history_of(pieces, times);
  }
  while (true) {
    pieces.push_back({t, q, v, Eigen::Vector3d(0.0, -gravity, 0.0), Eigen::Vector2d(0.0, 0.0)});
    const double u = std::sqrt(v(1) * v(1) + 2.0 * gravity * gap0);  // speed of the next impact
    const double flight = (v(1) + u) / gravity;
    if (t + flight > last) break;
    if (pieces.size() > most_impacts) return std::nullopt;
    q = pieces.back().position(t + flight);
    v = pieces.back().speed(t + flight);
    t += flight;
    q(1) = radius;
    gap0 = 0.0;
    floor.apply_friction(mass * u, v);
    floor.apply_friction(restitution * mass * u, v);
    v(1) = restitution * u;
    const double next_flight = 2.0 * v(1) / gravity;
    if (t + next_flight == t) {  // never with restitution 1
      const double rest = next_flight / (1.0 - restitution);
      floor.append_motion_on_floor(t + rest, q + rest * v, v, pieces);
      break;
    }
  }
  return history_of(pieces, times);
}

template SystemEntry entry_of<BouncingBall>();

}  // namespace rigidlimit
