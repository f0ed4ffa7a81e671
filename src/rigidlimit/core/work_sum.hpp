// The work of several solves.
#pragma once

#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// The work of one solve after that of others: counts in sum, the last factorisation.
void add(Work& sum, const Work& part);

}  // namespace rigidlimit
