// How error, order and coefficient depend on the damping: a study at every point of a plane.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

namespace rigidlimit {

/// [map]: which plane, and its grid.
struct MapGrid {
  enum class Kind {
    orders,  ///< (ζ, β): a convergence study over ε in every cell
    plane    ///< (c, d): the spring and damper themselves, c = c I and d = d I; no ε
  };

  Kind kind = Kind::orders;
  std::vector<double> ratios;     ///< ζ ≥ 0, increasing; kind orders
  std::vector<double> exponents;  ///< β ≥ 0, increasing; kind orders
  std::vector<double> stiffness;  ///< c > 0, N/m, increasing; kind plane
  std::vector<double> damping;    ///< d ≥ 0, N s/m, increasing; kind plane
};

const char* name_of(MapGrid::Kind kind);  ///< "orders", "plane"

/// A map as its file says it, every default filled in.
struct DampingMap {
  /// What all cells share: one rigid and one compliant solver, no expectations. For kind plane its
  /// `epsilons` are sqrt(C/c) with C = 1 N/m, decreasing.
  RollingStudy study;
  MapGrid grid;
};

/// One study of a map. Of kind orders: one (ζ, β) over the ε of the study. Of kind plane: one d
/// over all c, see study_of_column.
struct MapColumn {
  double damping_ratio = 0.0;     ///< ζ; NaN for kind plane
  double damping_exponent = 0.0;  ///< β; NaN for kind plane
  double damping = 0.0;           ///< d, N s/m; NaN for kind orders
  std::vector<Series> series{};   ///< empty if the study could not be run
  std::vector<Failure> failures{};
  std::string complaint{};  ///< why it could not be run; empty if it could
  bool interrupted = false;
  SolveCounts counts{};
};

/// A norm over a window, as the table of the best damping compares them.
struct NormAndWindow {
  Norm norm = Norm::sup;
  Window window = Window::all;

  bool operator==(const NormAndWindow&) const = default;
};

/// What the best damping is sought for: the largest error, the largest after the layer, and the
/// root of the mean square. The largest error of λ over all t is nearly always that of t = 0, where
/// an unloaded spring carries nothing whatever the damping is: the other two are what is felt.
inline constexpr std::array all_measures{NormAndWindow{Norm::sup, Window::all},
                                         NormAndWindow{Norm::sup, Window::after},
                                         NormAndWindow{Norm::l2, Window::all}};

/// The damping with the least error in one quantity and measure, at one (β, ε) or at one c.
struct BestDamping {
  enum class Place {
    inside,  ///< between `low` and `high`
    lower,   ///< at the lowest damping of the grid: less may be better still
    upper,   ///< at the highest: more may be better still
    flat     ///< the error bars are as large as what the damping changes
  };

  double damping_exponent = 0.0;  ///< β; NaN for kind plane
  double epsilon = 0.0;           ///< NaN for kind plane
  double stiffness = 0.0;         ///< c, N/m; NaN for kind orders
  Quantity quantity = Quantity::q;
  NormAndWindow measure{};
  Place place = Place::inside;
  double best = 0.0;            ///< ζ of the least error; d/d_crit for kind plane
  double low = 0.0;             ///< the neighbours tried, between which the minimum lies
  double high = 0.0;            ///< likewise
  double error = 0.0;           ///< at best, and its error bar
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
  SolveCounts counts{};  ///< of the grid; the search for the best damping comes on top

  bool has_numbers() const;
};

/// The study that one point (ζ, β) asks for.
RollingStudy study_of_cell(const DampingMap& map, double ratio, double exponent);

/// The study that one d asks for: C = 1 N/m times the identity, D = d, β = 0 and ε = sqrt(C/c) for
/// each c. The physics is that of (c, d); ε = 1 with C = c would be the same motion, but a
/// deflection integrated unscaled, whose digits are lost for large c (docs/theory.md, section 1).
RollingStudy study_of_column(const DampingMap& map, double damping);

/// The least d (times the identity) with which no mode of s² + s A d + A c is underdamped:
/// 2 sqrt(c/a), a the least eigenvalue of A; for m = 1 the critical damping.
double critical_damping_of(const MatrixXd& delassus, double stiffness);

/// Runs every cell, options.jobs of them at a time, then seeks the best damping. A study that fails
/// leaves a column with a complaint; an interrupted run keeps the columns finished so far. The
/// result does not depend on the number of jobs.
DampingMapResult run_damping_map(const DampingMap& map, const RunOptions& options = {});

}  // namespace rigidlimit
