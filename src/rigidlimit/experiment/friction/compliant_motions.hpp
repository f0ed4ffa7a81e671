// The compliant motions of a study of friction and impacts.
#pragma once

#include <functional>

#include "rigidlimit/experiment/friction/friction_result.hpp"

namespace rigidlimit {

/// Something that happened to a contact of a compliant motion, in the words of the rigid one.
struct CompliantEvent {
  double t = 0.0;
  EventKind kind = EventKind::touch;  ///< touch, detachment, stick, slip or kink
  Index contact = 0;                  ///< −1 of a kink
};

/// One solve with what it gave.
struct FrictionMotion {
  FrictionSolve solve;
  std::size_t law = 0;      ///< of study.contact.laws
  std::size_t epsilon = 0;  ///< of study.epsilons
  Motion motion;            ///< on the grid it was asked for; NaN where it did not get
  std::vector<CompliantEvent> events;
};

/// `one`, which says its law, ε, solver and tolerance, solved on `times`. A solver that refuses the
/// problem, or throws, is an outcome with a message.
FrictionMotion solve_compliant(const FrictionStudy& study, FrictionMotion one,
                               const std::vector<double>& times,
                               const std::function<bool()>& stop_requested);

/// When `event` happens in a compliant motion: the time of the nearest event of the same contact
/// and kind (an impact is a closing, a reversal passes through sticking), NaN without one.
double matched_time(const ContactEvent& event, const std::vector<CompliantEvent>& events);

}  // namespace rigidlimit
