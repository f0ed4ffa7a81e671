// The result of a study of friction and impacts as tables.
#pragma once

#include <string>

#include "rigidlimit/record/text_table.hpp"
#include "rigidlimit/slip/slip_result.hpp"

namespace rigidlimit {

/// The rigid events: time, kind and contacts, modes afterwards, normal and sliding impulses, energy
/// lost.
TextTable slip_event_table(const SlipResult& result);

/// When each rigid event happens in the compliant motions of one law: one row an event, one column
/// an ε with the difference in s; the order of the last two.
TextTable slip_transition_table(const SlipResult& result, const SlipLaw& law,
                                const std::string& solver);

/// Moreau and Jean's motions against the rigid one.
TextTable slip_step_table(const SlipResult& result);

/// What [history] claims.
TextTable slip_claim_table(const SlipResult& result);

/// Steps, roots and outcomes of the compliant solves.
TextTable slip_solve_table(const SlipResult& result);

/// The inequality of Duvaut and Lions on every motion: how far below zero, and how often asked.
TextTable slip_inequality_table(const SlipResult& result);

}  // namespace rigidlimit
