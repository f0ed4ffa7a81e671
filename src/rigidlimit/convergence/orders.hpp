// Convergence orders of an error in ε: neighbour orders, a fit with its standard error, the trend.
//
// The module needs only the standard library and fmt. It reports wrong input as
// std::invalid_argument, not InputError, because external tests use it as well.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "rigidlimit/convergence/exponential.hpp"
#include "rigidlimit/convergence/outward.hpp"

namespace rigidlimit {

/// Origin of the floor of a row: the error to reduce where the floor hides the row.
enum class FloorSource { unnamed, rounding, solver, reference, sampling };

/// One measurement of a convergence series.
///
/// Every function below takes a series in order of strictly decreasing ε > 0, failed rows included,
/// and throws std::invalid_argument otherwise, or on a negative error or floor. It does not sort:
/// `first` and `last` of a fit are rows of the caller's table.
struct SeriesPoint {
  double epsilon = 0.0;  ///< > 0
  double error = 0.0;    ///< model error ≥ 0; NaN or infinite where the solve failed
  double floor = 0.0;    ///< ≥ 0: the largest of the other errors it contains; NaN: unknown
  bool usable = true;    ///< false: the caller excludes the row
  FloorSource source = FloorSource::unnamed;  ///< origin of the floor
  /// Error predicted by a theory, K ε^p > 0; NaN: none. A fit does not use it.
  double predicted = std::numeric_limits<double>::quiet_NaN();
  /// Where the exact error lies, if that is proved: then `error` and `floor` are its rounded middle
  /// and radius.
  std::optional<ProvedInterval> proved = std::nullopt;
};

/// Throws as described above; for functions of other modules that take a series.
void require_series(std::span<const SeriesPoint> points);

/// A model error must exceed the other two errors this many times to be evidence.
inline constexpr double evidence_factor = 10.0;

/// A usable row without a finite error. Fits skip it, but a series with such a row confirms
/// nothing.
bool is_failed(const SeriesPoint& point);

/// usable, finite, > 0 and ≥ evidence_factor × floor. A row with an unknown floor (NaN) is not
/// evidence.
bool is_evidence(const SeriesPoint& point);

/// p_k = log(e_{k−1}/e_k) / log(ε_{k−1}/ε_k): one per row, with the actual refinement ratio. The
/// sign is kept: negative where the error grows. NaN in the first row, and where one of the two
/// errors is 0, not finite or not usable. Rows below the floor get a number too, because the column
/// is for reading.
std::vector<double> neighbour_orders(std::span<const SeriesPoint> points);

/// Demands on the rows of a fit.
struct FitOptions {
  double max_spread = 0.05;    ///< > 0: neighbour orders may differ this much from the fit
  std::size_t min_points = 4;  ///< ≥ 3: of a settled window; 3 for a series of 3 rows
};

/// e = K ε^p over a window of the series. NaN: not available from so few points.
struct OrderFit {
  /// Not available.
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  double order = none;           ///< p, from 3 points of evidence on
  double standard_error = none;  ///< of p, from the residuals of the fit
  double floor_error = none;     ///< largest change of p that the floors of the points allow
  double coefficient = none;     ///< K, in units of the error
  double spread = none;          ///< largest |neighbour order − p|, neighbours within the window
  std::size_t first = 0;         ///< row of the largest ε used
  std::size_t last = 0;          ///< row of the smallest ε used
  std::size_t count = 0;         ///< points used: the evidence among rows first to last
  bool settled = false;          ///< true: the window is a tail with one order; false: all evidence
};

/// Ordinary least squares of log e against log ε over the evidence.
///
/// The window is the longest tail of the evidence with at least min_points points; it ends at the
/// smallest ε that is evidence. In it each neighbour order lies within max_spread of the fit of the
/// tail, and the standard error does not exceed max_spread. The expected order has no influence.
/// Each pair may deviate further by the effect of its two floors on the neighbour order: a point
/// that just passes the tenfold rule may be 10 % off, which is 0.15 in an order at a refinement by
/// 2. Rows that are not evidence are skipped wherever they lie: a failed solve in the middle does
/// not affect the power law. Without such a tail the fit is over all evidence and settled = false;
/// with no evidence the numbers are NaN and count = 0.
OrderFit fit_order(std::span<const SeriesPoint> points, const FitOptions& options = {});

/// Change of the order towards smaller ε, per unit of log(1/ε). It comes from the parabola fitted
/// to log e over log ε, whose slope is the order.
struct OrderDrift {
  double drift = 0.0;  ///< > 0: the order increases as ε decreases
  double error = 0.0;  ///< twice its standard error, and the largest effect of the floors
};

/// The drift over the evidence of a fit; zeros with fewer than three.
OrderDrift order_drift(std::span<const SeriesPoint> points, const OrderFit& fit);

/// The order extrapolated to ε → 0: the limit (limit_of) of the neighbour orders of the evidence.
/// Each order is placed at the logarithmic mean of its two ε and carries the effect of the floors.
/// The limit removes the trend that a fit over finitely many ε keeps: e = K ε^p (1 + a ε) has the
/// fitted order p + O(a ε) and the limit p.
///
/// The error also contains the limit of p∞ − m/(c − log ε), the trend of ε^p (log 1/ε)^m, if that
/// trend fits the last neighbour orders at least as well as a power of ε. Both are extrapolations
/// of a trend: neither bounds the order at smaller ε.
Limit order_limit(std::span<const SeriesPoint> points);

/// Monotone neighbour orders and their extrapolation. The model p(x) = p∞ + a e^{s x}, x = log ε,
/// passes through the last three neighbour orders of the evidence, each at the logarithmic mean of
/// its two ε. This is Aitken's extrapolation for any refinement ratios (with equal ratios p∞ = p +
/// Δ r/(1 − r), r = Δ/Δ_previous).
struct OrderTrend {
  std::vector<double> orders;  ///< the neighbour orders of the trend, by decreasing ε
  bool shrinking;              ///< each step, per log ε, is smaller than the one before
  bool above_floor;            ///< each step exceeds twice the effect of the floors
  /// p∞ for ε → 0; ±∞ where the last step is not smaller than the one before (s ≤ 0).
  double limit;
  /// p∞ of the slower trend p∞ − m/(c − log ε): the farther limit of the last two triples; ±∞ if a
  /// triple has no such limit.
  double slow_limit;
  /// p after one more refinement by the last ratio.
  double next;
  /// p once the evidence spans twice as many decades. Shrinking steps keep shrinking; growing steps
  /// keep their last size, since exponential growth over decades is not a prediction.
  double horizon;
};

/// The trend in the last `steps` (2 or more) differences of the neighbour orders of the evidence.
/// Empty unless they have the same sign and either shrink or all exceed twice the effect of the
/// floors. (A floor bends the orders at an increasing rate, so that shrinking needs no such test.)
std::optional<OrderTrend> order_trend(std::span<const SeriesPoint> points, std::size_t steps = 3);

/// p = log(e_a/e_b) / log(ε_a/ε_b) as in neighbour_orders(), for a pair instead of a series. NaN in
/// the same cases, and also where ε_a = ε_b or one of them is not > 0 and finite.
double neighbour_order(const SeriesPoint& a, const SeriesPoint& b);

}  // namespace rigidlimit
