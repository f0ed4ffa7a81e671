// The times at which a pair is compared.
#pragma once

#include <vector>

namespace rigidlimit {

/// Uniform samples on [0, end], and a layer grid on 0 ≤ t ≤ width·ε for each ε, so that the sup
/// norm sees the initial layer, whose shape is a function of τ = t/ε.
struct TimeGrid {
  double end = 1.0;         ///< T, s
  int samples = 401;        ///< on [0, T], both ends included
  int layer_samples = 241;  ///< on 0 ≤ τ ≤ layer_width: 12 a unit of τ
  double layer_width = 20;  ///< in units of ε; critical damping leaves exp(−20 sqrt(A C)) there
};

/// The grid for one ε: sorted, strictly increasing, from 0 to T.
std::vector<double> grid_for(const TimeGrid& grid, double epsilon);

/// The union of several grids: every time of each is found in it bit by bit.
std::vector<double> union_of(const std::vector<std::vector<double>>& grids);

/// Positions in `fine` of the times of `coarse`, which must all occur there.
std::vector<std::size_t> positions_in(const std::vector<double>& fine,
                                      const std::vector<double>& coarse);

}  // namespace rigidlimit
