// Tests that the energy balance closes to the solver's accuracy and needs each of its accounts.
#include "rigidlimit/formulations/energy_balance.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/catalogue_system.hpp"
#include "support/model_systems.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

/// Driven by a force of time, damped by a Rayleigh dissipation, with a potential and a K* that
/// depends on q: every term of the balance is present.
const System& pendulum() {
  static const System system = make_system(test::DrivenPendulum{});
  return system;
}

InitialState rolling_start() {
  InitialState start{Eigen::Vector2d(0.1, 0.4), Eigen::Vector2d(0.3, -0.5)};
  start.v = projected_velocity<double>(pendulum(), independent_contacts(1), start.q, start.v);
  return start;
}

constexpr double epsilon = 0.05;
const ViscoelasticLaw law{.stiffness = 2.0 * MatrixXd::Ones(1, 1),
                          .damping = 1.5 * MatrixXd::Ones(1, 1)};

enum class Variables { natural, adapted };

EnergyBalance balance_of(Variables variables, const char* method, double rtol) {
  const VectorXd eta0 = VectorXd::Zero(1);
  auto base = variables == Variables::natural
                  ? compliant_ode(pendulum(), rolling_start(), law, epsilon, eta0)
                  : compliant_adapted(pendulum(), rolling_start(), law, epsilon, eta0);
  const BalancedProblem accounted = balanced(base, pendulum(), BalancedContact{law, epsilon});
  SolveOptions options;
  options.rtol = rtol;
  options.atol = 1e-2 * rtol;
  const Solution solution = find_ode_method(method)->solve(
      accounted.motion.problem, test::uniform_grid(0.0, 1.0, 16), options);
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  // The motion is read as in a problem without accounts.
  EXPECT_EQ(accounted.motion.motion(solution).lambda.rows(), 1);
  return accounted.balance(solution);
}

double largest(const VectorXd& x) {
  return x.cwiseAbs().maxCoeff();
}

class Accounts : public testing::TestWithParam<std::tuple<Variables, const char*>> {};

// Energies are of order 1 to 10 J. Each of some hundred steps errs by rtol |y|, times the gradient
// of the energy (the spring's weight C/ε² on y is O(1) on η): 1e4 rtol.
TEST_P(Accounts, CloseToTheAccuracyOfTheSolver) {
  const auto [variables, method] = GetParam();
  for (const double rtol : {1e-6, 1e-9}) {
    const EnergyBalance balance = balance_of(variables, method, rtol);
    EXPECT_LT(largest(balance.defect()), 1e4 * rtol) << method;
    // Negative controls: without an account the balance is off by that account.
    for (VectorXd EnergyBalance::*account :
         {&EnergyBalance::spring, &EnergyBalance::work, &EnergyBalance::damper}) {
      EnergyBalance without = balance;
      (without.*account).setZero();
      EXPECT_GT(largest(without.defect()), 10.0 * largest(balance.defect())) << method;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, Accounts,
                         testing::Combine(testing::Values(Variables::natural, Variables::adapted),
                                          testing::Values("cvode_bdf", "radau_iia",
                                                          "radau_iia_7")));

class BatchedAccounts : public testing::TestWithParam<const char*> {};

// The accounts are integrals appended to the batched state: they leave the motion unchanged, bit
// for bit and step for step. Their own errors are those of eight-stage collocation. The defect is,
// as above, the effect of the motion's error on the energy: 1e4 rtol.
TEST_P(BatchedAccounts, AreIntegratedByTheMethodItself) {
  const test::CatalogueSystem s(*find_system(builtin_systems(), GetParam()));
  const auto base = compliant_adapted(s.model, s.start, s.law, epsilon, s.eta0);
  ASSERT_NE(base.problem.batched, nullptr);
  const BalancedProblem accounted = balanced(base, s.model, BalancedContact{s.law, epsilon});
  const OdeMethod& method = *find_ode_method("radau_iia");
  ASSERT_EQ(refusal_of(method, accounted.motion.problem), "");
  const std::vector<double> times = test::uniform_grid(0.0, 1.0, 16);
  for (const double rtol : {1e-6, 1e-9}) {
    const SolveOptions options{.rtol = rtol, .atol = 1e-2 * rtol, .stop_requested = {}};
    const Solution bare = method.solve(base.problem, times, options);
    const Solution kept = method.solve(accounted.motion.problem, times, options);
    ASSERT_EQ(kept.outcome, Outcome::success) << kept.message;
    EXPECT_EQ(kept.work.steps, bare.work.steps);
    EXPECT_EQ(kept.work.newton_iterations, bare.work.newton_iterations);
    EXPECT_EQ(kept.work.rhs_evaluations, bare.work.rhs_evaluations + 8 * bare.work.steps);
    EXPECT_EQ(kept.states.topRows(bare.states.rows()), bare.states);
    const EnergyBalance balance = accounted.balance(kept);
    EXPECT_LT(largest(balance.defect()), 1e4 * rtol);
    for (VectorXd EnergyBalance::*account : {&EnergyBalance::spring, &EnergyBalance::damper}) {
      EnergyBalance without = balance;
      (without.*account).setZero();
      EXPECT_GT(largest(without.defect()), 10.0 * largest(balance.defect())) << "negative control";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, BatchedAccounts,
                         testing::Values("knife_edge", "chaplygin_sleigh", "rolling_disk"));

// An additive method splits the problem with accounts like the problem without them.
TEST(Accounts, AreIntegratedByAdditiveMethods) {
  const EnergyBalance balance =
      balance_of(Variables::adapted, "arkode_imex_ark436l2sa_6_3_4", 1e-6);
  EXPECT_LT(largest(balance.defect()), 1e4 * 1e-6);
  EXPECT_GT(largest(balance.damper), 10.0 * largest(balance.defect()));
}

// Rigid rolling does no work: the gain of K* + P is the work of drive and hinge.
TEST(RigidAccounts, CloseWithoutAContact) {
  const BalancedProblem accounted =
      balanced(rigid_eliminated(pendulum(), rolling_start()), pendulum(), std::nullopt);
  const SolveOptions options{.rtol = 1e-12, .atol = 1e-14, .stop_requested = {}};
  const Solution solution =
      find_ode_method("runge_kutta_fehlberg78")
          ->solve(accounted.motion.problem, test::uniform_grid(0.0, 1.0, 16), options);
  ASSERT_EQ(solution.outcome, Outcome::success);
  const EnergyBalance balance = accounted.balance(solution);
  EXPECT_LT(largest(balance.defect()), 1e-9);
  EXPECT_GT(largest(balance.work), 0.1) << "a negative control: there is work to account for";
  EXPECT_EQ(largest(balance.damper), 0.0);
}

// Inconsistent start: as ε → 0 the contact dissipates only the energy of sliding, ½ wᵀA⁻¹w. The
// remainder is O(ε²) on the knife edge, whose F and G do not depend on the sliding velocity.
TEST(Accounts, DamperDissipatesTheEnergyOfSliding) {
  const SystemEntry& entry = *find_system(builtin_systems(), "knife_edge");
  const System edge = entry.make(entry.default_values());
  InitialState start = entry.start(entry.default_values());
  start.v(1) = 0.2;  // sideways; m = 1
  const auto loss = [&](double eps) {
    const ViscoelasticLaw critical{.stiffness = MatrixXd::Ones(1, 1),
                                   .damping = 2.0 * MatrixXd::Ones(1, 1)};
    const BalancedProblem accounted =
        balanced(compliant_adapted(edge, start, critical, eps, VectorXd::Zero(1)), edge,
                 BalancedContact{critical, eps});
    const SolveOptions options{.rtol = 1e-10, .atol = 1e-12, .stop_requested = {}};
    const Solution solution =
        find_ode_method("radau_iia")->solve(accounted.motion.problem, {0.2}, options);
    EXPECT_EQ(solution.outcome, Outcome::success);
    return accounted.balance(solution).damper(0);
  };
  const double sliding = 0.5 * 0.2 * 0.2;
  const double coarse = std::abs(loss(4e-3) - sliding), fine = std::abs(loss(1e-3) - sliding);
  EXPECT_LT(fine, 0.1 * sliding);
  EXPECT_NEAR(coarse / fine, 16.0, 2.0) << "order 2 in epsilon";
}

/// The balance of a wheel on a belt whose speed changes, with the accounts of `accounts`.
EnergyBalance balance_on_belt(const test::CatalogueSystem& belt, const System& accounts,
                              bool compliant) {
  const System& system = belt.model;
  const InitialState& start = belt.start;
  const ViscoelasticLaw belts{.stiffness = 2.0 * MatrixXd::Identity(2, 2),
                              .damping = 1.5 * MatrixXd::Identity(2, 2)};
  const auto base = compliant ? compliant_adapted(system, start, belts, epsilon, VectorXd::Zero(2))
                              : rigid_eliminated(system, start);
  const BalancedProblem accounted = balanced(
      base, accounts, compliant ? std::optional(BalancedContact{belts, epsilon}) : std::nullopt);
  SolveOptions options;
  options.rtol = 1e-10;
  options.atol = 1e-12;
  const Solution solution =
      find_ode_method("radau_iia")
          ->solve(accounted.motion.problem, test::uniform_grid(0.0, 1.0, 16), options);
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  return accounted.balance(solution);
}

// The tolerance 1e-10 of states and integrals of size 1, over some hundred steps. Without −κᵀe, the
// work of the belts, the balance misses it: its power λᵀb is of order 0.1 W.
TEST(EnergyOnMovingSurfaces, ContainsTheWorkOfTheSurfaces) {
  const test::CatalogueSystem belt(*find_system(builtin_systems(), "belt_roller"));
  auto recorded = std::make_shared<RecordedSystem>(*belt.model.recorded);
  recorded->exact_rates.setZero();
  System at_rest = belt.model;
  at_rest.recorded = recorded;
  for (const bool compliant : {true, false}) {
    EXPECT_LE(largest(balance_on_belt(belt, belt.model, compliant).defect()), 1e-8) << compliant;
    EXPECT_GT(largest(balance_on_belt(belt, at_rest, compliant).defect()), 1e-2) << compliant;
  }
}

}  // namespace
}  // namespace rigidlimit
