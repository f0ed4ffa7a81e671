// Tests the systems of experiments/systems against known solutions and conserved quantities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "support/rigid_integration.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

/// A system of experiments/systems with some parameters changed.
struct Written {
  std::shared_ptr<const SystemEntry> entry;
  std::vector<double> values;
  System system;

  Written(const std::string& name, const std::map<std::string, double>& changed)
      : entry(system_in_file(test::in_repository("experiments/systems/" + name + ".toml"),
                             builtin_systems())),
        values(entry->default_values()) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const auto at = changed.find(entry->parameters[i].name); at != changed.end())
        values[i] = at->second, ++found;
    EXPECT_EQ(found, changed.size());
    system = entry->make(values);
  }

  double energy(const InitialState& at) const {
    return kinetic_energy(system, at.q, at.v) + system.in<double>().potential(at.q);
  }
  VectorXd accelerations(const InitialState& at) const {
    return solve_kkt<double>(system, contact_basis(system, at.q), at.q, at.v, 0.0).acceleration;
  }
};

/// Suslov (1946): w2 = W tanh(k t + c), w1 = W sqrt(I22/I11)/cosh(k t + c), k = I13 W/I11, derived
/// by hand from I11 w1' = -I13 w1 w2, I22 w2' = I13 w1^2.
TEST(WrittenSystems, SuslovBodyMatchesTheClosedForm) {
  const double I11 = 1.0, I22 = 1.5, I13 = 0.6;
  const Written suslov("suslov", {});
  const InitialState start = suslov.entry->start(suslov.values);
  const double W = std::sqrt((I11 * std::pow(start.v(0), 2) + I22 * std::pow(start.v(1), 2)) / I22);
  const double k = I13 * W / I11, c = std::atanh(start.v(1) / W);
  // Order 10, steps of 0.05 s, rates of about 1/s: the error is below the round-off of 80 steps.
  double apart = 0.0, apart_from_wrong = 0.0;
  test::rigid_integration(suslov.system, start, 4.0, 80, [&](double t, const InitialState& at) {
    const double w1 = W * std::sqrt(I22 / I11) / std::cosh(k * t + c);
    apart = std::max({apart, std::abs(at.v(0) - w1), std::abs(at.v(1) - W * std::tanh(k * t + c)),
                      std::abs(at.v(2)), std::abs(at.q.squaredNorm() - 1.0)});
    // Negative control: I13 larger by 1 %.
    apart_from_wrong =
        std::max(apart_from_wrong, std::abs(at.v(1) - W * std::tanh(1.01 * k * t + c)));
  });
  EXPECT_LT(apart, 1e-12);
  EXPECT_GT(apart_from_wrong, 1e-3);
}

// Conservation of energy tests the potential of the weight against its separately written torque.
TEST(WrittenSystems, AHeavySuslovBodyConservesEnergy) {
  const Written suslov("suslov", {{"weight", 2.0}, {"I23", 0.3}});
  const InitialState start = suslov.entry->start(suslov.values);
  const InitialState end = test::rigid_integration(suslov.system, start, 4.0, 160);
  EXPECT_NEAR(suslov.energy(end), suslov.energy(start), 1e-11);
  EXPECT_GT(std::abs(suslov.system.in<double>().potential(end.q) -
                     suslov.system.in<double>().potential(start.q)),
            1e-2);
}

// An undriven racer with a fixed steering angle runs in a circle. Only the seat's axle exerts a
// force, m u theta', since a force on the other axle would turn the seat.
TEST(WrittenSystems, AnUndrivenRollerRacerRunsInCircles) {
  const double front = 0.1, rear = 0.4, speed = 0.5, steer = 0.3;
  const Written racer("roller_racer", {{"stiffness", 0.0}, {"damping", 0.0}});
  const InitialState start = racer.entry->start(racer.values);
  const double turning = speed * std::sin(steer) / (rear * std::cos(steer) + front);
  EXPECT_NEAR(start.v(2), turning, 1e-15);
  VectorXd expected = VectorXd::Zero(4);
  expected(1) = speed * turning;  // towards the centre
  EXPECT_LT((racer.accelerations(start) - expected).cwiseAbs().maxCoeff(), 1e-13);
  const InitialState end = test::rigid_integration(racer.system, start, 3.0, 60);
  const double angle = 3.0 * turning, radius = speed / turning;
  EXPECT_NEAR(end.q(0), radius * std::sin(angle), 1e-12);
  EXPECT_NEAR(end.q(1), radius * (1.0 - std::cos(angle)), 1e-12);
  EXPECT_NEAR(end.q(3), steer, 1e-12);
  // Negative control: a turning handlebar accelerates or brakes the seat.
  InitialState turned = start;
  turned.v(3) = 1.0;
  EXPECT_GT(racer.accelerations(turned).cwiseAbs().maxCoeff(), 0.1);
}

// The cart runs in a circle if the caster has the matching angle. There is no slope, friction or
// motor torque, and the centre of mass is over the axle.
TEST(WrittenSystems, ACartRunsInCirclesWithItsCasterAtRest) {
  const double base = 0.3, trail = 0.1, speed = 0.5, turning = 0.6;
  const Written cart("two_wheeled_cart", {{"slope", 0.0},
                                          {"friction", 0.0},
                                          {"swivel_friction", 0.0},
                                          {"left_torque", 0.0},
                                          {"right_torque", 0.0},
                                          {"centre", 0.0}});
  InitialState at = cart.entry->start(cart.values);
  // The caster's wheel does not slide: base turning cos(d) - speed sin(d) = trail turning.
  const double reach = std::hypot(base * turning, speed);
  at.q(5) = std::acos(trail * turning / reach) - std::atan2(speed, base * turning);
  at.v(5) = 0.0;
  VectorXd expected = VectorXd::Zero(6);
  expected(0) = -speed * turning * std::sin(at.q(2));
  expected(1) = speed * turning * std::cos(at.q(2));
  MatrixXd G(4, 6);
  cart.system.in<double>().constraints(at.q, G);
  EXPECT_LT((G * at.v).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((cart.accelerations(at) - expected).cwiseAbs().maxCoeff(), 1e-13);
  // Negative control: a caster at another angle swings.
  at.q(5) += 0.1;
  at.v(5) = (base * turning * std::cos(at.q(5)) - speed * std::sin(at.q(5))) / trail - turning;
  EXPECT_GT((cart.accelerations(at) - expected).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(WrittenSystems, ACartOnASlopeConservesEnergy) {
  const Written cart(
      "two_wheeled_cart",
      {{"friction", 0.0}, {"swivel_friction", 0.0}, {"left_torque", 0.0}, {"right_torque", 0.0}});
  const InitialState start = cart.entry->start(cart.values);
  // The caster swings back at a rate of speed/trail = 5/s or more, so the steps are 0.01 s.
  const InitialState end = test::rigid_integration(cart.system, start, 2.0, 200);
  EXPECT_NEAR(cart.energy(end), cart.energy(start), 1e-11);
  EXPECT_GT(kinetic_energy(cart.system, end.q, end.v),
            kinetic_energy(cart.system, start.q, start.v) + 0.5);
}

}  // namespace
}  // namespace rigidlimit
