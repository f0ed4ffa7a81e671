// Tests Taylor coefficients of tapes: closed forms, identities, fixed arguments, missing
// recurrences.
#include "rigidlimit/core/tape/jet_evaluator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "rigidlimit/core/tape/expression.hpp"

namespace rigidlimit {
namespace {

constexpr int highest = 20;
constexpr double unit = std::numeric_limits<double>::epsilon();

using Recorded = std::function<ExpressionVector(const ExpressionVector& x)>;

/// A column for each order of z = function(x, r): x_k are the columns of `x`.
MatrixXd coefficients(const Recorded& function, const MatrixXd& x, const VectorXd& r, Index count) {
  const JetEvaluator evaluator(tape_of(function, x.rows() + r.size()), x.rows(), count);
  EXPECT_EQ(evaluator.missing(), "");
  const int orders = static_cast<int>(x.cols());
  Jets jets(evaluator, orders - 1);
  std::copy(x.col(0).begin(), x.col(0).end(), jets.arguments());
  std::copy(r.begin(), r.end(), jets.arguments() + x.rows());
  MatrixXd z(count, orders);
  z.col(0) = Eigen::Map<const VectorXd>(jets.start(), count);
  for (int k = 1; k < orders; ++k) {
    std::copy(x.col(k).begin(), x.col(k).end(), jets.coefficients());
    z.col(k) = Eigen::Map<const VectorXd>(jets.next(k), count);
  }
  return z;
}
MatrixXd coefficients(const Recorded& function, const MatrixXd& x, Index count) {
  return coefficients(function, x, VectorXd(0), count);
}

/// x = a + b t.
MatrixXd line(double a, double b) {
  MatrixXd x = MatrixXd::Zero(1, highest + 1);
  x(0, 0) = a;
  x(0, 1) = b;
  return x;
}

// On a line order k of f(a + b t) is f⁽ᵏ⁾(a) bᵏ/k!. A coefficient is one rounded operation on at
// most k earlier ones, so that its relative error is at most that of all operations before: 4
// roundings an order. Sums of cancelling terms do not occur on a line: one term of each remains.
TEST(JetEvaluator, GivesTheSeriesOfEveryFunctionOnALine) {
  const double a = 0.7, b = -0.6;
  const MatrixXd z = coefficients(
      [](const ExpressionVector& x) -> ExpressionVector {
        ExpressionVector all(7);
        all << exp(x(0)), log(x(0)), sin(x(0)), cos(x(0)), sqrt(x(0)), 1.0 / x(0), 3.0 - 2.0 * x(0);
        return all;
      },
      line(a, b), 7);
  double factorial = 1.0, binomial = 1.0;
  for (int k = 0; k <= highest; ++k) {
    if (k > 0) factorial *= k;
    if (k > 0) binomial *= (0.5 - (k - 1)) / k;
    const double power = std::pow(b, k) / factorial, angle = a + k * M_PI_2;
    const Eigen::Vector<double, 7> exact(
        {std::exp(a) * power, k == 0 ? std::log(a) : -std::pow(-b / a, k) / k,
         std::sin(angle) * power, std::cos(angle) * power,
         std::sqrt(a) * binomial * std::pow(b / a, k), std::pow(-b / a, k) / a,
         k == 0   ? 3.0 - 2.0 * a
         : k == 1 ? -2.0 * b
                  : 0.0});
    const double scale = k < 2 ? 1.0 : std::abs(power);
    for (Index i = 0; i < 7; ++i) {
      const double size = i == 2 || i == 3 ? scale : std::abs(exact(i));
      EXPECT_NEAR(z(i, k), exact(i), 4.0 * (k + 4) * unit * size)
          << "result " << i << ", order " << k;
    }
  }
}

/// Two curves with coefficients of either sign that fall as 2^(−k); order 0 is 1.5.
MatrixXd curves() {
  std::mt19937 random(1);
  MatrixXd x(2, highest + 1);
  for (Index k = 0; k <= highest; ++k)
    for (Index i = 0; i < 2; ++i)
      x(i, k) = k == 0 ? 1.5
                       : std::ldexp(static_cast<double>(random() % 2001) / 1000.0 - 1.0,
                                    -static_cast<int>(k));
  return x;
}

// Identities on curves of all orders: the left side uses several recurrences, the right side is
// known. Coefficients of intermediate results are at most C ρ^(−k) with C < 10 and ρ > 1/2 (nearest
// singularity: a zero of a curve, |x − 1.5| < 1.5 for |t| < 1); each order adds (k + 1) roundings
// of terms of this size.
TEST(JetEvaluator, KeepsIdentitiesOnCurvesOfAllOrders) {
  const MatrixXd x = curves();
  const MatrixXd z = coefficients(
      [](const ExpressionVector& y) -> ExpressionVector {
        const Expression &a = y(0), &b = y(1);
        const Expression root = sqrt(a), s = sin(a * b), c = cos(a * b);
        ExpressionVector all(6);
        all << exp(log(a)), root * root, (a / b) * b, s * s + c * c,
            (a + b) * (a - b) - a * a + b * b, log(exp(b) * exp(a)) - a;
        return all;
      },
      x, 6);
  for (Index k = 0; k <= highest; ++k) {
    const double bound = 100.0 * static_cast<double>((k + 1) * (k + 1)) * unit;
    EXPECT_NEAR(z(0, k), x(0, k), bound) << k;
    EXPECT_NEAR(z(1, k), x(0, k), bound) << k;
    EXPECT_NEAR(z(2, k), x(0, k), bound) << k;
    EXPECT_NEAR(z(3, k), k == 0 ? 1.0 : 0.0, bound) << k;
    EXPECT_NEAR(z(4, k), 0.0, bound) << k;
    EXPECT_NEAR(z(5, k), x(1, k), bound) << k;
  }
}

// Products against convolutions summed here, with 17 products: more than two blocks of eight sums.
TEST(JetEvaluator, SumsProductsOfAnyNumber) {
  const MatrixXd x = curves();
  const auto products = [](const ExpressionVector& y) -> ExpressionVector {
    ExpressionVector all(17);
    Expression product = y(0);
    for (Index i = 0; i < all.size(); ++i) all(i) = product = 0.25 * (product * y(1));
    return all;
  };
  const MatrixXd z = coefficients(products, x, 17);
  VectorXd expected = x.row(0);
  for (Index i = 0; i < 17; ++i) {
    VectorXd product = VectorXd::Zero(highest + 1);
    for (Index k = 0; k <= highest; ++k)
      for (Index j = 0; j <= k; ++j) product(k) += 0.25 * expected(j) * x(1, k - j);
    expected = product;
    // Each product adds (k + 1) roundings of terms of the size of its largest coefficient.
    const double bound = 2.0 * (static_cast<double>(i) + 1.0) * (highest + 1) * unit *
                         std::max(1.0, expected.cwiseAbs().maxCoeff());
    EXPECT_LE((z.row(i).transpose() - expected).cwiseAbs().maxCoeff(), bound) << i;
  }
}

// r = 3 is fixed: r x, x/r, r/x, sin(r) x. Negative control: as a curve with r_1 = 1 it is not.
TEST(JetEvaluator, TakesFixedArguments) {
  const auto function = [](const ExpressionVector& y) -> ExpressionVector {
    const Expression &x = y(0), &r = y(1);
    ExpressionVector all(4);
    all << r * x, x / r, r / x, sin(r) * x;
    return all;
  };
  const MatrixXd x = line(2.0, 0.5);
  const MatrixXd z = coefficients(function, x, VectorXd::Constant(1, 3.0), 4);
  for (Index k = 0; k <= 5; ++k) {
    const double exact_quotient = 1.5 * std::pow(-0.25, static_cast<double>(k));
    EXPECT_NEAR(z(0, k), 3.0 * x(0, k), 4.0 * unit * 6.0);
    EXPECT_NEAR(z(1, k), x(0, k) / 3.0, 4.0 * unit);
    EXPECT_NEAR(z(2, k), exact_quotient, 8.0 * static_cast<double>(k + 1) * unit);
    EXPECT_NEAR(z(3, k), std::sin(3.0) * x(0, k), 4.0 * unit);
  }
  MatrixXd both(2, highest + 1);
  both << x, line(3.0, 1.0);
  EXPECT_GT(std::abs(coefficients(function, both, 4)(0, 2)), 0.1);  // (r x)_2 = r_1 x_1
}

// The same sine or cosine twice, one of them alone, and a result that is an argument or a constant.
TEST(JetEvaluator, TakesResultsThatAreShared) {
  const MatrixXd z = coefficients(
      [](const ExpressionVector& y) -> ExpressionVector {
        ExpressionVector all(4);
        all << cos(y(0)), y(0), 4.0, cos(y(0)) * cos(y(0));
        return all;
      },
      line(0.3, 1.0), 4);
  EXPECT_NEAR(z(0, 1), -std::sin(0.3), 2 * unit);
  EXPECT_NEAR(z(0, 2), -std::cos(0.3) / 2.0, 2 * unit);
  EXPECT_EQ(z(1, 1), 1.0);
  EXPECT_EQ(z(1, 2), 0.0);
  EXPECT_EQ(z(2, 0), 4.0);
  EXPECT_EQ(z(2, 1), 0.0);
  EXPECT_NEAR(z(3, 2), -std::cos(0.6), 4 * unit);
}

TEST(JetEvaluator, NamesAnOperationWithoutRecurrence) {
  const auto missing = [](const Recorded& function) {
    return JetEvaluator(tape_of(function, 2), 1, 1).missing();
  };
  using V = const ExpressionVector&;
  EXPECT_EQ(
      missing([](V y) -> ExpressionVector { return ExpressionVector::Constant(1, tanh(y(0))); }),
      "tanh");
  EXPECT_EQ(missing([](V y) -> ExpressionVector {
              return ExpressionVector::Constant(1, select(y(0) < 1.0, y(0), 2.0));
            }),
            "less");
  // Of fixed numbers it is a fixed number.
  EXPECT_EQ(missing([](V y) -> ExpressionVector {
              return ExpressionVector::Constant(1, tanh(y(1)) * y(0));
            }),
            "");
}

// Of values that are not finite, the coefficients are not finite either.
TEST(JetEvaluator, PassesOnNumbersThatAreNotFinite) {
  const MatrixXd z = coefficients(
      [](const ExpressionVector& y) -> ExpressionVector {
        return ExpressionVector::Constant(1, 1.0 / y(0));
      },
      line(0.0, 1.0), 1);
  EXPECT_FALSE(std::isfinite(z(0, 0)));
  EXPECT_FALSE(std::isfinite(z(0, 1)));
}

}  // namespace
}  // namespace rigidlimit
