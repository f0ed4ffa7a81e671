// Tests that the search for the best damping finds known minima and reports failures.
#include "rigidlimit/experiment/rolling/best_damping.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rigidlimit {
namespace {

using Place = BestDamping::Place;

/// Searches on the grid 1/8, 1/4, …, 8 with a constant error bar.
template <class Error>
BestDamping searched(const Error& error, double bar, int most = 6) {
  const auto at = [&](double ratio) { return Tried{ratio, error(ratio), bar}; };
  std::vector<Tried> tried;
  for (double ratio = 0.125; ratio < 10.0; ratio *= 2.0) tried.push_back(at(ratio));
  return least_error(tried, at, most);
}

// ζ + 1/(4ζ) = ∫ u² dτ of the damped oscillator, least at ζ = 1/2, where it is 1.
double displacement(double ratio) {
  return ratio + 0.25 / ratio;
}

TEST(BestDampingSearch, FindsASmoothMinimumBetweenTheGridPoints) {
  const auto shifted = [](double ratio) { return displacement(ratio / 1.4); };  // least at 0.7
  const BestDamping found = searched(shifted, 1e-9);
  EXPECT_EQ(found.place, Place::inside);
  EXPECT_GE(found.refinements, 1);
  EXPECT_LE(found.low, 0.7);
  EXPECT_GE(found.high, 0.7);
  // The search stops at a gain of 1e-3 of the error. Near its minimum f is 1 + 2 (δζ/ζ)²/…, so ζ
  // is accurate to about sqrt(1e-3), and the error to 2e-3.
  EXPECT_NEAR(found.error, 1.0, 2e-3);
  EXPECT_NEAR(found.best, 0.7, 0.05);
  // Negative control: the grid alone is 6 % off (ζ = 0.5: 1.057).
  EXPECT_GT(searched(shifted, 1e-9, 0).error, 1.05);
}

TEST(BestDampingSearch, FindsAKink) {
  const auto kink = [](double ratio) { return std::max(1.0 / ratio, ratio / 2.0); };  // at sqrt 2
  const BestDamping found = searched(kink, 1e-9);
  EXPECT_EQ(found.place, Place::inside);
  EXPECT_LE(found.low, std::sqrt(2.0));
  EXPECT_GE(found.high, std::sqrt(2.0));
  EXPECT_LT(found.error, 0.9) << "the grid gives 1";
}

TEST(BestDampingSearch, StopsAtTheErrorBar) {
  EXPECT_EQ(searched(displacement, 0.5).refinements, 1) << "one is always made";
  EXPECT_EQ(searched(displacement, 100.0).place, Place::flat);
  EXPECT_EQ(searched(displacement, 100.0).refinements, 0);
}

TEST(BestDampingSearch, ReportsAMinimumAtTheEndOfTheGrid) {
  EXPECT_EQ(searched([](double x) { return 1.0 / x; }, 1e-9).place, Place::upper);
  EXPECT_EQ(searched([](double x) { return x; }, 1e-9).place, Place::lower);
  EXPECT_EQ(searched([](double x) { return x; }, 1e-9).best, 0.125);
}

TEST(BestDampingSearch, SkipsFailedSolves) {
  const auto holed = [](double x) { return x == 1.0 ? std::nan("") : displacement(x); };
  EXPECT_NEAR(searched(holed, 1e-9).error, 1.0, 2e-3);
  const auto broken = [](double) { return std::nan(""); };
  EXPECT_TRUE(std::isnan(searched(broken, 1e-9).best));
}

}  // namespace
}  // namespace rigidlimit
