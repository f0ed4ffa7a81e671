// Sum of the work of several solves.
#pragma once

#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// Adds the work of a later solve: counters are summed; the size of the last factorisation is kept.
void add(Work& sum, const Work& part);

}  // namespace rigidlimit
