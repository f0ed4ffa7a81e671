// The result of a friction study as tables.
#pragma once

#include <string>

#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// The rigid events: time, kind, contacts, modes afterwards, normal and sliding impulses, energy
/// lost.
TextTable friction_event_table(const FrictionResult& result);

/// Times of the rigid events in the compliant motions of one law: one row per event, one column per
/// ε with the difference in s, and the order from the last two.
TextTable friction_transition_table(const FrictionResult& result, const ComparedLaw& law,
                                    const std::string& solver);

/// Moreau and Jean's motions compared with the rigid motion.
TextTable friction_step_table(const FrictionResult& result);

/// The claims of [history].
TextTable friction_mode_table(const FrictionResult& result);
TextTable friction_claim_table(const FrictionResult& result);

/// Steps, roots and outcomes of the compliant solves.
TextTable friction_solve_table(const FrictionResult& result);

/// The inequality of Duvaut and Lions for every motion: smallest value and number of evaluations.
TextTable friction_inequality_table(const FrictionResult& result);

}  // namespace rigidlimit
