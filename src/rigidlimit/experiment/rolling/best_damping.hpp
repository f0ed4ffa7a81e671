// The damping with the least error: the engineer's question to a map.
#pragma once

#include <functional>
#include <vector>

#include "rigidlimit/experiment/rolling/damping_map.hpp"

namespace rigidlimit {

/// The error at one damping ratio, and how well it is known.
struct Tried {
  double ratio = 0.0;
  double error = 0.0;      ///< NaN: the solve failed
  double error_bar = 0.0;  ///< the larger of solver and reference error
};

/// The least error among `tried` (increasing ratios, at least one), refined where it lies inside:
/// the vertex of the parabola through the three neighbours in sqrt(ζ) (so that ζ = 0 may be one of
/// them), golden section of the wider side where that vertex gains nothing, until the gain that is
/// left is below the error bar or a thousandth of the error, or `most` solves are done. At
/// least one solve is made unless `most` is 0. `error_at` gives what a further ratio does.
/// Fills in place, best, low, high, error, error_bar and refinements.
BestDamping least_error(std::vector<Tried> tried,
                        const std::function<Tried(double ratio)>& error_at, int most);

/// The table of best dampings of a map whose columns are there. Empty for what was not finished.
std::vector<BestDamping> best_dampings(const DampingMapResult& result, const RunOptions& options);

}  // namespace rigidlimit
