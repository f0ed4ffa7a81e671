// Enclosure of the solution of a slow-fast equation, in steps that ε does not limit.
#pragma once

#include <optional>
#include <vector>

#include "rigidlimit/certify/decaying_norm.hpp"
#include "rigidlimit/certify/model_matrix.hpp"
#include "rigidlimit/certify/slow_fast.hpp"

namespace rigidlimit {

/// The solution from a start, step by step (docs/certified.md, "One ε"). On a step a polynomial z̃
/// approximates the solution, and its defect F(z̃) − e z̃' is enclosed. The error δ = z − z̃ is
/// carried in variables of which each hardly acts on the other (Chang 1972),
///
///   p = δy − S δf = Ω⁻¹ Ψ c,   Ω' ≈ −Ω ∂F_y/∂y,       h = δf − L p,
///
/// where c changes with the defect and a coupling of order ε², and |h|_V decays with κ/ε. A
/// comparison system bounds both (Dahlquist, Lozinskii).
class EnclosedMotion {
 public:
  /// `tolerance`: of the defect, times the length of a step for the slow variables.
  EnclosedMotion(SlowFastEquation equation, const BallVector& start, double tolerance);

  struct Step {
    double half = 0.0;                  ///< −half ≤ s ≤ half
    std::vector<TaylorModel> values{};  ///< z(s), widened by the bound of its error
    struct End {
      BallVector value;                    ///< z̃
      BallMatrix spread;                   ///< Ω⁻¹ Ψ
      BallMatrix shift, slave;             ///< S, L
      Ball slow, fast;                     ///< ≥ |c|, |h|
      std::optional<DecayingNorm> norm{};  ///< of h; none at the start
      BallVector fast_error() const;       ///< δf
    } end{};
  };

  /// The step of this length; none if the defect exceeds the tolerance or no bound of the error
  /// was found. `next`: the length to try next.
  std::optional<Step> step(double length, double& next) const;
  void accept(const Step& step) { end_ = step.end; }

  static constexpr Index order = 24;  ///< of the models

 private:
  struct Approximation;
  class ErrorOnStep;
  struct Bounded {
    BallVector errors;  ///< ≥ |δ| on the step
    Step::End end;
  };

  std::optional<Approximation> approximation(double length) const;
  double share_of_tolerance(const Approximation& z) const;
  std::optional<Bounded> error_in(const BallVector& tube, const Approximation& z) const;
  ModelMatrix slopes_in(const TaylorModel::Domain& domain, const BallMatrix& polynomial,
                        const BallVector& tube) const;

  SlowFastEquation equation_;
  double tolerance_;
  Collocation collocation_;
  Evaluator<TaylorModel> rates_, slopes_;
  Step::End end_;
};

}  // namespace rigidlimit
