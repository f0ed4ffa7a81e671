// Leading terms of impacts with restitution between free flights (docs/theory.md, section 10.9).
#pragma once

#include <memory>
#include <string>

#include "rigidlimit/experiment/friction/friction_terms.hpp"
#include "rigidlimit/experiment/friction/impact_passage.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"

namespace rigidlimit {

/// Terms ε (q₁, v₁) of the projected law with κ > 1, while the motion consists of free flights and
/// impacts of one planar contact with e > 0. Beyond the first other event only the shifts of the
/// events before it are predicted.
class ImpactExpansion final : public FrictionTerms {
 public:
  /// Throws InputError with the reason if the first event has no formula.
  ImpactExpansion(const FrictionStudy& study, const RigidSide& side, const ComparedLaw& law);

  double order(const Measure& measure) const override;
  Motion leading(double epsilon, const std::vector<double>& times, Window window) const override;

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

  const FrictionStudy& study_;
  std::vector<Flight> flights_;
  std::vector<Passed> impacts_;
  std::string end_;
};

}  // namespace rigidlimit
