// The result of a friction study as tables and views of them.
#pragma once

#include <memory>
#include <string>

#include "rigidlimit/core/table.hpp"
#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/experiment/judge/series_tables.hpp"
#include "rigidlimit/result/result.hpp"
#include "rigidlimit/result/view.hpp"

namespace rigidlimit {

using SharedFriction = std::shared_ptr<const FrictionResult>;

SeriesNames names_of(const FrictionStudy& study);

/// "events": the rigid events: time, kind, contacts, modes afterwards, energy lost, state,
/// velocities before and after, impulses.
Table event_rows(const SharedFriction& result);
View event_view(const FrictionResult& result);

/// "step_events": likewise those of Moreau and Jean's motions.
Table step_event_rows(const SharedFriction& result);

/// "event_times": times of the rigid events in the compliant motions.
Table event_time_rows(const SharedFriction& result);
/// Those of one law: a line for each event, a column for each ε with the difference in s, and the
/// order from the last two.
View event_time_view(std::string key, std::string caption, const ComparedLaw& law,
                     const std::string& solver);

/// "motions": samples of the rigid (ε = 0) and the compliant motions.
Table motion_rows(const SharedFriction& result);

/// "rigid.moreau_jean": Moreau and Jean's motions compared with the rigid motion.
Table step_check_rows(const SharedFriction& result);

/// "modes": the modes of the contacts, if the study asks.
Table mode_rows(const SharedFriction& result);

/// "solves": steps, located kinks and outcomes of the compliant solves.
Table solve_rows(const SharedFriction& result);

/// "inequality": that of Duvaut and Lions for every motion: smallest value and number of
/// evaluations.
Table inequality_rows(const SharedFriction& result);

Result in_tables(FrictionResult found);

}  // namespace rigidlimit
