// The times at which the rigid side of a study is sampled.
#pragma once

#include <vector>

#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// Of so many values of ε a study is an ensemble.
inline constexpr std::size_t least_ensemble = 101;

/// Of all that does not depend on ε: rigid motions, their work, the outer terms. The union of the
/// grids of all ε, where each is found again bit by bit. Of an ensemble in double that union would
/// have hundreds of thousands of times: there it is a uniform grid, as fine as Interpolation needs
/// to give the rigid motion from `start` between its nodes within 1e-12 of its largest entries, and
/// the union after all where a motion is not that smooth.
std::vector<double> rigid_times(const RollingStudy& study, const InitialState& start,
                                const std::vector<std::vector<double>>& grids);

}  // namespace rigidlimit
