// Motions → rows with error bars → verdicts.
#pragma once

#include "rigidlimit/experiment/friction/compliant_motions.hpp"
#include "rigidlimit/experiment/friction/friction_terms.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"

namespace rigidlimit {

/// The two solves of one (law, solver, ε); nullptr: not finished.
struct CompliantPair {
  const FrictionMotion* base = nullptr;
  const FrictionMotion* tighter = nullptr;
};

/// The pairs of one (law, solver), largest ε first: one for every ε of the study with a first
/// solve.
using CompliantLadder = std::vector<CompliantPair>;

/// Series of every measure of q, v and λ. `expansion` predicts their constants; nullptr: none.
std::vector<Series> motion_series(const FrictionStudy& study, const RigidSide& rigid,
                                  const CompliantLadder& ladder,
                                  const FrictionTerms* expansion = nullptr);

/// The matches of every rigid event in the compliant motions.
std::vector<EventMatch> event_matches(const FrictionStudy& study, const RigidSide& rigid,
                                      const CompliantLadder& ladder,
                                      const FrictionTerms* expansion = nullptr);

/// Series of the largest time difference of all matched events and of those of each kind;
/// `matches`: event_matches() of the same pairs.
std::vector<Series> event_series(const FrictionStudy& study, const RigidSide& rigid,
                                 const CompliantLadder& ladder,
                                 const std::vector<EventMatch>& matches);

}  // namespace rigidlimit
