// The adapted formulations by equations of motion that are one tape.
#pragma once

#include <memory>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/formulations/adapted_equations.hpp"
#include "rigidlimit/mechanics/quasi_velocity_equations.hpp"

namespace rigidlimit {

/// Gives a compliant problem in (q, u, w, η), of natural quasi-velocities, f, ∂f/∂y, fast block and
/// OdeProblem::batched by one tape each: the same functions, some six times as fast.
void use_quasi_velocity_equations(OdeProblem& ode,
                                  std::shared_ptr<const QuasiVelocityEquations> equations,
                                  const AdaptedLaw<double>& law);

/// Likewise a rigid one in (q, u); OdeProblem::batched then has no fast part.
void use_quasi_velocity_rolling(OdeProblem& ode,
                                std::shared_ptr<const QuasiVelocityEquations> equations);

}  // namespace rigidlimit
