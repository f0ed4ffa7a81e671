// The systems whose equations in quasi-velocities are compiled.
#pragma once

#include <memory>

#include "rigidlimit/mechanics/quasi_velocity_equations.hpp"

namespace rigidlimit {

struct KnifeEdge;
struct ChaplyginSleigh;
struct RollingDisk;

// make_system() finds these by the name of the system's type (mechanics/equations_of.hpp).
std::shared_ptr<const QuasiVelocityEquations> compiled(const KnifeEdge& system);
std::shared_ptr<const QuasiVelocityEquations> compiled(const ChaplyginSleigh& system);
std::shared_ptr<const QuasiVelocityEquations> compiled(const RollingDisk& system);

}  // namespace rigidlimit
