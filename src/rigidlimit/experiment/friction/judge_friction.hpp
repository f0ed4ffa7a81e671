// From motions to rows with error bars, and from rows to verdicts.
#pragma once

#include "rigidlimit/experiment/friction/compliant_motions.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"

namespace rigidlimit {

/// The two solves of one (law, solver, ε); nullptr: not finished.
struct CompliantPair {
  const FrictionMotion* base = nullptr;
  const FrictionMotion* tighter = nullptr;
};

/// The pairs of one (law, solver), largest ε first: one of every ε of the study whose first solve
/// was begun.
using CompliantLadder = std::vector<CompliantPair>;

/// Every measure of q, v and λ.
std::vector<Series> motion_series(const FrictionStudy& study, const RigidSide& rigid,
                                  const CompliantLadder& ladder);

/// Every rigid event beside the compliant ones.
std::vector<EventMatch> event_matches(const FrictionStudy& study, const RigidSide& rigid,
                                      const CompliantLadder& ladder);

/// The largest difference of the times of all matched events, and of those of each kind; `matches`:
/// event_matches() of the same ladder.
std::vector<Series> event_series(const FrictionStudy& study, const RigidSide& rigid,
                                 const CompliantLadder& ladder,
                                 const std::vector<EventMatch>& matches);

}  // namespace rigidlimit
