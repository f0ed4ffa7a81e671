// Tests initial value problems written as text: their equations against those of the catalogue,
// mass matrices, constraints, refusals with their place, and benchmarks of them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "rigidlimit/classical/read_problem_text.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_references.hpp"
#include "rigidlimit/experiment/benchmark/problems_of.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "rigidlimit/toml/section.hpp"
#include "support/random_numbers.hpp"
#include "support/source_directory.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

const std::string reaction = test::in_repository("examples/own_problem/reaction.toml");

std::shared_ptr<const ClassicalEntry> read(const std::string& text) {
  return problem_in(TomlDocument::from_text(text, "own.toml").root());
}

VectorXd rate_of(const OdeProblem& problem, double t, const VectorXd& y) {
  VectorXd f(y.size());
  problem.rhs(t, y, f);
  return f;
}

MatrixXd jacobian_of(const OdeProblem& problem, double t, const VectorXd& y) {
  MatrixXd J(y.size(), y.size());
  problem.jacobian(t, y, J);
  return J;
}

/// The same equations in the catalogue.
constexpr const char* kaps = R"toml(
[problem]
name = "own_kaps"
unknowns = [{name = "y1", start = 1}, {name = "y2", start = "1/1"}]
rate = ["-(1/eps + 2)*y1 + stiff", "y1 - y2 - y2^2"]
exact = ["exp(-2*t)", "decayed"]
end = 1
[problem.let]
stiff = "y2^2/eps"
decayed = "exp(-t)"
[problem.parameters]
eps = {default = 1e-3, above = 0, text = "small"}
)toml";

TEST(WrittenProblem, HasTheEquationsOfTheCatalogue) {
  const ClassicalProblem own = read(kaps)->make_default();
  const ClassicalProblem known = find_classical_problem("kaps")->make({1e-3});
  test::RandomNumbers random(7);
  for (int k = 0; k < 20; ++k) {
    const VectorXd y = random.vector<2>();
    // The sums have terms up to 2e3: a few roundings of them.
    EXPECT_LE((rate_of(own.real.ode, 0.3, y) - rate_of(known.real.ode, 0.3, y)).norm(), 1e-11);
    EXPECT_LE((jacobian_of(own.real.ode, 0.3, y) - jacobian_of(known.real.ode, 0.3, y)).norm(),
              1e-11);
  }
  EXPECT_LE((own.real.exact(0.7) - known.real.exact(0.7)).norm(), 1e-15);
  EXPECT_FALSE(own.is_dae());
  // Negative control: another value of the parameter.
  const ClassicalProblem other = read(kaps)->make({2e-3});
  const VectorXd y = random.vector<2>();
  EXPECT_GT((rate_of(other.real.ode, 0.3, y) - rate_of(known.real.ode, 0.3, y)).norm(), 1.0);
  EXPECT_THROW(read(kaps)->make({-1.0}), InputError);
}

TEST(WrittenProblem, ItsQuadEquationsAreTheSame) {
  const ClassicalProblem own = read(kaps)->make_default();
  VectorX<Quad> y(2), f(2);
  y << Quad(0.25), Quad(0.5);
  own.quad.ode.rhs(Quad(0), y, f);
  EXPECT_LE((f.cast<double>() - rate_of(own.real.ode, 0.0, y.cast<double>())).norm(), 1e-12);
}

TEST(WrittenProblem, ARegularMassMatrixIsInverted) {
  const ClassicalProblem own = read(R"toml(
[problem]
name = "masses"
unknowns = [{name = "x", start = 1}, {name = "y", start = 2}]
mass = [["2*m", 1], [1, 3]]
rate = ["x*y", "sin(t)"]
end = 1
[problem.parameters]
m = {default = 1}
)toml")
                                   ->make_default();
  EXPECT_FALSE(own.is_dae());
  const VectorXd y{{0.5, -0.25}};
  MatrixXd M(2, 2);
  M << 2.0, 1.0, 1.0, 3.0;
  const VectorXd f{{-0.125, std::sin(0.4)}};
  EXPECT_LE((M * rate_of(own.real.ode, 0.4, y) - f).norm(), 1e-15);
}

TEST(WrittenProblem, ADaeAndItsOdeHaveOneSolution) {
  const auto entry = problem_in_file(reaction);
  EXPECT_TRUE(entry->dae);
  EXPECT_EQ(entry->index, 1);
  const ClassicalProblem dae = entry->make_default();
  EXPECT_EQ(dae.real.dae->index, (std::vector<int>{0, 0, 1}));
  const ClassicalProblem known = find_classical_problem("robertson_40")->make_default();
  // On the constraint A + B + C = 1 the ODE is Robertson's.
  const VectorXd y{{0.9, 2e-5, 0.1 - 2e-5}};
  const VectorXd own_rate = rate_of(dae.real.ode, 0.0, y);
  EXPECT_LE((own_rate - rate_of(known.real.ode, 0.0, y)).norm(), 1e-13);
  EXPECT_LE(std::abs(own_rate.sum()), 1e-13);
  EXPECT_LE(dae.constraints(0.0, y).norm(), 1e-15);
  const SolveOptions options{.rtol = 1e-10, .atol = 1e-16};
  const Solution by_mass = solve_radau_iia<double>(*dae.real.dae, {40.0}, options, {});
  const Solution by_ode = solve_radau_iia<double>(known.real.ode, {40.0}, options, {});
  ASSERT_EQ(by_mass.outcome, Outcome::success);
  ASSERT_EQ(by_ode.outcome, Outcome::success);
  EXPECT_LE((by_mass.states - by_ode.states).norm(), 1e-8);
  // Negative control: another rate constant has another end.
  const Solution other =
      solve_radau_iia<double>(*entry->make({0.05}).real.dae, {40.0}, options, {});
  EXPECT_GT((other.states - by_ode.states).norm(), 1e-3);
}

/// A decay with printed decimals, and a rate of t.
constexpr const char* printed_decay = R"toml(
[problem]
name = "printed_decay"
unknowns = [{name = "x", label = "x'", start = "2*size"}, {name = "y"}]
rate = ["-k*x", "cos(t)"]
exact = ["2*size*exp(-0.7*t)", "sin(t)"]
end = "0.1*ends"
[problem.coefficients]
k = 0.7
[problem.parameters]
size = {default = 0.3, above = 0}
ends = {default = 1, above = 0}
[[problem.published]]
source = "a hand calculation: 0.6 e^(-0.07), sin 0.1"
values = ["0.55943629", "-"]
confirmed = [8, 0]
)toml";

// With coefficients the 113-bit equations are those of the decimals: 0.7 and 0.1. A few
// roundings of 113 bits are 1e-33. The double of 0.7 is 2e-17 off.
TEST(WrittenProblem, ItsCoefficientsAreDecimalsInAsPrinted) {
  const ClassicalProblem own = read(printed_decay)->make_default();
  ASSERT_TRUE(own.as_printed);
  VectorX<Quad> y(2), f(2);
  y << Quad(1), Quad(0);
  const Quad unit = Quad("0.1") / Quad(own.end);
  own.as_printed->rhs(Quad(own.end), y, f);
  EXPECT_LE(abs(Quad(f(0) + Quad("0.7") * unit)), Quad(1e-33));
  EXPECT_LE(abs(Quad(f(1) - cos(Quad("0.1")) * unit)), Quad(1e-33));
  own.quad.ode.rhs(Quad(0), y, f);
  EXPECT_EQ(f(0), -Quad(0.7));
  EXPECT_GT(abs(Quad(f(0) + Quad("0.7"))), Quad(1e-18)) << "negative control";
  // Without coefficients a text is a problem in doubles.
  EXPECT_FALSE(read(kaps)->make_default().as_printed);
}

TEST(WrittenProblem, StartsOnItsClosedFormAndEndsWhereAParameterSays) {
  const ClassicalProblem own = read(printed_decay)->make({0.3, 5.0});
  EXPECT_EQ(own.unknowns, (std::vector<std::string>{"x'", "y"}));
  EXPECT_EQ(own.real.ode.y0, VectorXd({{0.6, 0.0}}));
  EXPECT_EQ(own.end, 0.5);
  EXPECT_LE(abs(Quad(own.quad.exact(Quad(0.5))(1) - sin(Quad(0.5)))), Quad(1e-33));
  // A start of its own that is off the closed form stays as given.
  std::string other = printed_decay;
  other.replace(other.find("{name = \"y\"}"), 12, "{name = \"y\", start = 1}");
  EXPECT_EQ(read(other)->make_default().real.ode.y0(1), 1.0);
}

/// Digits to which the reference of a text agrees with its published value of the first unknown.
double published_digits(const std::string& text) {
  const ClassicalProblem own = read(text)->make_default();
  const CertifiedReference reference = certified_reference(own, {.as_printed = true});
  return agreeing_digits(reference.y(0), own.published.at(0).values[0]);
}

// 8 printed digits. Negative control: a coefficient changed by 1 % misses the value by 0.07 %.
TEST(WrittenProblem, APublishedValueDetectsAChangedCoefficient) {
  const ClassicalProblem own = read(printed_decay)->make_default();
  ASSERT_EQ(own.published.size(), 1U);
  EXPECT_EQ(own.published[0].values[1].text, "");
  EXPECT_EQ(own.published[0].confirmed, (std::vector<int>{8, 0}));
  EXPECT_EQ(published_digits(printed_decay), 8.0);
  std::string other = printed_decay;
  other.replace(other.find("k = 0.7"), 7, "k = 0.707");
  other.replace(other.find("-0.7*t"), 6, "-0.707*t");
  EXPECT_LT(published_digits(other), 4.0);
  EXPECT_TRUE(read(printed_decay)->make({0.3, 2.0}).published.empty());  // of another problem
}

// The definition in a store is complete: it reads back to itself, published values included.
TEST(WrittenProblem, ItsDefinitionReadsBackToItself) {
  const auto entry = read(printed_decay);
  const auto again = read(entry->definition);
  EXPECT_EQ(again->definition, entry->definition);
  EXPECT_THAT(entry->definition, HasSubstr("[problem.coefficients]"));
  EXPECT_EQ(again->make_default().published[0].values[0].text, "0.55943629");
}

struct Mistake {
  const char* name;
  const char* from;
  const char* to;
  const char* place;
  const char* said;
};

/// Expects a refusal of the text with the mistake, at its place.
void expect_refused(std::string text, const Mistake& m) {
  const std::size_t at = text.find(m.from);
  ASSERT_NE(at, std::string::npos);
  try {
    read(text.replace(at, std::string(m.from).size(), m.to));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith(m.place));
    EXPECT_THAT(error.what(), HasSubstr(m.said));
  }
}

class WrittenProblemMistake : public testing::TestWithParam<Mistake> {};

INSTANTIATE_TEST_SUITE_P(
    All, WrittenProblemMistake,
    testing::Values(
        Mistake{"UnknownName", "y1 - y2 - y2^2", "y1 - y3", "own.toml:5:", "'y3'"},
        Mistake{"TwoRates", "\"y1 - y2 - y2^2\"]", "\"y1\", \"0\"]", "own.toml:5:", "rate"},
        Mistake{"NoRate", "rate =", "#", "own.toml:2:", "problem.rate"},
        Mistake{"UnknownKey", "end = 1", "end = 1\nstop = 2", "own.toml:8:", "problem.stop"},
        Mistake{"StartOfUnknowns", "start = 1}", "start = \"y2\"}", "own.toml:4:", "y2"},
        Mistake{"ExactOfUnknowns", "exp(-2*t)", "y1", "own.toml:6:", "exact"},
        Mistake{"NameOfTheCatalogue", "own_kaps", "kaps", "own.toml:3:", "problem.name"},
        Mistake{"SecondName", "name = \"y2\"", "name = \"y1\"", "own.toml:4:", "'y1'"},
        Mistake{"Circle", "exp(-t)", "decayed", "own.toml:10:", "decayed"},
        Mistake{"NoInterval", "end = 1", "end = 0", "own.toml:7:", "end"},
        Mistake{"MassOfOneRow", "end = 1", "end = 1\nmass = [[1, 0]]", "own.toml:2:", "mass"},
        Mistake{"DependentRows", "end = 1", "end = 1\nmass = [[1, 1], [1, 1]]",
                "own.toml:2:", "rows of mass"},
        Mistake{"MissedConstraint", "end = 1", "end = 1\nmass = [[1, 0], [0, 0]]",
                "own.toml:5:", "constraint"},
        Mistake{"IndexTwo", "\"y1 - y2 - y2^2\"]", "\"y1 - 1\"]\nmass = [[1, 0], [0, 0]]",
                "own.toml:2:", "index"}),
    [](const auto& one) { return one.param.name; });

TEST_P(WrittenProblemMistake, IsRefusedAtItsPlace) {
  expect_refused(kaps, GetParam());
}

class PrintedMistake : public testing::TestWithParam<Mistake> {};

INSTANTIATE_TEST_SUITE_P(
    All, PrintedMistake,
    testing::Values(
        Mistake{"NoStart", "exact =", "#", "own.toml:4:", "start: missing"},
        Mistake{"TwoLabels", "label = \"x'\"", "label = \"y\"", "own.toml:4:", "label 'y'"},
        Mistake{"EndOfTime", "0.1*ends", "0.1*t", "own.toml:7:", "t"},
        Mistake{"EndBeforeStart", "0.1*ends", "-0.1*ends", "own.toml:7:", "after t0"},
        Mistake{"EndTooLate", "0.1*ends", "1e30*ends", "own.toml:7:", "1e+20"},
        Mistake{"Mass", "end =", "mass = [[1, 0], [0, 1]]\nend =", "own.toml:10:", "coefficients"},
        Mistake{"Comparison", "cos(t)", "if(t < 1, 1, 0)", "own.toml:9:", "coefficients"},
        Mistake{"TooFewValues", ", \"-\"]", "]", "own.toml:13:", "1 numbers"},
        Mistake{"TooFewConfirmed", "[8, 0]", "[8]", "own.toml:13:", "confirmed"},
        Mistake{"HalfADigit", "[8, 0]", "[8, 0.5]", "own.toml:16:", "whole numbers"},
        Mistake{"NoNumber", "0.55943629", "0,559", "own.toml:15:", "not a printed number"},
        Mistake{"NoSource", "source =", "#", "own.toml:13:", "source"}),
    [](const auto& one) { return one.param.name; });

TEST_P(PrintedMistake, IsRefusedAtItsPlace) {
  expect_refused(printed_decay, GetParam());
}

TEST(WrittenProblem, ABenchmarkOfItIsCompleteInItsResolvedText) {
  const test::TemporaryDirectory place;
  place.write("own.toml", kaps);
  const std::string text =
      "[benchmark]\nname = \"b\"\nkind = \"work_precision\"\n[[problem]]\nfile = \"own.toml\"\n"
      "parameters = {eps = 0.01}\n";
  const Benchmark benchmark = read_benchmark(place.write("b.toml", text), {});
  const std::string resolved = resolved_toml(benchmark);
  // A record opens no file, and has the same text.
  const Benchmark again = read_benchmark(TomlDocument::from_record(resolved, "record"));
  EXPECT_EQ(resolved_toml(again), resolved);
  const auto problems = problems_of(again);
  EXPECT_EQ(problems.problems.front().determinants,
            problems_of(benchmark).problems.front().determinants);
  // Negative control: other equations are another problem for the store.
  std::string changed = kaps;
  changed.replace(changed.find("y2 - y2^2"), 9, "y2 + y2^2");
  place.write("own.toml", changed);
  EXPECT_NE(problems_of(read_benchmark(place.path("b.toml"), {})).problems.front().determinants,
            problems.problems.front().determinants);
}

// A closed form is compared with a solve, in both precisions; in double it is the reference.
TEST(WrittenProblem, HasAClosedFormThatASolveConfirms) {
  const ClassicalProblem right = read(kaps)->make_default();
  for (const bool in_quad : {true, false}) {
    const CertifiedReference reference = certified_reference(right, {.in_quad = in_quad});
    EXPECT_EQ(reference.solves.front().method == "closed form", !in_quad);
    EXPECT_TRUE(reference.certified);
    std::string wrong = kaps;
    wrong.replace(wrong.find("exp(-2*t)"), 9, "exp(-3*t)");
    EXPECT_THROW(certified_reference(read(wrong)->make_default(), {.in_quad = in_quad}),
                 InputError);
  }
}

/// y' = rate − k y, where the rate jumps at `jump`; y(0) = 0.
std::string jumping_rate(double jump, double k) {
  return fmt::format(R"toml(
[problem]
name = "jump"
unknowns = [{{name = "y", start = 0}}]
rate = ["force - {}*y"]
end = 2
[problem.let]
force = "if(t < {}, 1, 3)"
)toml",
                     k, jump);
}

double end_of_jumping_rate(double jump, double k) {
  const double at_jump = (1.0 - std::exp(-k * jump)) / k, after = std::exp(-k * (2.0 - jump));
  return at_jump * after + 3.0 * (1.0 - after) / k;
}

// Random places of the jump and random rates k, against the closed form. The allowed distance is
// the solves' own, 1e-13 times a few steps, and 4e-16 times the jump for its place.
TEST(WrittenProblem, AJumpInTimeIsAtTheEndOfAPiece) {
  test::RandomNumbers random(23);
  for (int n = 0; n < 8; ++n) {
    const double jump = 1.0 + 0.9 * random.vector<1>()(0), k = std::exp(random.vector<1>()(0));
    const ClassicalProblem problem = read(jumping_rate(jump, k))->make_default();
    ASSERT_EQ(problem.pieces(2.0).size(), 2U);
    EXPECT_EQ(problem.pieces(2.0)[1].t0, jump);
    EXPECT_TRUE(problem.pieces(0.5 * jump).empty());
    const CertifiedReference reference = certified_reference(problem, {.in_quad = n == 0});
    EXPECT_TRUE(reference.certified);
    const double expected = end_of_jumping_rate(jump, k);
    EXPECT_NEAR(static_cast<double>(reference.y(0)), expected, 1e-12);
    EXPECT_GT(std::abs(end_of_jumping_rate(jump + 1e-9, k) - expected), 1e-12)
        << "negative control: the place of the jump is seen";
  }
}

// 0 = u − g + c p, u' = p − 20 u with a jump of g at 1: u is continuous and p jumps by Δg/c. With
// p = (g − u)/c it is a linear equation for u with a closed form.
TEST(WrittenProblem, AConstraintThatJumpsIsSatisfiedAfterTheJump) {
  constexpr double c = 0.1, before = 1.0, after = 2.5, decay = 20.0 + 1.0 / c;
  const ClassicalProblem problem = read(R"toml(
[problem]
name = "jumping_constraint"
unknowns = [{name = "u", start = 0}, {name = "p", start = 10}]
rate = ["p - 20*u", "u - if(t < 1, 1, 2.5) + 0.1*p"]
mass = [[1, 0], [0, 0]]
end = 1.25
)toml")
                                       ->make_default();
  const std::vector<ClassicalProblem> pieces = problem.pieces(1.25);
  ASSERT_EQ(pieces.size(), 2U);
  const VectorXd begun = pieces[1].real.begin(VectorXd{{0.25, 7.5}});
  EXPECT_NEAR(begun(0), 0.25, 1e-15);
  EXPECT_NEAR(begun(1), (after - 0.25) / c, 1e-13);
  EXPECT_GT(std::abs(pieces[1].constraints(1.0, VectorXd{{0.25, 7.5}})(0)), 1.0)
      << "negative control: the state before the jump misses the constraint";
  const CertifiedReference reference = certified_reference(problem, {.in_quad = false});
  EXPECT_TRUE(reference.certified);
  const auto towards = [&](double g, double u, double t) {
    const double rest = g / c / decay;
    return rest + (u - rest) * std::exp(-decay * t);
  };
  const double u = towards(after, towards(before, 0.0, 1.0), 0.25);
  EXPECT_NEAR(static_cast<double>(reference.y(0)), u, 1e-12);
  EXPECT_NEAR(static_cast<double>(reference.y(1)), (after - u) / c, 1e-11);
}

// Each method in each trial stops at the switch, also in a second solve of the same problem.
TEST(WrittenProblem, EachMethodStopsAtASwitchOfTime) {
  const test::TemporaryDirectory place;
  place.write("own.toml", jumping_rate(0.7, 1.5));
  const Benchmark benchmark = read_benchmark(
      place.write("b.toml",
                  "[benchmark]\nname = \"b\"\nkind = \"work_precision\"\nmethods = \"all\"\n"
                  "[[problem]]\nfile = \"own.toml\"\n"),
      {});
  const PosedProblem posed = problems_of(benchmark).problems.front().pose();
  ASSERT_TRUE(posed.problem.roots);
  int solved = 0;
  for (const OdeMethod* method : benchmark.methods) {
    if (!refusal_of(*method, posed.problem).empty()) continue;
    for (int again = 0; again < 2; ++again) {
      const Solution solution = method->solve(posed.problem, {2.0}, {.rtol = 1e-8, .atol = 1e-10});
      if (solution.outcome != Outcome::success) continue;
      ++solved;
      // A tolerance per step of 1e-8, and methods of order 1 with many steps.
      EXPECT_NEAR(solution.states(0, 0), end_of_jumping_rate(0.7, 1.5), 1e-4) << method->name;
    }
  }
  EXPECT_GT(solved, 20);
  // Negative control: the first piece alone ends elsewhere.
  EXPECT_GT(std::abs(end_of_jumping_rate(2.0, 1.5) - end_of_jumping_rate(0.7, 1.5)), 0.1);
}

class SwitchOfUnknowns : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(All, SwitchOfUnknowns,
                         testing::Values("abs(y)", "sign(y - t)", "min(y, t)", "max(0, y)",
                                         "table(y, 0, 1, 2, 3)", "if(y < 1, t, 2)",
                                         "if(t < 1 and half >= t, t, 2)"));

// Comparisons of the unknowns are refused at their place; the same ones of t are not.
TEST_P(SwitchOfUnknowns, IsRefusedInABenchmark) {
  const test::TemporaryDirectory place;
  const auto benchmark_of = [&](const std::string& formula) {
    place.write("own.toml",
                fmt::format("[problem]\nname = \"own\"\nunknowns = [{{name = \"y\", start = 1}}]\n"
                            "rate = [\"-y + {}\"]\nend = 2\n[problem.let]\nhalf = \"y/2\"\n",
                            formula));
    return read_benchmark(
        place.write("b.toml",
                    "[benchmark]\nname = \"b\"\nkind = \"work_precision\"\n[[problem]]\nfile = "
                    "\"own.toml\"\n"),
        {});
  };
  const std::string formula = GetParam();
  try {
    benchmark_of(formula);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("own.toml:4:"));
    EXPECT_THAT(error.what(), HasSubstr("problem.rate"));
  }
  std::string of_time = formula;
  for (const std::string name : {"half", "y"})
    for (std::size_t at = 0; (at = of_time.find(name)) != std::string::npos;)
      of_time.replace(at, name.size(), "t");
  EXPECT_NO_THROW(benchmark_of(of_time)) << of_time;
}

}  // namespace
}  // namespace rigidlimit
