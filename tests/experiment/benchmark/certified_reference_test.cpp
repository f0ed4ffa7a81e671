// Tests certified references against closed forms and published digits.
//
// Problems that take half a second in 113 bits run so, the others in double. The environment
// variable RIGIDLIMIT_THOROUGH=1 adds the ring modulator (half a minute in double).
#include "rigidlimit/experiment/benchmark/benchmark_references.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"

namespace rigidlimit {
namespace {

struct Case {
  const char* name;
  CertificationOptions options;
};

void PrintTo(const Case& of, std::ostream* out) {
  *out << of.name;
}

// 1e-17: the 16 printed digits and one more. The error of the reference is then at most 1e-20.
constexpr double enough = 1e-17;
const CertificationOptions in_quad = {.as_printed = true, .quad_rtol = enough};
const CertificationOptions in_double = {.in_quad = false};
// The wheelset's creep forces have some 240 kinks; beyond 1e-12 the DAE's steps after them are
// smaller than its rounding allows.
const CertificationOptions with_kinks = {.in_quad = false, .rtol = 1e-12};

class PublishedValues : public testing::TestWithParam<Case> {
 protected:
  ClassicalProblem problem() const {
    return find_classical_problem(GetParam().name)->make_default();
  }
};

/// With RIGIDLIMIT_THOROUGH in the environment also the ring modulator, half a minute.
std::vector<Case> cases() {
  std::vector<Case> all{{"van_der_pol", in_quad},
                        {"robertson", in_quad},
                        {"hires", in_quad},
                        {"orego", in_quad},
                        {"e5", in_quad},
                        {"pollution", in_quad},
                        {"car_axis", in_double},
                        {"squeezing_mechanism", in_double},
                        {"squeezing_mechanism_index_2", in_double},
                        {"slider_crank", in_double},
                        {"wheelset", with_kinks}};
  if (std::getenv("RIGIDLIMIT_THOROUGH") != nullptr) all.push_back({"ring_modulator", in_double});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, PublishedValues, testing::ValuesIn(cases()),
                         [](const auto& each) { return std::string(each.param.name); });

/// Expects at least as many correct digits as the catalogue confirms. If the error bar of the
/// reference is at most half the difference, the true difference is at most 1.5 times as large:
/// then fewer than 1 + log₁₀ 1.5 digits more.
void expect_confirmed(const CertifiedReference& reference, const PublishedSolution& published) {
  int resolved = 0;
  for (std::size_t i = 0; i < published.values.size(); ++i) {
    const PrintedNumber& printed = published.values[i];
    if (printed.text.empty()) continue;
    const auto k = static_cast<Index>(i);
    const double digits = std::max(0.0, agreeing_digits(reference.y(k), printed));
    EXPECT_GE(digits, published.confirmed[i]) << published.source << ", " << i;
    const auto distance = static_cast<double>(abs(reference.y(k) - printed.value()));
    if (reference.discretisation_bar(k) > 0.5 * distance) continue;
    ++resolved;
    EXPECT_LT(digits, published.confirmed[i] + 1.0 + std::log10(1.5))
        << published.source << ", " << i;
  }
  EXPECT_GE(resolved, 2) << published.source;
}

TEST_P(PublishedValues, AgreeWithTheReferenceToTheConfirmedDigits) {
  const ClassicalProblem of = problem();
  const CertifiedReference reference = certified_reference(of, GetParam().options);
  EXPECT_TRUE(reference.certified);
  ASSERT_FALSE(of.published.empty());
  for (const PublishedSolution& published : of.published) expect_confirmed(reference, published);
  for (const CertifyingSolve& solve : reference.solves)
    RecordProperty(solve.method + std::to_string(solve.bits), std::to_string(solve.seconds));
}

// Negative control: with an error of 1 % in the first equation some value agrees to three digits at
// most. E5 and Robertson's reaction get the error in all equations: the first reactant of E5
// vanishes by the end, and Robertson's reaction diverges without its invariant.
TEST_P(PublishedValues, DetectAnErrorOfOnePercentInTheEquations) {
  const ClassicalProblem of = problem();
  OdeProblem spoilt = of.real.ode;
  const Index rows = of.name == "e5" || of.name == "robertson" ? spoilt.y0.size() : 1;
  spoilt.rhs = [&](double t, VectorIn y, VectorOut dydt) {
    of.real.ode.rhs(t, y, dydt);
    dydt.head(rows) *= 1.01;
  };
  SolveOptions options{.rtol = 1e-8};
  for (Index i = 0; i < spoilt.y0.size(); ++i)
    options.atol_of.push_back(0.01 * of.tolerance.atol[static_cast<std::size_t>(i)]);
  const Solution solution = solve_radau_iia_fastest(spoilt, {of.end}, options);
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  const VectorXd y = of.real.complete(of.end, solution.states.col(0));
  double least = 16.0;
  for (std::size_t i = 0; i < of.unknowns.size(); ++i)
    if (of.published[0].confirmed[i] > 2)
      least = std::min(least,
                       agreeing_digits(Quad(y(static_cast<Index>(i))), of.published[0].values[i]));
  EXPECT_LT(least, 3.0);
}

class ClosedForms : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Catalogue, ClosedForms,
                         testing::Values("prothero_robinson", "kaps", "pendulum_ode",
                                         "pendulum_index_1", "pendulum_index_2",
                                         "pendulum_index_3"),
                         [](const auto& each) { return std::string(each.param); });

// The error bars of the reference hold. In 113 bits the bar is the distance to a solve of another
// order at 100 times the tolerance. The closed form must lie within ten bars (in fact within a
// thousandth). In double it must lie within 1e-12, the growth of 1e-13 along the motion.
TEST_P(ClosedForms, LieWithinTheErrorBarOfTheReference) {
  const ClassicalProblem problem = find_classical_problem(GetParam())->make_default();
  const VectorX<Quad> exact = problem.quad.exact(Quad(problem.end));
  const CertifiedReference reference = certified_reference(problem);
  EXPECT_TRUE(reference.certified);
  ASSERT_EQ(reference.solves.size(), 5u);
  EXPECT_EQ(reference.solves[0].bits, 113);
  EXPECT_EQ(reference.solves[2].bits, 53);
  double error = 0.0, size = 0.0;
  for (Index i = 0; i < problem.size(); ++i) {
    error = std::max(error, static_cast<double>(abs(exact(i) - reference.y(i))));
    size = std::max(size, std::abs(static_cast<double>(exact(i))));
  }
  EXPECT_LE(error, 10.0 * reference.discretisation_bar.maxCoeff());
  EXPECT_LE(reference.discretisation_bar.maxCoeff(), 1e-17 * size);
  EXPECT_LE(reference.error_bar.maxCoeff(), 1e-12);
  EXPECT_GT(reference.error_bar.maxCoeff(), 1e-18);  // double is not exact
}

// Negative control of `certified`: a problem with different equations in double and in quad.
TEST(CertifiedReference, IsNotCertifiedIfTheProblemDependsOnThePrecision) {
  ClassicalProblem problem = find_classical_problem("kaps")->make_default();
  problem.real = find_classical_problem("kaps")->make({1e-2}).real;
  problem.real.ode.y0 *= 1.0 + 1e-5;
  EXPECT_FALSE(certified_reference(problem).certified);
}

TEST(CertifiedReference, IsNotCertifiedAfterAStoppedSolve) {
  const ClassicalProblem problem = find_classical_problem("hires")->make_default();
  const CertifiedReference reference =
      certified_reference(problem, {.in_quad = false, .max_steps = 10});
  EXPECT_FALSE(reference.certified);
  ASSERT_EQ(reference.solves.size(), 4u);
  for (const CertifyingSolve& solve : reference.solves)
    EXPECT_EQ(solve.outcome, Outcome::max_steps) << solve.method;
  EXPECT_TRUE(isnan(reference.y(0)));
}

}  // namespace
}  // namespace rigidlimit
