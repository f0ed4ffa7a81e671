// The contact law of a study, the start of both motions, and the compliant problem.
#pragma once

#include <optional>

#include "rigidlimit/asymptotics/contact_series.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"

namespace rigidlimit {

/// Whether G v = 0 up to round-off and 15 decimal digits: ‖G v‖∞ ≤ 1e-13 ‖v‖∞.
bool is_consistent(const System& system, const InitialState& state);

/// The start of the rigid motion: the initial state with its velocity projected onto G v = 0. The
/// projection changes a consistent velocity by its round-off only.
InitialState rigid_start(const RollingStudy& study);

/// C, D and β. A damping ratio gives D with the Delassus matrix A at the start. For redundant
/// contacts D is diagonal, D_ii = ζ 2 sqrt(C_ii/A_ii): the critical damping matrix is singular on
/// their internal forces. D = 0 for a law without damper.
ViscoelasticLaw law_of(const RollingStudy& study, const LawInfo& law);
/// The same for the viscoelastic law.
ViscoelasticLaw law_of(const RollingStudy& study);

/// The oscillation of the contacts of all laws of the study at ε: y'' + A D ε^(−β) y' + A C ε^(−2)
/// y = 0 with the Delassus matrix A at the start. Empty if every oscillation decays within a
/// period.
std::optional<Ringing> ringing_of(const RollingStudy& study, double epsilon);

/// η(0): 0, C⁻¹Λ(0) (prepared), or as given.
VectorXd initial_deflection(const RollingStudy& study);

/// Whether the start of the compliant motion depends on ε: a prepared spring of joints with
/// positions.
bool moves_start(const RollingStudy& study);

/// The start of a compliant motion with a spring at ε, from the one in the file (docs/theory.md,
/// section 2). With moves_start(), the nearest q with g(q) = ε² η(0) in the rows of joints, and the
/// nearest v with the E v and G v of `start`; else `start`. Throws InputError where no q near has
/// these positions. T double or Quad.
template <class T>
InitialStateOf<T> compliant_start(const RollingStudy& study, double epsilon,
                                  InitialStateOf<T> start);

/// The leading difference of that start from `start`, q₂ = T W A⁻¹ η(0) of the joints with E q₂ =
/// 0, and M v₂ = −Eᵀκ − Gᵀμ with the rates [E; G] v₂ = −(∂q [E; G][q₂]) v; empty without
/// moves_start().
StartShift start_shift(const RollingStudy& study, const InitialState& start);

/// Λ(0) of the rigid motion; for redundant contacts the one that the compliant contact selects.
VectorXd multiplier_at_start(const RollingStudy& study);

/// The ODE of one of the study's laws at ε, from the study's start. With a spring, its variables
/// are those of `formulation`; without a spring, (q, v).
MotionProblem<OdeProblem> compliant_problem(const RollingStudy& study, const LawInfo& law,
                                            Formulation formulation, double epsilon);

/// The reason why `solver` cannot solve the compliant problem of this law (refusal_of() in
/// solvers/catalogue.hpp), worded for the author of the file; empty: it can. Does not depend on ε
/// or the numbers of the contact.
std::string refusal_of(const RollingStudy& study, const LawInfo& law, const std::string& solver);

/// The options of a compliant solve.
SolveOptions solve_options(const RollingStudy& study, Tolerance tolerance,
                           const std::function<bool()>& stop_requested);

/// Makes the gap of a motion, which is ε² η of a law with a spring, g(q) = ε² (η − η(0)): every
/// joint starts closed.
template <class T>
void remove_preload(const RollingStudy& study, const LawInfo& law, double epsilon,
                    MotionOf<T>& motion) {
  if (study.model.np == 0 || !law.has_spring()) return;
  const VectorX<T> eta0 = initial_deflection(study).tail(study.model.np).template cast<T>();
  motion.gap.colwise() -= T(epsilon) * T(epsilon) * eta0;
}

}  // namespace rigidlimit
