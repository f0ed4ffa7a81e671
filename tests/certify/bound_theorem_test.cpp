// Tests bounds on whole intervals of ε against a theorem.
#include "rigidlimit/certify/bound_theorem.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace rigidlimit {
namespace {

using State = BoundProof::State;

/// | e − 2 ε² | ≤ 3 ε³ for ε ≤ 0.01, with K in [1.9, 2.1].
constexpr ErrorTheorem theorem{
    .lower = 1.9, .upper = 2.1, .remainder = 3.0, .largest_epsilon = 0.01};

State state_of(double constant, double power, double from, double to) {
  return judged({constant, power, from, to}, theorem).state;
}

TEST(BoundTheorem, ProvesABoundAboveTheRemainder) {
  EXPECT_EQ(state_of(2.14, 2.0, 0.0, 0.01), State::proved);  // 2.1 + 3 · 0.01 = 2.13
  EXPECT_EQ(state_of(2.12, 2.0, 0.0, 0.01), State::open);
  EXPECT_EQ(state_of(2.12, 2.0, 0.0, 0.005), State::proved);
  EXPECT_EQ(state_of(1.89, 2.0, 0.0, 0.01), State::refuted);
  EXPECT_EQ(state_of(1.95, 2.0, 0.0, 0.01), State::open);
}

// C ε^p with p > 2 is below K ε² for small ε, however near to 2 the power is and however large C.
TEST(BoundTheorem, RefutesEveryPowerAbove2DownToZero) {
  for (const double power : {std::nextafter(2.0, 3.0), 2.05, 2.5, 3.0, 9.0})
    EXPECT_EQ(state_of(1e6, power, 0.0, 0.01), State::refuted) << power;
  EXPECT_EQ(state_of(1e6, 2.05, 1e-8, 0.01), State::proved);  // negative control: not down to 0
}

// The interval of a claim is never cut.
TEST(BoundTheorem, DoesNotExtendBeyondItsInterval) {
  EXPECT_EQ(state_of(9.0, 2.0, 0.0, 0.01), State::proved);
  EXPECT_EQ(state_of(9.0, 2.0, 0.0, std::nextafter(0.01, 1.0)), State::beyond);
  EXPECT_EQ(state_of(9.0, 2.0, 0.02, 0.05), State::beyond);
  EXPECT_EQ(state_of(9.0, 2.0, 0.0, std::numeric_limits<double>::infinity()), State::beyond);
  // A part of the interval refutes the whole claim.
  EXPECT_EQ(state_of(1.0, 2.0, 0.0, 1.0), State::refuted);
}

// K ε^(2−p) − K₃ ε^(3−p) is largest inside the interval: for p = 1 at K/(2 K₃), with K²/(4 K₃).
TEST(BoundTheorem, RefutesInsideTheInterval) {
  constexpr ErrorTheorem wide{.lower = 2.0, .upper = 2.0, .remainder = 100.0, .largest_epsilon = 1};
  EXPECT_EQ(judged({0.0099, 1.0, 0.0, 1.0}, wide).state, State::refuted);
  EXPECT_NEAR(judged({0.0099, 1.0, 0.0, 1.0}, wide).epsilon, 0.01, 1e-15);
  EXPECT_EQ(judged({0.0101, 1.0, 0.0, 1.0}, wide).state, State::open);
}

// The quotient error/ε^p, not the error, is set against the constant of the claim.
TEST(BoundTheorem, GivesTheQuotientOfTheErrorAndThePower) {
  constexpr ErrorTheorem exact{
      .lower = 6.34, .upper = 6.35, .remainder = 0.0, .largest_epsilon = 1};
  const BoundProof refuted = judged({6.3, 2.0, 1e-12, 1.0}, exact);
  EXPECT_EQ(refuted.state, State::refuted);
  EXPECT_NEAR(refuted.quotient, 6.34, 1e-14);
  const BoundProof open = judged({6.345, 2.0, 1e-12, 1.0}, exact);
  EXPECT_EQ(open.state, State::open);
  EXPECT_NEAR(open.quotient, 6.35, 1e-14);
  EXPECT_EQ(judged({6.3, 2.0, 0.0, 1.0}, exact).quotient, refuted.quotient);
  // 6.34 ε² / ε^2.5 = 6.34/√ε has no upper bound for ε → 0.
  EXPECT_GT(judged({6.3, 2.5, 1e-4, 1.0}, exact).quotient, 600.0);
  EXPECT_EQ(judged({1e9, 2.5, 0.0, 1.0}, exact).quotient, std::numeric_limits<double>::infinity());
}

// Random claims against values of K ε² ± K₃ ε³ at 400 ε: a proved claim holds at all of them, and a
// refuted one fails at the ε that is named. Values are rounded at 1e-15 of their size.
TEST(BoundTheorem, AgreesWithValuesAtManyEpsilon) {
  int proved = 0, refuted = 0;
  for (int k = 0; k < 2000; ++k) {
    const double u = std::fmod(0.618033988749895 * k, 1.0), w = std::fmod(0.7548776662 * k, 1.0),
                 z = std::fmod(0.5698402909980532 * k, 1.0);
    const double power = 4.0 * u, from = k % 3 == 0 ? 0.0 : 0.01 * std::pow(10.0, -6.0 * w),
                 constant = std::pow(10.0, 4.0 * z - 2.0) * std::pow(0.01, 2.0 - power);
    const BoundProof found = judged({constant, power, from, 0.01}, theorem);
    if (found.state == State::proved) {
      ++proved;
      for (int i = 0; i <= 400; ++i) {
        const double least = from == 0.0 ? 1e-12 : from,
                     e = least * std::pow(0.01 / least, i / 400.0);
        EXPECT_LE(theorem.at_most(e), constant * std::pow(e, power) * (1.0 + 1e-12));
      }
    } else if (found.state == State::refuted && found.epsilon > 0.0) {
      ++refuted;
      EXPECT_GT(theorem.at_least(found.epsilon),
                constant * std::pow(found.epsilon, power) * (1.0 - 1e-12));
    }
  }
  EXPECT_GT(proved, 200);
  EXPECT_GT(refuted, 200);
}

}  // namespace
}  // namespace rigidlimit
