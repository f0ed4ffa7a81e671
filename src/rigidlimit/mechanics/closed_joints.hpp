// Coordinates at which the invariants vanish and the joints have given positions.
#pragma once

#include <optional>

#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// g(q) (np) of the joints of a system, each in its own unit.
template <class T>
VectorX<T> joint_positions(const System& system, VectorInOf<T> q);

/// The v (n) of least kinetic energy ½ vᵀMv with E v = 0 and G v = rate (np) in the rows of joints.
/// T double or Quad.
template <class T>
VectorX<T> velocity_of_joints(const System& system, VectorInOf<T> q, const VectorX<T>& rate);

/// Coordinates near q with e(q) = 0 and g(q) = wanted (np), by Newton's iteration
///
///   q ← q + T v − (∂e/∂q)⁺ e,   E v = 0,   G v = wanted − g in the rows of joints,
///
/// where v is velocity_of_joints(): to first order in the misfit, the nearest such
/// coordinates in the metric of the kinetic energy. The clock keeps its value. Empty if the
/// iteration does not converge within 40 rounds. T double or Quad.
template <class T>
std::optional<VectorX<T>> coordinates_with(const System& system, VectorX<T> q,
                                           const VectorX<T>& wanted);

}  // namespace rigidlimit
