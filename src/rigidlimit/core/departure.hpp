// A motion that leaves the range of a coordinate.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/valid_values.hpp"

namespace rigidlimit {

/// "phi = 0.31 at t = 0.4 s, and must be < 0.3", for the first column of x, one for each time, that
/// leaves the range of a component; empty if none does. Columns that are not finite are left out.
std::string departure(const std::vector<Component>& components, const std::vector<double>& times,
                      const MatrixXd& x);

}  // namespace rigidlimit
