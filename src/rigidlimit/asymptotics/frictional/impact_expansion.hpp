// Leading terms of impacts with restitution between free flights (docs/theory.md, section 10.9).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/asymptotics/frictional/friction_terms.hpp"
#include "rigidlimit/formulations/frictional/frictional_forces.hpp"

namespace rigidlimit {

/// With τ = (t − t_c)/ε from the closing at (q_c, v_c), g = ε γ and ρ = ε (λ, p) (docs/theory.md,
/// section 10.9)
///
///   Q' = T V,   V' = ε a + M⁻¹Hᵀ r(ρ),   γ' = N V,   all at q = q_c + ε Q, V(0) = v_c,
///   ρ_n = −(C γ + D γ') until it falls to zero,   ρ_t = μ ρ_n sign w, then w' = 0 once w = 0,
///
/// a: v' without contact forces. The tangential law is the limit of springs with κ > 1. The limits
/// of an impact are those of the free motion behind it, continued back to τ = 0.
class ImpactPassage {
 public:
  /// `law`: that of the contact at ε = 1; it is planar and unilateral with e > 0.
  ImpactPassage(const FrictionalSystem& system, const CompliantContact& law, Index contact,
                double t)
      : system_(system), law_(law), contact_(contact), t_(t) {}

  struct Exit {
    VectorXd q;        ///< lim Q, nq
    VectorXd v;        ///< lim V, n
    double tau = 0.0;  ///< duration
    MatrixXd path{};   ///< Q at the wanted τ, nq × K
  };
  /// Any sign of `epsilon`. `taus`: strictly increasing and positive; beyond the end the free
  /// motion. Throws InputError with the reason if the contact would slip again.
  Exit pass(const VectorXd& q, const VectorXd& v, double epsilon,
            const std::vector<double>& taus = {}) const;

 private:
  const FrictionalSystem& system_;
  CompliantContact law_;
  Index contact_;
  double t_;
};

/// Terms ε (q₁, v₁) of the projected law with κ > 1, while the motion consists of free flights and
/// impacts of one planar contact with e > 0. Beyond the first other event only the shifts of the
/// events before it are predicted.
class ImpactExpansion final : public FrictionTerms {
 public:
  /// Throws InputError with the reason if the first event has no formula.
  explicit ImpactExpansion(const FrictionalLimit& limit);

  LeadingOrders sup_orders(Part part) const override;
  Motion leading(double epsilon, const std::vector<double>& times, Part part) const override;

  /// Why the terms end before the motion; empty: they do not.
  const std::string& end() const { return end_; }

 private:
  /// An impact, with the terms on both sides.
  struct Passed {
    double t = 0.0, shift = 0.0;  ///< s
    VectorXd q, v_before, v_after;
    VectorXd q1_before;  ///< q₁(t*−), nq
    VectorXd q1_closed;  ///< of the compliant motion at the shifted closing, nq
    std::shared_ptr<const ImpactPassage> passage{};
    double tau = 0.0;  ///< duration
  };
  struct Flight {
    double begin = 0.0, end = 0.0;
    std::vector<double> nodes{};
    MatrixXd q{}, v{};  ///< (q₁, v₁) at the nodes
  };

  Flight flight(double begin, double end, const VectorXd& q, const VectorXd& v,
                const VectorXd& terms) const;
  VectorXd through(const ContactEvent& event, std::size_t index, const VectorXd& before,
                   const CompliantContact& law);
  VectorXd coordinate_rate(const VectorXd& q, const VectorXd& v) const;

  const FrictionalSystem& system_;
  std::vector<Flight> flights_;
  std::vector<Passed> impacts_;
  std::string end_;
};

}  // namespace rigidlimit
