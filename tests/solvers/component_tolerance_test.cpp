// Tolerances per component (SolveOptions::atol_of) with every method of the catalogue.
#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/model_ode.hpp"
#include "support/model_splitting.hpp"
#include "support/stepping_methods.hpp"
#include "support/turning_chart.hpp"

namespace rigidlimit {
namespace {

/// Two uncoupled oscillators: (cos t, −sin t) and, ten times as fast, (cos 10t, −sin 10t). The fast
/// oscillator limits the steps unless its tolerance is loose.
OdeProblem slow_and_fast() {
  OdeProblem p;
  p.name = "slow_and_fast";
  p.y0 = Eigen::Vector4d(1.0, 0.0, 1.0, 0.0);
  p.rhs = [](double, VectorIn y, VectorOut f) { f << y(1), -y(0), 10.0 * y(3), -10.0 * y(2); };
  p.jacobian = [](double, VectorIn, MatrixOut J) {
    J.setZero();
    J(0, 1) = 1.0;
    J(1, 0) = -1.0;
    J(2, 3) = 10.0;
    J(3, 2) = -10.0;
  };
  return p;
}

constexpr double slow_end = 3.0;

double slow_error(const Solution& solution) {
  const Eigen::Vector2d exact(std::cos(slow_end), -std::sin(slow_end));
  return (solution.states.col(0).head<2>() - exact).cwiseAbs().maxCoeff();
}

class ComponentTolerance : public testing::TestWithParam<OdeMethod> {
 protected:
  static Solution solve(const SolveOptions& options) {
    return GetParam().solve(test::split_for(GetParam(), slow_and_fast()), {slow_end}, options);
  }
  /// rtol is far below atol, so that only the absolute tolerances matter.
  static SolveOptions options(double atol) {
    SolveOptions options;
    options.rtol = 1e-13;
    options.atol = atol;
    return options;
  }
};

std::string name_of_case(const testing::TestParamInfo<OdeMethod>& tested) {
  return tested.param.name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ComponentTolerance, testing::ValuesIn(test::stepping_methods()),
                         name_of_case);

/// Methods that do not solve a linear problem exactly with any step.
class ComponentToleranceOfSteps : public ComponentTolerance {};
INSTANTIATE_TEST_SUITE_P(Catalogue, ComponentToleranceOfSteps, testing::ValuesIn([] {
                           std::vector<OdeMethod> methods = test::stepping_methods();
                           std::erase_if(methods, [](const OdeMethod& method) {
                             return std::string(method.name).starts_with("exprb");
                           });
                           return methods;
                         }()),
                         name_of_case);

// Equal tolerances of all components act as the scalar tolerance. Odeint's problem is then scaled
// by atol / atol_i = 1, which changes no bit.
TEST_P(ComponentTolerance, WithEqualEntriesActsAsTheScalarTolerance) {
  SolveOptions scalar = options(1e-6), each = options(0.5);
  each.atol_of.assign(4, 1e-6);
  const Solution expected = solve(scalar), got = solve(each);
  ASSERT_EQ(got.outcome, Outcome::success) << got.message;
  EXPECT_EQ(got.work.steps, expected.work.steps);
  EXPECT_LE((got.states - expected.states).cwiseAbs().maxCoeff(), 1e-12);
}

// With a loose tolerance of the fast components the solve needs fewer steps than with the tight
// tolerance for all. The slow components keep their tolerance: an error of `steps` times 2 √N atol,
// as in ode_accuracy_test.cpp (√4: the mean is over four components; √2: the flow is a rotation).
// The factor 2 allows for the wrong fast components, which use the slow components' share of the
// estimate. Negative control: a loose tolerance for all reduces the slow components' accuracy, or
// at least the steps.
TEST_P(ComponentToleranceOfSteps, LoosensOnlyTheNamedComponents) {
  // Methods of high order need a tolerance that limits more than their first steps.
  const double tight_atol = GetParam().order <= 2 ? 1e-7 : 1e-10, loose_atol = 1e2;
  SolveOptions mixed = options(1.0);
  mixed.atol_of = {tight_atol, tight_atol, loose_atol, loose_atol};
  const Solution tight = solve(options(tight_atol)), loose = solve(options(loose_atol)),
                 both = solve(mixed);
  ASSERT_EQ(tight.outcome, Outcome::success) << tight.message;
  ASSERT_EQ(both.outcome, Outcome::success) << both.message;
  EXPECT_LT(both.work.steps, 0.9 * static_cast<double>(tight.work.steps));
  const double bound = 4.0 * static_cast<double>(both.work.steps) * 2.0 * tight_atol * M_SQRT2;
  EXPECT_LE(slow_error(both), bound);
  EXPECT_TRUE(slow_error(loose) > 10.0 * slow_error(both) || both.work.steps > loose.work.steps);
}

// Moving coordinates keep their output and their changes if the problem is scaled.
TEST_P(ComponentTolerance, WorksWithMovingCoordinates) {
  const test::TurningChart model;
  SolveOptions each;
  each.rtol = 1e-7;
  each.atol_of = {1e-8, 1e-7, 1e-6};
  const Solution solution =
      GetParam().solve(test::split_for(GetParam(), model.problem()), {2.0}, each);
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  EXPECT_GT(*model.changes, 0);
  EXPECT_LE((solution.states.col(0) - model.exact(2.0)).cwiseAbs().maxCoeff(),
            30.0 * static_cast<double>(solution.work.steps) * std::sqrt(3.0) * 2e-6 * 4.0);
}

TEST_P(ComponentTolerance, OfWrongSizeOrSignIsRefused) {
  SolveOptions wrong;
  wrong.atol_of = {1e-6, 1e-6, 1e-6};
  EXPECT_THROW(solve(wrong), InputError);
  wrong.atol_of = {1e-6, 1e-6, 0.0, 1e-6};
  EXPECT_THROW(solve(wrong), InputError);
}

}  // namespace
}  // namespace rigidlimit
