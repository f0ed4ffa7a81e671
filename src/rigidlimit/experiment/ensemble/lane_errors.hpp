// Eight members of an ensemble: their motions at every ε, and the sizes of their differences.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/judge/difference.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/formulations/compliant/adapted_lanes.hpp"
#include "rigidlimit/solvers/radau/radau_lanes.hpp"

namespace rigidlimit {

/// The measures of an ensemble: the sup norm of each quantity in both windows, and the components
/// in claims.
std::vector<Measure> ensemble_measures(const RollingStudy& study);

/// The sizes of one member, by ε and measure: position epsilon · measures + k. NaN where a motion
/// failed.
struct MemberSizes {
  std::vector<ErrorSizes> sizes;
  std::vector<Outcome> outcomes;  ///< of the rigid motion, then of each ε

  /// success, or the first failure.
  Outcome outcome() const;
};

/// Solves eight members at all ε and compares the motions:
///
///   model      sup |compliant − rigid|, from the polynomials of both at nine instants in each step
///              of the compliant motion, and at the begin of the window "after"
///   sampling   max (|d_i| + δ_i) − max |d_i|, δ = |d_i''| h²/8 from second differences: d_i
///   between
///              two samples at a distance h is larger than at both by at most that
///   solver     sup |compliant − compliant at tighter tolerances|/(1 − θ)
///   reference  likewise of the rigid motion
///   rounding   four units in the last place of the largest value
///
/// If one of eight stops the others, each is solved alone.
std::array<MemberSizes, Pack::lanes> sizes_of_lanes(const RollingStudy& study,
                                                    const LaneMembers& members,
                                                    const std::function<bool()>& stop_requested);

}  // namespace rigidlimit
