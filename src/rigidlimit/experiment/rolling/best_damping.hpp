// The damping with the smallest error, from a damping map.
#pragma once

#include <functional>
#include <vector>

#include "rigidlimit/experiment/rolling/damping_map.hpp"

namespace rigidlimit {

/// The error at one damping ratio, with its error bar.
struct Tried {
  double ratio = 0.0;
  double error = 0.0;      ///< NaN: the solve failed
  double error_bar = 0.0;  ///< the larger of solver and reference error
};

/// The smallest error among `tried` (increasing ratios, at least one), refined if it is not at an
/// end. A refinement step takes the vertex of the parabola through the three neighbours in sqrt(ζ)
/// (which allows ζ = 0), or a golden section of the wider side if the vertex gains nothing. It ends
/// if the possible gain is below the error bar or a thousandth of the error, or after `most`
/// solves; at least one is done unless `most` is 0. `error_at` returns the error at a further
/// ratio. Sets place, best, low, high, error, error_bar and refinements.
BestDamping least_error(std::vector<Tried> tried,
                        const std::function<Tried(double ratio)>& error_at, int most);

/// The best dampings of a map, from its finished columns. Empty for unfinished ones.
std::vector<BestDamping> best_dampings(const DampingMapResult& result, const RunOptions& options);

}  // namespace rigidlimit
