// Tests the order of methods across kinks of the right-hand side, and rejects bad root functions.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

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

/// y = (t, t) of clock() with a function that is negative for 2 w about t = 0.5137 only.
OdeProblem narrow(double w, bool with_ranges) {
  constexpr double centre = 0.5137;
  RootFunctions roots{1, [w](double, VectorIn y, VectorOut r) {
                        r << 0.5 - std::exp(-std::log(2.0) * std::pow((y(0) - centre) / w, 2));
                      }};
  roots.reached = [](double, const std::vector<int>&, VectorOut) { return true; };
  if (with_ranges)
    roots.may_return = [w](const RootFunctions::Part& part) {
      // The function has one minimum, at the centre: its range and that of its slope.
      const double left = (part.low(0) - centre) / w, right = (part.high(0) - centre) / w;
      const auto value = [](double x) { return 0.5 - std::exp(-std::log(2.0) * x * x); };
      const double least = left < 0.0 && right > 0.0 ? -0.5 : std::min(value(left), value(right));
      return std::vector<bool>{least <= 0.0 && left < 0.0 && right > 0.0};
    };
  return clock(std::move(roots));
}

// The function returns to its sign within 2 w, far less than an eighth of a step. Both roots lie at
// centre ∓ w, resolved to 1e-12.
TEST(NarrowRoots, AreFoundByTheRangesOfTheirFunctions) {
  for (const char* name :
       {"cvode_bdf", "cvode_adams", "radau_iia", "radau_iia_5", "dopri5", "runge_kutta_fehlberg78"})
    for (const double w : {1e-2, 1e-3, 3e-5}) {
      const OdeMethod& method = *find_ode_method(name);
      const Solution solution = method.solve(narrow(w, true), {1.0}, tight());
      ASSERT_EQ(solution.roots.size(), 2U) << name << ", w = " << w;
      EXPECT_NEAR(solution.roots[0].t, 0.5137 - w, 1e-12) << name;
      EXPECT_NEAR(solution.roots[1].t, 0.5137 + w, 1e-12) << name;
      EXPECT_EQ(solution.roots[0].direction, -1);
      // Negative control: points alone pass over it.
      if (w < 1e-4) {
        EXPECT_TRUE(method.solve(narrow(w, false), {1.0}, tight()).roots.empty()) << name;
      }
    }
}

/// y' = (1, y_3) with the marks y_3 = 1, 3, −2 behind the instants 0.3 and 0.7: y_2 = 0.3 + 1.2 −
/// 0.6.
OdeProblem with_instants(bool begins) {
  OdeProblem p;
  p.name = "instants";
  p.y0 = Eigen::Vector3d(0.0, 0.0, 1.0);
  p.rhs = [](double, VectorIn y, VectorOut f) { f << 1.0, y(2), 0.0; };
  p.jacobian = [](double, VectorIn, MatrixOut J) {
    J.setZero();
    J(1, 2) = 1.0;
  };
  RootFunctions roots;
  roots.instants = [begins](double end) {
    std::vector<RootFunctions::Instant> all;
    for (const auto& [t, mark] : {std::pair(0.3, 3.0), std::pair(0.7, -2.0)})
      if (t < end)
        all.push_back({t, begins ? [mark = mark](VectorOut y) { y(2) = mark; }
                                 : std::function<void(VectorOut)>()});
    return all;
  };
  test::with_roots(p, std::move(roots));
  return p;
}

// The solution is linear in each piece, so that every method is exact to its tolerance. A time on
// an instant has the state after it.
TEST(Instants, BeginPiecesInEveryMethod) {
  for (const OdeMethod& method : ode_methods()) {
    if (method.splits || method.own || needs_a_form(method)) continue;
    SolveOptions options = tight();
    options.rtol = 1e-9;
    options.atol = 1e-10;
    const Solution solution =
        method.solve(with_instants(true), {0.0, 0.2, 0.3, 0.5, 0.7, 1.0}, options);
    ASSERT_EQ(solution.outcome, Outcome::success) << method.name << ": " << solution.message;
    const Eigen::Matrix<double, 2, 6> right{{0.0, 0.2, 0.3, 0.9, 1.5, 0.9}, {1, 1, 3, 3, -2, -2}};
    EXPECT_LE((solution.states.bottomRows(2) - right).cwiseAbs().maxCoeff(), 1e-7) << method.name;
  }
  // Negative control: without the marks nothing changes.
  const Solution plain = find_ode_method("dopri5")->solve(with_instants(false), {1.0}, tight());
  EXPECT_NEAR(plain.states(1, 0), 1.0, 1e-10);
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
