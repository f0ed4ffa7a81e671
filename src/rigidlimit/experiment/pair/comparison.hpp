// Differences of a compliant and a rigid motion → sizes in every measure → series of rows.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "rigidlimit/asymptotics/first_terms.hpp"
#include "rigidlimit/experiment/judge/series.hpp"
#include "rigidlimit/experiment/pair/compliant_pair.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"

namespace rigidlimit {

/// Quantities × norms × windows.
template <class Quantities, class Norms, class Windows>
std::vector<Measure> measures_of(const Quantities& quantities, const Norms& norms,
                                 const Windows& windows) {
  std::vector<Measure> all;
  for (const Quantity quantity : quantities)
    for (const Norm norm : norms)
      for (const Window window : windows) all.push_back({quantity, norm, window});
  return all;
}

/// `leading`: the predicted leading terms for the measures of a window; without times, there are
/// none.
Comparison compared(const ErrorMeasures& errors, const std::vector<Measure>& measures,
                    const std::function<const DifferenceCurve&(Window)>& leading);

/// Sets K = `term`/ε^`order` of a row, and if the predicted term exceeds the error bar also
/// measured/predicted with its error bar. `own_error`: of the prediction, relative. NaN: not
/// predicted. Measured and predicted term have the same samples, so that their sampling errors
/// cancel where the terms are alike: the bar has the difference of the two relative sampling
/// errors, and that part of the larger one by which the ratio differs from 1.
void compare_with_prediction(const CurveSize& term, double order, double own_error, Row& row);

/// That of q, v, λ or gap.
inline double order_of(Quantity quantity, const LeadingOrders& orders) {
  return std::array{orders.q, orders.v, orders.lambda,
                    orders.gap}[static_cast<std::size_t>(quantity)];
}

/// The points of rows that a bound judges: their errors, or solver errors without floors; of a
/// bound that needs proved rows, the others are undecided.
std::vector<SeriesPoint> points_of(const BoundSpec& spec, const std::vector<Row>& rows);
BoundJudgement judged(const BoundSpec& spec, const std::vector<SeriesPoint>& points);

Evidence evidence_of(const Row& row, Outcome compliant, Outcome rigid, Absent absent);

/// A compliant solve and its comparison with a rigid motion.
struct ComparedSolve {
  Row solve;  ///< law, solvers, ε and work
  Outcome outcome;
  const Comparison* comparison;
};

/// Those of a ladder with its judged rigid motion number `judged`, solved by `rigid_solver`.
std::vector<ComparedSolve> compared_solves(const PairAxes& axes, const PairLadder& ladder,
                                           const std::string& rigid_solver, std::size_t judged);

/// Data common to the rows of all measures of one law and pair of solvers.
struct SeriesSetting {
  const std::vector<Measure>& measures;
  Outcome rigid = Outcome::success;
  std::function<double(const Measure&)> predicted_order;  ///< NaN: no prediction
  double prediction_error;                                ///< relative, of the predicted terms
  Absent absent;  ///< of a row without a number although both solves succeeded
};

/// One series for each measure, not yet judged. `ladder`: largest ε first.
std::vector<Series> series_of(const SeriesSetting& setting,
                              const std::vector<ComparedSolve>& ladder);

/// Whether all series hold, and every expectation was judged: for each law that it concerns, with
/// each of `pairs` pairs of solvers.
bool all_held(const std::vector<ExpectationSpec>& expectations, const std::vector<LawName>& laws,
              std::size_t pairs, const std::vector<Series>& series);

}  // namespace rigidlimit
