// Histories made of pieces in which every acceleration and force is constant.
#pragma once

#include <vector>

#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// From t on, until the next piece begins: q = q0 + u0 s + u' s²/2, v = v0 + a s, s = time − t, with
/// u the first velocities: there are as many as coordinates, or more.
struct UniformPiece {
  double t = 0.0;
  VectorXd q;       ///< at t
  VectorXd v;       ///< at t, after an impact
  VectorXd a;       ///< v'
  VectorXd forces;  ///< λ, then p

  VectorXd position(double time) const;
  VectorXd speed(double time) const;
};

/// The piece that rules at `time`: the last that has begun. `pieces` not empty, in order of t.
const UniformPiece& piece_at(const std::vector<UniformPiece>& pieces, double time);

/// The pieces on a time grid, and those of their beginnings but the first that the grid reaches.
KnownHistory history_of(const std::vector<UniformPiece>& pieces, const std::vector<double>& times);

}  // namespace rigidlimit
