// The project's one-step methods beside Radau IIA.
#pragma once

#include <span>

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// Rosenbrock, exponential and implicit one-stage methods, in the order of the catalogue.
std::span<const OdeMethod> one_step_methods();

}  // namespace rigidlimit
