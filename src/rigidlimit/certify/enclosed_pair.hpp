// Both motions of a pair at one ε, and their difference, as enclosures (docs/certified.md).
#pragma once

#include <array>
#include <memory>

#include "rigidlimit/certify/motion_pair.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// A pair of motions at one ε: ε² η' = w = G v, λ = C η + (D/ε) w. Another law, such as d = D'/ε^β,
/// has D = ε^(1−β) D'.
struct EnclosureQuestion {
  MotionPair pair;
  double epsilon = 0.0;
  VectorXd deflection{};  ///< η(0), of the independent contacts; empty: C⁻¹Λ(0), a prepared spring
  bool sliding = false;  ///< the compliant motion starts with G v; else with v projected on rolling
};

/// A number in [lower, upper].
struct Enclosure {
  double lower = 0.0, upper = 0.0;
};

/// Bounds of the moduli of a difference of two motions, at the times of one of them.
struct DistanceBounds {
  Motion least, most;
};

/// The compliant motion, the rigid motion from the projected start, and their difference for
/// 0 ≤ t ≤ end.
class EnclosedPair {
 public:
  enum class Quantity { q, v, lambda };

  /// Throws std::domain_error with the reason if a motion cannot be enclosed, UndecidedComparison
  /// where the equations may have a kink, and ProofStopped.
  explicit EnclosedPair(const EnclosureQuestion& question);

  int steps() const;

  /// max |compliant − rigid| over t ≥ from and the component `row`, or all if row < 0.
  Enclosure largest(Quantity quantity, Index row, double from) const;
  /// (1/|window| ∫ Σ (compliant − rigid)² dt)^(1/2) likewise.
  Enclosure mean_square(Quantity quantity, Index row, double from) const;

  /// |compliant − motion| and |rigid − motion| at all times of a motion, the sum of `motion` and
  /// `rest`, which may be empty.
  DistanceBounds compliant_distance(const Motion& motion, const Motion& rest = {}) const;
  DistanceBounds rigid_distance(const Motion& motion, const Motion& rest = {}) const;

  /// The largest radius of q, v and λ, of all components of both motions.
  std::array<double, 3> radii() const;

  struct Motions;  ///< in Taylor models (enclosed_motions.hpp)
  const Motions& motions() const { return *motions_; }

 private:
  std::shared_ptr<const Motions> motions_;
};

}  // namespace rigidlimit
