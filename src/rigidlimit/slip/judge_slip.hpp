// From motions to rows with error bars, and from rows to verdicts.
#pragma once

#include "rigidlimit/slip/compliant_motions.hpp"
#include "rigidlimit/slip/rigid_history.hpp"

namespace rigidlimit {

/// The two solves of one (law, solver, ε); nullptr: not finished.
struct CompliantPair {
  const SlipMotion* base = nullptr;
  const SlipMotion* tighter = nullptr;
};

/// The pairs of one (law, solver), largest ε first: one of every ε of the study whose first solve
/// was begun.
using CompliantLadder = std::vector<CompliantPair>;

/// Every measure of q, v and λ.
std::vector<Series> motion_series(const SlipStudy& study, const RigidSide& rigid,
                                  const CompliantLadder& ladder);

/// Every rigid event beside the compliant ones.
std::vector<EventMatch> event_matches(const SlipStudy& study, const RigidSide& rigid,
                                      const CompliantLadder& ladder);

/// The largest difference of the times of all matched events, and of those of each kind; `matches`:
/// event_matches() of the same ladder.
std::vector<Series> event_series(const SlipStudy& study, const RigidSide& rigid,
                                 const CompliantLadder& ladder,
                                 const std::vector<EventMatch>& matches);

}  // namespace rigidlimit
