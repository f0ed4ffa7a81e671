// The times at which motions are compared.
#pragma once

#include <optional>
#include <vector>

namespace rigidlimit {

/// Uniform samples on [0, end], and for each ε two grids that resolve the initial layer. The first
/// is uniform on 0 ≤ t ≤ width·ε, the scale of the layer for β = 1 and A C of order 1. The second
/// is logarithmic and resolves a layer on any time scale (stiff or soft C, heavy or light damping,
/// β ≠ 1): a peak between two of its samples, at most 3 % away, is underestimated by less than
/// 1e-3.
struct TimeGrid {
  double end = 1.0;         ///< T, s; with a stretch s > 0 the pair is compared up to T ε^(−s)
  double stretch = 0.0;     ///< s: 1 tests whether a limit holds on [0, T/ε]
  int samples = 401;        ///< on [0, T], both ends included
  int layer_samples = 241;  ///< on 0 ≤ τ ≤ layer_width: 12 per unit of τ
  double layer_width = 20;  ///< in units of ε; critical damping leaves exp(−20 sqrt(A C)) there
  /// Only the times 0 and end_at(ε): steps are counted, errors are not measured. Some solvers
  /// shorten steps at output times.
  bool end_only = false;

  static constexpr int per_decade = 40;     ///< of the logarithmic grid
  static constexpr double shortest = 1e-5;  ///< its first time after 0, in units of ε

  double end_at(double epsilon) const;  ///< T ε^(−s), s
};

/// A contact that oscillates after the start and after each switch.
struct Ringing {
  double period = 0.0;    ///< s, the shortest
  double duration = 0.0;  ///< s: later the oscillation has decayed

  /// A polynomial of degree 7 through these samples errs by 1e-6 of the amplitude.
  static constexpr int per_period = 20;
  static constexpr int most = 60'000;  ///< samples after the start or a switch
};

/// Instants that a grid contains, and further samples that a motion needs.
struct GridMarks {
  std::vector<double> switches{};  ///< s: of the force
  double after = 0.0;              ///< s: the beginning of the window "after"
  std::optional<Ringing> ringing{};
};

/// The grid for one ε: sorted, strictly increasing, from 0 to end_at(ε), with a sample at `after`.
/// Each of the switches inside the interval gives two samples, one unit in the last place apart:
/// the left limit and the switch itself. The samples of a layer follow it, as at the start. All
/// other samples have a distance of 1e-12 T or more. {0, end_at(ε)} with `end_only`.
std::vector<double> grid_for(const TimeGrid& grid, double epsilon, const GridMarks& marks = {});

/// The sorted union of several grids, without duplicates; all times are kept bit by bit.
std::vector<double> union_of(const std::vector<std::vector<double>>& grids);

/// Positions in `fine` of the times of `coarse`. Every time of `coarse` must occur in `fine`.
std::vector<std::size_t> positions_in(const std::vector<double>& fine,
                                      const std::vector<double>& coarse);

/// `count` ≥ 2 samples on [0, end]: 0, end/(count − 1), …; the last is exactly `end`.
std::vector<double> uniform_grid(double end, int count);

}  // namespace rigidlimit
