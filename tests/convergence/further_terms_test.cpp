// Tests the elimination of further terms from a series of several terms.
#include "rigidlimit/convergence/further_terms.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "rigidlimit/convergence/verdict.hpp"

namespace rigidlimit {
namespace {

/// e = ε (1 − b √ε log(1/ε) + c √ε) at 2⁻ᵏ 5e-4, floors 1e-12.
std::vector<SeriesPoint> series_of(double b, double c, int rows = 6) {
  std::vector<SeriesPoint> points;
  for (int k = 0; k < rows; ++k) {
    const double e = 5e-4 * std::pow(0.5, k), root = std::sqrt(e);
    points.push_back({.epsilon = e,
                      .error = e * (1.0 - b * root * std::log(1.0 / e) + c * root),
                      .floor = 1e-12});
  }
  return points;
}

std::vector<double> orders_of(const std::vector<SeriesPoint>& points) {
  std::vector<double> orders = neighbour_orders(points);
  orders.erase(orders.begin());
  return orders;
}

// The terms vanish to rounding: an error of 16 roundings of e in e' is 2e-14 in an order.
TEST(FurtherTerms, AreEliminatedExactly) {
  const std::vector<double> half{1.5}, logarithmic{1.5, 1.5};
  for (const double p : orders_of(without_terms(series_of(0.0, -3.0), half)))
    EXPECT_NEAR(p, 1.0, 1e-13);
  for (const double p : orders_of(without_terms(series_of(1.0, -3.0), logarithmic)))
    EXPECT_NEAR(p, 1.0, 1e-13);
  // Negative control: a single pass leaves the logarithm, and s = 2 is the wrong term.
  EXPECT_GT(std::abs(orders_of(without_terms(series_of(1.0, 0.0), half)).front() - 1.0), 0.01);
  const std::vector<double> two{2.0};
  EXPECT_GT(std::abs(orders_of(without_terms(series_of(0.0, -3.0), two)).front() - 1.0), 0.01);
}

TEST(FurtherTerms, LeaveTheOrderOfTheLeadingTerm) {
  const std::vector<double> wrong{1.5, 1.5};
  std::vector<SeriesPoint> points;
  for (int k = 0; k < 6; ++k) {
    const double e = std::pow(0.5, k);
    points.push_back({.epsilon = e, .error = std::pow(e, 1.2)});
  }
  // ε^1.2 alone stays ε^1.2: eliminating an absent term does not change the order to 1.
  const auto rest = without_terms(points, wrong);
  ASSERT_EQ(rest.size(), 4U);
  for (const double p : orders_of(rest)) EXPECT_NEAR(p, 1.2, 1e-12);
  EXPECT_EQ(judge(rest, {.order = 1.0}).verdict, Verdict::refuted);
  EXPECT_EQ(judge(rest, {.order = 1.2}).verdict, Verdict::confirmed);
}

TEST(FurtherTerms, PropagateTheFloors) {
  auto points = series_of(0.0, 0.0);
  const std::vector<double> one{2.0};
  // (4 f + f)/(4 − 1)
  for (const SeriesPoint& point : without_terms(points, one))
    EXPECT_NEAR(point.floor, 5.0 / 3.0 * 1e-12, 1e-25);
  points[2].error = std::numeric_limits<double>::infinity();
  const auto failing = without_terms(points, one);
  for (std::size_t k = 0; k < failing.size(); ++k)
    EXPECT_EQ(is_failed(failing[k]), k == 1 || k == 2) << "it enters two combinations";
  points[2].usable = false;
  const auto rest = without_terms(points, one);
  EXPECT_TRUE(rest[0].usable);
  EXPECT_FALSE(rest[1].usable);
  EXPECT_FALSE(rest[2].usable);
  EXPECT_TRUE(rest[3].usable);
  // A term of an order below the leading one leaves no positive values.
  const std::vector<double> below{0.5};
  for (const SeriesPoint& point : without_terms(series_of(0.0, 0.0), below))
    EXPECT_FALSE(point.usable);
}

TEST(FurtherTerms, RequireAConstantRatioAndEnoughRows) {
  const std::vector<double> one{1.5}, bad{-1.0}, nan{std::numeric_limits<double>::quiet_NaN()};
  auto points = series_of(0.0, 0.0, 3);
  EXPECT_EQ(without_terms(points, {}).size(), 3U);
  EXPECT_THROW(without_terms(points, bad), std::invalid_argument);
  EXPECT_THROW(without_terms(points, nan), std::invalid_argument);
  const std::vector<double> three{1.5, 2.0, 2.5};
  EXPECT_THROW(without_terms(points, three), std::invalid_argument);
  points[2].epsilon *= 0.9;
  EXPECT_THROW(without_terms(points, one), std::invalid_argument);
}

}  // namespace
}  // namespace rigidlimit
