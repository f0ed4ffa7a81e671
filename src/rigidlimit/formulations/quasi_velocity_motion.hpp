// The adapted formulations by equations whose sizes the compiler knows.
#pragma once

#include <memory>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/formulations/adapted_equations.hpp"
#include "rigidlimit/mechanics/quasi_velocity_equations.hpp"

namespace rigidlimit {

/// Gives a compliant problem in (q, u, w, η), of natural quasi-velocities, the one-program f,
/// ∂f/∂y, fast block and OdeProblem::batched: the same functions, some six times as fast.
void use_quasi_velocity_equations(OdeProblem& ode,
                                  std::shared_ptr<const QuasiVelocityEquations> equations,
                                  const AdaptedLaw<double>& law);

/// Likewise a rigid one in (q, u); OdeProblem::batched then has no fast part.
void use_quasi_velocity_rolling(OdeProblem& ode,
                                std::shared_ptr<const QuasiVelocityEquations> equations);

}  // namespace rigidlimit
