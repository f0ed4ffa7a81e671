// The theorem of a pair: error constants for all ε at once (docs/certified.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/certify/motion_pair.hpp"

namespace rigidlimit {

/// The end of the proof for one ε₀.
struct EpsilonTrial {
  double epsilon = 0.0;  ///< ε₀
  int proved = 0;        ///< theorems that it gave, of three
  std::string reason{};  ///< why one is still open; empty: all are proved
};

/// The values of ε₀ in the order in which they are tried: `largest`, then the smaller ones of 5, 2
/// and 1 times a power of 10, at least 1e-5.
std::vector<double> epsilons_to_try(double largest);

/// A pair with β = 1, for all ε; v is projected on rolling.
struct ProofQuestion {
  MotionPair pair;
  bool prepared = false;                           ///< η(0) = C⁻¹Λ(0); else 0
  double after = 0.0;                              ///< begin of the window behind the layer, s
  double largest_epsilon = 0.0;                    ///< the largest ε₀ to be tried
  std::function<void(double epsilon)> on_begin{};  ///< called before an ε₀ is tried
  std::function<void(const EpsilonTrial& trial)> on_end{};  ///< called after it
};

/// | sup |error| − K ε² | ≤ K₃ ε³ for 0 < ε ≤ ε₀, in the maximum norm over all components and times
/// of a window, K in [lower, upper].
struct ErrorTheorem {
  double lower = 0.0, upper = 0.0;  ///< of K
  double remainder = 0.0;           ///< K₃
  double largest_epsilon = 0.0;     ///< ε₀

  double at_least(double epsilon) const;  ///< K ε² − K₃ ε³
  double at_most(double epsilon) const;   ///< K ε² + K₃ ε³
};

/// A theorem, or the reason why there is none.
struct ProofResult {
  std::optional<ErrorTheorem> theorem{};
  std::string reason{};
};

struct PairTheorem {
  ProofResult q;             ///< of q − q̂ on the whole interval
  ProofResult q_after;       ///< behind `after`
  ProofResult v_after;       ///< of v − v̂ behind `after`
  int steps = 0;             ///< of the rigid motion
  VectorXd least{}, most{};  ///< bounds of q along the rigid motion, nq
};

/// Proves each of them for the largest of epsilons_to_try() for which it can and K₃ ε₀ ≤ 10 K, in
/// ball arithmetic and in steps that do not depend on ε. Throws
/// std::domain_error with the reason if the rigid motion cannot be enclosed or the layer does not
/// decay, UndecidedComparison if the equations may have a kink, and ProofStopped.
PairTheorem proved(const ProofQuestion& question);

}  // namespace rigidlimit
