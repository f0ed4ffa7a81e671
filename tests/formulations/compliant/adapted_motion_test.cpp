// Tests viscoelastic rolling in constraint-adapted velocities: it moves as in the natural
// formulation, also with redundant contacts and exact rows, in steps independent of ε.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/solvers/radau/radau_batched.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/adapted_systems.hpp"

namespace rigidlimit {
namespace {

constexpr double rtol = 1e-10;
const std::vector<double> grid{1.0};  // no output between steps

SolveOptions tight() {
  SolveOptions options;
  options.rtol = rtol;
  options.atol = 1e-2 * rtol;
  options.max_steps = 2000;
  return options;
}

/// Stiffness and damping that differ between contacts: the internal force is not zero.
ViscoelasticLaw law_of(Index m) {
  ViscoelasticLaw law{MatrixXd::Identity(m, m), MatrixXd::Identity(m, m), 1.0};
  for (Index i = 0; i < m; ++i) {
    law.stiffness(i, i) = 1.0 + 2.0 * static_cast<double>(i);
    law.damping(i, i) = 2.0 + 0.5 * static_cast<double>(i);
  }
  return law;
}

struct Solved {
  Motion motion;
  Work work;
};

Solved solved(const MotionProblem<OdeProblem>& rolling, const RadauOptions& radau) {
  const Solution solution = solve_radau_iia(rolling.problem, grid, tight(), radau);
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  return {rolling.motion(solution), solution.work};
}

double distance(const Motion& a, const Motion& b) {
  return std::max({(a.q - b.q).cwiseAbs().maxCoeff(), (a.v - b.v).cwiseAbs().maxCoeff(),
                   (a.lambda - b.lambda).cwiseAbs().maxCoeff()});
}

// Two formulations of the same motion, ε = 0.1. Each step keeps the local error below
// rtol |y| + atol with states below 10: 10 rtol per step and at most 100 steps, in a motion with
// bounded variations. λ weights w by D/ε.
void expect_same_motion(const System& system, std::uint64_t seed) {
  test::RandomNumbers random(seed);
  const InitialState start = test::rolling_state(system, random);
  const VectorXd eta0 = VectorXd::Zero(system.m);
  const ViscoelasticLaw law = law_of(system.m);
  const double epsilon = 0.1, tolerance = 1e3 * rtol / epsilon;
  const Motion natural = solved(compliant_ode(system, start, law, epsilon, eta0), {}).motion;
  const Motion adapted = solved(compliant_adapted(system, start, law, epsilon, eta0), {}).motion;
  EXPECT_LE(distance(adapted, natural), tolerance);
  const auto rolling = compliant_adapted(system, start, law, epsilon, eta0);
  const Solution block = solve_radau_iia_batched(rolling.problem, grid, tight());
  EXPECT_LE(distance(rolling.motion(block), natural), tolerance);
  // Negative control: another stiffness of the first contact gives another motion.
  ViscoelasticLaw other = law;
  other.stiffness(0, 0) *= 1.5;
  const Motion changed = solved(compliant_adapted(system, start, other, epsilon, eta0), {}).motion;
  EXPECT_GT(distance(changed, natural), 10.0 * tolerance);
}

TEST(AdaptedMotion, RedundantContactsMoveAsInTheNaturalFormulation) {
  expect_same_motion(test::proportional_contacts(), 231);
}

TEST(AdaptedMotion, ExactRowsMoveAsInTheNaturalFormulation) {
  expect_same_motion(test::bead_on_cylinder(), 232);
}

// nᵀη = 0 at all times for every internal n: λ − D ε^(−β) w = C η has no internal part in C⁻¹.
// Rounding of the states, 1e3 u; negative control: the deflection itself is not zero.
TEST(AdaptedMotion, InternalDeflectionStaysZero) {
  const System system = test::proportional_contacts();
  test::RandomNumbers random(233);
  const InitialState start = test::rolling_state(system, random);
  const ContactBasis basis = contact_basis(system, start.q);
  const ViscoelasticLaw law = law_of(system.m);
  const auto rolling = compliant_adapted(system, start, law, 0.02, VectorXd::Zero(system.m));
  const Solution solution = solve_radau_iia(rolling.problem, grid, tight(), {});
  ASSERT_EQ(basis.internal_forces.cols(), 1);
  const MatrixXd eta = solution.states.middleRows(system.nq + system.n, system.m);
  const MatrixXd internal = basis.internal_forces.transpose() * eta;
  EXPECT_LE(internal.cwiseAbs().maxCoeff(), 1e3 * 0x1p-53 * (1.0 + eta.cwiseAbs().maxCoeff()));
  EXPECT_GT(eta.rightCols(1).norm(), 1e-3);
}

// The number of steps grows by one to three per decade of ε (docs/theory.md, section 11), also with
// redundant contacts: over four decades by less than a half. Negative control: in natural variables
// it doubles from the first decade to the next two, or the solve fails.
TEST(AdaptedMotion, StepsOfRedundantContactsDoNotDependOnEpsilon) {
  const System system = test::proportional_contacts();
  test::RandomNumbers random(234);
  const InitialState start = test::rolling_state(system, random);
  const VectorXd eta0 = VectorXd::Zero(system.m);
  const auto steps = [&](double epsilon, bool block) {
    const auto rolling = compliant_adapted(system, start, law_of(system.m), epsilon, eta0);
    const Work work = block ? solve_radau_iia_batched(rolling.problem, grid, tight()).work
                            : solved(rolling, {.stages = 7}).work;
    return static_cast<double>(work.steps + work.rejected_steps);
  };
  for (const bool block : {false, true}) {
    const double first = steps(1e-2, block);
    for (const double epsilon : {1e-3, 1e-4, 1e-6}) {
      const double count = steps(epsilon, block);
      EXPECT_LE(count, 1.5 * first) << epsilon;
    }
  }
  const auto natural = [&](double epsilon) {
    const auto rolling = compliant_ode(system, start, law_of(system.m), epsilon, eta0);
    const Solution solution = solve_radau_iia(rolling.problem, grid, tight(), {.stages = 7});
    return static_cast<double>(solution.work.steps + solution.work.rejected_steps);
  };
  EXPECT_GT(natural(1e-4), 1.5 * natural(1e-2));
}

// Output inside the steps needs hardly any extra steps, although the rows S are chosen anew after
// each step: the rate of the frame is not an error of the interpolant (formerly 2501 steps instead
// of 21). The interpolant's own error test may add half as many steps. Fixed rows behave alike.
TEST(AdaptedMotion, OutputInsideStepsAddsFewSteps) {
  const System system = test::proportional_contacts();
  test::RandomNumbers random(235);
  const InitialState start = test::rolling_state(system, random);
  const auto rolling =
      compliant_adapted(system, start, law_of(system.m), 0.02, VectorXd::Zero(system.m));
  std::vector<double> dense;
  for (int k = 0; k <= 200; ++k) dense.push_back(0.005 * k);
  const auto steps = [&](const std::vector<double>& times) {
    const Solution solution = solve_radau_iia(rolling.problem, times, tight(), {.stages = 7});
    EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
    return static_cast<double>(solution.work.steps);
  };
  const double at_the_end = steps(grid);
  EXPECT_LE(steps(dense), 1.5 * at_the_end);
  EXPECT_GT(at_the_end, 10.0) << "there are steps to save";
}

// Columns of the solution are written eight at a time (write_columns() in step_loop.hpp). Those of
// two methods agree to 1e3 rtol at every sample, the start included; the first is the start itself.
TEST(AdaptedMotion, SamplesOfTheCatalogueAreThoseOfAnotherMethod) {
  std::vector<double> times;
  for (int k = 0; k <= 12; ++k) times.push_back(0.02 * k);
  const SolveOptions options{.rtol = 1e-8, .atol = 1e-10};
  int systems = 0, moving = 0;
  for (const SystemEntry& entry : builtin_systems()) {
    if (!entry.rolls()) continue;
    const std::vector<double> values = entry.default_values();
    const System system = entry.make(values);
    const InitialState start = entry.start(values);
    const auto rolling =
        compliant_adapted(system, start, law_of(system.m), 0.1, VectorXd::Zero(system.m));
    const Solution eight = solve_radau_iia_batched(rolling.problem, times, options);
    const Solution seven = solve_radau_iia(rolling.problem, times, options, {.stages = 7});
    if (seven.outcome != Outcome::success) continue;  // no reference
    ++systems;
    const Motion motion = rolling.motion(eight);
    const VectorXd v = start.v;
    EXPECT_LE((motion.v.col(0) - v).norm(), 1e-12 * (1.0 + v.norm())) << entry.info.name;
    const double tolerance = 1e-5 * (1.0 + seven.states.norm());
    EXPECT_LE((eight.states - seven.states).norm(), tolerance) << entry.info.name;
    if ((eight.states.leftCols(12) - seven.states.rightCols(12)).norm() > tolerance) ++moving;
  }
  EXPECT_GE(systems, 18);
  EXPECT_GE(moving, systems - 1) << "negative control: the motions do not move";
}

// η is the integral of w/ε²: at ε = 1e-5 the tolerance of w alone would leave errors of 1e3 to 1e4
// rtol in λ = C η + D w/ε. The stage iteration and the error test include η: λ is within 10 rtol
// (1 + |λ|) at every sample. Negative control: at a tolerance 1e4 times as large it is not.
TEST(AdaptedMotion, ContactForceIsAsPreciseAsTheStateAtASmallEpsilon) {
  std::vector<double> times;
  for (int k = 0; k <= 40; ++k) times.push_back(0.05 * k);
  constexpr double bound = 10.0, own_rtol = 1e-10;
  double worst_at_loose = 0.0;
  for (const char* name : {"knife_edge", "nonholonomic_particle", "rolling_coin", "wheel"}) {
    const SystemEntry& entry = *find_system(builtin_systems(), name);
    const System system = entry.make(entry.default_values());
    const auto rolling = compliant_adapted(system, entry.start(entry.default_values()),
                                           law_of(system.m), 1e-5, VectorXd::Zero(system.m));
    const auto lambda = [&](double tolerance, int own_stages) -> MatrixXd {
      const SolveOptions options{.rtol = tolerance, .atol = 1e-2 * tolerance};
      const Solution solution =
          own_stages > 0 ? solve_radau_iia(rolling.problem, times, options, {.stages = own_stages})
                         : solve_radau_iia_batched(rolling.problem, times, options);
      EXPECT_EQ(solution.outcome, Outcome::success) << name << solution.message;
      return rolling.motion(solution).lambda;
    };
    const MatrixXd exact = lambda(1e-13, 7);
    const auto error = [&](double tolerance) {
      return (lambda(tolerance, 0) - exact).cwiseAbs().maxCoeff() / (1.0 + exact.norm());
    };
    EXPECT_LE(error(own_rtol), bound * own_rtol) << name;
    worst_at_loose = std::max(worst_at_loose, error(1e4 * own_rtol));
  }
  EXPECT_GT(worst_at_loose, bound * own_rtol) << "negative control";
}

}  // namespace
}  // namespace rigidlimit
