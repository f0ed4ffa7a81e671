// Tests the order of methods across kinks of the right-hand side, and rejects bad root functions.
#include <gmock/gmock.h>

#include <cmath>
#include <memory>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/model_roots.hpp"

namespace rigidlimit {
namespace {

using test::clock;
using test::implicit_form;
using test::pi;
using test::spring_with_a_kink;

SolveOptions tight() {
  SolveOptions options;
  options.rtol = 1e-12;
  options.atol = 1e-13;
  return options;
}

/// log₂ of the ratio of the errors with N and 2N fixed steps across the kinks.
double order_across_kinks(const OdeMethod& method, bool located, int steps) {
  const auto error = [&](int n) {
    SolveOptions options = tight();
    options.fixed_step = 1.5 * pi / n;
    const Solution solution = method.solve(spring_with_a_kink(located), {1.5 * pi}, options);
    EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
    return (solution.states.col(0) - Eigen::Vector2d(1.0, 0.0)).norm();
  };
  return std::log2(error(steps) / error(2 * steps));
}

/// The force has a kink at x = 0. A step of size h across it has an error of O(h²) in the speed:
/// the order is at most 2 unless the kink is located.
TEST(KinkOrder, IsKeptByLocation) {
  const OdeMethod& pair = *find_ode_method("dopri5");
  EXPECT_GT(order_across_kinks(pair, true, 37), 4.5);
  EXPECT_LT(order_across_kinks(pair, true, 37), 5.7);
  const OdeMethod& radau = *find_ode_method("radau_iia_3");
  EXPECT_GT(order_across_kinks(radau, true, 37), 4.5);
  EXPECT_LT(order_across_kinks(radau, true, 37), 5.7);
  const OdeMethod& fehlberg = *find_ode_method("runge_kutta_fehlberg78");
  EXPECT_GT(order_across_kinks(fehlberg, true, 17), 7.0);
}

TEST(KinkOrder, IsLostWithoutLocation) {
  for (const char* name : {"dopri5", "runge_kutta_fehlberg78", "radau_iia_3"}) {
    const OdeMethod& method = *find_ode_method(name);
    double sum = 0.0;  // mean over refinements, because the kink moves within its step
    for (const int steps : {37, 74, 148, 296}) sum += order_across_kinks(method, false, steps);
    EXPECT_LT(sum / 4.0, 3.5) << name;
  }
}

TEST(RootsThatMustBeLocated, AreRefusedByMethodsWithoutRootLocation) {
  RootFunctions end{1, [](double, VectorIn y, VectorOut r) { r << y(0) - 0.75; }};
  const OdeProblem steps_across = clock(end);
  end.reached = [](double, const std::vector<int>&, VectorOut) { return false; };
  const OdeProblem ends = clock(end);
  for (const OdeMethod& method : ode_methods()) {
    if (method.roots || method.splits || method.exact_jacobian) continue;
    EXPECT_THROW(method.solve(ends, {1.0}, {}), InputError) << method.name;
  }
  const Solution solution = find_ode_method("rosenbrock4")->solve(steps_across, {1.0}, {});
  EXPECT_TRUE(solution.roots.empty());
}

/// IDA needs y' for a rewritten state, from DaeProblem::consistent.
TEST(DaeRoots, ThatRewriteTheStateNeedConsistentRates) {
  RootFunctions half{1, [](double, VectorIn y, VectorOut r) { r << y(0) - 0.5; }};
  half.reached = [](double, const std::vector<int>&, VectorOut y) {
    y(1) += 1.0;
    return true;
  };
  DaeProblem dae = implicit_form(clock(half));
  const DaeMethod& ida = *find_dae_method("ida");
  const Solution solution = ida.solve(dae, {1.0}, tight());
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  EXPECT_NEAR(solution.states(1, 0), 2.0, 1e-12);
  dae.consistent = {};
  EXPECT_THROW(ida.solve(dae, {1.0}, tight()), InputError);
  // Roots that do not rewrite the state need no rates.
  half.reached = [](double, const std::vector<int>&, VectorOut) { return true; };
  dae.roots = std::make_shared<const RootFunctions>(half);
  EXPECT_EQ(ida.solve(dae, {1.0}, tight()).roots.size(), 1U);
}

TEST(RootFunctionsOfAProblem, MustFitTogether) {
  const auto values = [](double, VectorIn, VectorOut r) { r << 1.0; };
  const OdeMethod& method = *find_ode_method("dopri5");
  EXPECT_THROW(method.solve(clock({1, values, {1, 1}}), {1.0}, {}), InputError);
  EXPECT_THROW(method.solve(clock({1, {}, {}}), {1.0}, {}), InputError);
}

}  // namespace
}  // namespace rigidlimit
