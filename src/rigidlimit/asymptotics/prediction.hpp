// What the expansion predicts for compliant minus rigid motion at an ε.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/asymptotics/expansion.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// Powers of ε with which a norm of the differences in q, v and λ tends to zero.
struct LeadingOrders {
  double q;
  double v;
  double lambda;
};

/// The expansion (docs/theory.md, sections 3 and 4) evaluated on a time grid. The motions that it
/// returns hold differences compliant − rigid. With τ = t/ε, W = M⁻¹G_Iᵀ, x = (η̃, ω) the layer of
/// the r independent contacts and λ̃ = C H η̃ + D H ω, C_r and D_r as in Expansion (independent
/// contacts: r = m, H = I, C_r = C, D_r = D, μ = Λ):
///
///             start unloaded, or e₀ ≠ 0 at all       prepared, e₀ = 0
///   x(0)      (−e₀, 0)                               (C_r⁻¹D_r C_r⁻¹μ'(0), −C_r⁻¹μ'(0))
///   layer q   ε² T W A⁻¹ η̃                           0 (it is O(ε³))
///   layer v   ε W A⁻¹ ω                              ε² W A⁻¹ ω
///   layer λ   λ̃                                      ε λ̃
///
/// The outer terms and the layer have no overlap to be subtracted: every layer term decays.
class Prediction {
 public:
  /// Solves expansion.outer on `times` (strictly increasing, times.front() ≥ 0). A failed solve is
  /// an outcome; what was not reached is NaN. Throws InputError for a grid that cannot be used.
  /// `stop_requested` is asked about once a step; empty: never.
  Prediction(Expansion expansion, std::vector<double> times,
             std::function<bool()> stop_requested = {});
  /// One that was solved before: what the accessors below said of it then.
  Prediction(Expansion expansion, Motion outer, MatrixXd lambda1, Outcome outcome,
             std::string message, const Work& work);

  Outcome outcome() const { return outcome_; }
  const std::string& message() const { return message_; }  ///< why it failed; empty on success
  const Work& work() const { return work_; }

  const Motion& outer_coefficients() const { return outer_; }  ///< (q₂, v₂, λ₂) on the whole grid
  const MatrixXd& lambda1() const { return lambda1_; }         ///< λ₁ likewise (m × K)

  /// The same on other times of the grid or between them (Interpolation): so that of many ε, each
  /// with times of its own, all share one solve.
  Prediction at(const std::vector<double>& times) const;

  /// Differences at `times`, each of which must be one of the grid (else InputError); ε > 0.
  ///
  /// The outer terms alone, ε² (q₂, v₂, λ₂) and ε λ₁: all that is known outside the layer.
  Motion outer(double epsilon, const std::vector<double>& times) const;
  /// The leading terms on all of [0, T]: outer and layer where both have the leading order (q; if
  /// prepared, v and λ₁), the layer alone where it is larger. Remainder in the sup norm: one order
  /// more.
  Motion leading(double epsilon, const std::vector<double>& times) const;
  /// Everything known, outer + layer. Remainder in the sup norm on [0, T]: q 3, v 2, λ 1; prepared
  /// q 3, v 3, λ 2; outside the layer 3, 3, 3.
  Motion composite(double epsilon, const std::vector<double>& times) const;

  LeadingOrders sup_orders() const;    ///< sup norm on [0, T]
  LeadingOrders l2_orders() const;     ///< root mean square on [0, T]; a layer alone gains 1/2
  LeadingOrders after_orders() const;  ///< either norm on [t₁, T], t₁ > 0
  // Orders that the terms named above have in general. A coefficient may vanish: λ of a prepared
  // spring with Λ'(0) = 0, for instance.

 private:
  std::vector<Index> columns(const std::vector<double>& times) const;
  /// The layer terms with their powers of ε.
  Motion layer(double epsilon, const std::vector<double>& times) const;

  Expansion expansion_;
  Motion outer_;
  MatrixXd lambda1_;
  Outcome outcome_ = Outcome::not_run;
  std::string message_;
  Work work_;
};

}  // namespace rigidlimit
