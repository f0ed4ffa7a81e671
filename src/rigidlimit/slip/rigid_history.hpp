// The rigid motion of a study of friction and impacts, and what it is checked against.
#pragma once

#include <functional>

#include "rigidlimit/slip/slip_result.hpp"

namespace rigidlimit {

/// What the compliant motions are compared with.
struct RigidSide {
  RigidHistory report;
  SlipEvents events;          ///< of the judged motion, and the study's margin
  double end = 0.0;           ///< s: the pair is compared on [0, end]; 0: not at all
  std::vector<double> times;  ///< the union of all grids
  Motion judged;              ///< on `times`; no times: there is none
  Motion reference;           ///< likewise
  Motion samples;             ///< the event-driven motion on uniform samples, as far as it is good
};

/// Event-driven, by formula where the study says so, and by Moreau and Jean at each step.
/// `grids_of(end, event times)`: the grids that the judged motion is wanted on.
using GridsOf =
    std::function<std::vector<std::vector<double>>(double end, const std::vector<double>& events)>;
RigidSide solve_rigid(const SlipStudy& study, const GridsOf& grids_of,
                      const std::function<bool()>& stop_requested);

/// What [history] claims, looked up; and that the rigid motion keeps the inequality of friction.
std::vector<HistoryClaim> judged_claims(const SlipStudy& study, const RigidHistory& rigid,
                                        const std::vector<InequalityReport>& inequality);

/// "impact floor", "stick left right".
std::string text_of(const ContactEvent& event, const FrictionalSystem& system);

/// The modes at a time, right-continuous.
std::string modes_at(const NonsmoothMotion& motion, double t);

}  // namespace rigidlimit
