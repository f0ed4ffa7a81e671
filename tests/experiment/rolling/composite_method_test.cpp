// Tests the composite expansion as a method.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

const OdeMethod& composite() {
  return *find_ode_method("composite_6");
}

MotionProblem<OdeProblem> problem(Formulation formulation, double epsilon) {
  static const RollingStudy study = test::sample_study({});
  return compliant_problem(study, *find_law("viscoelastic"), formulation, epsilon);
}

std::vector<double> times_in_the_layer_and_behind(double epsilon) {
  std::vector<double> times;
  for (int i = 1; i <= 20; ++i) times.push_back(0.25 * i * epsilon);
  for (int i = 1; i <= 10; ++i) times.push_back(5.0 * epsilon + 0.1 * i);
  return times;
}

Motion solved(const OdeMethod& method, Formulation formulation, double epsilon,
              const SolveOptions& options) {
  const auto motion = problem(formulation, epsilon);
  const Solution solution =
      method.solve(motion.problem, times_in_the_layer_and_behind(epsilon), options);
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  return motion.motion(solution);
}

/// Of q, v and λ.
std::array<double, 3> errors(Formulation formulation, double epsilon) {
  const SolveOptions loose{.rtol = 1.0, .atol = 1.0}, tight{.rtol = 1e-13, .atol = 1e-15};
  const Motion a = solved(composite(), formulation, epsilon, loose),
               b = solved(*find_ode_method("radau_iia"), Formulation::adapted, epsilon, tight);
  return {(a.q - b.q).cwiseAbs().maxCoeff(), (a.v - b.v).cwiseAbs().maxCoeff(),
          (a.lambda - b.lambda).cwiseAbs().maxCoeff()};
}

// The error falls as ε⁷; q and v in natural variables, where they have a further term, faster. At
// ε = 0.05 it is 1e-6 at most, at 0.03 above 1e-11, far above the error of radau_iia.
TEST(CompositeMethod, ErrorFallsWithTheSeventhPower) {
  for (const Formulation formulation : {Formulation::adapted, Formulation::natural}) {
    const auto coarse = errors(formulation, 0.05), fine = errors(formulation, 0.03);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_LT(coarse[k], 1e-5) << k;
      EXPECT_GT(std::log(coarse[k] / fine[k]) / std::log(0.05 / 0.03), 6.6) << k;
    }
  }
}

TEST(CompositeMethod, FailsWhereTheNextTermExceedsTheTolerance) {
  const auto solve = [](double epsilon, double rtol) {
    return composite().solve(problem(Formulation::adapted, epsilon).problem, {1.0},
                             {.rtol = rtol, .atol = rtol});
  };
  EXPECT_EQ(solve(0.3, 1e-6).outcome, Outcome::accuracy_limit);
  EXPECT_TRUE(std::isnan(solve(0.3, 1e-6).states(0, 0)));
  EXPECT_EQ(solve(0.003, 1e-6).outcome, Outcome::success) << "negative control";
}

TEST(CompositeMethod, IsRefusedWithoutAnExpansion) {
  OdeProblem other = problem(Formulation::adapted, 0.01).problem;
  EXPECT_EQ(refusal_of(composite(), other), "");
  other.expansion = {};
  EXPECT_NE(refusal_of(composite(), other), "");
  EXPECT_EQ(composite().solve(other, {1.0}, {}).outcome, Outcome::solver_error);
  const RollingStudy study = test::sample_study({"contact.damping_exponent=0.5", "expect=[]"});
  EXPECT_NE(refusal_of(study, *find_law("viscoelastic"), "composite_6"), "");
}

}  // namespace
}  // namespace rigidlimit
