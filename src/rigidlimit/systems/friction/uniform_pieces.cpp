#include "rigidlimit/systems/friction/uniform_pieces.hpp"

#include <algorithm>
#include <iterator>

#include "rigidlimit/systems/closed_forms.hpp"

namespace rigidlimit {

VectorXd UniformPiece::position(double time) const {
  const double s = time - t;
  return q + s * v.head(q.size()) + (0.5 * s * s) * a.head(q.size());
}

VectorXd UniformPiece::speed(double time) const {
  return v + (time - t) * a;
}

const UniformPiece& piece_at(const std::vector<UniformPiece>& pieces, double time) {
  const auto next = std::upper_bound(pieces.begin(), pieces.end(), time,
                                     [](double at, const UniformPiece& p) { return at < p.t; });
  return next == pieces.begin() ? *next : *std::prev(next);
}

KnownHistory history_of(const std::vector<UniformPiece>& pieces, const std::vector<double>& times) {
  const UniformPiece& first = pieces.front();
  KnownHistory history{
      .motion = motion_on(times, first.q.size(), first.v.size(), first.forces.size()),
      .event_times = {}};
  for (Index k = 0; k < history.motion.q.cols(); ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    const UniformPiece& piece = piece_at(pieces, t);
    history.motion.q.col(k) = piece.position(t);
    history.motion.v.col(k) = piece.speed(t);
    history.motion.lambda.col(k) = piece.forces;
  }
  for (std::size_t i = 1; i < pieces.size(); ++i)
    if (!times.empty() && pieces[i].t <= times.back()) history.event_times.push_back(pieces[i].t);
  return history;
}

}  // namespace rigidlimit
