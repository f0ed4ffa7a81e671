// Times at equal distances.
#pragma once

#include <vector>

namespace rigidlimit {

/// `count` ≥ 2 samples on [0, end]: 0, end/(count − 1), …; the last is exactly `end`.
std::vector<double> uniform_grid(double end, int count);

}  // namespace rigidlimit
