// Enclosure of the rigid motion, of its derivative by the start, and of the leading terms along it.
#pragma once

#include <functional>
#include <vector>

#include "rigidlimit/certify/enclosed_step.hpp"
#include "rigidlimit/certify/pair_tapes.hpp"

namespace rigidlimit {

/// One step of the rigid motion y and of its terms α and α₁, at the times s after its begin.
struct PathStep {
  struct Values {
    BallVector y, alpha, alpha1;
    BallMatrix transition;  ///< Φ = ∂y/∂y(begin)
    BallMatrix slope;       ///< ∂X
    BallVector load;        ///< Λ
  };
  Values at(const Ball& s) const;

  /// The leading terms of the errors of q and v behind the layer, nq + n.
  BallVector errors(const Ball& s) const;

  Ball begin, length;      ///< s
  MatrixXd frame;          ///< Ψ ≈ ∂y(begin)/∂y(0)
  BallMatrix transported;  ///< Φ(length) Ψ

  EnclosedStep motion, fields, linear, leading;  ///< y; PairTapes::fields; Φ, α, α₁; the errors
  BallVector alpha_error, alpha1_error;          ///< of α and α₁ at the begin
  Index velocities = 0;                          ///< n
};

/// The rigid motion from y(0) and α, α₁ from α(0), α₁(0) on [0, end]. The errors of the steps are
/// carried in the coordinates b of Ψ b, so that they grow as the motion itself does and not as the
/// product of the norms of all steps (the parallelepiped method, Nedialkov et al. 1999). Calls
/// `before_step` with the time [s] at which each step begins.
class RigidPath {
 public:
  RigidPath(const PairTapes& tapes, const BallVector& y, const BallVector& alpha,
            const BallVector& alpha1, const Ball& end,
            const std::function<void(double reached)>& before_step);

  const std::vector<PathStep>& steps() const { return steps_; }

 private:
  std::vector<PathStep> steps_;
};

}  // namespace rigidlimit
