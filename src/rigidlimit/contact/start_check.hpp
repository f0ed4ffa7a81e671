// Input checks of the rigid solvers, and texts for contacts and states.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/contact/contact_terms.hpp"
#include "rigidlimit/contact/nonsmooth_motion.hpp"

namespace rigidlimit {

/// Throws InputError, with the value, if q or v of the start have the wrong size or are not finite,
/// or if the times do not increase.
void check_motion_input(const FrictionalSystem& system, const InitialState& start,
                        const std::vector<double>& times);

/// Throws InputError, with the value, for an invalid option of event_driven_motion().
void check_options(const FrictionalSystem& system, const NonsmoothOptions& options);

/// A motion with Outcome::inadmissible_state and NaN in all columns, if at the start a contact is
/// penetrated deeper than gap_tolerance, or a bilateral contact is open or opening. The message
/// names the contact, the value and the state. Empty: the start is admissible. A contact that
/// closes with a speed is admissible: it is an impact.
std::optional<NonsmoothMotion> inadmissible_start(const FrictionalSystem& system,
                                                  const InitialState& start,
                                                  const std::vector<double>& times,
                                                  const NonsmoothOptions& options);

/// Times and NaN of the right sizes.
Motion empty_motion(const FrictionalSystem& system, const std::vector<double>& times);

/// "wall, step"; "none" without any.
std::string names_of(const FrictionalSystem& system, const std::vector<ActiveContact>& active);
/// "q = (0.8, 0.2, 0), v = (-5, -3, 0)", without a clock.
std::string text_of_state(const System& system, const VectorXd& q, const VectorXd& v);

}  // namespace rigidlimit
