// Tests the values of formulas, and the errors of invalid ones.
#include "rigidlimit/core/formula.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const FormulaSymbols symbols{
    {"a", {{0, on_nothing}}},
    {"x", {{1, on_coordinates}}},
    {"x'", {{2, on_velocities}}},
    {"t", {{3, on_time}}},
    {"r", {{4, on_coordinates}, {5, on_velocities}, {6, on_nothing}}},
};
constexpr std::array values = {2.5, 0.7, -1.3, 0.4, 0.31, -0.77, 1.9};
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
      {"\x1b[2J", "file:1:1: f: ", "' '"},
      {"r", "file:1:1: f: ", "vector"},
      {"x + r", "file:1:3: f: ", "vector"},
      {"dot(r*r, r)", "file:1:6: f: ", "dot"},
      {"x/r", "file:1:2: f: ", "vector"},
      {"r.x/r", "file:1:4: f: ", "vector"},
      {"r^2", "file:1:1: f: ", "vector"},
      {"x^r", "file:1:3: f: ", "vector"},
      {"sin(r)", "file:1:5: f: ", "vector"},
      {"if(r < 1, 2, 3)", "file:1:4: f: ", "vector"},
      {"if(x < 1, r, 3)", "file:1:14: f: ", "vector"},
      {"table(x, 0, r)", "file:1:13: f: ", "vector"},
      {"dot(x, r)", "file:1:5: f: ", "[1, 0, 0]"},
      {"cross(r, r)", "file:1:1: f: ", "vector"},
      {"cross(r)", "file:1:8: f: ", "','"},
      {"rotate(r, 0, 0, 0, r).x", "file:1:8: f: ", "vector"},
      {"rotate(1, 0, 0, r).x", "file:1:17: f: ", "vector"},
      {"[1, 2].x", "file:1:6: f: ", "','"},
      {"[1, 2, r].x", "file:1:8: f: ", "vector"},
      {"r.w", "file:1:3: f: ", "'w'"},
      {"r.x.x", "file:1:4: f: ", "component"},
      {"x.x", "file:1:2: f: ", "component"}};
  for (const auto& [text, place, symbol] : wrong)
    EXPECT_THAT(refusal(text), AllOf(HasSubstr(place), HasSubstr(symbol))) << text;
  EXPECT_EQ(refusal("x + a"), "");
}

/// The components of a vector, each of the same bits in double and recorded.
std::array<double, 3> components(const std::string& text) {
  return {value("(" + text + ").x"), value("(" + text + ").y"), value("(" + text + ").z")};
}
Eigen::Vector3d vector(const std::string& text) {
  const auto all = components(text);
  return {all[0], all[1], all[2]};
}

TEST(Formula, VectorsAreComputedByComponents) {
  const double a = values[0], x = values[1], r1 = values[4], r2 = values[5], r3 = values[6];
  using Three = std::array<double, 3>;
  EXPECT_EQ(components("r"), (Three{r1, r2, r3}));
  EXPECT_EQ(components("[x, 2, r.y]"), (Three{x, 2.0, r2}));
  EXPECT_EQ(components("a*r - -[1, 2, 3]/x"),
            (Three{a * r1 + 1 / x, a * r2 + 2 / x, a * r3 + 3 / x}));
  EXPECT_EQ(components("if(x < 1, r*x, [1, 2, 3])"), (Three{r1 * x, r2 * x, r3 * x}));
  EXPECT_EQ(components("cross(r, [1, 2, 3])"),
            (Three{r2 * 3 - r3 * 2, r3 * 1 - r1 * 3, r1 * 2 - r2 * 1}));
  EXPECT_EQ(value("dot(r, r + r)"), r1 * (r1 + r1) + (r2 * (r2 + r2) + r3 * (r3 + r3)));
  EXPECT_EQ(value("norm(r)"), std::sqrt(r1 * r1 + (r2 * r2 + r3 * r3)));
  EXPECT_EQ(value("norm(cross(r, 2*r))"), 0.0);
}

// R(p) a as Eigen computes it, for a unit quaternion p; a dozen operations on numbers below 2.
TEST(Formula, RotatesByEulerParameters) {
  const Eigen::Vector4d p = Eigen::Vector4d(0.3, -0.5, 0.7, 0.2).normalized();
  const Eigen::Quaterniond rotation(p(0), p(1), p(2), p(3));
  const Eigen::Vector3d r(values[4], values[5], values[6]);
  const std::string parameters = fmt::format("{}, {}, {}, {}", p(0), p(1), p(2), p(3));
  const double tolerance = 32.0 * std::numeric_limits<double>::epsilon();
  const Eigen::Vector3d turned = vector("rotate(" + parameters + ", r)");
  const Eigen::Vector3d back = vector("rotate_back(" + parameters + ", r)");
  EXPECT_LE((turned - rotation * r).norm(), tolerance);
  EXPECT_LE((back - rotation.conjugate() * r).norm(), tolerance);
  EXPECT_GT((turned - back).norm(), 0.1);  // negative control
}

TEST(Formula, DependsOnTheNamedComponentsAlone) {
  EXPECT_EQ(refusal("r.x + r.z", on_coordinates), "");
  EXPECT_THAT(refusal("x + r.y", on_coordinates),
              AllOf(HasSubstr("file:1:5: f: "), HasSubstr("'r'")));
  EXPECT_THAT(refusal("dot(r, [1, 0, 0])", on_coordinates), HasSubstr("'r'"));
  EXPECT_EQ(formula("r.x").depends(), unsigned{on_coordinates});
  EXPECT_EQ(formula("[r.x, t, x'].x").depends(), unsigned{on_coordinates});
  EXPECT_EQ(formula("[r.x, t, x'].y").depends(), unsigned{on_time});
}

TEST(Formula, OneTextOfAVectorIsThreeFormulas) {
  const auto parts = Formula::components(placed("[abs(x), t, 2]"), symbols, everything);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[1].value(values), values[3]);
  EXPECT_EQ(parts[1].depends(), unsigned{on_time});
  EXPECT_EQ(parts[2].depends(), unsigned{on_nothing});
  EXPECT_EQ(parts[0].switches().size() + parts[1].switches().size() + parts[2].switches().size(),
            1u)
      << "a comparison counts once";
  EXPECT_EQ(Formula::components(placed("x + 1"), symbols, everything).size(), 1u);
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
  for (const char* level : {"(", "-", "sin(", "2^", "if(1 < ", "x^(", "[", "norm("})
    EXPECT_THAT(refusal(repeated(level, 1'000'000) + "x"), HasSubstr("100 deep")) << level;
}

TEST(Formula, SizeIsLimited) {
  EXPECT_EQ(refusal("x" + repeated(" + x", 4000)), "");
  EXPECT_THAT(refusal("x" + repeated(" + x", 1'000'000)), HasSubstr("10000 operations"));
  // The operations of a product of products double with every level.
  EXPECT_EQ(refusal(repeated("cross(r, ", 8) + "r" + repeated(")", 8) + ".x"), "");
  EXPECT_THAT(refusal(repeated("cross(", 90) + "r" + repeated(", r)", 90) + ".x"),
              HasSubstr("10000 operations"));
}

TEST(Formula, NamesAreFoundInAnyText) {
  EXPECT_EQ(names_in("a*sin(x') + 2e5 - r_2)) a"),
            (std::vector<std::string>{"a", "r_2", "sin", "x'"}));
  EXPECT_EQ(names_in("up.x*cross(r , arm).z + 1.e3*.5"),
            (std::vector<std::string>{"arm", "cross", "r", "up"}));
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
