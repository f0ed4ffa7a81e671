// Histories of pieces with constant accelerations and forces.
#pragma once

#include <vector>

#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// Motion from t on, until the next piece begins: q = q0 + u0 s + u' s²/2, v = v0 + a s, s = time −
/// t, with u the first velocities, as many as coordinates.
struct UniformPiece {
  double t = 0.0;
  VectorXd q;       ///< at t
  VectorXd v;       ///< at t, after an impact
  VectorXd a;       ///< v'
  VectorXd forces;  ///< λ, then p

  VectorXd position(double time) const;
  VectorXd speed(double time) const;
};

/// The piece at `time`: the last one that has begun. `pieces` is not empty and in order of t.
const UniformPiece& piece_at(const std::vector<UniformPiece>& pieces, double time);

/// The pieces on a time grid, and the starts within the grid of all pieces but the first.
KnownHistory history_of(const std::vector<UniformPiece>& pieces, const std::vector<double>& times);

}  // namespace rigidlimit
