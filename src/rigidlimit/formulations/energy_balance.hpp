// Where the energy of a motion goes: work of the forces without potential, spring, damper.
#pragma once

#include <optional>

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// Energies at K times and works up to them, in joule.
struct EnergyBalance {
  VectorXd mechanical;  ///< K* + P
  VectorXd spring;      ///< ½ yᵀ c y = ½ ε² ηᵀ C η
  VectorXd work;        ///< ∫ of the power of all forces without potential, friction included
  VectorXd damper;      ///< ∫ y'ᵀ d y' = ∫ wᵀ D w ε^(−β), what the contact dissipates

  /// (K* + P + spring)(t) − (…)(0) − work + damper: zero but for the errors of the solver, because
  /// d(K* + P)/dt = power − vᵀGᵀλ (docs/theory.md, section 7). NaN where the solver did not arrive.
  VectorXd defect() const;
};

/// A motion that keeps its accounts: `problem` has two states more, the integrals, which no other
/// state depends on. Whatever else the base offers a method (moving coordinates, fast block,
/// splitting, batched rate) it offers too: who can solve the one can solve the other.
struct BalancedProblem {
  MotionProblem<OdeProblem> motion;
  std::function<EnergyBalance(const Solution&)> balance;
};

/// The contact that a ledger is kept of.
struct BalancedContact {
  ViscoelasticLaw law;
  double epsilon;
};

/// `base`: compliant_ode or compliant_adapted of this system with this contact, or, without one,
/// rigid_eliminated or rigid_reduced.
BalancedProblem balanced(const MotionProblem<OdeProblem>& base, const System& system,
                         const std::optional<BalancedContact>& contact);

}  // namespace rigidlimit
