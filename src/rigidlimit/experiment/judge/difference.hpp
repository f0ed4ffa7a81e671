// Differences of motions: as functions of time, and their sizes in every measure.
#pragma once

#include <array>
#include <boost/container/static_vector.hpp>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "rigidlimit/experiment/judge/measure.hpp"
#include "rigidlimit/mechanics/precise_motion.hpp"

namespace rigidlimit {

/// The size of a difference and its dependence on the samples.
struct CurveSize {
  double value = std::nan("");
  double sampling_error = std::nan("");
};

/// A difference of two motions as a function of time. Between two samples it is the polynomial of
/// degree 7 through the four nearest samples on each side (as many as there are, and on the other
/// side if one side ends). No polynomial crosses one of Windows::events or Windows::breaks: both
/// sides are continued up to that instant, which is the limit there.
///
/// Each interval has an error δ from polynomials P₁, P₃, P₅, P₇ of degree 1, 3, 5 and 7. Their
/// distances are those in the interval, or the largest of its three neighbours on a side if they
/// are larger on both sides: in a single interval two polynomials of an oscillation can agree by
/// chance. Neighbours lie on the same side of breaks and are of a similar length (a factor of
/// four).
///
///   |P₇ − P₅| ≤ |P₅ − P₃|/3 and
///   |P₅ − P₃| ≤ 0.6 |P₃ − P₁|        δ = 5 |P₇ − P₅|, as a fast term of small amplitude shrinks
///                                     more slowly than the others; 15 times with fewer than three
///                                     samples on one side, where the polynomials err more
///   |P₅ − P₃| ≤ |P₃ − P₁|/50         δ = max(|P₇ − P₅|, |P₅ − P₃|): rounding is reached
///   otherwise                         the samples do not resolve the interval: the difference is
///                                     P₁ there, δ = max(4 |P₃ − P₁|, the sum of all three), and
///                                     in an integral the distance from the larger end
///
/// The distances of cos(ω t) from samples at a distance h shrink by up to 5/6 sin²(ω h/2) from one
/// degree to the next: 4.6 samples a period are needed. The third case is a corner, a jump, fewer
/// samples a period, or samples at distances of different orders, fewer than three per decade.
/// Uniform samples alone cannot show an oscillation whose alias is slow, of nearly a whole number
/// of periods in h; the samples of layers, at other distances, do.
///
/// With fewer nodes the highest degrees that there are take the place of 7, 5 and 3, and δ of the
/// third case is doubled, as there are no neighbours. Five or six nodes give two distances.
class DifferenceCurve {
 public:
  /// Samples at a distance of a few roundings are one sample. Without times, all sizes are NaN.
  /// `stop_requested` is asked at every 4096th interval, here and in size(), which throw Stopped;
  /// empty: never stop.
  DifferenceCurve(Motion difference, Windows windows, std::function<bool()> stop_requested = {});

  const Motion& difference() const { return difference_; }

  /// Over the window, whose length is |window|:
  ///
  ///   sup  max_t max_i |d_i|; its error is max (|d_i| + δ_i) − max |d_i|
  ///   l1   1/|window| ∫ Σ_i |d_i| dt
  ///   l2   ( 1/|window| ∫ Σ_i d_i² dt )^(1/2)
  ///
  /// Integrals by Gauss and Lobatto's rule with seven points in each interval; their error sums the
  /// changes of all intervals if the degree of the polynomial is lower by two. In a window with a
  /// single sample, the value there. NaN if the window is empty or a sample in it is missing.
  CurveSize size(const Measure& measure) const;

 private:
  static constexpr Index points = 7;  ///< of Lobatto's rule, both ends of the span included
  static constexpr std::size_t most_nodes = 8;

  /// Part of an interval between two samples: all of it, or the part on one side of a break.
  struct Span {
    double from, to;
    Index piece;  ///< its first sample; equal without a break between
    /// Of the polynomial, in the order of its degrees.
    boost::container::static_vector<Index, most_nodes> nodes{};
    bool one_sided = false;        ///< fewer than three nodes are on one side
    bool across = false;           ///< the two nodes are on both sides of a break
    bool uneven = false;           ///< a node is far away in lengths of the span
    double at(Index point) const;  ///< the time of a point
  };
  /// The rows of all quantities, one below the other, on the spans: a column for each point of
  /// `fine` and `coarse`, a column of the others for each span.
  struct Values {
    MatrixXd fine, coarse;          ///< d, and its polynomial of the next lower degree
    MatrixXd error;                 ///< δ
    Eigen::ArrayXX<bool> resolved;  ///< fine is the polynomial of the highest degree
    MatrixXd peak;                  ///< the largest |fine|
    Eigen::ArrayXX<int> peak_point;
  };
  class Newton;
  /// Distances of the polynomials of a row and span: |P₇ − P₅|, |P₅ − P₃|, |P₃ − P₁|.
  using Distances = std::array<double, 3>;
  /// Distances of all rows (down) and spans (across).
  using AllDistances = std::array<MatrixXd, 3>;
  /// Some of the rows.
  struct Rows {
    Index first, count;
  };

  void add_spans(const std::vector<double>& breaks);
  void add_span(double from, double to, Index before, Index first, Index last);
  /// Also sets Values::fine and Values::coarse, as if the samples resolved every span.
  AllDistances distances(Values& values) const;
  AllDistances widest(const AllDistances& all) const;
  static double resolved_error(const Span& span, const Distances& apart);
  static double unresolved_error(const Span& span, const Distances& apart);
  Values evaluated() const;
  Rows rows_of(Quantity quantity) const;
  double top(const Span& span, Index row, Index point) const;
  CurveSize sup(Rows rows, Window window) const;
  CurveSize mean(Rows rows, const Measure& measure) const;

  Motion difference_;
  MatrixXd samples_;  ///< all quantities of the difference, one below the other
  Windows windows_;
  std::function<bool()> stop_requested_;
  std::vector<Span> spans_;
  Values values_;
};

/// Rounding errors of compared values.
struct Rounding {
  double q = 0.0, v = 0.0, lambda = 0.0, gap = 0.0;

  double of(Quantity quantity) const {
    return std::array{q, v, lambda, gap}[static_cast<std::size_t>(quantity)];
  }
};

/// Four units in the last place of the largest value of two motions, in the precision of the less
/// precise one: each value, their difference and the last operation of a solver are rounded.
Rounding rounding_of(const PreciseMotion& a, const PreciseMotion& b);

/// Differences of the motions of one ε, on one grid; without times if one of the two motions
/// failed.
struct Differences {
  Motion model;      ///< compliant − rigid
  Motion solver;     ///< compliant − compliant at tighter tolerances
  Motion reference;  ///< rigid − its reference
  Rounding rounding = {};
};

/// Bounds that a proof gives (experiment/proof/certified_pair.hpp), of the exact motions.
struct ProvedSizes {
  double lower = std::nan("");   ///< ≤ ‖compliant − rigid‖
  double upper = std::nan("");   ///< ≥ ‖compliant − rigid‖
  double solver = std::nan("");  ///< ≥ ‖compliant solve − compliant motion‖, at the samples
  double least_solver = std::nan("");     ///< ≤ the same
  double reference = std::nan("");        ///< ≥ ‖rigid solve − rigid motion‖, likewise
  double least_reference = std::nan("");  ///< ≤ the same
};

/// A number of a table and the errors that it must exceed to be evidence.
struct ErrorSizes {
  double model = std::nan("");   ///< ‖compliant − rigid‖
  double solver = std::nan("");  ///< ‖compliant − compliant at tolerances × θ‖/(1 − θ)
  double reference = std::nan("");  ///< ‖rigid − independent reference‖
  double sampling = std::nan("");   ///< error of the interpolation of `model`
  double rounding = 0.0;            ///< of the compared values
  std::optional<ProvedSizes> proved = std::nullopt;
};

/// The sizes of one compliant motion against one rigid motion at one ε, in each measure of a kind
/// of study.
struct Comparison {
  std::vector<ErrorSizes> sizes;
  /// Size of the predicted leading terms of `sizes.model`, likewise; NaN without a prediction.
  std::vector<CurveSize> predicted;
};

/// The sizes of the differences of one ε in every measure.
class ErrorMeasures {
 public:
  /// `share`: ‖first − second solve‖ as a fraction of the error of the first. `stop_requested`: see
  /// DifferenceCurve.
  ErrorMeasures(Differences differences, Windows windows, double share,
                const std::function<bool()>& stop_requested = {});

  /// NaN where a motion failed.
  ErrorSizes sizes(const Measure& measure) const;

 private:
  Windows windows_;
  DifferenceCurve model_;
  Differences rest_;  ///< without the model difference
  double share_;
};

}  // namespace rigidlimit
