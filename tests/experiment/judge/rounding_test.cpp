// Tests that every error bar includes the rounding errors of the compared values.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/experiment/judge/difference.hpp"
#include "rigidlimit/experiment/judge/judge_series.hpp"

namespace rigidlimit {
namespace {

using testing::StrEq;

Motion motion(double q, double v, double lambda) {
  return {.times = {0.0, 1.0},
          .q = MatrixXd::Constant(2, 2, q),
          .v = MatrixXd::Constant(3, 2, v),
          .lambda = MatrixXd::Constant(1, 2, lambda)};
}

TEST(Rounding, IsFourUnitsOfTheLargestValueOfEachQuantity) {
  const double unit = std::ldexp(1.0, -52);
  const Rounding found = rounding_of(motion(1.0, -8.0, 0.0), motion(2.0, 0.5, 0.0));
  EXPECT_EQ(found.q, 4.0 * 2.0 * unit);
  EXPECT_EQ(found.v, 4.0 * 8.0 * unit);
  EXPECT_EQ(found.lambda, 0.0);
  // Motions of 106 bits have rounding errors smaller by 2^53. This requires 106 bits in both
  // motions.
  PreciseMotion precise = motion(2.0, 8.0, 0.0);
  precise.rest = motion(0.0, 0.0, 0.0);
  EXPECT_EQ(rounding_of(precise, precise).q, std::ldexp(found.q, -53));
  EXPECT_EQ(rounding_of(precise, motion(2.0, 8.0, 0.0)).q, found.q);
}

/// Errors of a study with Λ = 0: the difference is rounding, and the other error bars are 0.
Series sphere(double rounding) {
  Series series;
  for (const double epsilon : {1e-2, 5e-3, 2e-3, 1e-3}) {
    Row row{.epsilon = epsilon};
    row.sizes.model = 2.776e-17;
    row.sizes.solver = row.sizes.reference = row.sizes.sampling = 0.0;
    row.sizes.rounding = rounding;
    row.evidence = evidence_of(row);
    series.rows.push_back(row);
  }
  ExpectationSpec expected;
  expected.order = 1.0;
  expected.measure = series.rows.front().measure;
  judge({expected}, series);
  return series;
}

TEST(Rounding, FitsNoOrderToMotionsThatAgreeUpToIt) {
  const Series equal = sphere(1e-16);
  EXPECT_THAT(name_of(equal.rows.back().evidence), StrEq("equal"));
  EXPECT_EQ(equal.rows.back().error_bar(), 1e-16);
  EXPECT_EQ(equal.judgement.fit.count, 0u);
  EXPECT_EQ(equal.judgement.verdict, Verdict::floor_limited);
  EXPECT_EQ(equal.judgement.hidden.rounding, 4u);
  // Negative control: without rounding in the error bars, an order 0 is fitted.
  const Series noise = sphere(0.0);
  EXPECT_THAT(name_of(noise.rows.back().evidence), StrEq("ok"));
  EXPECT_EQ(noise.judgement.fit.count, 4u);
  EXPECT_EQ(noise.judgement.verdict, Verdict::refuted);
}

}  // namespace
}  // namespace rigidlimit
