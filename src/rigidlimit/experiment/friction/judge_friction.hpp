// The two motions of a pair against the rigid side → sizes → rows with error bars → verdicts;
// sequences of events.
#pragma once

#include <functional>
#include <string>

#include "rigidlimit/asymptotics/frictional/friction_terms.hpp"
#include "rigidlimit/experiment/friction/friction_motions.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"

namespace rigidlimit {

/// Sets CompliantPair::against to one comparison. `off_reference`: judged − reference of the rigid
/// side. `expansion` predicts the leading terms; nullptr: none. Throws Stopped.
void compare(const FrictionStudy& study, const RigidSide& rigid, const Motion& off_reference,
             const FrictionTerms* expansion, CompliantPair& pair,
             const std::function<bool()>& stop_requested = {});

/// Series of every measure of q, v and λ. The pairs of the ladder are compared.
std::vector<Series> motion_series(const FrictionStudy& study, const RigidSide& rigid,
                                  const PairAxes& axes, const PairLadder& ladder,
                                  const FrictionTerms* expansion = nullptr);

/// The matches of every rigid event in the compliant motions of a ladder.
std::vector<EventMatch> event_matches(const FrictionStudy& study, const RigidSide& rigid,
                                      const PairLadder& ladder,
                                      const FrictionTerms* expansion = nullptr);

/// Series of the largest time difference of all matched events and of those of each kind;
/// `matches`: event_matches() of the same pairs.
std::vector<Series> event_series(const FrictionStudy& study, const RigidSide& rigid,
                                 const PairAxes& axes, const PairLadder& ladder,
                                 const std::vector<EventMatch>& matches);

/// Both sequences of events up to rigid.end if they differ; empty if they are equal. Kinks of the
/// geometry and accumulations are ignored. So are the events of a contact within a layer
/// layer_width ε after it closes: a compliant impact has a duration, in which it slips, sticks and
/// opens.
std::string note_on_events(const FrictionStudy& study, const RigidSide& rigid,
                           const CompliantSolve& solve, const std::vector<CompliantEvent>& events);

}  // namespace rigidlimit
