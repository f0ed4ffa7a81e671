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

/// Errors with their error bars: one row an ε, one column a measure that is shown: those of which
/// something is expected, and q, v, λ in the sup norm over all t.
TextTable slip_error_table(const SlipResult& result, const SlipLaw& law, const std::string& solver);

/// Fitted orders, verdicts and expectations of the same measures.
TextTable slip_order_table(const SlipResult& result);

/// Moreau and Jean's motions against the rigid one.
TextTable slip_step_table(const SlipResult& result);

/// What [history] claims.
TextTable slip_claim_table(const SlipResult& result);

/// Steps, roots and outcomes of the compliant solves.
TextTable slip_solve_table(const SlipResult& result);

/// The inequality of Duvaut and Lions on every motion: how far below zero, and how often asked.
TextTable slip_inequality_table(const SlipResult& result);

/// "NAME: held, 5 of 5 claims on the history, 6 of 6 orders", and a line for each that is broken.
std::string slip_verdict_line(const SlipResult& result);

}  // namespace rigidlimit
