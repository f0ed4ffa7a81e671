// Tests exact identities between the results of a tape.
#include "rigidlimit/core/tape/polynomial_form.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/expression.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;

/// The results of a function of three numbers.
template <class Function>
PolynomialForm form_of(const Function& function) {
  return PolynomialForm(
      tape_of([&](V x) -> ExpressionMatrix { return ExpressionVector(function(x)); }, 3));
}

ExpressionVector listed(std::initializer_list<Expression> values) {
  ExpressionVector x(std::ssize(values));
  std::copy(values.begin(), values.end(), x.begin());
  return x;
}

TEST(PolynomialForm, IsTheSameForEqualPolynomials) {
  const PolynomialForm form = form_of([](V x) {
    const Expression s = sin(x(0) + x(1));
    return listed({(s + x(2)) * (s - x(2)), s * s - x(2) * x(2), pow(s, 2.0) - x(2) * x(2) / 1.0,
                   s * s - x(2) * x(2) + 1e-300});
  });
  EXPECT_EQ(form.result(0), form.result(1));
  EXPECT_EQ(form.result(0), form.result(2));
  EXPECT_NE(form.result(0), form.result(3));  // negative control: no tolerance hides 1e-300
}

// 0.1 is the double, so that 0.1 + 0.2 and 0.3 differ.
TEST(PolynomialForm, TakesConstantsAsTheirDoubles) {
  const PolynomialForm form = form_of([](V x) {
    return listed({x(0) * 0.1 + x(0) * 0.2, x(0) * 0.3, x(0) / 4.0, x(0) * 0.25});
  });
  EXPECT_NE(form.result(0), form.result(1));
  EXPECT_EQ(form.result(2), form.result(3));
}

TEST(PolynomialForm, CancelsQuotientsOfMonomials) {
  const PolynomialForm form = form_of([](V x) {
    return listed({x(0) * x(1) / x(1), x(0), 1.0 / (x(0) / x(2)), x(2) / x(0),
                   (x(0) + x(1)) / (x(0) + x(1)), Expression(1.0)});
  });
  EXPECT_EQ(form.result(0), form.result(1));
  EXPECT_EQ(form.result(2), form.result(3));
}

// Polynomials with random coefficients expand to the values of the tape. Their coefficients are
// multiples of 1/16 below 4 and their arguments of 1/8 below 2, so that doubles are exact.
TEST(PolynomialForm, HasTheValuesOfTheTape) {
  std::mt19937 random(7);
  const auto multiple = [&](double of, int most) {
    return of * std::uniform_int_distribution<int>(-most, most)(random);
  };
  for (int k = 0; k < 50; ++k) {
    const double a = multiple(0.0625, 64), b = multiple(0.0625, 64), c = multiple(0.0625, 64);
    const Tape tape = tape_of(
        [&](V x) -> ExpressionMatrix {
          return listed({(a * x(0) + b * x(1)) * (x(2) - c * x(0)) - x(1) * x(1) * b});
        },
        3);
    const VectorXd x{{multiple(0.125, 16), multiple(0.125, 16), multiple(0.125, 16)}};
    double value = 0.0;
    const Evaluator<double> evaluator(tape);
    evaluator([&](std::size_t, double y) { value = y; }, x);
    Rational sum = 0;
    const PolynomialForm form(tape);
    for (const auto& [monomial, coefficient] : form.result(0)) {
      Rational term = coefficient;
      for (const auto& [atom, power] : monomial)  // inputs are the first atoms
        for (int i = 0; i < power; ++i) term *= Rational(x(static_cast<Index>(atom)));
      sum += term;
    }
    EXPECT_EQ(sum, Rational(value));
  }
}

// Row 3 = ⅓ row 1 − 2 row 2 for all arguments; with another function of x in one entry, or 1e-200
// more, it is no combination.
TEST(ExactCombination, FindsTheNumbersOfADependentRow) {
  const PolynomialForm form = form_of([](V x) {
    const Expression c = cos(x(0)), s = sin(x(0));
    return listed({3.0 * c, 3.0 * x(1), s, x(2), c - 2.0 * s, x(1) - 2.0 * x(2),
                   c - 2.0 * s + x(0) * x(0), c - 2.0 * s + 1e-200});
  });
  const auto row = [&](std::size_t a, std::size_t b) {
    return std::vector{form.result(a), form.result(b)};
  };
  const std::vector basis{row(0, 1), row(2, 3)};
  const auto x = exact_combination(row(4, 5), basis);
  ASSERT_TRUE(x);
  EXPECT_EQ((*x)[0], Rational(1, 3));
  EXPECT_EQ((*x)[1], -2);
  EXPECT_FALSE(exact_combination(row(6, 5), basis));
  EXPECT_FALSE(exact_combination(row(7, 5), basis));
}

// Numbers of any kind: 1/3, and an integer of 200 bits that no double has.
TEST(Rational, BecomesANumberOfATape) {
  EXPECT_EQ(number_of<double>(Rational(1, 3)), 1.0 / 3.0);
  EXPECT_EQ(number_of<double>(Rational(-3, 4)), -0.75);
  EXPECT_EQ(number_of<double>(Rational(0)), 0.0);
  const Rational large = (Rational(1) + Rational(0x1p-60)) * Rational(0x1p200);
  EXPECT_EQ(number_of<Quad>(large), Quad(0x1p200) + Quad(0x1p140));
}

}  // namespace
}  // namespace rigidlimit
