// Tests the operators and functions that the number types of tapes share.
#include "rigidlimit/core/tape/number_operators.hpp"

#include <gmock/gmock.h>

#include <array>
#include <complex>
#include <limits>
#include <type_traits>

#include "rigidlimit/core/pack.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "support/dual.hpp"
#include "support/number_functions.hpp"

namespace rigidlimit {
namespace {

using testing::ElementsAre;

static_assert(test::HasFunctionsOfTapes<Expression>);
static_assert(test::HasFunctionsOfTapes<Pack>);
static_assert(test::HasFunctionsOfTapes<Dual<double, 2>>);
static_assert(test::HasFunctionsOfTapes<Dual<Dual<double, 2>, 3>>);
// The negative control lacks one function of the table: its |x| is a real number.
static_assert(!test::HasFunctionsOfTapes<std::complex<double>>);

// The bases take no memory: arrays of numbers keep their layout.
static_assert(sizeof(Pack) == 64 && std::is_standard_layout_v<Dual<double, 2>>);
static_assert(sizeof(Expression) == 16);
static_assert(sizeof(Dual<Dual<double, 2>, 3>) == 12 * sizeof(double));

/// x after x op= 3 for the four operations, one after the other.
template <class T>
T assigned(const T& start) {
  T x = start;
  x += 3;
  x *= 5;
  x -= x / 4;
  const T& same = x;
  return x /= same;
}

// (x + 3) · 5 · 3/4 divided by itself: the right operand is read before the left one is changed.
TEST(NumberOperators, AssignmentsAreTheBinaryOperations) {
  const auto x = Dual<double, 1>::variable(2.0, 0);
  EXPECT_EQ(assigned(x).value, 1.0);
  EXPECT_EQ(assigned(x).derivative[0], 0.0);
  EXPECT_EQ(assigned(Pack(2.0))[5], 1.0);
  auto y = x;
  y *= y;  // (x²)' = 2 x
  EXPECT_EQ(y.value, 4.0);
  EXPECT_EQ(y.derivative[0], 4.0);
}

/// a > b, a >= b and a != b of recorded numbers, as 1 or 0.
VectorXd compared(double a, double b) {
  const Tape tape = tape_of(
      [](const ExpressionVector& x) {
        ExpressionVector results(3);
        results << select(x(0) > x(1), 1, 0), select(x(0) >= x(1), 1, 0),
            select(x(0) != x(1), 1, 0);
        return results;
      },
      2);
  const std::array<double, 2> arguments{a, b};
  VectorXd results(3);
  Evaluator<double>(tape, Machine::interpreter).evaluate(arguments.data(), results.data());
  return results;
}

// Of NaN, all but != are false. As the negation of <, >= would be true.
TEST(NumberOperators, ComparisonsFollowFromLessAndEqual) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(compared(2.0, 1.0), ElementsAre(1.0, 1.0, 1.0));
  EXPECT_THAT(compared(1.0, 2.0), ElementsAre(0.0, 0.0, 1.0));
  EXPECT_THAT(compared(1.0, 1.0), ElementsAre(0.0, 1.0, 0.0));
  EXPECT_THAT(compared(nan, 1.0), ElementsAre(0.0, 0.0, 1.0));
  const Dual<double, 1> a(nan), b(1.0);
  EXPECT_FALSE(a > b || a >= b);
  EXPECT_TRUE(a != b);
}

}  // namespace
}  // namespace rigidlimit
