// Tests each law of compliant contacts: its values, its kinks, and the inputs it refuses.
#include <gmock/gmock.h>

#include <algorithm>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/compliant_case.hpp"

namespace rigidlimit {
namespace {

using Case = test::CompliantCase;

// λ = μ |p| w/max(|w|, δ), without a spring.
TEST(FrictionalCompliant, RegularisedFrictionSaturates) {
  Case c("bouncing_ball", FrictionalLaw::Friction::regularised);
  VectorXd y = c.compliant.problem.y0;
  const Index gap = y.size() - 2, sliding = y.size() - 3;
  EXPECT_EQ(y.size(), 3 + 3 + 1 + 2);
  y(gap) = -0.1;
  const double delta = c.law.creep * c.epsilon;
  const double mu = c.system.contacts[0].friction;
  for (const double w : {-3.0, -0.9, -0.2, 0.0, 0.1, 0.8, 5.0}) {
    y(sliding) = delta * w;
    const VectorXd forces = c.motion(y).lambda.col(0);
    EXPECT_GT(forces(1), 1.0);
    EXPECT_NEAR(forces(0), mu * forces(1) * std::clamp(w, -1.0, 1.0), 1e-14 * forces(1));
  }
}

// λ = μ |p| w/√(w² + δ²): nowhere on the disc, and half of δ off the regularised law.
TEST(FrictionalCompliant, SmoothedFrictionHasNoCorner) {
  Case c("bouncing_ball", FrictionalLaw::Friction::smoothed);
  VectorXd y = c.compliant.problem.y0;
  const Index gap = y.size() - 2, sliding = y.size() - 3;
  y(gap) = -0.1;
  const double delta = c.law.creep * c.epsilon, mu = c.system.contacts[0].friction;
  for (const double w : {-3.0, -1.0, -0.2, 0.0, 0.1, 1.0, 5.0}) {
    y(sliding) = delta * w;
    const VectorXd forces = c.motion(y).lambda.col(0);
    EXPECT_GT(forces(1), 1.0);
    EXPECT_NEAR(forces(0), mu * forces(1) * w / std::hypot(w, 1.0), 1e-14 * forces(1));
  }
}

TEST(FrictionalCompliant, KinksAreNamedInTheOrderOfTheRoots) {
  using Kind = CompliantKink::Kind;
  Case ball("bouncing_ball", FrictionalLaw::Friction::projected);
  const auto kinks = kinks_of(ball.system);
  ASSERT_EQ(kinks.size(), 2U);
  EXPECT_EQ(kinks[0].kind, Kind::contact);
  EXPECT_EQ(kinks[1].kind, Kind::rim);
  EXPECT_EQ(ball.compliant.problem.roots->count, 2);
  EXPECT_FALSE(ball.compliant.problem.roots->must_be_located());

  // Positive with a force, and without a force negative: free, pressed, and leaving with γ < 0.
  VectorXd y = ball.compliant.problem.y0;
  EXPECT_LT(ball.roots(y)(0), 0.0);
  y(y.size() - 2) = -0.1;
  EXPECT_GT(ball.roots(y)(0), 0.0);
  EXPECT_GT(ball.motion(y).lambda(1, 0), 0.0);
  y(y.size() - 1) = 100.0;
  EXPECT_LT(ball.roots(y)(0), 0.0);
  EXPECT_EQ(ball.motion(y).lambda(1, 0), 0.0);

  Case wheel("wheel", FrictionalLaw::Friction::projected);
  EXPECT_EQ(kinks_of(wheel.system)[0].kind, Kind::sign);
  Case curb("wheel_and_curb", FrictionalLaw::Friction::projected);
  EXPECT_EQ(static_cast<Index>(kinks_of(curb.system).size()),
            2 * curb.system.nc() + curb.system.kink_count + curb.system.smooth.switches->count());
}

// A motion whose normal force is that of its gap and gap rate has no violation; one that passes the
// floor without a force has, with its contact and its time.
TEST(FrictionalCompliant, AMotionThatMissesAContactContradictsItsLaw) {
  const SystemEntry& entry = *find_system(builtin_systems(), "bouncing_ball");
  const std::vector<double> values{1.0, 0.1, 0.5, 0.0, 0.3, 0.5};
  const FrictionalSystem system = entry.make_frictional(values);
  const InitialState start{Eigen::Vector3d(0.0, 0.11, 0.0), Eigen::Vector3d(0.0, -1.0, 0.0)};
  const FrictionalLaw law{.tangential_stiffness = VectorXd::Constant(1, 100.0),
                          .normal_stiffness = VectorXd::Constant(1, 100.0)};
  const auto compliant = frictional_compliant(system, start, law, 1e-3, Closing::located);
  SolveOptions options;
  options.rtol = 1e-10;
  options.atol = 1e-12;
  std::vector<double> times;
  for (int k = 0; k <= 300; ++k) times.push_back(1e-4 * k);
  Motion motion =
      compliant.motion(find_ode_method("radau_iia")->solve(compliant.problem, times, options));
  EXPECT_GT(motion.lambda.row(1).maxCoeff(), 100.0);
  EXPECT_EQ(violation_of_law(system, start, law, 1e-3, motion, 1e-7), "");
  for (Index k = 0; k < motion.q.cols(); ++k) {  // it falls through the floor
    motion.q(1, k) = 0.11 - times[static_cast<std::size_t>(k)];
    motion.v.col(k) << 0.0, -1.0, 0.0;
    motion.lambda.col(k).setZero();
  }
  const std::string found = violation_of_law(system, start, law, 1e-3, motion, 1e-7);
  EXPECT_NE(found.find("t = 0.0101"), std::string::npos) << found;
}

TEST(FrictionalCompliant, RefusesInvalidInputs) {
  Case c("bouncing_ball", FrictionalLaw::Friction::projected);
  const auto made = [&](const FrictionalLaw& law, double epsilon) {
    return frictional_compliant(c.system, c.start, law, epsilon);
  };
  EXPECT_NO_THROW(made(c.law, 0.1));
  EXPECT_THROW(made(c.law, 0.0), InputError);
  EXPECT_THROW(made(c.law, -0.1), InputError);
  const auto spoilt = [&](auto change) {
    FrictionalLaw law = c.law;
    change(law);
    return law;
  };
  const FrictionalLaw bad[] = {
      spoilt([](FrictionalLaw& l) { l.tangential_stiffness = VectorXd::Ones(2); }),
      spoilt([](FrictionalLaw& l) { l.tangential_stiffness(0) = 0.0; }),
      spoilt([](FrictionalLaw& l) { l.normal_stiffness(0) = -1.0; }),
      spoilt([](FrictionalLaw& l) { l.damping_ratio = 0.0; }),
      spoilt([](FrictionalLaw& l) { l.tangential_power = 0.0; })};
  for (const FrictionalLaw& law : bad) EXPECT_THROW(made(law, 0.1), InputError);
  // A start inside the floor: the message gives the contact and the depth.
  c.start.q(1) -= 1.0;
  try {
    made(c.law, 0.1);
    ADD_FAILURE() << "a start inside the floor was taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("floor"));
    EXPECT_THAT(error.what(), testing::HasSubstr("gap = -"));
  }
}

}  // namespace
}  // namespace rigidlimit
