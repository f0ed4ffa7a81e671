#include <algorithm>
#include <cmath>

#include "rigidlimit/systems/closed_forms.hpp"
#include "rigidlimit/systems/friction/uniform_pieces.hpp"

namespace rigidlimit {

namespace {

constexpr std::size_t most_impacts = 100000;

struct Ball {
  double mass, radius, inertia_ratio, gravity, friction, restitution;
};

/// The floor's part of the history: effect of friction on the sliding velocity w = x' + r φ'.
class Floor {
 public:
  explicit Floor(const Ball& ball) : ball_(ball) {}

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

  Ball ball_;
};

}  // namespace

std::optional<KnownHistory> bouncing_ball_history(const std::vector<double>& values,
                                                  const InitialState& start,
                                                  const std::vector<double>& times) {
  const auto [mass, radius, inertia_ratio, gravity, friction, restitution] = unpacked<6>(values);
  double t = 0.0, gap0 = start.q(1) - radius;
  if (gap0 < 0.0 || gravity == 0.0) return std::nullopt;
  const Floor floor({mass, radius, inertia_ratio, gravity, friction, restitution});
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

}  // namespace rigidlimit
