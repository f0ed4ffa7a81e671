// Tests that machine code of tapes gives the interpreter's bits for all operations and values.
#include "rigidlimit/core/codegen/tape_code.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "rigidlimit/core/codegen/tape_compiler.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/core/tape/pack_evaluator.hpp"
#include "support/random_numbers.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;

/// Of two arguments: each operation with operands that are arguments, constants and results.
Tape all_operations(double c = 0.7) {
  return tape_of(
      [c](const ExpressionVector& z) {
        const Expression x = z(0), y = z(1), u = x * y - c, p = 1.0 / 3.0 * x;
        ExpressionVector all(34);
        all << x + y, x - y, c - x, x * y, x / y, c / x, -u, sqrt(u), exp(u), log(u), sin(u),
            cos(u), sin(y), cos(p), tan(u), asin(u), acos(u), atan(u), sinh(u), cosh(u), tanh(u),
            abs(u), atan2(x, u), atan2(u, Expression(c)), pow(u, 2.5), pow(y, -3.0),
            select(x < y, u, p), select(x <= y, u, p), select(x == y, u, p),
            select(u < c && !(y < x), x, Expression(c)), p, Expression(1) / 3 + y, x, c;
        return ExpressionMatrix(all);
      },
      2);
}

/// Of three arguments: `count` operations, each on any earlier value.
Tape random_tape(std::uint64_t seed, int count) {
  RandomNumbers random(seed);
  Recording recording;
  std::vector<Expression> values;
  for (const Expression& x : recording.inputs(3)) values.push_back(x);
  const auto any = [&]() -> Expression {
    if (random.uniform() > 0.8) return random.uniform(-2.0, 2.0);
    return values[static_cast<std::size_t>(random.uniform(0.0, 1.0) *
                                           static_cast<double>(values.size()))];
  };
  for (int i = 0; i < count; ++i) {
    const auto operation = static_cast<Operation>(
        static_cast<int>(Operation::add) +
        static_cast<int>(random.uniform(0.0, 1.0) * 24.0));  // all but constant and input
    const Expression b = operation == Operation::power ? random.uniform(-3.0, 3.0) : any();
    values.push_back(applied(operation, any(), b, any()));
  }
  ExpressionMatrix outputs(static_cast<Index>(values.size()), 1);
  for (Index i = 0; i < outputs.size(); ++i) outputs(i) = values[static_cast<std::size_t>(i)];
  return recording.tape(outputs);
}

/// Ordinary numbers, zeros of both signs, infinities, NaN, the largest and the smallest numbers.
std::vector<double> arguments(RandomNumbers& random, std::size_t count) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::array odd{
      0.0,   -0.0,    infinity, -infinity, std::numeric_limits<double>::quiet_NaN(),
      1e308, -5e-324, 1.0};
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i)
    numbers.push_back(random.uniform() > 0.6
                          ? odd[static_cast<std::size_t>(random.uniform(0.0, 8.0))]
                          : random.uniform(-3.0, 3.0));
  return numbers;
}

/// Compares the bits of each result. IEEE 754 does not specify the bits of a NaN.
void expect_same(double code, double interpreted) {
  if (std::isnan(interpreted))
    EXPECT_TRUE(std::isnan(code));
  else
    EXPECT_EQ(std::bit_cast<std::uint64_t>(code), std::bit_cast<std::uint64_t>(interpreted))
        << code << " and " << interpreted;
}

void expect_same_numbers(const Tape& tape) {
  const Evaluator<double> code(tape), interpreter(tape, Machine::interpreter);
  ASSERT_TRUE(code.is_compiled());
  ASSERT_FALSE(interpreter.is_compiled());
  RandomNumbers random(5);
  for (int k = 0; k < 100; ++k) {
    const std::vector<double> x = arguments(random, tape.inputs);
    std::vector<double> results;
    code([&](std::size_t, double y) { results.push_back(y); }, x);
    interpreter([&](std::size_t i, double y) { expect_same(results[i], y); }, x);
  }
}

void expect_same_packs(const Tape& tape, VectorInstructions instructions) {
  const PackEvaluator code(tape, instructions);
  const PackEvaluator interpreter(tape, instructions, Machine::interpreter);
  ASSERT_TRUE(code.is_compiled());
  RandomNumbers random(6);
  for (int k = 0; k < 30; ++k) {
    const std::vector<double> x = arguments(random, tape.inputs * Pack::lanes);
    std::vector<Pack> packs(tape.inputs), results(tape.outputs.size()), wanted(results);
    for (std::size_t i = 0; i < packs.size(); ++i) packs[i] = Pack::load(&x[i * Pack::lanes]);
    code(results.data(), packs);
    interpreter(wanted.data(), packs);
    for (std::size_t i = 0; i < results.size(); ++i)
      for (std::size_t lane = 0; lane < Pack::lanes; ++lane)
        expect_same(results[i][lane], wanted[i][lane]);
  }
}

/// Compiles code into a temporary directory, and offers it to evaluators as built-in code.
class MachineCode : public testing::Test {
 protected:
  test::TemporaryDirectory directory;
  TapeCompiler compiler{.command = "cc", .cache = directory.path("code")};

  void compile(const Tape& tape, int lanes) {
    const TapeForm form = form_of(tape);
    const CodeFunction made = compiler.made(form, lanes);
    ASSERT_NE(made, nullptr);
    const BuiltinCode code{key_of(form), lanes, made};
    offer(std::span(&code, 1));
  }
};

TEST_F(MachineCode, HasTheBitsOfTheInterpreterInDouble) {
  for (const Tape& tape : {all_operations(), random_tape(1, 300), random_tape(2, 300)}) {
    compile(tape, 1);
    expect_same_numbers(tape);
  }
}

TEST_F(MachineCode, HasTheBitsOfTheInterpreterInPacksOfAllWidths) {
  const std::pair<VectorInstructions, int> widths[] = {{VectorInstructions::sse2, 2},
                                                       {VectorInstructions::avx2, 4},
                                                       {VectorInstructions::avx512, 8}};
  for (const auto& [instructions, lanes] : widths) {
    if (instructions > best_vector_instructions()) continue;  // unsupported by this processor
    for (const Tape& tape : {all_operations(), random_tape(1, 300), random_tape(3, 300)}) {
      compile(tape, lanes);
      expect_same_packs(tape, instructions);
    }
  }
}

// Constants are data of the code: the compiled function was not built for 2.4.
TEST_F(MachineCode, AcceptsOtherConstants) {
  const Tape tape = all_operations(0.6), other = all_operations(2.4);
  ASSERT_NE(tape.constants, other.constants);
  EXPECT_EQ(key_of(form_of(tape)), key_of(form_of(other)));
  compile(tape, 1);
  expect_same_numbers(other);
}

// A slope of 0 removes a product: this is another form with its own code or none.
TEST_F(MachineCode, TreatsASpecialValueAsAnotherForm) {
  const auto with_slope = [](double slope) {
    return tape_of(
        [slope](const ExpressionVector& x) {
          return ExpressionMatrix(ExpressionVector::Constant(1, slope * sin(x(0)) + 2.5 * x(0)));
        },
        1);
  };
  EXPECT_EQ(key_of(form_of(with_slope(0.3))), key_of(form_of(with_slope(0.4))));
  EXPECT_NE(key_of(form_of(with_slope(0.3))), key_of(form_of(with_slope(0.0))));
  compile(with_slope(0.3), 1);
  expect_same_numbers(with_slope(0.4));
  const Evaluator<double> level(with_slope(0.0));
  EXPECT_FALSE(level.is_compiled());
  level([](std::size_t, double y) { EXPECT_EQ(y, 5.0); }, std::vector{2.0});
}

// Negative control: evaluators reject code that computes a difference instead of a sum.
TEST(WrongCode, IsRefused) {
  const Tape tape = tape_of(
      [](const ExpressionVector& x) {
        return ExpressionMatrix(ExpressionVector::Constant(1, x(0) + 3.25 * x(1)));
      },
      2);
  const CodeFunction right = [](const double* k, const double* x, double* y, const void*) {
    y[0] = x[0] + k[0] * x[1];
  };
  const CodeFunction wrong = [](const double* k, const double* x, double* y, const void*) {
    y[0] = x[0] - k[0] * x[1];
  };
  const CodeFunction nearly = [](const double* k, const double* x, double* y, const void*) {
    y[0] = std::fma(k[0], x[1], x[0]);  // one rounding in place of two
  };
  const TapeForm form = form_of(tape);
  EXPECT_TRUE(computes(right, form, 1));
  EXPECT_FALSE(computes(wrong, form, 1));
  EXPECT_FALSE(computes(nearly, form, 1));
  const BuiltinCode code{key_of(form), 1, wrong};
  offer(std::span(&code, 1));
  const Evaluator<double> evaluate(tape);
  EXPECT_FALSE(evaluate.is_compiled());
  evaluate([](std::size_t, double y) { EXPECT_EQ(y, 7.5); }, std::vector{1.0, 2.0});
}

// Code depends on the form only: converting to a tape and back gives the same form and key.
TEST(TapeForm, ConvertsToATapeAndBack) {
  const Tape tape = all_operations();
  const TapeForm form = form_of(tape);
  std::vector<double> constants(form.constants.size(), 1.5);
  EXPECT_EQ(key_of(form_of(tape_of(form, constants))), key_of(form));
  EXPECT_NE(key_of(form_of(random_tape(1, 20))), key_of(form_of(random_tape(2, 20))));
}

// The sine of −0 is −0 after any earlier call: a result does not depend on other calls.
TEST(Pack, SineKeepsTheSignOfZero) {
  EXPECT_FALSE(std::signbit(sin(Pack(0.0))[3]));
  EXPECT_TRUE(std::signbit(sin(Pack(-0.0))[3]));
}

}  // namespace
}  // namespace rigidlimit
