// Kinks of the right-hand side and the order of a method, and what root functions may not be.
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

/// log₂ of the ratio of the errors with N and 2N steps across the kinks, of a method of fixed
/// steps.
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

/// The force has a kink where x = 0. A step of size h across one errs by O(h²) in the speed, so
/// that without location the order is at most 2; with it the order is the method's own.
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
    double sum = 0.0;  // the place of a kink within its step varies: a mean over refinements
    for (const int steps : {37, 74, 148, 296}) sum += order_across_kinks(method, false, steps);
    EXPECT_LT(sum / 4.0, 3.5) << name;
  }
}

TEST(RootsThatMustBeLocated, AreRefusedByMethodsThatCannot) {
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

/// IDA is told a state, and needs y' with it: what rewrites the one must know the other.
TEST(DaeRoots, ThatRewriteTheStateNeedItsRates) {
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
  // What leaves it alone needs none.
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
