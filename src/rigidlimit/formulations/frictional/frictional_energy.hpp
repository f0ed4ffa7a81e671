// Energy balance of a motion with friction and impacts.
#pragma once

#include "rigidlimit/formulations/frictional/frictional_compliant.hpp"

namespace rigidlimit {

/// Energies at K times and works up to them, in joule. The losses never decrease.
struct FrictionalEnergy {
  VectorXd mechanical;  ///< K* + P
  VectorXd spring;      ///< ½ c g² of closed contacts, ½ c |y|² of the tangential springs
  VectorXd work;        ///< ∫ of the power of all forces without potential, given normal ones too
  VectorXd damper;  ///< ∫ d g'² where p > 0, of normal contacts, and d |y'|² of tangential ones
  VectorXd slip;    ///< ∫ λ·(w − y'), of the friction; of the regularised law λ·w

  /// (mechanical + spring)(t) − (…)(0) − work + damper + slip: zero up to solver errors. NaN beyond
  /// the end of the solve.
  VectorXd defect() const;
};

/// A motion with its energy balance: `problem` has three more states, the integrals, on which no
/// other state depends.
struct AccountedMotion {
  MotionProblem<OdeProblem> motion;
  std::function<FrictionalEnergy(const Solution&)> energy;
};

/// frictional_compliant() of the same arguments with its energy balance. If the force of a contact
/// ends before its gap opens (g < 0, p = 0), the remaining spring energy is lost to its damper: the
/// surface returns without the body.
AccountedMotion frictional_with_energy(const FrictionalSystem& system, const InitialState& start,
                                       const FrictionalLaw& law, double epsilon,
                                       Closing closing = Closing::crossed);

}  // namespace rigidlimit
