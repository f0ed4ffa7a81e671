// Tests that the cells of a damping map equal studies, and that orders and optima match theory.
#include "rigidlimit/experiment/rolling/damping_map.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <cmath>

#include "rigidlimit/experiment/rolling/best_damping.hpp"
#include "support/sample_map.hpp"
#include "support/series_of_result.hpp"

namespace rigidlimit {
namespace {

/// Maximum of |u'| over τ for u'' + 2ζ u' + u = 0, u(0) = 1, u'(0) = 0. With s = sqrt|1 − ζ²|:
///
///   ζ < 1   u' = −exp(−ζτ) sin(sτ)/s,  at tan sτ = s/ζ:              exp(−(ζ/s) acos ζ)
///   ζ = 1   u' = −τ exp(−τ), at τ = 1:                               exp(−1)
///   ζ > 1   u' = −exp(−ζτ) sinh(sτ)/s, at tanh sτ = s/ζ:             exp(−(ζ/s) acosh ζ)
///
/// There sin sτ = s, or sinh sτ = s. The layer of m = 1 satisfies this equation: ω = σ e₀ u' with
/// σ = sqrt(A C) (docs/theory.md, section 4).
double peak(double zeta) {
  if (zeta == 1.0) return std::exp(-1.0);
  const double s = std::sqrt(std::abs(1.0 - zeta * zeta));
  return std::exp(-zeta / s * (zeta < 1.0 ? std::acos(zeta) : std::acosh(zeta)));
}

const MapColumn& column_at(const DampingMapResult& result, double zeta, double beta) {
  for (const MapColumn& c : result.columns)
    if (c.damping_ratio == zeta && c.damping_exponent == beta) return c;
  throw std::out_of_range("no such cell");
}

const Series& series_in(const std::vector<Series>& all, Quantity quantity, Norm norm = Norm::sup,
                        Window window = Window::all) {
  for (const Series& s : all)
    if (s.rows.front().measure.quantity == quantity && s.rows.front().measure.norm == norm &&
        s.rows.front().measure.window == window)
      return s;
  throw std::out_of_range("no such series");
}

const BestDamping& best_at(const DampingMapResult& result, double beta, double epsilon,
                           Quantity quantity, NormAndWindow measure) {
  for (const BestDamping& b : result.best)
    if (b.damping_exponent == beta && b.epsilon == epsilon && b.quantity == quantity &&
        b.measure == measure)
      return b;
  throw std::out_of_range("no such optimum");
}

TEST(DampingMap, LayerPeakIsContinuousAndMatchesTheWorkedExample) {
  EXPECT_NEAR(peak(1.0 - 1e-6), peak(1.0), 1e-6);
  EXPECT_NEAR(peak(1.0 + 1e-6), peak(1.0), 1e-6);
  EXPECT_NEAR(peak(0.0), 1.0, 1e-15) << "undamped: |u'| = |sin τ|";
}

TEST(DampingMap, OrdersAgainstBetaMatchTheory) {
  // Orders: q 2; v max(1, β); λ 0. Next terms at ε ≤ 4e-3: O(ε), 0.02 in the order of v at 1e-3 for
  // β = 1; and O(ε^(2−β)) with factor ζ from creep, 0.02 in q for ζ = 4, β = 1.
  for (const double beta : {1.0, 2.0}) {
    const MapColumn& column = column_at(test::sample_map_result(), 1.0, beta);
    const auto order = [&](Quantity x) { return series_in(column.series, x).judgement.fit.order; };
    EXPECT_NEAR(order(Quantity::q), 2.0, 0.05);
    EXPECT_NEAR(order(Quantity::v), std::max(1.0, beta), 0.05);
    EXPECT_NEAR(order(Quantity::lambda), 0.0, 0.01);
    // Negative control: the order of v differs between the two β.
    EXPECT_GT(std::abs(order(Quantity::v) - (beta == 1.0 ? 2.0 : 1.0)), 0.5);
  }
}

TEST(DampingMap, VelocityErrorMatchesTheClosedFormOfTheLayer) {
  // ‖v − v̂‖/ε → |Λ(0)| peak(ζ) for M = C = A = 1. The next terms are O(ε). The outer error 8.7 ε²
  // (table in docs/theory.md, section 9: 8.5e-5 at 3.1e-3) would be 2 % of 0.91 · 0.12 ε at 5e-4
  // at the time of the peak. Its maximum is at another time, so 3 % is generous.
  const DampingMapResult& result = test::sample_map_result();
  const double eps = result.map.study.epsilons.back();
  for (const double zeta : {0.5, 1.0, 4.0}) {
    const Row& row = series_in(column_at(result, zeta, 1.0).series, Quantity::v).rows.back();
    ASSERT_EQ(row.epsilon, eps);
    EXPECT_NEAR(row.model_error / eps, 0.91 * peak(zeta), 0.03 * 0.91 * peak(zeta)) << zeta;
    // Negative control: another ζ has another peak.
    EXPECT_GT(std::abs(row.model_error / eps - 0.91 * peak(2.0)), 0.2 * 0.91 * peak(2.0)) << zeta;
  }
}

TEST(DampingMap, HeaviestDampingIsBestByTheRatioOfThePeaks) {
  // peak(ζ) falls with ζ, so at small ε the end of the grid is best, by peak(1)/peak(4).
  const DampingMapResult& result = test::sample_map_result();
  const double eps = result.map.study.epsilons.back();
  const BestDamping& v = best_at(result, 1.0, eps, Quantity::v, {Norm::sup, Window::all});
  EXPECT_EQ(v.place, BestDamping::Place::upper);
  EXPECT_EQ(v.best, 4.0);
  EXPECT_NEAR(v.critical_error / v.error, peak(1.0) / peak(4.0), 0.05 * peak(1.0) / peak(4.0));
  // ∫ (u + 2ζu')² dτ = ∫ u''² dτ = 1/(4ζ) (multiply the equation by u' and by u'' and integrate):
  // the l2 error of λ falls like ζ^(−1/2).
  const BestDamping& l2 = best_at(result, 1.0, eps, Quantity::lambda, {Norm::l2, Window::all});
  EXPECT_NEAR(l2.critical_error / l2.error, 2.0, 0.04);
  // |λ − Λ| is largest at t = 0 for every ζ, so the optimum is flat.
  const BestDamping& sup = best_at(result, 1.0, eps, Quantity::lambda, {Norm::sup, Window::all});
  EXPECT_NEAR(sup.critical_error / sup.error, 1.0, 1e-3);
}

TEST(DampingMap, ACellEqualsTheStudyBitForBit) {
  const DampingMap map = test::map_from(test::sample_map_text);
  const RollingResult study = run_rolling_study(study_of_cell(map, 0.5, 2.0));
  const MapColumn& cell = column_at(test::sample_map_result(), 0.5, 2.0);
  ASSERT_EQ(study.series.size(), cell.series.size());
  for (std::size_t s = 0; s < study.series.size(); ++s)
    for (std::size_t k = 0; k < study.series[s].rows.size(); ++k) {
      EXPECT_EQ(study.series[s].rows[k].model_error, cell.series[s].rows[k].model_error);
      EXPECT_EQ(study.series[s].rows[k].work.steps, cell.series[s].rows[k].work.steps);
    }
}

TEST(DampingMap, APlaneCellMatchesTheStudyAtTheCorrespondingEpsilon) {
  // c = C/ε², d = D/ε: c = 1e4 and d = 200 are C = 1 and critical damping D = 2 at ε = 1e-2, β = 1.
  const DampingMap map = test::map_from(test::sample_plane_text);
  const DampingMapResult plane = run_damping_map(map, test::two_jobs());
  RollingStudy study = map.study;
  study.contact.damping_ratio = 1.0;
  study.epsilons = {1e-2};
  const RollingResult expected = run_rolling_study(study);
  EXPECT_NEAR(critical_damping_of(plane.delassus, 1e4), 200.0, 1e-10);
  for (const Quantity quantity : all_quantities) {
    const Row& cell = series_in(plane.columns.back().series, quantity).rows.front();
    const Row& row = test::row_at(expected, 1e-2, quantity);
    ASSERT_EQ(cell.epsilon, 1e-2);
    // Problem and grid are the same. The rigid times differ: they are a union with other ε.
    EXPECT_NEAR(cell.model_error, row.model_error, 10.0 * (row.error_bar() + cell.error_bar()));
    // Negative control: a tenth of that damping changes the motion, except λ at t = 0.
    const Row& softer = series_in(plane.columns.front().series, quantity).rows.front();
    if (quantity == Quantity::v) {
      EXPECT_GT(softer.model_error, 1.5 * cell.model_error);
    }
  }
  // The table of the best damping has a row for each c, quantity and measure.
  EXPECT_EQ(plane.best.size(), 3u * 3u * 3u);
}

TEST(DampingMap, DoesNotDependOnTheNumberOfJobs) {
  const DampingMap map = test::map_from(test::sample_map_text, {"epsilon.count=2"});
  const DampingMapResult one = run_damping_map(map), two = run_damping_map(map, test::two_jobs());
  ASSERT_EQ(one.best.size(), two.best.size());
  for (std::size_t i = 0; i < one.best.size(); ++i) {
    EXPECT_EQ(one.best[i].best, two.best[i].best);
    EXPECT_EQ(one.best[i].error, two.best[i].error);
  }
}

TEST(DampingMap, FailedCellsAreRowsWithAFailureStatus) {
  const DampingMap map = test::map_from(test::sample_map_text, {"solvers.max_steps=20"});
  const DampingMapResult result = run_damping_map(map, test::two_jobs());
  EXPECT_FALSE(result.has_numbers());
  for (const MapColumn& column : result.columns) {
    EXPECT_FALSE(column.failures.empty());
    for (const Series& s : column.series)
      for (const Row& row : s.rows) EXPECT_THAT(row.status, testing::StartsWith("failed"));
  }
  for (const BestDamping& b : result.best) EXPECT_TRUE(std::isnan(b.best));
}

TEST(DampingMap, AStopRequestLeavesTheRestOut) {
  std::atomic<int> asked = 0;
  const DampingMapResult result = run_damping_map(
      test::map_from(test::sample_map_text),
      {.jobs = 1, .stop_requested = [&] { return ++asked > 2000; }, .on_progress = {}});
  EXPECT_TRUE(result.interrupted);
  EXPECT_TRUE(result.best.empty());
  EXPECT_TRUE(result.columns.back().interrupted);
}

}  // namespace
}  // namespace rigidlimit
