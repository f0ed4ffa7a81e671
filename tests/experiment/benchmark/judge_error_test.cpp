// Tests error, scd, mixed error and row status against values computed by hand.
#include "rigidlimit/experiment/benchmark/judge_benchmark.hpp"

#include <gtest/gtest.h>

namespace rigidlimit {
namespace {

/// Two components at two times.
BenchmarkReference reference(double bar) {
  const MatrixXd y{{1.0, 100.0}, {0.0, -4.0}};
  return {.values = {y}, .error = {bar}};
}

TEST(JudgedError, IsAbsoluteRelativeAndMixed) {
  const MatrixXd found{{1.0, 100.01}, {0.001, -4.0}};
  const GroupError e = judged(found, reference(1e-9), 0);
  // |e| = 0.01 of 100 and 0.001 of 0: relative 1e-4 (undefined for the 0), mixed
  // max(0.01/101, 0.001/1) = 1e-3. Round-off of 100.01 − 100 is 1e-14.
  EXPECT_NEAR(e.error, 0.01, 1e-13);
  EXPECT_NEAR(e.scd, 4.0, 1e-10);
  EXPECT_NEAR(e.mixed, 3.0, 1e-10);
  EXPECT_EQ(e.status, TrialStatus::ok);
}

TEST(JudgedError, NearTheReferenceErrorIsMarked) {
  const MatrixXd found{{1.0, 100.01}, {0.0, -4.0}};
  EXPECT_EQ(judged(found, reference(0.9e-3), 0).status, TrialStatus::ok);
  EXPECT_EQ(judged(found, reference(1.1e-3), 0).status, TrialStatus::reference_limited);
}

TEST(JudgedError, HasAtMostTheDigitsOfADouble) {
  const GroupError e = judged(reference(0.0).values[0], reference(0.0), 0);
  EXPECT_EQ(e.error, 0.0);
  EXPECT_NEAR(e.scd, 15.95, 0.01);
}

TEST(JudgedError, OfMissingValuesIsNan) {
  const GroupError none = judged(MatrixXd(), reference(1e-9), 0);
  EXPECT_EQ(none.status, TrialStatus::failed);
  EXPECT_TRUE(std::isnan(none.error));
  EXPECT_EQ(none.reference_error, 1e-9);
  const MatrixXd holes = MatrixXd::Constant(2, 2, std::nan(""));
  EXPECT_EQ(judged(holes, reference(1e-9), 0).status, TrialStatus::failed);
  EXPECT_EQ(judged(MatrixXd::Zero(2, 2), BenchmarkReference{}, 0).status, TrialStatus::failed);
}

}  // namespace
}  // namespace rigidlimit
