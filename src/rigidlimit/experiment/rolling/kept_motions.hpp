// Which motions of an ensemble are kept: in a store, and for figures.
#pragma once

#include <cstddef>
#include <vector>

#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"

namespace rigidlimit {

/// The positions of up to eight of `count` values of ε, the largest and the smallest among them, of
/// which figures show motions.
std::vector<std::size_t> drawn_epsilons(std::size_t count);

/// Whether figures show the motion: of the first compliant solver, at one of drawn_epsilons().
bool is_drawn(const RollingStudy& study, const CompliantSolve& solve);

/// Whether a store keeps the samples of this motion ([output] samples): with `automatic` all if at
/// most `most_whole_pairs` pairs of motions are solved, else those of figures.
bool keeps_motion(const RollingStudy& study, const CompliantSolve& solve);
/// The same for every motion of the study.
bool keeps_all_motions(const RollingStudy& study);
inline constexpr std::size_t most_whole_pairs = 200;

}  // namespace rigidlimit
