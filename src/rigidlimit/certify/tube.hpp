// A tube around the rigid motion, for all ε at once (docs/certified.md, Lemma 5).
#pragma once

#include "rigidlimit/certify/ball.hpp"

namespace rigidlimit {

/// On a piece of time |y − ŷ| ≤ ε² ρ, |f₁| ≤ F, |η − η̂| ≤ H and, while the layer lasts, |η − η̂ − P₂
/// e^(J t/ε) g₀| ≤ deviation with J at the start.
struct Tube {
  BallVector rho, F, H, deviation;

  /// A tube that contains this one, and the other with a margin.
  Tube around(const Tube& other) const;
  /// Whether bounds that hold in this tube are smaller in every component.
  bool contains(const Tube& bounds) const;
  /// Whether a motion stays in this tube if it obeys `bounds` as long as it is in the tube, and |y
  /// − ŷ|/ε² at the begin of the piece is at most `begin`. The other three need no such bound: at
  /// the begin they are below `bounds` wherever y is.
  bool holds(const Tube& bounds, const BallVector& begin) const {
    return contains(bounds) && below(begin, rho);
  }
};

}  // namespace rigidlimit
