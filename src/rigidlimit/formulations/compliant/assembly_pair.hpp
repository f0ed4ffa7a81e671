// The compliant and rigid problems of an assembly with sparse Jacobians: the cost of a step grows
// linearly with the number of bodies.
#pragma once

#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/assembly.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"

namespace rigidlimit {

/// Viscoelastic rolling in y = (q₁, u₁, w₁, η₁, q₂, …): part by part the equations of
/// compliant_adapted (formulations/compliant/adapted.hpp) with natural quasi-velocities and the
/// link forces in F. The contacts of every part obey `law` (C and D of the size of one part's
/// contacts); eta0 has all m of the assembly. The problem has a sparse Jacobian and no dense one.
///
/// A column of Solution::states is y; `motion` gives (q, v, λ) in the order of system_of(assembly).
/// Throws InputError unless every part has natural quasi-velocities and sizes fit. The callbacks
/// own workspace: only one solve at a time.
MotionProblem<OdeProblem> compliant_assembly(const Assembly& assembly, const InitialState& start,
                                             const ViscoelasticLaw& law, double epsilon,
                                             const VectorXd& eta0);

/// Ideal rolling in y = (q₁, u₁, q₂, …), part by part the equations of rigid_reduced. The part of
/// the velocity of `start` that violates G v = 0 is dropped. Otherwise as above.
MotionProblem<OdeProblem> rigid_assembly(const Assembly& assembly, const InitialState& start);

}  // namespace rigidlimit
