// Error, order and coefficient as functions of the damping: a study at every point of a plane.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

namespace rigidlimit {

/// [map]: the kind of plane and its grid.
struct MapGrid {
  enum class Kind {
    orders,  ///< (ζ, β): a convergence study over ε at every point
    plane    ///< (c, d): spring and damper c I and d I; no ε
  };

  Kind kind = Kind::orders;
  std::vector<double> ratios;     ///< ζ ≥ 0, increasing; kind orders
  std::vector<double> exponents;  ///< β ≥ 0, increasing; kind orders
  std::vector<double> stiffness;  ///< c > 0, N/m, increasing; kind plane
  std::vector<double> damping;    ///< d ≥ 0, N s/m, increasing; kind plane
};

const char* name_of(MapGrid::Kind kind);  ///< "orders", "plane"

/// A damping map with all defaults filled in.
struct DampingMap {
  /// Common to all points: one rigid and one compliant solver, no expectations. For kind plane the
  /// `epsilons` are sqrt(C/c) with C = 1 N/m, decreasing.
  RollingStudy study;
  MapGrid grid;
};

/// One study of a map. Kind orders: one (ζ, β) for all ε of the study. Kind plane: one d for all c,
/// see study_of_column.
struct MapColumn {
  double damping_ratio = 0.0;     ///< ζ; NaN for kind plane
  double damping_exponent = 0.0;  ///< β; NaN for kind plane
  double damping = 0.0;           ///< d, N s/m; NaN for kind orders
  std::vector<Series> series{};   ///< empty if the study could not be run
  std::vector<Failure> failures{};
  std::string complaint{};  ///< why the study could not be run; empty if it could
  bool interrupted = false;
  SolveCounts counts{};
};

/// A norm over a window, for the table of the best damping.
struct NormAndWindow {
  Norm norm = Norm::sup;
  Window window = Window::all;

  bool operator==(const NormAndWindow&) const = default;
};

/// The measures of the best damping: the maximum error, the maximum after the layer, and the root
/// mean square. The maximum error of λ over all t is nearly always that at t = 0, where an unloaded
/// spring carries no force at any damping; the other two measures depend on the damping.
inline constexpr std::array all_measures{NormAndWindow{Norm::sup, Window::all},
                                         NormAndWindow{Norm::sup, Window::after},
                                         NormAndWindow{Norm::l2, Window::all}};

/// The damping with the smallest error in one quantity and measure, at one (β, ε) or one c.
struct BestDamping {
  enum class Place {
    inside,  ///< between `low` and `high`
    lower,   ///< at the lowest damping of the grid: a lower one may be better
    upper,   ///< at the highest damping of the grid: a higher one may be better
    flat     ///< the error bars are as large as the effect of the damping
  };

  double damping_exponent = 0.0;  ///< β; NaN for kind plane
  double epsilon = 0.0;           ///< NaN for kind plane
  double stiffness = 0.0;         ///< c, N/m; NaN for kind orders
  Quantity quantity = Quantity::q;
  NormAndWindow measure{};
  Place place = Place::inside;
  double best = 0.0;  ///< ζ of the smallest error; d/d_crit for kind plane
  double low = 0.0;   ///< the tried neighbours that enclose the minimum
  double high = 0.0;
  double error = 0.0;           ///< at best
  double error_bar = 0.0;       ///< the larger of solver and reference error at best
  double critical_error = 0.0;  ///< at ζ = 1 (kind plane: at the d of the grid next to d_crit)
  int refinements = 0;          ///< solves beyond the grid
};

const char* name_of(BestDamping::Place place);  ///< "inside", "lower end", "upper end", "flat"

struct DampingMapResult {
  DampingMap map;
  VectorXd multiplier_at_start{};  ///< Λ(0)
  MatrixXd delassus{};             ///< A at the start
  std::vector<MapColumn> columns;  ///< orders: β outside, ζ inside; plane: by d
  std::vector<BestDamping> best{};
  bool interrupted = false;
  SolveCounts counts{};  ///< of the grid, without the search for the best damping

  bool has_numbers() const;
};

/// The study of one point (ζ, β).
RollingStudy study_of_cell(const DampingMap& map, double ratio, double exponent);

/// The study of one d: C = 1 N/m times the identity, D = d, β = 0 and ε = sqrt(C/c) for each c.
/// This is the same physics as (c, d) with ε = 1 and C = c, but that form integrates the unscaled
/// deflection, which loses its digits for large c (docs/theory.md, section 1).
RollingStudy study_of_column(const DampingMap& map, double damping);

/// The smallest d (times the identity) without underdamped modes of s² + s A d + A c: 2 sqrt(c/a)
/// with a the smallest eigenvalue of A; for m = 1 the critical damping.
double critical_damping_of(const MatrixXd& delassus, double stiffness);

/// Runs all points, options.jobs at a time, then searches for the best damping. A failed study is a
/// column with a complaint; an interrupted run keeps the finished columns. The result does not
/// depend on the number of jobs.
DampingMapResult run_damping_map(const DampingMap& map, const RunOptions& options = {});

}  // namespace rigidlimit
