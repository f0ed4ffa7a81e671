// Tests recorded computations: the computation's own bits in every scalar type, constants folded,
// and the derivatives of dual numbers.
#include "rigidlimit/core/tape/expression.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <functional>

#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "support/central_difference.hpp"
#include "support/derivative.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;
using testing::ElementsAre;

template <class T>
std::vector<T> evaluated(const Tape& tape, const std::vector<T>& arguments) {
  std::vector<T> results(tape.outputs.size());
  const Evaluator<T> evaluate(tape);
  evaluate([&](std::size_t i, const T& x) { results[i] = x; }, arguments);
  return results;
}

/// The tape of a function of one vector of `size`.
template <class Function>
Tape scalar_tape(Index size, const Function& function) {
  return tape_of(
      [&](const ExpressionVector& x) { return ExpressionMatrix::Constant(1, 1, function(x)); },
      size);
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// --- Elementary functions

struct Elementary {
  const char* name;
  std::function<Expression(const Expression&)> recorded;
  std::function<double(double)> in_double;
  std::function<Dual<double, 1>(const Dual<double, 1>&)> dual;
  std::function<Quad(const Quad&)> quad;
  double x;
};

template <class F>
Elementary elementary(const char* name, F f, double x) {
  return {name, f, f, f, f, x};
}

#define RIGIDLIMIT_CALL(function)                  \
  [](const auto& x) -> std::decay_t<decltype(x)> { \
    using std::function;                           \
    return function(x);                            \
  }

std::vector<Elementary> elementary_functions() {
  return {elementary("sqrt", RIGIDLIMIT_CALL(sqrt), 0.7),
          elementary("exp", RIGIDLIMIT_CALL(exp), 0.7),
          elementary("log", RIGIDLIMIT_CALL(log), 0.7),
          elementary("sin", RIGIDLIMIT_CALL(sin), 0.7),
          elementary("cos", RIGIDLIMIT_CALL(cos), 0.7),
          elementary("tan", RIGIDLIMIT_CALL(tan), 0.7),
          elementary("asin", RIGIDLIMIT_CALL(asin), 0.7),
          elementary("acos", RIGIDLIMIT_CALL(acos), 0.7),
          elementary("atan", RIGIDLIMIT_CALL(atan), 0.7),
          elementary("sinh", RIGIDLIMIT_CALL(sinh), 0.7),
          elementary("cosh", RIGIDLIMIT_CALL(cosh), 0.7),
          elementary("tanh", RIGIDLIMIT_CALL(tanh), 0.7),
          elementary("abs", RIGIDLIMIT_CALL(abs), -0.7),
          elementary(
              "negate", [](const auto& x) -> std::decay_t<decltype(x)> { return -x; }, 0.7),
          elementary(
              "power",
              [](const auto& x) -> std::decay_t<decltype(x)> {
                using std::pow;
                return pow(x, 2.5);
              },
              0.7),
          elementary(
              "atan2",
              [](const auto& x) -> std::decay_t<decltype(x)> {
                using std::atan2;
                return atan2(x, 2.0 * x + 0.1);
              },
              0.7),
          elementary(
              "arithmetic",
              [](const auto& x) -> std::decay_t<decltype(x)> {
                return (x + 0.3) * (x - 1.7) / (2.0 - x * x);
              },
              0.7)};
}

class Recorded : public testing::TestWithParam<Elementary> {};

TEST_P(Recorded, HasTheBitsOfTheFunctionInEveryScalar) {
  const Elementary& f = GetParam();
  const Tape tape = scalar_tape(1, [&](const ExpressionVector& x) { return f.recorded(x(0)); });
  EXPECT_GE(tape.body.size(), 1u);
  EXPECT_TRUE(same_bits(evaluated<double>(tape, {f.x})[0], f.in_double(f.x)));
  const auto variable = Dual<double, 1>::variable(f.x, 0);
  const auto found = evaluated<Dual<double, 1>>(tape, {variable})[0], wanted = f.dual(variable);
  EXPECT_TRUE(same_bits(found.value, wanted.value));
  EXPECT_TRUE(same_bits(found.derivative[0], wanted.derivative[0]));
  const Quad x = Quad(f.x) / 3;
  EXPECT_EQ(evaluated<Quad>(tape, {x})[0], f.quad(x));
}

TEST_P(Recorded, HasTheDerivativeOfDualNumbersForwardsAndBackwards) {
  const Elementary& f = GetParam();
  const auto slope_by = [&](const auto& derivative) {
    return evaluated<double>(tape_of(
                                 [&](const ExpressionVector& x) {
                                   return ExpressionMatrix(derivative(f.recorded(x(0)), x));
                                 },
                                 1),
                             {f.x})[0];
  };
  const double wanted = f.dual(Dual<double, 1>::variable(f.x, 0)).derivative[0];
  EXPECT_TRUE(same_bits(slope_by([](const Expression& y, const ExpressionVector& x) {
                          return jacobian_of(ExpressionVector::Constant(1, y), x);
                        }),
                        wanted));
  // The same factors in another order, about ten of them.
  EXPECT_NEAR(
      slope_by([](const Expression& y, const ExpressionVector& x) { return gradient_of(y, x); }),
      wanted, 10.0 * unit_roundoff * std::abs(wanted));
}

INSTANTIATE_TEST_SUITE_P(Functions, Recorded, testing::ValuesIn(elementary_functions()),
                         [](const auto& test) { return std::string(test.param.name); });

// --- Simplification

std::size_t operations(const std::function<Expression(const Expression&, const Expression&)>& f) {
  return scalar_tape(2, [&](const ExpressionVector& x) { return f(x(0), x(1)); }).body.size();
}

TEST(Recording, DropsNeutralOperations) {
  using E = const Expression&;
  EXPECT_EQ(operations([](E x, E) { return x + 0; }), 0u);
  EXPECT_EQ(operations([](E x, E) { return 0 + x; }), 0u);
  EXPECT_EQ(operations([](E x, E) { return x - 0; }), 0u);
  EXPECT_EQ(operations([](E x, E) { return x - x; }), 0u);
  EXPECT_EQ(operations([](E x, E) { return 1 * x * 1; }), 0u);
  EXPECT_EQ(operations([](E x, E) { return 0 * x; }), 0u);
  EXPECT_EQ(operations([](E x, E) { return 0 / x; }), 0u);
  EXPECT_EQ(operations([](E x, E) { return x / 1; }), 0u);
  EXPECT_EQ(operations([](E x, E) { return -(-x); }), 0u);
  EXPECT_EQ(operations([](E x, E) { return pow(x, 1.0); }), 0u);
  EXPECT_EQ(operations([](E x, E y) { return x + -y; }), 1u);        // x − y
  EXPECT_EQ(operations([](E x, E y) { return -x * -y; }), 1u);       // x y
  EXPECT_EQ(operations([](E x, E y) { return x - (-x) * y; }), 2u);  // x + x y
  // Negative control: operations with an effect stay.
  EXPECT_EQ(operations([](E x, E) { return x + 1; }), 1u);
  EXPECT_EQ(operations([](E x, E) { return 2 * x; }), 1u);
  EXPECT_EQ(operations([](E x, E) { return 1 / x; }), 1u);
}

TEST(Recording, DropsRepeatedAndUnusedOperations) {
  using E = const Expression&;
  EXPECT_EQ(operations([](E x, E y) { return (x + y) * (y + x); }), 2u);
  EXPECT_EQ(operations([](E x, E y) { return sin(x * y) * cos(x) + sin(y * x); }), 5u);
  EXPECT_EQ(operations([](E x, E y) { return sin(-x) * sin(x) + y; }), 3u);
  EXPECT_EQ(operations([](E x, E y) {
              [[maybe_unused]] const Expression unused = exp(x / y);
              return x * y;
            }),
            1u);
}

TEST(Recording, FoldsConstantsOnlyIfAllScalarsAgree) {
  const auto constants = [](const auto& f) {
    return scalar_tape(1, [&](const ExpressionVector& x) { return x(0) + f(); });
  };
  const Tape half = constants([] { return Expression(1) / 2; });
  EXPECT_EQ(half.derived, 0u);
  EXPECT_THAT(half.constants, ElementsAre(0.5));
  const Tape third = constants([] { return Expression(1) / 3; });
  EXPECT_EQ(third.derived, 1u);
  EXPECT_EQ(third.body.size(), 1u);  // the division is done once, not at every evaluation
  EXPECT_EQ(evaluated<double>(third, {0.0})[0], 1.0 / 3.0);
  EXPECT_EQ(evaluated<Quad>(third, {Quad(0)})[0], Quad(1) / 3);
  EXPECT_NE(evaluated<Quad>(third, {Quad(0)})[0], Quad(1.0 / 3.0));  // negative control
  EXPECT_EQ(constants([] { return Expression(0.1) + 0.2; }).derived, 1u);
  EXPECT_EQ(constants([] { return sqrt(Expression(2.25)); }).derived, 0u);
  EXPECT_EQ(constants([] { return sqrt(Expression(2.0)); }).derived, 1u);
  EXPECT_EQ(constants([] { return cos(Expression(0)); }).derived, 0u);
}

TEST(Recording, OutputMayBeAConstantOrAnArgument) {
  const Tape tape = tape_of(
      [](const ExpressionVector& x) {
        ExpressionMatrix results(2, 2);
        results << x(1), 3.5, 0, x(0) * x(1);
        return results;
      },
      2);
  // Results are stored column by column.
  EXPECT_THAT(evaluated<double>(tape, {2.0, 5.0}), ElementsAre(5.0, 0.0, 3.5, 10.0));
  EXPECT_TRUE(tape.is_zero(1));
  EXPECT_FALSE(tape.is_zero(2));
}

TEST(Recording, KeepsFewIntermediateValues) {
  // A sum of a hundred squares: each is added while the next is computed.
  const Tape tape = scalar_tape(100, [](const ExpressionVector& x) {
    Expression sum = 0;
    for (const Expression& each : x) sum += each * each;
    return sum;
  });
  EXPECT_EQ(tape.body.size(), 199u);
  EXPECT_LE(tape.size, 100u + 3u);
}

TEST(Recording, IsPerThreadAndNests) {
  Recording outer;
  const Expression x = outer.input();
  const Expression y = x * x;
  {
    const Tape inner = scalar_tape(1, [](const ExpressionVector& z) { return z(0) + 1; });
    EXPECT_EQ(inner.body.size(), 1u);
  }
  EXPECT_EQ(outer.tape(ExpressionVector::Constant(1, y + x)).body.size(), 2u);
}

TEST(Expression, ThrowsWithoutRecording) {
  EXPECT_NO_THROW(Expression(2) + 3);  // constants need no recording
  EXPECT_THROW(sin(Expression(2)), std::logic_error);
}

// --- Branches

template <class S>
S clipped(const S& x, const S& low, const S& high) {
  return select(x < low, low, select(x > high, high, x));
}

TEST(Select, TakesTheActiveSideAndItsDerivative) {
  const auto outcome = [](double at) {
    const Tape tape = tape_of(
        [](const ExpressionVector& x) {
          const Expression y = clipped<Expression>(x(0) * x(0), 1, 4);
          ExpressionMatrix both(1, 3);
          both << y, jacobian_of(ExpressionVector::Constant(1, y), x)(0, 0), gradient_of(y, x)(0);
          return both;
        },
        1);
    return evaluated<double>(tape, {at});
  };
  EXPECT_THAT(outcome(0.5), ElementsAre(1.0, 0.0, 0.0));
  EXPECT_THAT(outcome(1.5), ElementsAre(2.25, 3.0, 3.0));
  EXPECT_THAT(outcome(3.0), ElementsAre(4.0, 0.0, 0.0));
  EXPECT_EQ(clipped(2.25, 1.0, 4.0), 2.25);  // the same text evaluated in double
}

TEST(Select, IsNotSpoiledByTheInactiveSide) {
  // sqrt of a negative number is NaN; so is its slope.
  const Tape tape = tape_of(
      [](const ExpressionVector& x) {
        const Expression y = select(x(0) > 0, sqrt(x(0)), x(0));
        ExpressionMatrix both(1, 2);
        both << y, jacobian_of(ExpressionVector::Constant(1, y), x)(0, 0);
        return both;
      },
      1);
  EXPECT_THAT(evaluated<double>(tape, {-4.0}), ElementsAre(-4.0, 1.0));
  EXPECT_THAT(evaluated<double>(tape, {4.0}), ElementsAre(2.0, 0.25));
}

TEST(Select, SupportsLogicalOperatorsAndKnownConditions) {
  const auto truth = [](double x, double y) {
    const Tape tape = tape_of(
        [](const ExpressionVector& z) {
          const Condition a = z(0) < 1, b = z(1) >= 1, c = z(0) == z(1);
          ExpressionMatrix all(1, 4);
          all << select(a && b, 1, 0), select(a || b, 1, 0), select(!c, 1, 0),
              select(z(0) != z(1), 1, 0);
          return all;
        },
        2);
    return evaluated<double>(tape, {x, y});
  };
  EXPECT_THAT(truth(0.0, 0.0), ElementsAre(0.0, 1.0, 0.0, 0.0));
  EXPECT_THAT(truth(0.0, 1.0), ElementsAre(1.0, 1.0, 1.0, 1.0));
  EXPECT_THAT(truth(2.0, 0.0), ElementsAre(0.0, 0.0, 1.0, 1.0));
  EXPECT_THAT(truth(1.0, 1.0), ElementsAre(0.0, 1.0, 0.0, 0.0));
  using E = const Expression&;
  EXPECT_EQ(operations([](E x, E y) { return select(Expression(1) < 2, x, y); }), 0u);
  EXPECT_EQ(operations([](E x, E y) { return select(x < y, x, x); }), 0u);
}

// --- Random computations

/// The same random computation in any scalar type: sums, products, quotients, sines and roots of
/// earlier values.
template <class S>
std::vector<S> at_random(std::uint64_t seed, std::vector<S> numbers) {
  using std::abs, std::cos, std::sin, std::sqrt;
  RandomNumbers random(seed);
  const auto any = [&]() -> const S& {
    return numbers[std::min(
        static_cast<std::size_t>(random.uniform(0.0, 1.0) * static_cast<double>(numbers.size())),
        numbers.size() - 1)];
  };
  for (int k = 0; k < 60; ++k) {
    const S a = any(), b = any();
    switch (static_cast<int>(random.uniform(0.0, 9.0))) {
      case 0: numbers.push_back(a + b); break;
      case 1: numbers.push_back(a - b); break;
      case 2: numbers.push_back(a * b); break;
      case 3: numbers.push_back(a / (2.0 + b * b)); break;
      case 4: numbers.push_back(sin(a)); break;
      case 5: numbers.push_back(-a * cos(b)); break;
      case 6: numbers.push_back(sqrt(1.0 + a * a)); break;
      case 7: numbers.push_back(abs(a) + 0.0 * b); break;
      default: numbers.push_back(0.3 * a); break;
    }
  }
  return {numbers.end() - 4, numbers.end()};
}

template <class S>
std::vector<S> as_vector(const ExpressionVector& x) {
  return {x.begin(), x.end()};
}

TEST(RandomComputations, GiveTheSameBitsWhenRecorded) {
  using D = Dual<double, 3>;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::vector<double> x{0.3, -1.1, 0.7};
    const Tape tape = tape_of(
        [&](const ExpressionVector& in) {
          const auto results = at_random(seed, as_vector<Expression>(in));
          return ExpressionMatrix(Eigen::Map<const ExpressionVector>(results.data(), 4));
        },
        3);
    const auto found = evaluated(tape, x), wanted = at_random(seed, x);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_TRUE(same_bits(found[i] + 0.0, wanted[i] + 0.0)) << seed;  // 0 and −0 are the same
    const Tape slopes = tape_of(
        [&](const ExpressionVector& in) {
          const auto results = at_random(seed, as_vector<Expression>(in));
          return jacobian_of(Eigen::Map<const ExpressionVector>(results.data(), 4), in);
        },
        3);
    const auto dual = at_random(
        seed, std::vector<D>{D::variable(x[0], 0), D::variable(x[1], 1), D::variable(x[2], 2)});
    const auto J = evaluated(slopes, x);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_TRUE(same_bits(J[4 * k + i] + 0.0, dual[i].derivative[k] + 0.0)) << seed;
  }
}

TEST(RandomComputations, BackwardGradientsAreRowsOfTheJacobian) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Tape both = tape_of(
        [&](const ExpressionVector& in) {
          const Expression y = at_random(seed, as_vector<Expression>(in)).back();
          ExpressionMatrix columns(3, 2);
          columns << jacobian_of(ExpressionVector::Constant(1, y), in).transpose(),
              gradient_of(y, in);
          return columns;
        },
        3);
    const auto found = evaluated<double>(both, {0.3, -1.1, 0.7});
    // Sums over at most some hundred paths through the computation, each of at most sixty factors.
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(found[k], found[3 + k], 1e4 * unit_roundoff * (1.0 + std::abs(found[k]))) << seed;
  }
}

TEST(RandomComputations, SubstitutionComputesWithTheNewArguments) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<double> x{0.3, -1.1, 0.7};
    const Tape moved = tape_of(
        [&](const ExpressionVector& in) {
          const auto results = at_random(seed, as_vector<Expression>(in));
          ExpressionVector other(3);
          other << in(0) * in(1), 2.0, -in(2);
          return substituted(Eigen::Map<const ExpressionVector>(results.data(), 4), in, other);
        },
        3);
    const auto found = evaluated(moved, x);
    const auto wanted = at_random(seed, std::vector<double>{x[0] * x[1], 2.0, -x[2]});
    // Signs may have moved through the computation: the bits are still equal.
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_TRUE(same_bits(found[i] + 0.0, wanted[i] + 0.0)) << seed;
  }
}

TEST(Unknowns, MustBeSubstitutedAndAreNotArguments) {
  const auto square_of = [](bool known) {
    return tape_of(
        [known](const ExpressionVector& x) {
          const ExpressionVector u = Recording::current().unknowns(1);
          const ExpressionMatrix square = ExpressionMatrix::Constant(1, 1, u(0) * u(0) + x(0));
          return known ? substituted(square, u, 3.0 * x) : square;
        },
        1);
  };
  EXPECT_EQ(square_of(true).inputs, 1u);
  EXPECT_THAT(evaluated<double>(square_of(true), {2.0}), ElementsAre(38.0));
  EXPECT_THROW(square_of(false), std::logic_error);
}

TEST(Tangents, AreTheJacobianTimesTheDirection) {
  const Tape tape = tape_of(
      [](const ExpressionVector& x) {
        ExpressionVector y(2), direction(2);
        y << sin(x(0)) * x(1), x(0) / x(1);
        direction << x(1), 3;
        ExpressionMatrix both(2, 2);
        both << tangents_of(y, x, direction), jacobian_of(y, x).lazyProduct(direction);
        return both;
      },
      2);
  const auto found = evaluated<double>(tape, {0.4, 1.3});
  EXPECT_NEAR(found[0], found[2], 8.0 * unit_roundoff);
  EXPECT_NEAR(found[1], found[3], 8.0 * unit_roundoff * std::abs(found[3]));
}

// x u and the derivative of u² depend on u; the derivative of x u does not.
TEST(Recording, ReportsOutputsThatDependOnUnknowns) {
  Recording recording;
  const ExpressionVector x = recording.inputs(1), u = recording.unknowns(1);
  const auto slope = [&](const Expression& y) {
    return jacobian_of(ExpressionVector::Constant(1, y), u);
  };
  EXPECT_TRUE(recording.depends_on_unknowns(ExpressionMatrix::Constant(1, 1, x(0) * u(0))));
  EXPECT_TRUE(recording.depends_on_unknowns(slope(u(0) * u(0))));
  EXPECT_FALSE(recording.depends_on_unknowns(slope(x(0) * u(0))));
  EXPECT_TRUE(is_zero(slope(x(0))));
  EXPECT_FALSE(is_zero(slope(x(0) * u(0))));
}

}  // namespace
}  // namespace rigidlimit
