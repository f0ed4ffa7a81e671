// Tests the energy balance of compliant motions with friction and impacts.
#include "rigidlimit/formulations/frictional/frictional_energy.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/frictional_start.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

struct Accounts {
  Solution solution;
  FrictionalEnergy energy;
  double largest() const { return energy.mechanical.cwiseAbs().maxCoeff() + 1.0; }
};

FrictionalLaw stiff_law(const FrictionalSystem& system) {
  return {.tangential_stiffness = VectorXd::Constant(system.nc(), 1000.0),
          .normal_stiffness = VectorXd::Constant(system.nc(), 1000.0)};
}

Accounts accounts_of(const FrictionalSystem& system, const InitialState& start,
                     const FrictionalLaw& law, double epsilon, double last) {
  const AccountedMotion accounted =
      frictional_with_energy(system, start, law, epsilon, Closing::located);
  SolveOptions options;
  options.rtol = 1e-9;
  options.atol = 1e-11;
  options.max_step = 5e-3;
  Accounts accounts;
  accounts.solution =
      find_ode_method("cvode_bdf")
          ->solve(accounted.motion.problem, test::uniform_grid(0.0, last, 100), options);
  EXPECT_EQ(accounts.solution.outcome, Outcome::success) << accounts.solution.message;
  accounts.energy = accounted.energy(accounts.solution);
  return accounts;
}
Accounts accounts_of(const std::string& name, double epsilon, double last) {
  const auto [system, start] = test::frictional_case(name, test::undragged(name));
  return accounts_of(system, start, stiff_law(system), epsilon, last);
}

class EnergyOf : public testing::TestWithParam<std::string> {};

// rtol 1e-9 per step, some 10³ steps to several impacts: 1e-6 of the energy; at most 50 steps
// between samples.
TEST_P(EnergyOf, SpringDamperAndSlipAccountForTheWholeEnergy) {
  const Accounts accounts = accounts_of(GetParam(), 1e-2, 0.5);
  const FrictionalEnergy& e = accounts.energy;
  EXPECT_LE(e.defect().cwiseAbs().maxCoeff(), 1e-6 * accounts.largest());
  const Index last = e.damper.size() - 1;
  for (Index k = 0; k < last; ++k) {  // losses never return
    EXPECT_GE(e.damper(k + 1) - e.damper(k), -5e-8 * accounts.largest());
    EXPECT_GE(e.slip(k + 1) - e.slip(k), -5e-8 * accounts.largest());
  }
  // Negative controls: both losses are needed.
  EXPECT_GT(e.slip(last), 1e-3 * accounts.largest());
  EXPECT_GT((e.defect() - e.slip).cwiseAbs().maxCoeff(), 1e-3 * accounts.largest());
}
INSTANTIATE_TEST_SUITE_P(Catalogue, EnergyOf,
                         testing::Values("wheel", "wheel_euler", "wheel_and_curb",
                                         "sliding_sphere"),
                         [](const auto& param) { return param.param; });

// A weightless disc falls straight on the floor: the damper takes 1 − e² of ½ m u². 1e-7: ten times
// the error of e.
TEST(FrictionalEnergy, DamperTakesOneMinusRestitutionSquared) {
  const SystemEntry& entry = *find_system(builtin_systems(), "bouncing_ball");
  for (const double e : {1.0, 0.7, 0.3}) {
    const FrictionalSystem system = entry.make_frictional({1.0, 0.1, 0.5, 0.0, 0.3, e});
    const InitialState start{Eigen::Vector3d(0.0, 0.101, 0.0), Eigen::Vector3d(0.0, -1.0, 0.0)};
    const Accounts accounts = accounts_of(system, start, stiff_law(system), 1e-3, 0.02);
    EXPECT_NEAR(accounts.energy.damper(100), 0.5 * (1.0 - e * e), 1e-7);
    EXPECT_NEAR(accounts.energy.slip(100), 0.0, 1e-12);
    EXPECT_NEAR(accounts.energy.spring(100), 0.0, 1e-12);
  }
}

// The regularised law stores no tangential energy: slip alone takes the wheel's loss.
TEST(FrictionalEnergy, RegularisedFrictionDissipatesBySlipAlone) {
  const auto [system, start] = test::frictional_case("wheel", test::undragged("wheel"));
  FrictionalLaw law = stiff_law(system);
  law.friction = FrictionalLaw::Friction::regularised;
  const Accounts accounts = accounts_of(system, start, law, 1e-2, 0.5);
  EXPECT_LE(accounts.energy.defect().cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_EQ(accounts.energy.damper.cwiseAbs().maxCoeff(), 0.0);
  EXPECT_EQ(accounts.energy.spring.cwiseAbs().maxCoeff(), 0.0);
  EXPECT_GT(accounts.energy.slip(100), 0.1);
}

}  // namespace
}  // namespace rigidlimit
