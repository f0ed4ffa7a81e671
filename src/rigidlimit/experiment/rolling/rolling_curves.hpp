// Curves of a rolling study for figures.
#pragma once

#include <vector>

#include "rigidlimit/experiment/pair/pair_tasks.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"
#include "rigidlimit/result/curve.hpp"

namespace rigidlimit {

/// Curves of every judged rigid solver, of the first compliant solver of each law, and of the
/// prediction, at up to eight values of ε (drawn_epsilons); without stored samples ([output]) only
/// of the rigid solvers.
std::vector<Curve> curves_of(const RollingStudy& study, const Solves& solves,
                             const PairTasks& pairs);

}  // namespace rigidlimit
