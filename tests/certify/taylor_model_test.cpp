// Tests Taylor models: enclosure, size of the remainder, and cancellation.
#include "rigidlimit/certify/taylor_model.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/number_functions.hpp"

namespace rigidlimit {
namespace {

static_assert(test::HasFunctionsOfTapes<TaylorModel>);
static_assert(!test::HasFunctionsOfTapes<TaylorModel::Domain>);

using Domain = TaylorModel::Domain;
using M = const TaylorModel&;
using B = const Ball&;

bool overlap(const Ball& a, const Ball& b) {
  return (a - b).contains(Ball(0));
}

double factorial(Index p) {
  return std::tgamma(static_cast<double>(p) + 1.0);
}

TaylorModel time(const Domain& domain) {
  return TaylorModel::polynomial(domain, balls(VectorXd::Unit(2, 1)));
}

/// x(s) = 0.4 + 0.3 s − 0.2 s² in any numbers.
template <class T>
T argument(const T& s) {
  return T(0.4) + T(0.3) * s - T(0.2) * s * s;
}

struct Function {
  const char* name;
  TaylorModel (*of_model)(M x);
  Ball (*of_ball)(B x);
  double largest = 3.0;  ///< |f(x(s))| for complex s with −0.6 ≤ Re s ≤ 0.725, |Im s| ≤ 0.6
};

#define RIGIDLIMIT_BOTH(f, ...)                                                 \
  Function {                                                                    \
#f, [](M x) { return f; }, [](B x) { return f; } __VA_OPT__(, ) __VA_ARGS__ \
  }
// 1/|x|³ < 0.14⁻³ there.
const std::vector<Function> functions{
    RIGIDLIMIT_BOTH(sqrt(x)),
    RIGIDLIMIT_BOTH(exp(x)),
    RIGIDLIMIT_BOTH(log(x)),
    RIGIDLIMIT_BOTH(sin(x)),
    RIGIDLIMIT_BOTH(cos(x)),
    RIGIDLIMIT_BOTH(tan(x)),
    RIGIDLIMIT_BOTH(asin(x)),
    RIGIDLIMIT_BOTH(acos(x)),
    RIGIDLIMIT_BOTH(atan(x)),
    RIGIDLIMIT_BOTH(sinh(x)),
    RIGIDLIMIT_BOTH(cosh(x)),
    RIGIDLIMIT_BOTH(tanh(x)),
    RIGIDLIMIT_BOTH(abs(x)),
    RIGIDLIMIT_BOTH(abs(-x)),
    Function{"1/x", [](M x) { return 1 / x; }, [](B x) { return 1 / x; }, 8.0},
    Function{"atan2, first quadrant", [](M x) { return atan2(x, 1 + x); },
             [](B x) { return atan2(x, 1 + x); }},
    Function{"atan2, second quadrant", [](M x) { return atan2(x, x - 1); },
             [](B x) { return atan2(x, x - 1); }, 4.0},
    Function{"atan2, third quadrant", [](M x) { return atan2(-x, x - 1); },
             [](B x) { return atan2(-x, x - 1); }, 4.0},
    Function{"square", [](M x) { return pow(x, 2.0); }, [](B x) { return x * x; }},
    Function{"inverse cube", [](M x) { return pow(x, -3.0); }, [](B x) { return 1 / (x * x * x); },
             365.0},
    Function{"root", [](M x) { return pow(x, 0.5); }, [](B x) { return sqrt(x); }}};
#undef RIGIDLIMIT_BOTH

constexpr double length = 0.125;
constexpr int samples = 16;
/// The times between 0 and the length of the domain, exact.
double sample(int k) {
  return length * k / samples;
}

TEST(TaylorModel, EnclosesTheFunctionAtAllTimes) {
  for (const Function& f : functions)
    for (const Index order : {2, 3, 8, 20}) {
      const Domain domain(order, Ball(length));
      const TaylorModel model = f.of_model(argument(time(domain)));
      for (int k = 0; k <= samples; ++k) {
        const Ball value = f.of_ball(argument(Ball(sample(k))));
        EXPECT_TRUE(overlap(model.at(Ball(sample(k))), value)) << f.name << " " << order;
        EXPECT_TRUE(model.range().contains(value)) << f.name << " " << order;
      }
    }
}

// f(x(s)) is analytic in the circle of radius R = 0.6 about each time: its Taylor coefficient p is
// at most (its largest value there)/R^p (Cauchy). The balls overestimate it, but R is less than the
// distance 0.85 of the next singularity.
TEST(TaylorModel, RemainderDecreasesLikeThatOfTheTaylorSeries) {
  constexpr double R = 0.6;
  for (const Function& f : functions)
    for (const int order : {4, 8, 16, 24}) {
      const Domain domain(order, Ball(length));
      const Ball end = f.of_model(argument(time(domain))).at(Ball(length));
      EXPECT_LE(end.radius(), f.largest * std::pow(length / R, order)) << f.name << " " << order;
    }
}

// x(s) + r s^p with |r| ≤ 0.1.
TEST(TaylorModel, EnclosesTheFunctionOfAllFunctionsInItsArgument) {
  for (const Function& f : functions)
    for (const Index order : {2, 4}) {
      const Domain domain(order, Ball(length));
      TaylorModel x = argument(time(domain));
      x.set_remainder(x.remainder() + Ball::around_zero(0.1));
      const TaylorModel model = f.of_model(x);
      for (int k = 0; k <= samples; ++k)
        for (const double r : {-0.1, -0.03, 0.1}) {
          const Ball s = sample(k), y = argument(s) + Ball(r) * pow(s, Ball(order));
          EXPECT_TRUE(overlap(model.at(s), f.of_ball(y))) << f.name << " " << order;
        }
    }
}

// All these functions differ from their polynomials of degree 2 by more than rounding.
TEST(TaylorModel, PolynomialAloneDoesNotContainTheValue) {
  for (const Function& f : functions) {
    if (std::string(f.name).starts_with("abs")) continue;  // a polynomial
    const Domain domain(3, Ball(length));
    TaylorModel model = f.of_model(argument(time(domain)));
    const Ball value = f.of_ball(argument(Ball(length)));
    EXPECT_TRUE(overlap(model.at(Ball(length)), value)) << f.name;
    model.set_remainder(0);
    EXPECT_FALSE(overlap(model.at(Ball(length)), value)) << f.name << ", negative control";
  }
}

TEST(TaylorModel, ContainsAllValuesAtABallOfTimes) {
  for (const Function& f : functions) {
    const Domain domain(8, Ball(length));
    const Ball values =
        f.of_model(argument(time(domain))).at(hull(Ball(sample(4)), Ball(sample(9))));
    for (int k = 4; k <= 9; ++k)
      EXPECT_TRUE(values.contains(f.of_ball(argument(Ball(sample(k)))))) << f.name;
  }
}

// s (1 − s) varies by 1e-4 in 0.5 ± 0.01: the ball of its values is not wider than twice this,
// where the product of the balls has the radius 0.01.
TEST(TaylorModel, ExcessAtABallOfTimesIsOfSecondOrder) {
  const Domain domain(8, Ball(1));
  const Ball times = Ball(0.5) + Ball::around_zero(0.01);
  const TaylorModel x = time(domain) * (1 - time(domain));
  EXPECT_LE(x.at(times).radius(), 2e-4);
  EXPECT_TRUE(x.at(times).contains(0.25));
  EXPECT_GE((times * (1 - times)).radius(), 0.009) << "negative control";
}

TEST(TaylorModel, ModelCancelsAgainstItself) {
  const Domain domain(8, Ball(1));
  const TaylorModel x = argument(time(domain)), difference = x - x;
  EXPECT_TRUE(difference.is_zero());
  EXPECT_TRUE((x + -x).is_zero());
  EXPECT_FALSE(x.is_zero());
  EXPECT_GT((x.range() - x.range()).radius(), 0.1) << "negative control";
}

// For x = 0.4 + 2 s on [0, 1] the coefficient k of sin²x and of cos²x is at most 4^k/(2 k!), those
// of sin x and cos x at most 2^k/k!. From k = p on, their terms make up the range.
TEST(TaylorModel, SquaresOfSineAndCosineCancel) {
  constexpr int order = 24;
  const Domain domain(order, Ball(1));
  const TaylorModel x = 0.4 + 2 * time(domain);
  const Ball defect = (sin(x) * sin(x) + cos(x) * cos(x) - 1).range(), values = x.range();
  EXPECT_TRUE(defect.contains(0));
  EXPECT_LE(defect.radius(), 4.0 * std::pow(4.0, order) / factorial(order));
  EXPECT_GE(values.radius(), 1.0);
  EXPECT_GE((sin(values) * sin(values) + cos(values) * cos(values) - 1).radius(), 0.5)
      << "negative control";
}

TEST(TaylorModel, FunctionsInvertEachOther) {
  constexpr int order = 20;
  const Domain domain(order, Ball(length));
  const TaylorModel x = argument(time(domain));
  // Two functions, with the remainders of the test above.
  const double tolerance = 2.0 * 3.0 * std::pow(length / 0.6, order);
  const auto defect = [&x](M y) { return (y - x).range().magnitude().upper(); };
  EXPECT_LE(defect(log(exp(x))), tolerance);
  EXPECT_LE(defect(exp(log(x))), tolerance);
  EXPECT_LE(defect(asin(sin(x))), tolerance);
  EXPECT_LE(defect(acos(cos(x))), tolerance);
  EXPECT_LE(defect(tan(atan(x))), tolerance);
  EXPECT_LE(defect(sqrt(x) * sqrt(x)), tolerance);
  EXPECT_LE(defect(atan2(3 * sin(x), 3 * cos(x))), tolerance);
  EXPECT_LE(defect(x * x / x), tolerance);
  EXPECT_GT(defect(sin(x)), 1e-3) << "negative control";
}

TEST(TaylorModel, IntegralOfCosineIsSine) {
  constexpr int order = 10;
  constexpr double h = 0.5;
  const Domain domain(order, Ball(h));
  const TaylorModel integral = cos(time(domain)).integral(0),
                    difference = integral - sin(time(domain));
  EXPECT_TRUE(difference.range().contains(0));
  // Two remainders of at most h^p/p! each, as no derivative exceeds 1.
  EXPECT_LE(difference.range().radius(), 2.0 * std::pow(h, order) / factorial(order));
  for (const double s : {0.0, 0.25, 0.5}) {
    EXPECT_TRUE(overlap(integral.at(Ball(s)), sin(Ball(s)))) << s;
    EXPECT_TRUE(overlap(cos(time(domain)).integral(2).at(Ball(s)), 2 + sin(Ball(s)))) << s;
  }
  EXPECT_FALSE(cos(time(domain)).integral(Ball(0.1)).range().contains(0)) << "negative control";
}

TEST(TaylorModel, IntegralOfARemainderContainsAllItsFunctions) {
  const Domain domain(2, Ball(length));
  TaylorModel x = TaylorModel(0).on(domain);
  x.set_remainder(hull(Ball(-1), Ball(3)));
  for (const double r : {-1.0, 1.0, 3.0}) {  // ∫ r s² = r s³/3
    const Ball s = length;
    EXPECT_TRUE(overlap(x.integral(0).at(s), Ball(r) * s * s * s / 3)) << r;
  }
  EXPECT_FALSE(x.integral(0).at(Ball(length)).contains(Ball(3.1) * pow(Ball(length), Ball(3)) / 3))
      << "negative control";
}

TEST(TaylorModel, QuotientByAModelThatMayVanishIsRefused) {
  const Domain domain(6, Ball(0.5));
  EXPECT_THROW(1 / (time(domain) - 0.25), std::domain_error);
  EXPECT_THROW(1 / time(domain), std::domain_error);
  EXPECT_THROW(pow(time(domain) - 0.25, -2.0), std::domain_error);
  EXPECT_THROW(sqrt(time(domain) - 0.25), std::domain_error);
  EXPECT_NO_THROW(1 / (time(domain) + 0.25));
}

TEST(TaylorModel, ComparesOnlyDisjointRanges) {
  const Domain domain(6, Ball(0.5));
  EXPECT_TRUE(time(domain) < TaylorModel(0.6));
  EXPECT_FALSE(TaylorModel(0.6) <= time(domain));
  EXPECT_TRUE(time(domain) != TaylorModel(0.6));
  EXPECT_THROW(static_cast<void>(time(domain) < TaylorModel(0.25)), UndecidedComparison);
  EXPECT_THROW(static_cast<void>(time(domain) == TaylorModel(0.25)), UndecidedComparison);
  EXPECT_THROW(abs(time(domain) - 0.25), UndecidedComparison) << "a kink";
  EXPECT_THROW(atan2(time(domain) - 0.25, TaylorModel(-1)), UndecidedComparison) << "the cut";
  EXPECT_NO_THROW(atan2(time(domain) - 0.25, TaylorModel(1)));
}

// In an instant only the Taylor coefficients are computed.
TEST(TaylorModel, InstantGivesTheCoefficients) {
  constexpr Index order = 12;
  const Domain domain(order, Ball(0));
  ASSERT_TRUE(domain.is_instant());
  const TaylorModel exponential = exp(time(domain)), angle = atan(time(domain)),
                    fraction = 1 / (1 - time(domain));
  for (Index k = 0; k < order; ++k) {
    EXPECT_TRUE((exponential.coefficient(k) * factorial(k)).contains(1)) << k;
    EXPECT_TRUE(fraction.coefficient(k).contains(1)) << k;
    const int sign = k % 2 == 0 ? 0 : (k % 4 == 1 ? 1 : -1);
    EXPECT_TRUE((angle.coefficient(k) * Ball(k)).contains(sign)) << k;
  }
  EXPECT_TRUE(exponential.coefficient(order) == 0);
}

TEST(TaylorModel, RefusesToMixDomains) {
  const Domain domain(5, Ball(1)), shorter(5, Ball(0.5)), finer(9, Ball(1)), symmetric(5, -1, 1);
  const TaylorModel x = 2 + time(domain);
  for (const Domain& other : {shorter, finer, symmetric, Domain(5, Ball(0))}) {
    const TaylorModel y = 2 + time(other);
    EXPECT_THROW(x + y, std::logic_error);
    EXPECT_THROW(x - y, std::logic_error);
    EXPECT_THROW(x * y, std::logic_error);
    EXPECT_THROW(x / y, std::logic_error);
    EXPECT_THROW(atan2(x, y), std::logic_error);
    EXPECT_THROW(static_cast<void>(x < y), std::logic_error);
    EXPECT_THROW(static_cast<void>(x == y), std::logic_error);
    TaylorModel sum = x;
    EXPECT_THROW(sum += y, std::logic_error);
    // A polynomial of degree 0 has a domain too: its remainder may depend on time.
    EXPECT_THROW(x + (y - time(other)), std::logic_error);
  }
  const TaylorModel y = 2 + time(Domain(5, Ball(1)));
  EXPECT_NO_THROW(x / y) << "negative control: an equal domain";
}

TEST(TaylorModel, NumbersTakeTheDomainOfTheOtherOperand) {
  const Domain domain(5, Ball(1)), other(9, Ball(0.5));
  const TaylorModel two = 2, root = sqrt(two) * 3;
  EXPECT_FALSE(root.domain().is_given());
  for (const Domain& each : {domain, other}) {
    EXPECT_TRUE((two * time(each)).domain() == each);
    EXPECT_TRUE((time(each) / root).domain() == each);
    EXPECT_TRUE((TaylorModel() + time(each)).domain() == each);
    EXPECT_TRUE(two.on(each).domain() == each);
    EXPECT_TRUE(overlap(two.on(each).integral(1).at(Ball(0.5)), Ball(2)));
  }
  EXPECT_FALSE((two * time(domain)).domain() == other) << "negative control";
}

TEST(TaylorModel, NumbersDoNotDependOnTime) {
  TaylorModel two = 2;
  EXPECT_THROW(two.set_coefficient(1, 1), std::logic_error);
  EXPECT_THROW(two.set_remainder(1), std::logic_error);
  EXPECT_THROW(two.integral(0), std::logic_error);
  EXPECT_NO_THROW(two.set_coefficient(0, 3));
  EXPECT_TRUE(two == TaylorModel(3));
}

TEST(TaylorModel, IsKnownOnPartsOfItsDomain) {
  const Domain domain(5, Ball(1)), part(5, Ball(0.5)), instant(3, Ball(0));
  const TaylorModel x = exp(time(domain)), y = x.on(part) + time(part);
  EXPECT_TRUE(overlap(y.at(Ball(0.25)), exp(Ball(0.25)) + Ball(0.25)));
  EXPECT_LT(x.on(part).range().upper(), 0.7 * x.range().upper());
  EXPECT_TRUE((x.on(instant) * time(instant)).coefficient(2).contains(1));
  for (const Domain& no_part : {Domain(5, Ball(2)), Domain(5, -1, 1), Domain(4, Ball(1)),
                                Domain(6, Ball(1)), Domain(6, Ball(0)), Domain()})
    EXPECT_THROW(x.on(no_part), std::logic_error);
}

}  // namespace
}  // namespace rigidlimit
