// Sample times of the rigid side of a study.
#pragma once

#include <vector>

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// A study with at least this many values of ε is an ensemble.
inline constexpr std::size_t least_ensemble = 101;

/// The times of all results that do not depend on ε: rigid motions, their work, the outer terms.
/// The union of the grids of all ε, in which each grid is contained bit by bit. For an ensemble in
/// double the union would have hundreds of thousands of times. There the result is a uniform grid
/// that is fine enough for Interpolation to give the rigid motion from `start` within 1e-12 of its
/// largest entries, or the union if the motion is not smooth enough. `method`: rigid_method_for().
std::vector<double> rigid_times(const RollingStudy& study, const InitialState& start,
                                const std::string& method,
                                const std::vector<std::vector<double>>& grids);

}  // namespace rigidlimit
