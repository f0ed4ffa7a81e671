// Tests the values of formulas, and the errors of invalid ones.
#include "rigidlimit/core/formula.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const FormulaSymbols symbols{{"a", {0, on_nothing}},
                             {"x", {1, on_coordinates}},
                             {"x'", {2, on_velocities}},
                             {"t", {3, on_time}}};
constexpr std::array values = {2.5, 0.7, -1.3, 0.4};
constexpr unsigned everything = on_coordinates | on_velocities | on_time;

PlacedText placed(const std::string& text) {
  return {.text = text, .key = "f", .place = [](std::size_t at) {
            return fmt::format("file:1:{}", at + 1);
          }};
}

Formula formula(const std::string& text, unsigned may_depend = everything) {
  return {placed(text), symbols, may_depend};
}

/// The value in double; the recorded formula must give the same bits.
double value(const std::string& text) {
  const Formula read = formula(text);
  const double direct = read.value(values);
  const Evaluator<double> recorded(tape_of(
      [&](const ExpressionVector& in) {
        std::vector<Expression> slots(in.begin(), in.end());
        slots[0] = values[0];
        return ExpressionVector::Constant(1, read.expression(slots, values));
      },
      values.size()));
  recorded([&](std::size_t, double x) { EXPECT_EQ(x, direct) << text; }, values);
  return direct;
}

/// The message; "" if the formula is valid.
std::string refusal(const std::string& text, unsigned may_depend = everything) {
  try {
    formula(text, may_depend);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Formula, HasTheUsualPrecedence) {
  const double a = values[0], x = values[1], v = values[2], t = values[3];
  EXPECT_EQ(value("1 + 2*3"), 7.0);
  EXPECT_EQ(value("8 - 2 - 1"), 5.0);
  EXPECT_EQ(value("8/4/2"), 1.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("-x^2"), -(x * x));
  EXPECT_EQ(value("(-x)^2"), x * x);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("--x"), x);
  EXPECT_EQ(value("a*x'^2/2 - x*t"), a * (v * v) / 2 - x * t);
  EXPECT_EQ(value(" \n\t.5e1 + 1.E-1 "), 5.1);
}

// To four units in the last place: the compiler may evaluate a sine better than the library.
TEST(Formula, HasTheFunctionsOfExpressions) {
  const double x = values[1], v = values[2];
  EXPECT_DOUBLE_EQ(value("sin(x) + cos(x) + tan(x)"), std::sin(x) + std::cos(x) + std::tan(x));
  EXPECT_DOUBLE_EQ(value("asin(x) + acos(x) + atan(x)"),
                   std::asin(x) + std::acos(x) + std::atan(x));
  EXPECT_DOUBLE_EQ(value("sinh(x) + cosh(x) + tanh(x)"),
                   std::sinh(x) + std::cosh(x) + std::tanh(x));
  EXPECT_DOUBLE_EQ(value("exp(x) + log(x) + sqrt(x)"), std::exp(x) + std::log(x) + std::sqrt(x));
  EXPECT_DOUBLE_EQ(value("abs(x')"), std::abs(v));
  EXPECT_DOUBLE_EQ(value("atan2(x, x')"), std::atan2(x, v));
  EXPECT_DOUBLE_EQ(value("x^a"), std::pow(x, values[0]));
  EXPECT_DOUBLE_EQ(value("x^(a/2 + 1)"), std::pow(x, values[0] / 2 + 1));
  EXPECT_DOUBLE_EQ(value("pi"), M_PI);
}

TEST(Formula, ChoosesByComparisons) {
  EXPECT_EQ(value("if(x < 1, 2, 3)"), 2.0);
  EXPECT_EQ(value("if(x > 1, 2, 3)"), 3.0);
  EXPECT_EQ(value("if(x >= x and x' < 0, 2, 3)"), 2.0);
  EXPECT_EQ(value("if(x == 1 or x' > 0, 2, 3)"), 3.0);
  EXPECT_EQ(value("if(x != 1, if(x <= t, 4, 5), 3)"), 5.0);
}

TEST(Formula, HasSignsExtremesAndTables) {
  EXPECT_EQ(value("sign(x)*sign(-3)"), values[1] > 0.0 ? -1.0 : 1.0);
  EXPECT_EQ(value("sign(x - x)"), 0.0);
  EXPECT_EQ(value("min(2, 3) + max(2, 3)"), 5.0);
  EXPECT_EQ(value("table(0.5, 0, 1, 1, 3, 2, -1)"), 2.0);
  EXPECT_EQ(value("table(1.5, 0, 1, 1, 3, 2, -1)"), 1.0);
  EXPECT_EQ(value("table(-7, 0, 1, 1, 3) + table(7, 0, 1, 1, 3)"), 4.0) << "constant beyond";
  EXPECT_THROW(value("table(0.5, 1, 1, 0, 3)"), InputError);
}

TEST(Formula, ErrorsHaveThePlaceAndTheSymbol) {
  const std::tuple<const char*, const char*, const char*> wrong[] = {
      {"x + ", "file:1:5: f: ", "'('"},
      {"x * * a", "file:1:5: f: ", "'*'"},
      {"(x", "file:1:3: f: ", "')'"},
      {"x)", "file:1:2: f: ", "')'"},
      {"2 x", "file:1:3: f: ", "'x'"},
      {"x(2)", "file:1:2: f: ", "'('"},
      {"sin x", "file:1:5: f: ", "'('"},
      {"sin(x, a)", "file:1:6: f: ", "')'"},
      {"atan2(x)", "file:1:8: f: ", "','"},
      {"if(x, 1, 2)", "file:1:5: f: ", "< <= > >= == !="},
      {"if(x < 1 and x < 2 or x < 3, 1, 2)", "file:1:20: f: ", "'or'"},
      {"x**2", "file:1:3: f: ", "'**'"},
      {"x + y", "file:1:5: f: ", "'y'"},
      {"T + x", "file:1:1: f: ", "'t'?"},
      {"system(x)", "file:1:1: f: ", "'system'"},
      {"sing(x)", "file:1:1: f: ", "'sin'?"},
      {"table(t, x, 1)", "file:1:10: f: ", "table"},
      {"table(t, 0)", "file:1:11: f: ", "','"},
      {"x^x", "file:1:3: f: ", "exponent"},
      {"1e999", "file:1:1: f: ", "'1e999'"},
      {"1.2.3", "file:1:4: f: ", "'.3'"},
      {"x − a", "file:1:3: f: ", "'−'"},
      {"x; a", "file:1:2: f: ", "';'"},
      {"\x1b[2J", "file:1:1: f: ", "' '"}};
  for (const auto& [text, place, symbol] : wrong)
    EXPECT_THAT(refusal(text), AllOf(HasSubstr(place), HasSubstr(symbol))) << text;
  EXPECT_EQ(refusal("x + a"), "");
}

TEST(Formula, RefusesForbiddenDependencies) {
  EXPECT_EQ(refusal("a*x", on_coordinates), "");
  EXPECT_THAT(refusal("a*x'", on_coordinates),
              AllOf(HasSubstr("file:1:3: f: "), HasSubstr("'x''"), HasSubstr("coordinates")));
  EXPECT_THAT(refusal("t", on_coordinates | on_velocities), HasSubstr("'t'"));
  EXPECT_EQ(formula("a*x + t").depends(), unsigned{on_coordinates} | on_time);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int k = 0; k < times; ++k) all += text;
  return all;
}

// Without the limit the recursion would overflow the stack.
TEST(Formula, NestsToALimit) {
  EXPECT_EQ(refusal(repeated("(", 90) + "x" + repeated(")", 90)), "");
  for (const char* level : {"(", "-", "sin(", "2^", "if(1 < ", "x^("})
    EXPECT_THAT(refusal(repeated(level, 1'000'000) + "x"), HasSubstr("100 deep")) << level;
}

TEST(Formula, SizeIsLimited) {
  EXPECT_EQ(refusal("x" + repeated(" + x", 4000)), "");
  EXPECT_THAT(refusal("x" + repeated(" + x", 1'000'000)), HasSubstr("10000 operations"));
}

TEST(Formula, NamesAreFoundInAnyText) {
  EXPECT_EQ(names_in("a*sin(x') + 2e5 - r_2)) a"),
            (std::vector<std::string>{"a", "r_2", "sin", "x'"}));
}

// Every comparison of the language, nested or not, with the union of the dependences of its
// operands. A function without a kink, and a comparison of parameters, is none.
TEST(Formula, ListsItsComparisons) {
  struct Case {
    const char* text;
    std::vector<std::pair<const char*, unsigned>> comparisons;
  };
  const Case cases[] = {
      {"if(t < 2, x, 1)", {{"t < 2", on_time}}},
      {"if(t < a and x' >= 1 , x, 1)", {{"t < a", on_time}, {"x' >= 1", on_velocities}}},
      {"x*abs( x - t ) + 1", {{"abs( x - t )", on_coordinates | on_time}}},
      {"sign(max(x, a))", {{"max(x, a)", on_coordinates}, {"sign(max(x, a))", on_coordinates}}},
      {"min(1, t)^2", {{"min(1, t)", on_time}}},
      {"table(x', 0, a, 1, abs(a))", {{"table(x', 0, a, 1, abs(a))", on_velocities}}},
      {"if(x != t, t, x)", {{"x != t", on_coordinates | on_time}}},
      {"if(a < 2, x, t) + abs(a) + sqrt(x) + atan2(x, t)", {}}};
  for (const Case& one : cases) {
    const Formula read = formula(one.text);
    ASSERT_EQ(read.switches().size(), one.comparisons.size()) << one.text;
    for (std::size_t k = 0; k < one.comparisons.size(); ++k) {
      const FormulaSwitch& found = read.switches()[k];
      EXPECT_EQ(found.text, one.comparisons[k].first);
      EXPECT_EQ(found.depends, one.comparisons[k].second) << one.text;
      EXPECT_EQ(found.key, "f");
      EXPECT_EQ(found.where, fmt::format("file:1:{}", std::string(one.text).find(found.text) + 1));
    }
  }
  EXPECT_EQ(formula("if(t < 2, x, 1) + x'").depends(), everything);
}

}  // namespace
}  // namespace rigidlimit
