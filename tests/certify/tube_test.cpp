// Tests when a motion stays in a tube.
#include "rigidlimit/certify/tube.hpp"

#include <gmock/gmock.h>

namespace rigidlimit {
namespace {

BallVector one(double x) {
  return BallVector::Constant(1, Ball(x));
}

Tube tube(double size) {
  return {.rho = one(size), .F = one(size), .H = one(size), .deviation = one(size)};
}

// The bound x ↦ 0.2 + x² maps the tube of 0.5 into itself, and that of 0.9 is left. A motion at 0.9
// obeys the bounds of all tubes that contain it, and not those of the tube of 0.5.
TEST(Proof, TubesHoldOnlyMotionsThatBeginInThem) {
  const auto bound = [](double x) { return tube(0.2 + x * x); };
  EXPECT_TRUE(tube(0.5).contains(bound(0.5)));
  EXPECT_TRUE(tube(0.5).holds(bound(0.5), one(0.4)));
  EXPECT_FALSE(tube(0.5).holds(bound(0.5), one(0.9)));
  EXPECT_FALSE(tube(0.9).holds(bound(0.9), one(0.9)));
}

// At the first time of leaving, the bound must be below the tube and not on it.
TEST(Tube, HoldsBoundsBelowItOnly) {
  EXPECT_TRUE(tube(1.0).holds(tube(0.99), one(0.5)));
  EXPECT_FALSE(tube(1.0).holds(tube(1.0), one(0.5)));
  EXPECT_FALSE(tube(1.0).holds(tube(0.99), one(1.0)));
  for (const auto part : {&Tube::rho, &Tube::F, &Tube::H, &Tube::deviation}) {
    Tube bounds = tube(0.5);
    bounds.*part = one(1.5);
    EXPECT_FALSE(tube(1.0).contains(bounds)) << "one component is enough";
  }
}

TEST(Tube, GrowsAroundAnotherOne) {
  const Tube grown = tube(1.0).around(tube(2.0)), same = tube(1.0).around(tube(0.5));
  EXPECT_TRUE(grown.contains(tube(2.0)));
  EXPECT_TRUE(same.rho(0) == 1);
}

}  // namespace
}  // namespace rigidlimit
