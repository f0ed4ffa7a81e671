// Rigid motions with friction and impacts: the result, and two independent solvers, which share
// only the system.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

struct NonsmoothOptions {
  /// Method of the smooth pieces: one of the catalogue that locates roots, explicit or stiff.
  const char* method = "runge_kutta_fehlberg78";
  /// Method for stiff pieces: used where a contact begins to slip in space, and where stability,
  /// not accuracy, limits the steps of `method` (contact/event_driven/stiffness_watch.hpp), until
  /// the modes change. Empty: never.
  const char* stiff_method = "radau_iia";
  double rtol = 1e-12;  ///< of the smooth pieces
  double atol = 1e-14;
  long max_steps = 2000000;  ///< of the whole motion
  /// m: a contact this near is closed; a start must not be deeper. m/s: |w|, |g'| below are zero.
  /// Each is at least the rounding of its terms (zero_bounds() of contact/contact_terms.hpp).
  double gap_tolerance = 1e-10, speed_tolerance = 1e-10;
  long max_events = 10000;
  /// s: a contact whose flights shrink geometrically is closed, at the limit of their sum, once the
  /// remaining time is shorter than this.
  double accumulation_time = 1e-9;
  /// C⁻¹ of the contacts, m + nc entries ≥ 0, for redundant ones; empty: equal. 0: a row so stiff
  /// that its force does not enter the measure.
  VectorXd compliance{};
  std::function<bool()> stop_requested{};
};

/// (work, slip, jumped) up to a time, J. Integrals along the pieces: the power of all forces
/// without potential, including given and bilateral normal forces, and λ·w, the friction loss.
/// jumped: the loss of the impacts that an accumulation omits. For a system without potential only
/// slip is known.
using EnergyAccounts = Eigen::Vector3d;

/// A rigid motion with its events. v and the forces are right-continuous: at an output time on an
/// event, or before it by at most the resolution of events (1e-12 s, or eight roundings of t), they
/// are those after it.
struct NonsmoothMotion : SolveEnd {  ///< message: time, contact and state of a failure
  Motion motion;                     ///< lambda: λ (m), then p (nc); NaN beyond t_reached
  std::string initial_modes;         ///< "slip,free"
  std::vector<ContactEvent> events;
  MatrixXd accounts{};  ///< EnergyAccounts at the output times, 3 × K; empty for time stepping
  MatrixXd event_accounts{};       ///< the same at the events
  std::vector<std::string> notes;  ///< several solutions, a truncated accumulation, …
};

/// Smooth pieces with fixed modes, by the methods of the options, up to their located ends. At each
/// end the contact problem for the accelerations is solved, at each impact that for the velocities.
/// Its law is Newton and Poisson's restitution with Routh's friction: a plastic phase, then a
/// restitution phase with the fraction e of each normal impulse (Grzesikiewicz & Zbiciak 2020,
/// equations 31 to 35).
NonsmoothMotion event_driven_motion(const FrictionalSystem& system, const InitialState& start,
                                    const std::vector<double>& times,
                                    const NonsmoothOptions& options = {});

/// All modes that satisfy the laws at the start, after an impact there: "slip,slip", "stick,stick".
/// Empty: none does.
std::vector<std::string> modes_at_start(const FrictionalSystem& system, const InitialState& start,
                                        const NonsmoothOptions& options = {});

/// Whether a note of a motion says that several motions satisfy the laws.
bool tells_several_solutions(const std::string& note);

/// Moreau and Jean's time stepping with equal steps `step`: contact laws between velocities and
/// impulses over a step, one contact problem each. Order 1 at best. `step` is rounded so that
/// times.back() is a whole number of steps. Between steps q and v are linear, and forces are those
/// of the step. Its events are located only to a step: a time in a step with an impact counts as on
/// it, and has the state and the forces after it.
NonsmoothMotion moreau_jean_motion(const FrictionalSystem& system, const InitialState& start,
                                   const std::vector<double>& times, double step,
                                   const NonsmoothOptions& options = {});

}  // namespace rigidlimit
