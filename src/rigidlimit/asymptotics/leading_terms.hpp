// The leading terms of compliant minus rigid motion as ε → 0.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "rigidlimit/asymptotics/crossing_series.hpp"
#include "rigidlimit/asymptotics/first_terms.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// The leading terms of one motion. A motion that it returns holds differences compliant − rigid,
/// the leading term of each of q, v, λ and gap.
class LeadingTerms {
 public:
  LeadingTerms() = default;
  LeadingTerms(const LeadingTerms&) = delete;
  LeadingTerms& operator=(const LeadingTerms&) = delete;
  virtual ~LeadingTerms() = default;

  /// At `times`, to the orders of [from, T]: behind `from`, terms of layers before it are not
  /// leading ones. ε > 0.
  virtual Motion at(double epsilon, const std::vector<double>& times, double from) const = 0;
  /// All known terms, at most of the order ε².
  virtual Motion known(double epsilon, const std::vector<double>& times) const = 0;
  /// The orders in ε in the sup norm, and root mean square, on [from, T].
  virtual LeadingOrders sup_orders(double from) const = 0;
  virtual LeadingOrders l2_orders(double from) const = 0;
  /// The decay time of the slowest part of the layer over the duration of the motion. The terms are
  /// leading ones where this is small. 0: a contact that rings at all times.
  virtual double layer_share(double epsilon) const = 0;
};

/// The compliant contact of a motion: its start, spring and law.
struct CompliantStart {
  const System& system;
  InitialState state;
  ViscoelasticLaw law;
  VectorXd eta0;  ///< m: scaled deflection
  double end;
  std::vector<SwitchCrossing> crossings{};  ///< of the rigid motion, in its order
  StartShift shift{};                       ///< of the start; read by the series alone
  /// Ends the construction with an InputError, and at() with Stopped (core/stop_request.hpp).
  std::function<bool()> stop_requested{};
};

/// Of the law with spring and damper, by the theory for its β: one of the three below.
std::unique_ptr<LeadingTerms> leading_terms(const CompliantStart& start);

/// Of the viscous law λ = (D/δ) G v with the damping of `start`: the series without a spring and
/// with β = 2, in √δ.
std::unique_ptr<LeadingTerms> leading_terms_of_viscous_law(CompliantStart start);

/// For β = 1 and β = 2, from every start and across switches: the first terms of the expansion that
/// are not zero (asymptotics/series_expansion.hpp). Throws InputError where SeriesExpansion does.
std::unique_ptr<LeadingTerms> leading_terms_of_series(const CompliantStart& start);

/// For every 0 < β < 2, from a start that rolls with a missing load e₀ ≠ 0, without switches
/// (docs/theory.md, section 8). q₂, v₂ and the frozen layer do not depend on β, but the layer's
/// damping is D ε^(1−β), which tends to zero (β < 1) or to infinity (β > 1):
///
///   q: ε² (q₂ + T W A⁻¹ η̃),   v: ε W A⁻¹ dη̃/dτ,   λ: C η̃ + D ε^(1−β) dη̃/dτ,   gap: ε² (g₂ + η̃).
///
/// Remainders are smaller by ε^min(β, 2−β, |1−β|), in the sup norms of v and λ by more. Throws
/// InputError for another start.
std::unique_ptr<LeadingTerms> leading_terms_of_frozen_layer(const CompliantStart& start);

/// For β = 0 and for D = 0, one contact without exact rows, from a start that rolls with e₀ ≠ 0:
/// the contact rings at all times (docs/theory.md, section 8). With r = W A⁻¹ and φ' = √(A C),
///
///   η̃ = −e₀ (A(0)/A(t))^(1/4) exp(½ ∫ (α − A D)) cos(φ/ε),   α = ∂(w')/∂w along v = r w,
///
/// the leading terms are q: ε² (q₂ + T r η̃), v: ε r dη̃/dτ, λ: C η̃, gap: ε² (g₂ + η̃). M v₂' has,
/// beside the terms of a damped contact, the mean force of the ringing, with a the amplitude of η̃:
///
///   a²/4 A C ∂²F/∂v² [r, r] + a²/2 (∂q M[T r] W − ∂q G[T r]ᵀ) C.
///
/// Throws InputError for another contact or start.
std::unique_ptr<LeadingTerms> leading_terms_of_ringing(const CompliantStart& start);

}  // namespace rigidlimit
