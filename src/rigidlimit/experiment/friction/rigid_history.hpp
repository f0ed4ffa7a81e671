// The rigid motion of a study of friction and impacts, and what it is checked against.
#pragma once

#include <functional>

#include "rigidlimit/experiment/friction/friction_result.hpp"

namespace rigidlimit {

/// What the compliant motions are compared with.
struct RigidSide {
  RigidHistory report;
  Windows windows;            ///< of the judged motion, and the study's margin
  double end = 0.0;           ///< s: the pair is compared on [0, end]; 0: not at all
  std::vector<double> times;  ///< the union of all grids
  Motion judged;              ///< on `times`; no times: there is none
  Motion reference;           ///< likewise
  Motion samples;             ///< the event-driven motion on uniform samples, as far as it is good
};

/// How a rigid motion is solved: at `factor` times the tolerances of the study; above 1 the smooth
/// pieces have another method as well.
NonsmoothOptions rigid_options(const FrictionStudy& study, double factor,
                               const std::function<bool()>& stop_requested);

/// The reference where no formula is known is looser by this factor, and has a method of another
/// kind: implicit in all pieces.
inline constexpr double rigid_loosening = 100.0;
inline constexpr const char* rigid_reference_method = "radau_iia_5";

/// What the event-driven motion on uniform samples of [0, T] says of the rest: its events, how far
/// it can be compared, its energy.
RigidSide rigid_side_of(const FrictionStudy& study, NonsmoothMotion motion);

/// The history by formula on side.times, where the study asks for it and there is one.
std::optional<KnownHistory> known_history(const FrictionStudy& study, const RigidSide& side);

/// The judged motion, its reference and their distance, all on side.times: `driven` against the
/// formula, or where there is none against `loose`, which is else not looked at.
void set_judged(const FrictionStudy& study, const NonsmoothMotion& driven,
                const NonsmoothMotion& loose, RigidSide& side);

/// What [history] claims, looked up; and that the rigid motion keeps the inequality of friction.
std::vector<HistoryClaim> judged_claims(const FrictionStudy& study, const RigidHistory& rigid,
                                        const std::vector<InequalityReport>& inequality);

/// "impact floor", "stick left right".
std::string text_of(const ContactEvent& event, const FrictionalSystem& system);

/// The modes at a time, right-continuous.
std::string modes_at(const NonsmoothMotion& motion, double t);

}  // namespace rigidlimit
