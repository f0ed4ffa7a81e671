// Tests that a claim without a number has the reason of its study and an advice that fits it.
#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "rigidlimit/experiment/judge/judge_series.hpp"
#include "rigidlimit/experiment/judge/series_tables.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr, testing::Not;

/// Errors 3 ε² of q at five ε, with the ratio 1 to a prediction; order 2 and ratio 1 are claimed.
Series predicted_series() {
  Series series{
      .rows = {}, .judgement = {}, .predicted_order = 2.0, .ratio = {}, .expectation = {}};
  for (int k = 0; k < 5; ++k) {
    Row row{.law = {.name = "viscoelastic", .tangential_power = {}},
            .rigid_solver = "ida",
            .compliant_solver = "radau_iia",
            .epsilon = 0.1 * std::pow(2.0, -k),
            .measure = {.quantity = Quantity::q}};
    row.sizes.model = 3.0 * row.epsilon * row.epsilon;
    row.sizes.solver = row.sizes.reference = row.sizes.sampling = row.sizes.rounding = 1e-14;
    row.ratio = 1.0;
    row.ratio_error = 1e-6;
    row.evidence = {.state = Evidence::State::ok};
    series.rows.push_back(row);
  }
  return series;
}

/// The claims on the order and on the ratio.
std::vector<JudgedClaim> claims(Series series, const MissingReasons& missing) {
  ExpectationSpec order_and_ratio{.measure = {.quantity = Quantity::q}};
  order_and_ratio.order = 2.0;
  order_and_ratio.within = 0.05;
  order_and_ratio.ratio = 1.0;
  order_and_ratio.ratio_within = 1e-3;
  judge({order_and_ratio}, series);
  return cases_of({series}, {}, missing);
}

Series without_ratios() {
  Series series = predicted_series();
  for (Row& row : series.rows) row.ratio = row.ratio_error = std::nan("");
  return series;
}

TEST(MissingReasons, AreNotNamedWhereNothingIsMissing) {  // negative control
  const std::vector<JudgedClaim> found = claims(predicted_series(), {.no_prediction = "a reason"});
  ASSERT_EQ(found.size(), 2u);
  for (const JudgedClaim& claim : found) {
    EXPECT_TRUE(claim.held()) << claim.message;
    EXPECT_THAT(claim.message, Not(HasSubstr("a reason")));
  }
}

TEST(MissingReasons, NameWhyNoCoefficientIsPredicted) {
  Series series = without_ratios();
  series.predicted_order = std::nan("");
  const JudgedClaim ratio = claims(series, {.no_prediction = "the layer does not decay"}).at(1);
  EXPECT_FALSE(ratio.held());
  EXPECT_THAT(ratio.message, HasSubstr("the layer does not decay"));
  EXPECT_THAT(ratio.reason, HasSubstr("the layer does not decay"));
  EXPECT_THAT(ratio.advice, Not(HasSubstr("Add ε")));
  EXPECT_THAT(ratio.advice, HasSubstr("`ratio`"));
  EXPECT_THAT(claims(series, {}).at(1).message, HasSubstr("leading term"));
}

// The coefficient is predicted, but no row shows it.
TEST(MissingReasons, NameATermBelowTheErrorBar) {
  const JudgedClaim ratio = claims(without_ratios(), {}).at(1);
  EXPECT_THAT(ratio.reason, HasSubstr("error bar"));
  EXPECT_THAT(ratio.advice, HasSubstr("larger ε"));
  EXPECT_THAT(ratio.advice, Not(HasSubstr("`ratio`")));
}

TEST(MissingReasons, NameWhyTheSolvesFailed) {
  Series series = without_ratios();
  for (Row& row : series.rows) {
    row.sizes.model = std::nan("");
    row.evidence = {.state = Evidence::State::failed, .compliant = Outcome::inadmissible_state};
  }
  const MissingReasons missing{.no_prediction = "", .failure = [](const Row& row) {
                                 return row.epsilon < 0.1 ? ""
                                                          : "row 1 jumps by -0.0822: give a ramp";
                               }};
  for (const JudgedClaim& claim : claims(series, missing)) {
    EXPECT_THAT(claim.message, HasSubstr("5 of 5 ε failed: inadmissible_state: row 1 jumps by"));
    EXPECT_THAT(claim.advice, HasSubstr("failed solves"));
  }
  for (const JudgedClaim& claim : claims(series, {}))
    EXPECT_THAT(claim.message, Not(HasSubstr("row 1")));
}

// Two rows are too few for a ratio: more ε do help.
TEST(MissingReasons, AdviseMoreEpsilonOnlyWhereThatHelps) {
  Series series = predicted_series();
  series.rows.resize(2);
  EXPECT_THAT(claims(series, {}).at(1).advice, HasSubstr("Add ε"));
}

}  // namespace
}  // namespace rigidlimit
