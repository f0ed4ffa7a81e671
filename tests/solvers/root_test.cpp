// Tests the location of roots with every ODE and DAE method that supports RootFunctions: times,
// directions, and the problem's action at a root.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "support/model_roots.hpp"

namespace rigidlimit {
namespace {

using test::clock;
using test::implicit_form;
using test::pi;
using test::spring_with_a_kink;
using test::with_roots;
using testing::ElementsAre;
using testing::HasSubstr;

Solution solve_by_ida(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options) {
  return find_dae_method("ida")->solve(implicit_form(problem), times, options);
}

Solution solve_with_mass(const OdeProblem& problem, const std::vector<double>& times,
                         const SolveOptions& options) {
  MassProblemOf<double> with_mass;
  static_cast<OdeProblem&>(with_mass) = problem;
  with_mass.mass = MatrixXd::Identity(problem.y0.size(), problem.y0.size());
  with_mass.index.assign(static_cast<std::size_t>(problem.y0.size()), 0);
  return solve_radau_iia(with_mass, times, options, {});
}

std::vector<OdeMethod> locating_methods() {
  std::vector<OdeMethod> some;
  for (const OdeMethod& method : ode_methods())
    if (method.roots) some.push_back(method);
  some.push_back({.name = "ida", .roots = find_dae_method("ida")->roots, .function = solve_by_ida});
  some.push_back({.name = "radau_iia_mass", .roots = true, .function = solve_with_mass});
  return some;
}

/// The multistep libraries evaluate root functions only at the ends of their steps.
bool is_multistep(const OdeMethod& method) {
  const std::string name = method.name;
  return name.starts_with("cvode") || name == "ida";
}

SolveOptions tight() {
  SolveOptions options;
  options.rtol = 1e-12;
  options.atol = 1e-13;
  return options;
}

class Roots : public testing::TestWithParam<OdeMethod> {
 protected:
  /// On a clock (y' = 1) the steps of the multistep libraries would grow without bound.
  static Solution solve(const OdeProblem& problem, const std::vector<double>& times) {
    SolveOptions options = tight();
    if (is_multistep(GetParam())) options.max_step = 1.0;
    return GetParam().solve(problem, times, options);
  }
  /// Error bound of a solve with `tight()`: BDF and Adams sum the local errors of some 1000 steps,
  /// each up to the tolerance, including the error of a root's time.
  static double error_allowed() { return is_multistep(GetParam()) ? 1e-9 : 1e-11; }
};

INSTANTIATE_TEST_SUITE_P(Catalogue, Roots, testing::ValuesIn(locating_methods()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(Roots, MatchTheClosedForm) {
  const Solution solution = solve(spring_with_a_kink(true), {1.0, 1.5 * pi});
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  ASSERT_EQ(solution.roots.size(), 2U);
  EXPECT_NEAR(solution.roots[0].t, 0.5 * pi, error_allowed());
  EXPECT_NEAR(solution.roots[1].t, pi, error_allowed());
  EXPECT_EQ(solution.roots[0].direction, -1);
  EXPECT_EQ(solution.roots[1].direction, +1);
  EXPECT_NEAR(solution.states(0, 0), std::cos(1.0), error_allowed());
  EXPECT_NEAR(solution.states(0, 1), 1.0, error_allowed());
  EXPECT_NEAR(solution.states(1, 1), 0.0, error_allowed());
}

/// y = t is integrated up to rounding, so that a root is accurate to the resolution of t.
TEST_P(Roots, AreLocatedToTheResolutionOfTime) {
  const Solution solution = solve(
      clock(
          {2, [](double, VectorIn y, VectorOut r) { r << std::sin(y(0)), std::exp(y(1)) - 2.0; }}),
      {7.0});
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  std::vector<double> times;
  std::vector<Index> which;
  for (const Root& root : solution.roots) {
    times.push_back(root.t);
    which.push_back(root.which);
  }
  ASSERT_THAT(which, ElementsAre(1, 0, 0));
  EXPECT_NEAR(times[0], std::log(2.0), 1e-12);
  EXPECT_NEAR(times[1], pi, 1e-12);
  EXPECT_NEAR(times[2], 2.0 * pi, 1e-12);
}

TEST_P(Roots, OfTheOtherDirectionAreNotReported) {
  const auto sine = [](double, VectorIn y, VectorOut r) { r << std::sin(y(0)); };
  for (const int direction : {-1, +1}) {
    const Solution solution = solve(clock({1, sine, {direction}}), {10.0});
    ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
    ASSERT_EQ(solution.roots.size(), direction < 0 ? 2U : 1U);  // π, 3π; 2π
    for (const Root& root : solution.roots) EXPECT_EQ(root.direction, direction);
    EXPECT_NEAR(solution.roots[0].t, direction < 0 ? pi : 2.0 * pi, 1e-12);
  }
}

/// −sin t is zero at the start and then negative: the start does not count as a root.
TEST_P(Roots, DoNotIncludeAZeroAtTheStart) {
  const Solution solution =
      solve(clock({1, [](double, VectorIn y, VectorOut r) { r << -std::sin(y(0)); }}), {4.0});
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  ASSERT_EQ(solution.roots.size(), 1U);
  EXPECT_NEAR(solution.roots[0].t, pi, 1e-12);
  EXPECT_EQ(solution.roots[0].direction, +1);
}

TEST_P(Roots, AtTheSameTimeAreAllReported) {
  int calls = 0;
  RootFunctions two{2, [](double, VectorIn y, VectorOut r) { r << y(0) - 0.5, 0.5 - y(1); }};
  two.reached = [&](double, const std::vector<int>& crossed, VectorOut) {
    ++calls;
    EXPECT_THAT(crossed, ElementsAre(+1, -1));
    return true;
  };
  const Solution solution = solve(clock(two), {1.0});
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  EXPECT_EQ(calls, 1);
  ASSERT_EQ(solution.roots.size(), 2U);
  EXPECT_EQ(solution.roots[0].t, solution.roots[1].t);
}

/// Columns before the root are filled, later ones are not; the state at the root is stored.
TEST_P(Roots, MayEndASolve) {
  RootFunctions one{1, [](double, VectorIn y, VectorOut r) { r << y(0) - 0.75; }};
  one.reached = [](double, const std::vector<int>&, VectorOut) { return false; };
  const Solution solution = solve(clock(one), {0.25, 0.5, 1.0});
  EXPECT_EQ(solution.outcome, Outcome::stopped_at_root);
  EXPECT_THAT(solution.message, HasSubstr("root function 0"));
  EXPECT_NEAR(solution.t_reached, 0.75, 1e-12);
  ASSERT_EQ(solution.stopped_at.size(), 2);
  EXPECT_NEAR(solution.stopped_at(0), 0.75, 1e-12);
  EXPECT_NEAR(solution.states(0, 1), 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(solution.states(0, 2)));
}

/// A ball thrown up with 3 m/s from the floor is reflected with half its speed. The k-th flight
/// takes 2·3/(2ᵏ g), which gives the times of the first twelve roots. Each component has its own
/// scale, because y is rewritten in the problem's units.
TEST_P(Roots, MayRewriteTheState) {
  OdeProblem ball;
  ball.name = "ball";
  ball.y0 = Eigen::Vector2d(0.0, 3.0);
  ball.rhs = [](double, VectorIn y, VectorOut f) { f << y(1), -9.81; };
  ball.jacobian = [](double, VectorIn, MatrixOut J) { J << 0.0, 1.0, 0.0, 0.0; };
  int bounces = 0;
  RootFunctions floor{1, [](double, VectorIn y, VectorOut r) { r(0) = y(0); }, {-1}};
  floor.reached = [&](double, const std::vector<int>&, VectorOut y) {
    y(1) = -0.5 * y(1);
    return ++bounces < 12;
  };
  with_roots(ball, floor);
  SolveOptions options = tight();
  options.atol_of = {1e-14, 1e-13};
  const Solution solution = GetParam().solve(ball, {10.0}, options);
  EXPECT_EQ(solution.outcome, Outcome::stopped_at_root) << solution.message;
  ASSERT_EQ(solution.roots.size(), 12U);
  double t = 0.0, speed = 3.0;
  for (const Root& root : solution.roots) {
    t += 2.0 * speed / 9.81;
    speed *= 0.5;
    EXPECT_NEAR(root.t, t, error_allowed());
  }
  EXPECT_NEAR(solution.stopped_at(1), speed, error_allowed());
}

/// The function is negative for a time much shorter than a step. For the multistep libraries the
/// test bounds the step (is_multistep).
TEST_P(Roots, OfADipWithinAStepAreFound) {
  const double depth = 1e-6;  // crossings at 1 ∓ 1e-3
  const OdeProblem dip = clock(
      {1, [=](double, VectorIn y, VectorOut r) { r << (y(0) - 1.0) * (y(0) - 1.0) - depth; }});
  SolveOptions options = tight();
  if (is_multistep(GetParam())) options.max_step = 1e-3;
  const Solution solution = GetParam().solve(dip, {3.0}, options);
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  ASSERT_EQ(solution.roots.size(), 2U);
  // the slope there is 2e-3: rounding of 1e-16 in the value is 1e-13 in time
  EXPECT_NEAR(solution.roots[0].t, 1.0 - 1e-3, 1e-12);
  EXPECT_NEAR(solution.roots[1].t, 1.0 + 1e-3, 1e-12);
}

TEST_P(Roots, DoNotExistWhereAFunctionOnlyTouchesZero) {
  const Solution solution = solve(
      clock({1, [](double, VectorIn y, VectorOut r) { r << (y(0) - 1.0) * (y(0) - 1.0) + 1e-9; }}),
      {3.0});
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  EXPECT_TRUE(solution.roots.empty());
  EXPECT_NEAR(solution.states(0, 0), 3.0, 1e-12);
}

TEST_P(Roots, KeepTheStepsBelowMaxStep) {
  SolveOptions options = tight();
  options.max_step = 0.01;
  const OdeProblem free = clock({1, [](double, VectorIn, VectorOut r) { r << 1.0; }});
  const Solution solution = GetParam().solve(free, {1.0}, options);
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  EXPECT_GE(solution.work.steps, 100);
  EXPECT_LT(GetParam().solve(free, {1.0}, tight()).work.steps, 100);  // negative control
}

}  // namespace
}  // namespace rigidlimit
