// Tests which series the matchers accept, and the numbers in their explanations.
#include "rigidlimit/testing/gtest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace {

using namespace rigidlimit::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// 3 ε² (1 + ε) at ε = 1/4 … 1/256, in mixed order; orders 2 + O(ε), at most 2.23, finally 2.006.
ErrorSeries squares(double floor = 0.0) {
  ErrorSeries series{.epsilons = {}, .errors = {}, .floors = {}, .name = "squares"};
  for (const int k : {5, 2, 8, 3, 7, 4, 6}) {
    const double e = std::ldexp(1.0, -k);
    series.epsilons.push_back(e);
    series.errors.push_back(3.0 * e * e * (1.0 + e));
    if (floor > 0.0) series.floors.push_back(floor);
  }
  return series;
}

template <class Matcher, class Series>
std::string explanation(const Matcher& matcher, const Series& series) {
  ::testing::StringMatchResultListener listener;
  matcher.MatchAndExplain(series, &listener);
  return listener.str();
}

TEST(ConvergesWithOrder, MatchesTheOrderInAnySequence) {
  EXPECT_THAT(squares(), ConvergesWithOrder(2));
  EXPECT_THAT(squares(), ConvergesWithOrder(2).within(0.03));
  // Negative controls: an order off on either side, and a series without order.
  EXPECT_THAT(squares(), Not(ConvergesWithOrder(1)));
  EXPECT_THAT(squares(), Not(ConvergesWithOrder(3)));
  EXPECT_THAT(squares(), Not(ConvergesWithOrder(2.5).within(0.2)));
  EXPECT_THAT((ErrorSeries{{0.1, 0.2, 0.3, 0.4}, {0.2, 0.1, 0.2, 0.1}}),
              Not(ConvergesWithOrder(2)));
}

// The fitted order is 2 up to 0.05.
TEST(ConvergesWithOrder, MatchesEveryLeastOrderBelowIt) {
  for (const double least : {-1.0, 0.0, 1.0, 1.9, 2.0})
    EXPECT_THAT(squares(), ConvergesWithOrder::at_least(least)) << least;
  EXPECT_THAT(squares(), ConvergesWithOrder::at_least(2.2).within(0.25));
  // Negative controls: larger least orders, and the two-sided claim.
  for (const double least : {2.2, 3.0})
    EXPECT_THAT(squares(), Not(ConvergesWithOrder::at_least(least))) << least;
  EXPECT_THAT(squares(), Not(ConvergesWithOrder(1)));
}

/// Negative control: the same series without the row matches (above).
TEST(ConvergesWithOrder, RefusesASeriesWithAFailedRow) {
  for (const double error : {nan, std::numeric_limits<double>::infinity()})
    for (std::size_t row = 0; row < 7; ++row) {
      ErrorSeries series = squares();
      series.errors[row] = error;
      EXPECT_THAT(series, Not(ConvergesWithOrder(2)));
      EXPECT_THAT(explanation(ConvergesWithOrder(2), series), HasSubstr("row failed"));
      EXPECT_THAT(series, Not(StaysBelow(3.75, 2)));
    }
}

TEST(ConvergesWithOrder, ShowsTheTableAndTheReason) {
  const std::string text = explanation(ConvergesWithOrder(1), squares(1e-5));
  EXPECT_THAT(text, AllOf(HasSubstr("refuted"), HasSubstr("order 2.0")));
  EXPECT_THAT(text, HasSubstr("1 ± 0.05"));
  EXPECT_THAT(text,
              HasSubstr("\n           ε         error       floor       order\n"
                        "   2.500e-01     2.344e-01   1.000e-05           -\n"
                        "   1.250e-01     5.273e-02   1.000e-05       2.152  <- not 1 ± 0.05\n"));
  // 3/256² = 4.6e-5 does not exceed 1e-5 tenfold.
  EXPECT_THAT(text, HasSubstr("2.006  <- no evidence"));
}

// The message of EXPECT_THAT, which GoogleTest composes.
TEST(ConvergesWithOrder, FailsATestWithTheExpectedOrder) {
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(squares(), ConvergesWithOrder(3)),
                          "order 3 ± 0.05\n  Actual: squares of 7 ε");
}

TEST(StaysBelow, MatchesTheBoundAndNotOneOrderMore) {
  EXPECT_THAT(squares(), StaysBelow(3.75, 2));  // at ε = 1/4, 3 · 1.25: equality, exact in binary
  EXPECT_THAT(squares(), StaysBelow(3.1, 2).on(1.0 / 32, 0.0));
  EXPECT_THAT(squares(), Not(StaysBelow(3.1, 2)));
  EXPECT_THAT(squares(), Not(StaysBelow(3.75, 3)));
  EXPECT_THAT(squares(), Not(StaysBelow(3.75, 2).on(1.0, 2.0))) << "no row in the interval";
}

TEST(StaysBelow, MarksTheBrokenRowsAndNamesTheWorst) {
  const std::string text = explanation(StaysBelow(3.1, 2).on(0.5, 0.01), squares());
  EXPECT_THAT(text, AllOf(HasSubstr("broken at ε = 0.25"), HasSubstr(" 2.344e-01 "),
                          HasSubstr(" 1.21 "), HasSubstr(" 1.938e-01")));
  EXPECT_THAT(text, HasSubstr("5.273e-02   0.000e+00   4.844e-02  <- broken\n"));
  EXPECT_THAT(text, HasSubstr("3.021e-03   0.000e+00   3.027e-03\n")) << "no mark at ε = 1/32";
  EXPECT_THAT(text, HasSubstr("4.596e-05   0.000e+00           -")) << "ε = 1/256 is outside";
}

TEST(StaysBelow, IsUndecidedIfTheErrorBarIsTooLarge) {
  const ErrorSeries series{{0.1, 0.05}, {0.5, 0.95}, {0.1, 0.1}};
  EXPECT_THAT(series, Not(StaysBelow(1, 0)));
  EXPECT_THAT(explanation(StaysBelow(1, 0), series),
              AllOf(HasSubstr("undecided at ε = 0.05"), HasSubstr("<- undecided")));
  const ErrorSeries failed{{0.1, 0.05}, {0.5, nan}, {}};
  EXPECT_THAT(explanation(StaysBelow(1, 0), failed), HasSubstr("<- unknown"));
}

TEST(SolverErrorStaysBelow, DependsOnTheFloorsOnly) {
  EXPECT_THAT(squares(1e-9), SolverErrorStaysBelow(1e-9));
  EXPECT_THAT(squares(1e-9), Not(SolverErrorStaysBelow(0.99e-9)));
  EXPECT_THAT(squares(), Not(SolverErrorStaysBelow(1.0))) << "a missing floor is unknown";
  EXPECT_THAT(explanation(SolverErrorStaysBelow(1e-10), squares(1e-9)),
              AllOf(HasSubstr(" 1.000e-09 "), HasSubstr(" 10 "), HasSubstr(" 1.000e-10")));
}

RatioSeries ratios(double limit) {
  RatioSeries series{.epsilons = {}, .ratios = {}, .floors = {}, .name = "q / predicted"};
  for (const double e : {0.1, 0.01, 0.001, 0.0001}) {
    series.epsilons.push_back(e);
    series.ratios.push_back(limit + 0.5 * e);
  }
  return series;
}

TEST(RatioTendsTo, MatchesOneAndNotTwoPercentMore) {
  EXPECT_THAT(ratios(1.0), RatioTendsTo(1));
  EXPECT_THAT(ratios(1.02), RatioTendsTo(1.02, 1e-4));
  EXPECT_THAT(ratios(1.02), Not(RatioTendsTo(1, 1e-3)));
  EXPECT_THAT(explanation(RatioTendsTo(1), ratios(1.02)),
              AllOf(HasSubstr("refuted"), HasSubstr("ratio 1.02005"), HasSubstr(" 1.02"),
                    HasSubstr("\n           ε         ratio       floor    distance\n"
                              "   1.000e-01          1.07   0.000e+00   7.000e-02  <- too far\n")));
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(ratios(1.02), RatioTendsTo(1)),
                          "1 ± 0.001\n  Actual: q / predicted of 4 ε");
}

// Under Not() a malformed series must not count as a broken one.
TEST(Matchers, RefuseMalformedSeriesEvenUnderNot) {
  const auto match = [](const ErrorSeries& series) {
    return ::testing::Matches(Not(ConvergesWithOrder(2)))(series);
  };
  EXPECT_THROW(match({{0.1, 0.2}, {1.0}}), std::invalid_argument);
  EXPECT_THROW(match({{0.1, 0.2}, {1.0, 2.0}, {0.0}}), std::invalid_argument);
  EXPECT_THROW(match({{0.1, 0.1}, {1.0, 2.0}}), std::invalid_argument);
  EXPECT_THROW(match({{0.1, nan}, {1.0, 2.0}}), std::invalid_argument);
  EXPECT_THROW(match({{0.1, -0.1}, {1.0, 2.0}}), std::invalid_argument);
  EXPECT_THROW(match({{0.1, 0.2}, {1.0, -2.0}}), std::invalid_argument);
}

}  // namespace
