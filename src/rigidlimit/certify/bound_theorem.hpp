// A bound C ε^p of all ε of an interval, judged by a theorem.
#pragma once

#include "rigidlimit/certify/pair_proof.hpp"

namespace rigidlimit {

/// The claim e(ε) ≤ C ε^p for all ε > 0 in [from, to].
struct BoundClaim {
  double constant = 0.0, power = 0.0;
  double from = 0.0, to = 0.0;
};

/// Whether | e(ε) − K ε² | ≤ K₃ ε³ for 0 < ε ≤ ε₀ proves or refutes the claim. Judged in balls.
struct BoundProof {
  enum class State {
    proved,
    refuted,  ///< the error exceeds the limit at `epsilon`, or for ε → 0 (then `epsilon` is 0)
    open,     ///< the limit is within the remainder at `epsilon`
    beyond    ///< the interval is not within (0, ε₀]
  };
  State state = State::open;
  double epsilon = 0.0;
  /// error/ε^p at this ε, or for ε → 0: at least (refuted) or at most (open).
  double quotient = 0.0;
};

/// C ε^p against the theorem. K ε^(2−p) + K₃ ε^(3−p) is a sum of exponentials of log ε, and so
/// convex in it: its largest value is at an end of the interval, also at ε → 0.
BoundProof judged(const BoundClaim& claim, const ErrorTheorem& theorem);

}  // namespace rigidlimit
