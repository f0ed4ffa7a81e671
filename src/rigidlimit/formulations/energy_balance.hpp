// Energy balance of a motion: work of the forces without potential, spring, damper.
#pragma once

#include <optional>

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// An energy balance over [0, T], J.
struct EnergySizes {
  double mechanical = 0.0;  ///< change of K* + P
  double spring = 0.0;      ///< energy of the spring at T less that at 0
  double work = 0.0;        ///< of the forces without potential and of surfaces that move
  double damper = 0.0;      ///< dissipated by the contact
  double defect = 0.0;      ///< largest |mechanical + spring − work + damper| over [0, T]
};

/// Energies at K times and works up to them, in joule.
struct EnergyBalance {
  VectorXd mechanical;  ///< K* + P
  VectorXd spring;      ///< ½ yᵀ c y = ½ ε² ηᵀ C η
  VectorXd work;    ///< ∫ of the power of all forces without potential, friction included, and
                    ///< of surfaces that move (docs/theory.md, section 16)
  VectorXd damper;  ///< ∫ y'ᵀ d y' = ∫ wᵀ D w ε^(−β), energy dissipated by the contact

  /// (K* + P + spring)(t) − (…)(0) − work + damper: zero up to solver errors, because d(K* + P)/dt
  /// = power − vᵀGᵀλ (docs/theory.md, section 7). NaN beyond the end of the solve.
  VectorXd defect() const;

  std::optional<EnergySizes> sizes() const;  ///< empty without times
};

/// A motion with its energy balance: `problem` has two more states, the integrals, on which no
/// other state depends. It keeps all options that the base offers (moving coordinates, fast block,
/// splitting, batched rate), so that the same methods apply.
struct BalancedProblem {
  MotionProblem<OdeProblem> motion;
  std::function<EnergyBalance(const Solution&)> balance;
};

/// The contact of an energy balance.
struct BalancedContact {
  ViscoelasticLaw law;
  double epsilon;
};

/// `base`: compliant_ode or compliant_adapted of this system with this contact, or, without one,
/// rigid_eliminated or rigid_reduced.
BalancedProblem balanced(const MotionProblem<OdeProblem>& base, const System& system,
                         const std::optional<BalancedContact>& contact);

}  // namespace rigidlimit
