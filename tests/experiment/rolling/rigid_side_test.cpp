// Tests each rigid formulation against another with independent equations.
#include "rigidlimit/experiment/pair/rigid_side.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rigidlimit/experiment/rolling/judge_rolling.hpp"
#include "support/sample_study.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

/// A study of a catalogue system with all defaults.
struct Catalogued {
  explicit Catalogued(const std::string& name)
      : study(test::study_from("[study]\nname = \"rigid\"\n[system]\nname = \"" + name +
                               "\"\n[epsilon]\nvalues = [1e-2]\n[time]\nend = 2.0\n")),
        start(study.initial) {}
  RigidMotion solve(const char* solver, double rtol, double atol = 0.0) const {
    SolveOptions options;
    options.rtol = rtol;
    options.atol = atol > 0.0 ? atol : 1e-2 * rtol;
    return solve_rigid(study, *find_rigid_solver(solver), start, times, {}, options);
  }
  double error(const RigidMotion& a, const RigidMotion& b, Quantity quantity) const {
    return magnitude(difference(a.motion, b.motion), {.quantity = quantity}, {});
  }

  RollingStudy study;
  InitialState start;
  std::vector<double> times = test::uniform_grid(0.0, 2.0, 8);
  VectorXd no_work = VectorXd::Zero(static_cast<Index>(times.size()));  ///< a conservative system
};

/// Error bound of N steps. Each has a local error up to rtol |y| + atol in the root mean square of
/// the components (√n in the maximum norm). The flow amplifies it.
double step_bound(const RigidMotion& rigid, double rtol) {
  const double scale = std::max({rigid.motion.rounded.q.cwiseAbs().maxCoeff(),
                                 rigid.motion.rounded.v.cwiseAbs().maxCoeff(), 1.0});
  const auto n =
      static_cast<double>(rigid.motion.rounded.q.rows() + 2 * rigid.motion.rounded.v.rows());
  // An error of v at t = 0 grows in q at most by (1 + T)(1 + |v| T), a factor 20 for T = 2.
  constexpr double growth = 20.0;
  return growth * std::sqrt(n) * static_cast<double>(rigid.work.steps) * rtol * scale;
}

class AgainstTheClosedForm : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(AgainstTheClosedForm, ErrorIsBoundedByAndFallsWithTheTolerance) {
  const auto [name, solver] = GetParam();
  const Catalogued system(name);
  const RigidMotion exact = system.solve("closed_form", 1e-10);
  ASSERT_EQ(exact.outcome, Outcome::success);
  double before = 0.0;
  for (const double rtol : {1e-5, 1e-7, 1e-9}) {
    const RigidMotion rigid = system.solve(solver, rtol);
    ASSERT_EQ(rigid.outcome, Outcome::success) << rigid.message;
    const double bound = step_bound(rigid, rtol);
    EXPECT_LT(system.error(rigid, exact, Quantity::q), bound);
    EXPECT_LT(system.error(rigid, exact, Quantity::v), bound);
    // In a DAE, Λ is a rate of v: its error is that of v over a step (index 2, Λ untested; index 1,
    // Λ = Π'). Eliminated, Λ is a function of (q, v) with a derivative of order |v| ω, |v| < 10.
    const double steps_per_second = static_cast<double>(rigid.work.steps) / 2.0;
    EXPECT_LT(system.error(rigid, exact, Quantity::lambda),
              bound * std::max(10.0, steps_per_second));
    const double error = system.error(rigid, exact, Quantity::v);
    // No check where the grid times force finer steps than the tolerance requires.
    if (before > 0.1 * (100.0 * rtol)) {
      EXPECT_LT(error, before / 5.0) << "100 times tighter at rtol " << rtol;
    }
    before = error;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryForm, AgainstTheClosedForm,
                         testing::Combine(testing::Values("knife_edge", "chaplygin_sleigh"),
                                          testing::Values("ida", "ida_impulse",
                                                          "runge_kutta_fehlberg78", "cvode_bdf",
                                                          "rosenbrock4", "dopri5")),
                         [](const auto& one) {
                           return std::string(std::get<0>(one.param)) + "_by_" +
                                  std::get<1>(one.param);
                         });

TEST(RigidSide, ClosedFormsSatisfyTheEliminatedEquations) {
  // Two derivations of the motion agree to some hundred times the tolerance 1e-13.
  for (const char* name : {"knife_edge", "chaplygin_sleigh"}) {
    const Catalogued system(name);
    const RigidMotion exact = system.solve("closed_form", 1e-13);
    const RigidMotion judge = system.solve("runge_kutta_fehlberg78", 1e-13, 1e-15);
    for (const Quantity quantity : common_quantities)
      EXPECT_LT(system.error(exact, judge, quantity), 1e-11) << name << " " << name_of(quantity);
  }
}

TEST(RigidSide, IdaAgreesWithTheEliminatedOdeOnTheDisc) {
  const Catalogued system("rolling_disk");
  const RigidSolver& ida = *find_rigid_solver("ida");
  const RigidSolver& reference = reference_for(ida, system.study.system->has_closed_form);
  EXPECT_STREQ(reference.name, "runge_kutta_fehlberg78") << "no closed form";
  const double rtol = 1e-9;
  const RigidMotion rigid = system.solve("ida", rtol);
  const RigidMotion judge = system.solve(reference.name, 1e-13, 1e-15);
  const RigidReport report =
      report_on(system.study.model, ida, rigid, reference, judge, system.no_work);
  const double bound = step_bound(rigid, rtol);
  EXPECT_LT(report.error[0], bound);
  EXPECT_LT(report.error[1], bound);
  EXPECT_LT(report.error[2], bound * static_cast<double>(rigid.work.steps));
  EXPECT_FALSE(report.multiplier_tested);
  // Rolling does no work: the energy error is that of v and q times |∂E| < 100.
  EXPECT_LT(report.energy_error, 100.0 * bound);
  EXPECT_GT(report.energy_scale, 1.0);
  // G v = 0 is one of IDA's equations. The residual of its iteration is below the tolerance.
  EXPECT_LT(report.drift, bound);
  // Negative control: a loose tolerance fails these checks.
  const RigidMotion loose = system.solve("ida", 1e-4);
  EXPECT_GT(report_on(system.study.model, ida, loose, reference, judge, system.no_work).error[1],
            bound);
}

// The energy of the true motion is balanced. The defect of a loose solver is at most ten times its
// distance to the reference. A force missing from the balance exceeds that.
TEST(RigidSide, DetectsAForceMissingFromTheEnergyBalance) {
  const Catalogued system("rolling_disk");
  const RigidSolver &ida = *find_rigid_solver("ida"), &reference = reference_for(ida, false);
  const RigidMotion judge = system.solve(reference.name, 1e-13, 1e-15);
  for (const double rtol : {1e-10, 1e-4}) {
    const RigidMotion rigid = system.solve("ida", rtol);
    EXPECT_FALSE(
        report_on(system.study.model, ida, rigid, reference, judge, system.no_work).misses_energy())
        << rtol;
    const VectorXd wrong = system.no_work.array() + 1.0;  // J, of an energy of some joule
    EXPECT_TRUE(report_on(system.study.model, ida, rigid, reference, judge, wrong).misses_energy());
  }
}

// Without a degree of freedom the block stands still up to rounding: accelerations of 2e-17 m/s²
// give 7e-15 m/s and 1e-12 m after 300 s. The contact force of 7.8 N, which balances the weight,
// works along that drift: 8e-12 J, all the energy there is.
TEST(RigidSide, BalancesTheEnergyOfABlockThatIsHeldAtRest) {
  const RollingStudy study = test::study_from(R"([study]
name = "hold"
[epsilon]
values = [1e-2]
[time]
end = 300.0
[system]
name = "hold"
coordinates = [{name = "x", unit = "m", start = 0, start_rate = 0}]
kinetic_coenergy = "20*x'^2"
potential = "-40*9.81*sin(0.02)*x"
constraint = ["x'"]
)");
  SolveOptions options;
  options.rtol = 1e-12;
  options.atol = 1e-14;
  const std::vector<double> times = test::uniform_grid(0.0, 300.0, 400);
  const RigidSolver &radau = *find_rigid_solver("radau_iia"),
                    &reference = reference_for(radau, false);
  const RigidMotion rigid = solve_rigid(study, radau, study.initial, times, {}, options);
  const RigidMotion judge = solve_rigid(study, reference, study.initial, times, {}, options);
  const VectorXd no_work = VectorXd::Zero(std::ssize(times));
  EXPECT_FALSE(report_on(study.model, radau, rigid, reference, judge, no_work).misses_energy());
  // Negative control: a work of 1 nJ that does not exist.
  const VectorXd wrong = no_work.array() + 1e-9;
  EXPECT_TRUE(report_on(study.model, radau, rigid, reference, judge, wrong).misses_energy());
}

TEST(RigidSide, EveryFormulationOfTheDiscGivesTheSameMotion) {
  const Catalogued system("rolling_disk");
  const RigidMotion judge = system.solve("runge_kutta_fehlberg78", 1e-13, 1e-15);
  for (const char* solver : {"ida", "ida_impulse", "cvode_bdf", "rosenbrock4"}) {
    const RigidMotion rigid = system.solve(solver, 1e-8);
    ASSERT_EQ(rigid.outcome, Outcome::success) << solver << ": " << rigid.message;
    for (const Quantity quantity : {Quantity::q, Quantity::v})
      EXPECT_LT(system.error(rigid, judge, quantity), step_bound(rigid, 1e-8)) << solver;
  }
}

TEST(ReferenceFor, UsesAnotherFormulationAndMethod) {
  const auto reference = [](const char* solver, bool exact) {
    return std::string(reference_for(*find_rigid_solver(solver), exact).name);
  };
  for (const char* solver : {"ida", "ida_impulse", "runge_kutta_fehlberg78", "dopri5"})
    EXPECT_EQ(reference(solver, true), "closed_form");
  EXPECT_EQ(reference("closed_form", true), "runge_kutta_fehlberg78");
  EXPECT_EQ(reference("ida", false), "runge_kutta_fehlberg78");
  EXPECT_EQ(reference("ida_impulse", false), "runge_kutta_fehlberg78");
  // The reference of an eliminated ODE is the DAE, never the same ODE.
  for (const RigidSolver& solver : rigid_solvers())
    for (const bool exact : {true, false})
      EXPECT_NE(&reference_for(solver, exact), &solver) << solver.name;
  EXPECT_EQ(reference("runge_kutta_fehlberg78", false), "ida");
}

TEST(RigidSide, ClosedFormFailsForAnUncoveredStart) {
  Catalogued system("chaplygin_sleigh");
  system.start.v(2) = 0.0;  // straight ahead
  const RigidMotion none = system.solve("closed_form", 1e-9);
  EXPECT_NE(none.outcome, Outcome::success);
  EXPECT_NE(none.message, "");
  EXPECT_EQ(system.solve("ida", 1e-9).outcome, Outcome::success);
}

TEST(RigidSide, AFailedSolveIsReportedWithoutNumbers) {
  const Catalogued system("knife_edge");
  SolveOptions options;
  options.max_steps = 3;
  const RigidSolver& ida = *find_rigid_solver("ida");
  const RigidMotion failed =
      solve_rigid(system.study, ida, system.start, system.times, {}, options);
  EXPECT_EQ(failed.outcome, Outcome::max_steps);
  const RigidSolver& exact = *find_rigid_solver("closed_form");
  const RigidReport report = report_on(system.study.model, ida, failed, exact,
                                       system.solve("closed_form", 1e-9), system.no_work);
  EXPECT_EQ(report.outcome, Outcome::max_steps);
  for (const double error : report.error) EXPECT_TRUE(std::isnan(error));
}

TEST(ClosedForm, ExistsIffTheCatalogueListsIt) {
  int with = 0, without = 0;
  for (const SystemEntry& entry : builtin_systems()) {
    if (!entry.rolls()) continue;
    const Catalogued system(entry.info.name);
    const System& model = system.study.model;
    const bool found = model.closed_form && model.closed_form(system.start, {0.0, 1.0}).has_value();
    EXPECT_EQ(found, entry.has_closed_form) << entry.info.name;
    ++(found ? with : without);
  }
  EXPECT_GT(with, 0);
  EXPECT_GT(without, 0);
}

}  // namespace
}  // namespace rigidlimit
