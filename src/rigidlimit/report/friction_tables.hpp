// The result of a friction study as tables.
#pragma once

#include <string>

#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/report/columns.hpp"

namespace rigidlimit {

/// The rigid events: time, kind, contacts, modes afterwards, normal and sliding impulses, energy
/// lost.
TextTable friction_event_table(const FrictionResult& result);

/// Times of the rigid events in the compliant motions of one law: one row per event, one column per
/// ε with the difference in s, and the order from the last two.
TextTable friction_transition_table(const FrictionResult& result, const ComparedLaw& law,
                                    const std::string& solver);

/// Moreau and Jean's motions compared with the rigid motion.
Columns<StepCheck> step_check_columns();

/// The modes of the contacts.
Columns<MotionModes> mode_columns();

/// The claims of [history].
Columns<HistoryClaim> history_claim_columns();

/// Steps, located kinks and outcomes of the compliant solves.
Columns<FrictionSolve> solve_columns();

/// The inequality of Duvaut and Lions for every motion: smallest value and number of evaluations.
Columns<InequalityReport> inequality_columns();

}  // namespace rigidlimit
