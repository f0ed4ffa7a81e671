// Both motions of a pair at one ε, and their difference, as enclosures (docs/certified.md).
#pragma once

#include <array>
#include <vector>

#include "rigidlimit/certify/greatest.hpp"
#include "rigidlimit/certify/motion_pair.hpp"
#include "rigidlimit/certify/taylor_model.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// A pair of motions at one ε: ε² η' = w = G v, λ = C η + (D/ε) w. Another law, such as d = D'/ε^β,
/// has D = ε^(1−β) D'.
struct EnclosureQuestion {
  MotionPair pair;
  double epsilon = 0.0;
  VectorXd deflection{};  ///< η(0); empty: C⁻¹Λ(0), a prepared spring
  bool sliding = false;  ///< the compliant motion starts with G v; else with v projected on rolling
};

/// A number in [lower, upper].
struct Enclosure {
  double lower = 0.0, upper = 0.0;
};

/// The compliant motion, the rigid motion from the projected start, and their difference for
/// 0 ≤ t ≤ end.
class EnclosedPair {
 public:
  enum class Quantity { q, v, lambda };

  /// Throws std::domain_error with the reason if a motion cannot be enclosed, UndecidedComparison
  /// where the equations may have a kink, and ProofStopped.
  explicit EnclosedPair(const EnclosureQuestion& question);

  int steps() const { return static_cast<int>(steps_.size()); }

  /// max |compliant − rigid| over t ≥ from and the component `row`, or all if row < 0.
  Enclosure largest(Quantity quantity, Index row, double from) const;
  /// (1/|window| ∫ Σ (compliant − rigid)² dt)^(1/2) likewise.
  Enclosure mean_square(Quantity quantity, Index row, double from) const;

  /// q, v and λ at a time.
  using Values = std::array<BallVector, 3>;
  Values compliant_at(double t) const { return values_at(&Step::compliant, t); }
  Values rigid_at(double t) const { return values_at(&Step::rigid, t); }

  /// Bounds of |compliant − motion| and |rigid − motion| at all times of a motion.
  Motion compliant_distance(const Motion& motion) const {
    return distance(motion, &Step::compliant);
  }
  Motion rigid_distance(const Motion& motion) const { return distance(motion, &Step::rigid); }

  /// The largest radius of q, v and λ, of all components of both motions.
  std::array<double, 3> radii() const;

 private:
  using Models = std::vector<TaylorModel>;
  struct Step {
    Ball begin, half;  ///< times begin + half + s, |s| ≤ half
    std::array<Models, 3> compliant{}, rigid{}, difference{};  ///< q, v, λ
  };
  using Side = std::array<Models, 3> Step::*;
  Values values_at(Side side, double t) const;
  Motion distance(const Motion& motion, Side side) const;
  std::vector<StepPart> parts_from(double time) const;
  std::vector<Index> rows_of(Quantity quantity, Index row) const;
  std::size_t first_from(double time) const;

  std::vector<Step> steps_;
};

}  // namespace rigidlimit
