// The result of a study of friction and impacts as tables.
#pragma once

#include <string>

#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// The rigid events: time, kind and contacts, modes afterwards, normal and sliding impulses, energy
/// lost.
TextTable friction_event_table(const FrictionResult& result);

/// When each rigid event happens in the compliant motions of one law: one row an event, one column
/// an ε with the difference in s; the order of the last two.
TextTable friction_transition_table(const FrictionResult& result, const ComparedLaw& law,
                                    const std::string& solver);

/// Moreau and Jean's motions against the rigid one.
TextTable friction_step_table(const FrictionResult& result);

/// What [history] claims.
TextTable friction_claim_table(const FrictionResult& result);

/// Steps, roots and outcomes of the compliant solves.
TextTable friction_solve_table(const FrictionResult& result);

/// The inequality of Duvaut and Lions on every motion: how far below zero, and how often asked.
TextTable friction_inequality_table(const FrictionResult& result);

}  // namespace rigidlimit
