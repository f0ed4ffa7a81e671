// Tests that the closed form of the knife edge satisfies its equations.

#include <gmock/gmock.h>

#include <cmath>

#include "support/built_in.hpp"
#include "support/catalogued_system.hpp"
#include "support/closed_form_check.hpp"
#include "support/random_numbers.hpp"
#include "support/terms_by_duals.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::system_of;
using test::unit_roundoff;

struct KnifeEdge : test::BuiltIn {
  KnifeEdge(const Values& values = {}) : BuiltIn("knife_edge", values) {}
};

InitialState rolling_start(double x, double y, double phi, double u, double omega) {
  return {Eigen::Vector3d(x, y, phi), Eigen::Vector3d(u * std::cos(phi), u * std::sin(phi), omega)};
}

std::vector<InitialState> starts() {
  return {rolling_start(0.0, 0.0, 0.0, 0.7, 1.3),    // docs/theory.md, section 9
          rolling_start(1.5, -2.0, 0.9, 0.7, 1.3),   // turned, not at the origin
          rolling_start(-1.0, 0.5, 2.5, -0.4, 0.8),  // backwards
          rolling_start(0.3, 0.1, -1.2, 1.1, -1.7),  // turning to the right
          rolling_start(0.0, 0.0, 0.4, 0.0, -0.5)};  // from rest along the blade
}

std::vector<KnifeEdge> edges() {
  return {KnifeEdge{},
          KnifeEdge{{{"mass", 2.5}, {"inertia", 0.2}, {"slope", -0.7}, {"gravity", 1.6}}},
          KnifeEdge{{{"slope", 0.0}}}};
}

TEST(KnifeEdgeClosedForm, SatisfiesTheEquationsOfMotion) {
  for (const KnifeEdge& sys : edges())
    for (const InitialState& start : starts())
      for (double t = 0.2; t < 6.0; t += 0.37) {
        const auto left = test::unbalance_of(system_of(sys), system_of(sys), start, t);
        EXPECT_TRUE(left.explained()) << "t = " << t << ": " << left.rate << " " << left.balance
                                      << " " << left.sliding << ", bound " << left.rate_bound;
        EXPECT_LT(left.balance_bound, 1e-8);  // the check is sharp
      }
}

// Negative controls: the other sign of Λ, another slope, a heavier body.
TEST(KnifeEdgeClosedForm, OfAnotherSystemViolatesTheEquationsOfMotion) {
  const KnifeEdge sys;
  const InitialState start = starts()[1];
  EXPECT_FALSE(test::unbalance_of(system_of(sys), system_of(sys), start, 1.0, -1.0).explained());
  EXPECT_FALSE(
      test::unbalance_of(system_of(KnifeEdge{{{"slope", 0.3001}}}), system_of(sys), start, 1.0)
          .explained());
  EXPECT_FALSE(
      test::unbalance_of(system_of(KnifeEdge{{{"mass", 1.0001}}}), system_of(sys), start, 1.0)
          .explained());
}

// At t = 0 q is exact (up to the sign of a rounded sine), and v is u (cos, sin) of u = v·e, with
// two roundings each.
TEST(KnifeEdgeClosedForm, ReproducesItsInitialData) {
  for (const InitialState& start : starts()) {
    const Motion motion = KnifeEdge{}.closed_form(start, {0.0}).value();
    EXPECT_EQ(motion.q.col(0), start.q);
    // u = base + (s/ω) sin φ0 with base = u0 − (s/ω) sin φ0: cancellation costs u |s/ω| twice.
    EXPECT_LE((motion.v.col(0) - start.v).cwiseAbs().maxCoeff(), 8.0 * unit_roundoff * 6.0);
    EXPECT_EQ(motion.v(2, 0), start.v(2));
  }
}

// docs/theory.md, section 8, formula by formula (φ0 = 0, from the origin). Both sides have about
// ten operations on numbers below 10.
TEST(KnifeEdgeClosedForm, MatchesTheTheory) {
  const KnifeEdge sys;
  const double omega = 1.3, u0 = 0.7, s = 9.81 * std::sin(0.3);
  std::vector<double> times;
  for (int k = 0; k <= 20; ++k) times.push_back(0.1 * k);
  const Motion motion = sys.closed_form(starts()[0], times).value();
  EXPECT_EQ(motion.times, times);
  for (Index k = 0; k < motion.q.cols(); ++k) {
    const double t = times[static_cast<std::size_t>(k)], phi = omega * t;
    const double u = u0 + s / omega * std::sin(phi);
    const double x =
        u0 / omega * std::sin(phi) + s * std::pow(std::sin(phi), 2) / (2.0 * omega * omega);
    const double y = u0 / omega * (1.0 - std::cos(phi)) +
                     s / omega * (t / 2.0 - std::sin(2.0 * phi) / (4.0 * omega));
    const double tolerance = 100.0 * unit_roundoff;
    EXPECT_LE((motion.q.col(k) - Eigen::Vector3d(x, y, phi)).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_NEAR(motion.v.col(k).head<2>().norm(), std::abs(u), tolerance);
    EXPECT_NEAR(motion.lambda(0, k), -(s * std::sin(phi) + u * omega), tolerance);
  }
  // The figure of section 9: Λ(0) = −0.91.
  EXPECT_NEAR(motion.lambda(0, 0), -0.91, 4.0 * unit_roundoff);
}

// K* + P is conserved: the constraint does no work. A dozen operations on numbers below 50.
TEST(KnifeEdgeClosedForm, ConservesTheEnergy) {
  for (const KnifeEdge& sys : edges())
    for (const InitialState& start : starts()) {
      const Motion motion = sys.closed_form(start, {0.0, 0.5, 1.0, 3.0, 7.0}).value();
      const auto energy = [&](Index k) {
        return mechanical_energy(system_of(sys), Eigen::Vector3d(motion.q.col(k)),
                                 Eigen::Vector3d(motion.v.col(k)));
      };
      for (Index k = 1; k < 5; ++k)
        EXPECT_NEAR(energy(k), energy(0), 12.0 * 50.0 * 8.0 * unit_roundoff);
    }
}

// The KKT system gives Λ = −m (s sin φ + u ω), a = s cos φ e + u ω n, A = 1/m, derived by hand.
TEST(KnifeEdge, KktSolutionMatchesTheDerivationByHand) {
  RandomNumbers random(41);
  for (const KnifeEdge& sys : edges())
    for (int i = 0; i < 30; ++i) {
      const double phi = random.uniform(-3.0, 3.0), u = random.uniform(), w = random.uniform();
      const Eigen::Vector3d e(std::cos(phi), std::sin(phi), 0.0), n(-e(1), e(0), 0.0);
      const InitialState start = rolling_start(0.0, 0.0, phi, u, w);
      const auto kkt = test::kkt_at(system_of(sys), start.q, start.v);
      const double s = sys("gravity") * std::sin(sys("slope")),
                   lambda = -sys("mass") * (s * std::sin(phi) + u * w);
      const Eigen::Vector3d a = s * std::cos(phi) * e + u * w * n;
      EXPECT_NEAR(kkt.multiplier(0), lambda, 32.0 * 10.0 * unit_roundoff);
      EXPECT_LE((kkt.acceleration - a).cwiseAbs().maxCoeff(), 32.0 * 10.0 * unit_roundoff);
      EXPECT_NEAR(delassus(system_of(sys), start.q)(0, 0), 1.0 / sys("mass"),
                  8.0 * unit_roundoff / sys("mass"));
    }
}

// F = −∂P/∂q for this system: gravity is the only force.
TEST(KnifeEdge, ForceIsMinusTheGradientOfThePotential) {
  for (const KnifeEdge& sys : edges()) {
    const Eigen::Vector3d q(0.3, -0.2, 0.9), v(1.0, 2.0, 3.0);
    const auto potential = [&](double x) {
      return sys.rolling().in<double>().potential(Eigen::Vector3d(x, q(1), q(2)));
    };
    // P is linear in x: the difference over 1 m is the derivative, to three roundings.
    EXPECT_NEAR(sys.force(q, v)(0), potential(0.0) - potential(1.0), 4.0 * 10.0 * unit_roundoff);
    EXPECT_EQ(sys.force(q, v).tail<2>().norm(), 0.0);
  }
}

TEST(KnifeEdgeClosedForm, IsAbsentAtSmallTurningRates) {
  const auto at = [](double omega) {
    return KnifeEdge{}.closed_form(rolling_start(0.0, 0.0, 0.2, 0.7, omega), {0.0, 1.0});
  };
  EXPECT_FALSE(at(0.0).has_value());
  EXPECT_FALSE(at(0.0099).has_value());
  EXPECT_FALSE(at(-0.0099).has_value());
  EXPECT_TRUE(at(0.01).has_value());
  EXPECT_TRUE(at(-0.01).has_value());
}

}  // namespace
}  // namespace rigidlimit
