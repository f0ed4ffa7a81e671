// Tests numbers as balls, and their matrices.
#include "rigidlimit/certify/ball.hpp"

#include <arb_mat.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

#include "support/number_functions.hpp"

namespace rigidlimit {
namespace {

static_assert(test::HasFunctionsOfTapes<Ball> && sizeof(Ball) == sizeof(arb_t));
static_assert(!test::HasFunctionsOfTapes<BallMatrix>);

/// A radius has 30 bits, rounded upwards: a few operations on it lose 1e-8.
constexpr double radius_rounding = 1e-8;

/// Enclosures of the same number overlap.
bool overlap(const Ball& a, const Ball& b) {
  return (a - b).contains(Ball(0));
}

TEST(Ball, QuotientEnclosesOneThirdAndExcludesItsNeighbours) {
  const Ball third = Ball(1) / 3;
  EXPECT_TRUE((third * 3).contains(1));
  EXPECT_GT(third.radius(), 0.0);
  EXPECT_LE(third.radius(), std::ldexp(1.0, -static_cast<int>(Ball::bits)));
  EXPECT_TRUE(third < third + 1e-17);
  EXPECT_FALSE(third.contains(third + 1e-17)) << "negative control";
  EXPECT_FALSE(third.contains(1.0 / 3.0)) << "double is wrong by 1.9e-17";
}

TEST(Ball, IsExactForDoublesAndIntegers) {
  EXPECT_TRUE(Ball(0.1) == Ball(0.1));
  EXPECT_EQ(Ball(0.1).radius(), 0.0);
  EXPECT_TRUE(Ball(7) == Ball(7.0));
  EXPECT_TRUE(Ball(0.1) * 10 != Ball(1)) << "0.1 is not 1/10 in double";
}

TEST(Ball, BoundsAreTheNextDoubles) {
  const Ball third = Ball(1) / 3;
  EXPECT_TRUE(Ball(third.lower()) * 3 < 1);
  EXPECT_TRUE(Ball(third.upper()) * 3 > 1);
  EXPECT_EQ(third.upper(), std::nextafter(third.lower(), 1.0));
  EXPECT_EQ(third.middle(), 1.0 / 3.0);
}

struct Function {
  const char* name;
  Ball (*of_ball)(const Ball& x);
  double (*of_double)(double x);
};

#define RIGIDLIMIT_BOTH(f)                                                     \
  Function {                                                                   \
#f, [](const Ball& x) { return f(x); }, [](double x) { return std::f(x); } \
  }
const std::vector<Function> functions{
    RIGIDLIMIT_BOTH(sqrt),
    RIGIDLIMIT_BOTH(exp),
    RIGIDLIMIT_BOTH(log),
    RIGIDLIMIT_BOTH(sin),
    RIGIDLIMIT_BOTH(cos),
    RIGIDLIMIT_BOTH(tan),
    RIGIDLIMIT_BOTH(asin),
    RIGIDLIMIT_BOTH(acos),
    RIGIDLIMIT_BOTH(atan),
    RIGIDLIMIT_BOTH(sinh),
    RIGIDLIMIT_BOTH(cosh),
    RIGIDLIMIT_BOTH(tanh),
    RIGIDLIMIT_BOTH(abs),
    Function{"pow", [](const Ball& x) { return pow(x, Ball(2.5)); },
             [](double x) { return std::pow(x, 2.5); }},
    Function{"atan2", [](const Ball& x) { return atan2(x, Ball(-0.5)); },
             [](double x) { return std::atan2(x, -0.5); }}};
#undef RIGIDLIMIT_BOTH

// The functions of double are wrong by 4 units in the last place at most.
TEST(Ball, FunctionsEncloseTheirValues) {
  constexpr double last_places = 4 * std::numeric_limits<double>::epsilon();
  for (const Function& f : functions) {
    const Ball exact = f.of_ball(Ball(0.4));
    EXPECT_LT(exact.radius(), 1e-55) << f.name;
    EXPECT_LE(std::abs((exact - f.of_double(0.4)).middle()), last_places * std::abs(exact.middle()))
        << f.name;
    const Ball range = f.of_ball(hull(Ball(0.35), Ball(0.45)));
    for (const double x : {0.35, 0.37, 0.4, 0.42, 0.45})
      EXPECT_TRUE((range + Ball::around_zero(2 * last_places)).contains(f.of_double(x)))
          << f.name << " " << x;
    // All are monotone here, and none bends so much that its ball is twice as wide as its values.
    EXPECT_FALSE(range.contains(f.of_double(0.8))) << f.name << ", negative control";
  }
}

TEST(Ball, HasNoValueOutsideTheDomainOfAFunction) {
  EXPECT_FALSE(log(Ball::around_zero(1)).is_finite());
  EXPECT_FALSE(sqrt(Ball(-1)).is_finite());
  EXPECT_FALSE((Ball(1) / Ball::around_zero(1e-30)).is_finite());
  EXPECT_TRUE(sqrt(Ball(1)).is_finite());
}

TEST(Ball, HullContainsBothAndLittleMore) {
  const Ball both = hull(Ball(-3), hull(Ball(1), Ball(2)));
  EXPECT_TRUE(both.contains(-3));
  EXPECT_TRUE(both.contains(2));
  EXPECT_TRUE(both.contains(0));
  EXPECT_FALSE(both.contains(2.001)) << "negative control";
  EXPECT_NEAR(both.radius(), 2.5, 2.5 * radius_rounding);
  EXPECT_FALSE(both.contains_inside(hull(Ball(-4), Ball(0))));
  EXPECT_TRUE(both.contains_inside(1));
  EXPECT_FALSE(both.contains_inside(both)) << "the interior does not contain the bounds";
  EXPECT_TRUE(both.contains(both));
}

TEST(Ball, AroundZeroReachesToTheUpperBound) {
  const Ball error = Ball::around_zero(hull(Ball(1), Ball(2)));
  EXPECT_TRUE(error.contains(2));
  EXPECT_TRUE(error.contains(-2));
  EXPECT_FALSE(error.contains(2.001)) << "negative control";
  EXPECT_EQ(error.middle(), 0.0);
}

TEST(Ball, MagnitudeIsTheLargestModulus) {
  const Ball x = hull(Ball(-3), Ball(2)), size = x.magnitude();
  EXPECT_EQ(size.radius(), 0.0);
  EXPECT_GE(size.lower(), 3.0);
  EXPECT_LE(size.upper(), 3.0 * (1.0 + radius_rounding));
  EXPECT_LE(x.lower(), -3.0);
  EXPECT_GE(x.upper(), 2.0);
  EXPECT_TRUE(Ball(-2).magnitude() == 2);
  EXPECT_EQ(x.centre().radius(), 0.0);
  EXPECT_TRUE(x.contains(x.centre()));
}

TEST(Ball, CommonNumbersAreInBoth) {
  const Ball a = hull(Ball(0), Ball(2)), b = hull(Ball(1), Ball(3)), both = common(a, b);
  for (const double x : {1.0, 1.5, 2.0}) EXPECT_TRUE(both.contains(x)) << x;
  EXPECT_FALSE(both.contains(0.99)) << "negative control";
  EXPECT_FALSE(both.contains(2.01)) << "negative control";
}

TEST(Ball, DisjointBallsContradictEachOther) {
  EXPECT_THROW(common(hull(Ball(0), Ball(1)), hull(Ball(2), Ball(3))), std::logic_error);
  EXPECT_THROW(common(Ball(1), Ball(1.0 + 1e-15)), std::logic_error);
}

TEST(Ball, ComparesOnlyIfAllNumbersAgree) {
  const Ball a = hull(Ball(0), Ball(1)), b = hull(Ball(2), Ball(3)), c = hull(Ball(0.5), Ball(5));
  EXPECT_TRUE(a < b);
  EXPECT_TRUE(b > a);
  EXPECT_TRUE(a <= b);
  EXPECT_FALSE(a >= b);
  EXPECT_TRUE(a != b);
  EXPECT_FALSE(a == b);
  EXPECT_THROW(static_cast<void>(a < c), UndecidedComparison);
  EXPECT_THROW(static_cast<void>(c <= b), UndecidedComparison);
  EXPECT_THROW(static_cast<void>(a == c), UndecidedComparison);
  EXPECT_THROW(static_cast<void>(a == a), UndecidedComparison) << "two numbers of one ball";
}

TEST(Ball, ProductIsAddedAsByTwoOperations) {
  Ball sum = Ball(1) / 7;
  sum.add_product(Ball(1) / 3, Ball(2) / 5);
  EXPECT_TRUE((sum * 105).contains(29));  // 1/7 + 2/15
  EXPECT_LT(sum.radius(), 1e-56);
}

/// 1/(i + j + 1) has the condition 1.6e4 for four rows.
BallMatrix hilbert() {
  BallMatrix X(4, 4);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j) X(i, j) = Ball(1) / Ball(i + j + 1);
  return X;
}

TEST(BallMatrix, InverseTimesMatrixContainsTheIdentity) {
  const BallMatrix X = hilbert(), product = inverse(X) * X;
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j) {
      EXPECT_TRUE(product(i, j).contains(i == j ? 1 : 0)) << i << " " << j;
      EXPECT_FALSE(product(i, j).contains(i == j ? 1.0 + 1e-15 : 1e-15)) << "negative control";
      EXPECT_LT(product(i, j).radius(), 1e-45);  // 2^-192, the condition and the products
    }
  EXPECT_TRUE(inverse(X)(3, 3).contains(2800));  // entries are integers
}

TEST(BallMatrix, InverseOfAPossiblySingularMatrixIsRefused) {
  BallMatrix X = balls(MatrixXd{{1.0, 2.0}, {2.0, 4.0}});
  EXPECT_THROW(inverse(X), std::domain_error);
  X(1, 1) = hull(Ball(3.9), Ball(4.1));
  EXPECT_THROW(inverse(X), std::domain_error);
  X(1, 1) = hull(Ball(4.1), Ball(4.2));
  const BallMatrix inverses = inverse(X);
  for (const double x : {4.1, 4.15, 4.2})
    EXPECT_TRUE(overlap(inverses(1, 1), Ball(1) / (Ball(x) - 4))) << x;
}

TEST(BallMatrix, IsPositiveDefiniteOnlyIfAllItsMatricesAre) {
  BallMatrix X = balls(MatrixXd{{2.0, 1.0}, {1.0, 2.0}});
  EXPECT_TRUE(is_positive_definite(X));
  EXPECT_TRUE(is_positive_definite(hilbert()));
  X(0, 1) = X(1, 0) = Ball(1) + Ball::around_zero(0.5);
  EXPECT_TRUE(is_positive_definite(X));
  X(0, 1) = X(1, 0) = Ball(1) + Ball::around_zero(1.5);  // 2.5 > 2 is indefinite
  EXPECT_FALSE(is_positive_definite(X));
  EXPECT_FALSE(is_positive_definite(balls(MatrixXd{{1.0, 2.0}, {2.0, 1.0}})));
  EXPECT_FALSE(is_positive_definite(balls(MatrixXd{{1.0, 1.0}, {1.0, 1.0}}))) << "semidefinite";
}

// |X|₂ ≤ √(|X|₁|X|∞) ≤ √n |X|₂; the singular value is computed with some 1e-15.
TEST(BallMatrix, NormBoundIsAboveTheNormByTheRootOfTheSizeAtMost) {
  constexpr double rounding = 1e-14;
  for (int k = 0; k < 20; ++k) {
    const MatrixXd X = MatrixXd::Random(5, 5);
    const double norm = X.jacobiSvd().singularValues()(0);
    const Ball bound = norm_bound(balls(X));
    EXPECT_GE(bound.lower(), norm * (1.0 - rounding));
    EXPECT_LE(bound.upper(), std::sqrt(5.0) * norm * (1.0 + rounding));
    EXPECT_EQ(bound.radius(), 0.0);
  }
  BallMatrix wide = balls(MatrixXd{{3.0, 0.0}, {0.0, -1.0}});
  EXPECT_NEAR(norm_bound(wide).upper(), 3.0, rounding);
  wide(1, 1) += Ball::around_zero(4);
  EXPECT_GE(norm_bound(wide).upper(), 5.0);
}

TEST(BallMatrix, MagnitudesAreThoseOfTheEntries) {
  BallMatrix X = balls(MatrixXd{{-2.0, 0.5}});
  X(0, 1) -= Ball::around_zero(1);
  const BallMatrix sizes = magnitudes(X);
  EXPECT_TRUE(sizes(0, 0) == 2);
  EXPECT_NEAR(sizes(0, 1).upper(), 1.5, radius_rounding);
}

TEST(BallMatrix, ExponentialOfARotationGeneratorIsARotation) {
  const auto rotation = [](const Ball& angle) {
    BallMatrix X = BallMatrix::Zero(2, 2);
    X(1, 0) = angle;
    X(0, 1) = -angle;
    return exponential(X);
  };
  const Ball one = 1;
  const BallMatrix R = rotation(one);
  EXPECT_TRUE(overlap(R(0, 0), cos(one)));
  EXPECT_TRUE(overlap(R(1, 1), cos(one)));
  EXPECT_TRUE(overlap(R(1, 0), sin(one)));
  EXPECT_TRUE(overlap(R(0, 1), -sin(one)));
  EXPECT_FALSE(overlap(R(0, 1), sin(one))) << "negative control";
  EXPECT_LT(R(0, 0).radius(), 1e-50);
  const BallMatrix all = rotation(hull(Ball(0.95), Ball(1.05)));
  for (const double angle : {0.95, 1.0, 1.05}) {
    EXPECT_TRUE(all(0, 0).contains(cos(Ball(angle)))) << angle;
    EXPECT_TRUE(all(1, 0).contains(sin(Ball(angle)))) << angle;
  }
  EXPECT_FALSE(all(0, 0).contains(cos(Ball(1.3)))) << "negative control";
}

#ifndef __SANITIZE_ADDRESS__  // which ends the process at an allocation of this size
// 2^48 balls are 13 PB: FLINT would abort the process.
TEST(Ball, LackOfMemoryIsAnExceptionThroughFlint) {
  arb_mat_t large;
  EXPECT_THROW(arb_mat_init(large, 1L << 24, 1L << 24), std::bad_alloc);
  EXPECT_THROW(flint_abort(), std::runtime_error);
  arb_mat_t small;  // negative control
  EXPECT_NO_THROW(arb_mat_init(small, 2, 2));
  arb_mat_clear(small);
}
#endif

}  // namespace
}  // namespace rigidlimit
