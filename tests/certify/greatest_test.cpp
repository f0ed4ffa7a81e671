// Tests the enclosure of the largest modulus: where it may lie, how narrow it is, and at which
// cost.
#include "rigidlimit/certify/greatest.hpp"

#include <gmock/gmock.h>

#include <functional>

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::Gt;
using testing::Le;
using testing::Lt;

/// The relative width that greatest() promises where the balls allow it.
constexpr double promised = 1e-8;

using Function = std::function<Ball(const Ball& s)>;

ValuesInStep of(const Function& f) {
  return [f](std::size_t, const Ball& s) { return BallVector::Constant(1, f(s)).eval(); };
}

/// The parts [0, 1/4] and [1/4, 1] of one step.
std::vector<StepPart> unit_interval() {
  return {{0, Ball(0.0), Ball(0.25)}, {0, Ball(0.25), Ball(1.0)}};
}

/// 1 − (s − top)²: 1 at `top`.
Function hill(double top) {
  return [top](const Ball& s) {
    const Ball x = s - Ball(top);
    return Ball(1) - x * x;
  };
}

/// f with the radius `excess` more on balls of a radius above `size`, as Taylor models have on long
/// steps.
Function widened(const Function& f, double excess, double size) {
  return [=](const Ball& s) {
    return s.radius() > size ? f(s) + Ball::around_zero(Ball(excess)) : f(s);
  };
}

void expect_one(const std::pair<Ball, Ball>& found) {
  const auto& [low, high] = found;
  EXPECT_THAT(low.lower(), AllOf(Le(1.0), Ge(1.0 - promised)));
  EXPECT_THAT(high.upper(), AllOf(Ge(1.0), Le(1.0 + promised)));
}

// At an end the value itself is reached, so that the lower bound is exact.
TEST(Greatest, IsReachedAtTheBegin) {
  const auto found = greatest(unit_interval(), of([](const Ball& s) { return exp(-s); }));
  expect_one(found);
  EXPECT_EQ(found.first.lower(), 1.0) << "e⁻⁰, and not a limit of middles";
}

TEST(Greatest, IsReachedAtTheEnd) {
  const auto found = greatest(unit_interval(), of([](const Ball& s) { return -s * s * s; }));
  expect_one(found);
  EXPECT_EQ(found.first.lower(), 1.0);
}

TEST(Greatest, IsReachedInTheMiddle) {
  expect_one(greatest(unit_interval(), of(hill(1.0 / 3.0))));
}

TEST(Greatest, MayHaveTwoPlacesInDifferentStepsAndComponents) {
  const std::vector<StepPart> parts{{0, Ball(0.0), Ball(1.0)}, {1, Ball(0.0), Ball(1.0)}};
  expect_one(greatest(parts, [](std::size_t step, const Ball& s) {
    BallVector values(2);
    values << (step == 0 ? hill(0.3)(s) : Ball(0)), (step == 1 ? -hill(0.7)(s) : Ball(0));
    return values;
  }));
}

// The bound stays 1.5 for five bisections, until the parts are shorter than 2⁻⁵.
TEST(Greatest, OfAFunctionWhoseFirstBisectionsGainNothingIsNarrow) {
  const Function coarse = widened(hill(1.0 / 3.0), 0.5, 0x1p-6);
  for (const double half : {0.25, 0.125, 0x1p-5})
    EXPECT_THAT(coarse(Ball(1.0 / 3.0) + Ball::around_zero(Ball(half))).upper(), Ge(1.5));
  expect_one(greatest(unit_interval(), of(coarse)));
}

// Values of the radius r have the width 2 r. The search ends at 1.1 times that.
TEST(Greatest, IsAsNarrowAsTheBallsOfItsValues) {
  constexpr double radius = 1e-4;
  int calls = 0;
  const auto found = greatest(unit_interval(), of([&calls](const Ball& s) {
                                ++calls;
                                return hill(1.0 / 3.0)(s) + Ball::around_zero(Ball(radius));
                              }));
  EXPECT_THAT(found.first.lower(), Le(1.0));
  EXPECT_THAT(found.second.upper(), Ge(1.0));
  EXPECT_THAT(found.second.upper() - found.first.lower(), Le(2.2 * radius * (1.0 + 1e-12)));
  // 1 − x² ≥ 1 − 2.2 r on a length of 2 (2.2 r)^(1/2) = 0.03: some ten parts of 2⁻⁸ remain.
  EXPECT_THAT(calls, Lt(500));
}

// No bisection reduces the excess of the bound. The square gains in the first one: after six more
// all 2 · 2⁷ parts are left. Each part costs a bound and a value, and the two first ones have ends:
// 2 (2 + 4 + … + 2⁸) + 4 = 1024.
TEST(Greatest, StopsWhereSmallerPartsGainNothing) {
  int calls = 0;
  const Function never = widened(hill(1.0 / 3.0), 2.0, 0.0);
  const auto found = greatest(unit_interval(), of([&](const Ball& s) {
                                ++calls;
                                return never(s);
                              }));
  EXPECT_THAT(found.first.lower(), Le(1.0));
  EXPECT_THAT(found.second.upper(), Ge(1.0));
  EXPECT_THAT(calls, Le(1024));
}

// Negative control: a function that is larger by ten times the promised width has no common bounds.
TEST(Greatest, ExcludesAValueThatIsNotReached) {
  const auto larger = [](const Ball& s) {
    return hill(1.0 / 3.0)(s) * Ball(1.0 + 10.0 * promised);
  };
  EXPECT_THAT(greatest(unit_interval(), of(larger)).first.lower(), Gt(1.0));
  EXPECT_THAT(greatest(unit_interval(), of(hill(1.0 / 3.0))).second.upper(),
              Lt(1.0 + 10.0 * promised));
}

}  // namespace
}  // namespace rigidlimit
