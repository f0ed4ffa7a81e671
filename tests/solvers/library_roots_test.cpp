// Tests the values that CVODE and IDA receive of a function that has just crossed zero.
#include <gmock/gmock.h>

#include <memory>

#include "rigidlimit/solvers/sundials/sundials_roots.hpp"

namespace rigidlimit::sundials {
namespace {

/// Root functions y₀ and y₁ after a reported root of the first at t = 0.5.
LibraryRoots told(bool jumps, VectorXd state) {
  RootFunctions two{2, [](double, VectorIn y, VectorOut r) { r = y; }};
  if (jumps)
    two.reached = [](double, const std::vector<int>&, VectorOut y) {
      y(1) = 3.0;
      return true;
    };
  else
    two.reached = [](double, const std::vector<int>&, VectorOut) { return true; };
  LibraryRoots roots("two", std::make_shared<const RootFunctions>(two));
  roots.begin(0.0, Eigen::Vector2d(-1.0, 2.0));
  EXPECT_TRUE(roots.report(0.5, {+1, 0}, state));
  return roots;
}

Eigen::Vector2d shown(LibraryRoots& roots, double t, const Eigen::Vector2d& y) {
  Eigen::Vector2d values;
  EXPECT_TRUE(roots.write(t, y, values.data()));
  return values;
}

// Rounding leaves the value −1e-18 of a function that became positive.
TEST(LibraryRoots, ShowTheSignAfterTheRoot) {
  const Eigen::Vector2d y(-1e-18, 2.0);
  LibraryRoots roots = told(false, y);
  for (int k = 0; k < 3; ++k) {  // the start, and the ends of steps below the resolution of t
    const Eigen::Vector2d values = shown(roots, 0.5, y);
    EXPECT_GT(values(0), 0.0);
    EXPECT_LT(values(0), 1e-30);
    EXPECT_EQ(values(1), 2.0);
  }
  // Away from the root the value is unchanged, so that a change back is detected.
  EXPECT_EQ(shown(roots, 0.5 + 1e-15, y)(0), -1e-18);
}

// The value is zero until it exceeds four times the residue at the root. The library's second
// evaluation, along a line, has no effect.
TEST(LibraryRoots, LeaveTheSignOpenAfterAJump) {
  LibraryRoots roots = told(true, Eigen::Vector2d(-1e-18, 2.0));
  const auto value = [&](double t, double y) { return shown(roots, t, {y, 2.0})(0); };
  EXPECT_EQ(value(0.5, -1e-18), 0.0);
  EXPECT_EQ(value(0.5 + 1e-15, 0.1), 0.0);
  EXPECT_EQ(value(0.5 + 1e-15, -3e-18), 0.0);
  EXPECT_EQ(value(0.6, 5e-18), 5e-18);
  EXPECT_EQ(value(0.7, -3e-18), -3e-18);  // unchanged from then on
}

// A function that reaches zero and stays there, or returns to the same side, has no root.
TEST(LibraryRoots, ShowNoExactZeroOfAFunctionThatHadASign) {
  const Eigen::Vector2d y(1e-18, 2.0);
  LibraryRoots roots = told(false, y);
  EXPECT_EQ(shown(roots, 0.5, y)(1), 2.0);
  EXPECT_GT(shown(roots, 0.6, {1.0, 0.0})(1), 0.0);
  EXPECT_EQ(shown(roots, 0.7, {1.0, -2.0})(1), -2.0);
  EXPECT_LT(shown(roots, 0.8, {1.0, 0.0})(1), 0.0);
  // A function without a sign yet may stay at zero, as the libraries allow.
  LibraryRoots jumped = told(true, y);
  EXPECT_EQ(shown(jumped, 0.5, {1e-18, 0.0})(1), 0.0);
}

}  // namespace
}  // namespace rigidlimit::sundials
