// The rigid motion of a friction study, its energy, its reference, and the grids around its events.
#pragma once

#include <functional>
#include <vector>

#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/experiment/friction/friction_study.hpp"

namespace rigidlimit {

/// The rigid side of the comparison with compliant motions.
struct RigidSide {
  RigidHistory report;
  Windows windows;            ///< of the judged motion, and the study's margin
  double end = 0.0;           ///< s: the pair is compared on [0, end]; 0: not at all
  std::vector<double> times;  ///< the union of all grids
  Motion judged;              ///< at `times`; empty: none
  Motion reference;           ///< at `times`; empty: none
  Motion samples;             ///< the event-driven motion at uniform samples, up to its end
};

/// Options of a rigid solve at `factor` times the tolerances of the study. A factor above 1 also
/// selects another method for the smooth pieces.
NonsmoothOptions rigid_options(const FrictionStudy& study, double factor,
                               const std::function<bool()>& stop_requested);

/// NonsmoothOptions::compliance, C⁻¹ of the study's springs, if the contacts are redundant at the
/// start: then the springs select the internal forces. A normal force that holds a contact on both
/// sides is rigid in the compliant motion too; it gets a billionth of the smallest compliance of
/// the others. Empty: the contacts are independent.
VectorXd redundant_compliance(const FrictionStudy& study);

/// Without a closed form, the reference has tolerances larger by this factor, and an implicit
/// method in all pieces.
inline constexpr double rigid_loosening = 100.0;
inline constexpr const char* rigid_reference_method = "radau_iia_5";

/// Events, end of the comparison and energy balance from the event-driven motion at uniform samples
/// of [0, T].
RigidSide rigid_side_of(const FrictionStudy& study, NonsmoothMotion motion);

/// The closed form at side.times, if there is one and the study uses it.
std::optional<KnownHistory> known_history(const FrictionStudy& study, const RigidSide& side);

/// Sets the judged motion, its reference and their distance at side.times. The reference of
/// `driven` is the closed form; without one it is `loose`, which is otherwise unused.
void set_judged(const FrictionStudy& study, const NonsmoothMotion& driven,
                const NonsmoothMotion& loose, RigidSide& side);

/// Judges the claims of [history], and the inequality of friction on the rigid motion.
std::vector<HistoryClaim> judged_claims(const FrictionStudy& study, const RigidHistory& rigid,
                                        const std::vector<InequalityReport>& inequality);

/// The modes at a time, right-continuous.
std::string modes_at(const NonsmoothMotion& motion, double t);

/// Uniform samples on [0, end], plus the times t_e ± s around the start and every event t_e, s
/// logarithmic from Windows::neighbour_distance to layer_width ε: both sides of a jump, and the
/// layers of the compliant motion. The edges t_e ± time.margin of the window `away` are samples;
/// no sample is at an event. Sorted, strictly increasing.
std::vector<double> friction_grid(const FrictionTime& time, double end, double epsilon,
                                  const std::vector<double>& event_times);

}  // namespace rigidlimit
