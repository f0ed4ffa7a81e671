// Tests the impact law against formulas of one contact, and its conditions and energy on random
// impacts of one and two contacts.
#include "rigidlimit/contact/impact.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/mechanics/kkt.hpp"
#include "support/frictional_models.hpp"
#include "support/frictional_start.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::WheelAtAnEdge;
using testing::SizeIs;

constexpr double round_off = 1e-12;

const std::vector<Index> both = {0, 1}, floor_only = {1};

VectorXd on_the_floor(const WheelAtAnEdge& wheel) {
  return Eigen::Vector3d(0.4, wheel.radius - wheel.step, 0.0);
}

// Equations 43 to 55. The normal passes through the centre: p̃ = −m v_y. Friction changes v_t by
// (1/m + r²/J) per impulse, with at most μ p̃, and then again at most μ e p̃.
TEST(Impact, AWheelOnTheFloorFollowsEquations43To55) {
  RandomNumbers random(3);
  for (int i = 0; i < 200; ++i) {
    const WheelAtAnEdge wheel{.friction = random.uniform(0.0, 1.0),
                              .restitution = random.uniform(0.0, 1.0)};
    const FrictionalSystem system = test::system_of(wheel);
    const Eigen::Vector3d v(random.uniform(), random.uniform(-3.0, -0.1), random.uniform(-20, 20));
    const auto answers = impacts(system, on_the_floor(wheel), v, floor_only);
    ASSERT_THAT(answers, SizeIs(1));
    const double m = wheel.mass, J = wheel.inertia, r = wheel.radius, mu = wheel.friction;
    const double a = 1.0 / m + r * r / J, p = -m * v(1);
    double v_t = v(0) + r * v(2), impulse = 0.0;
    for (const double phase : {1.0, wheel.restitution}) {
      const double stop = v_t / a, rim = mu * phase * p;
      const double lambda = std::clamp(stop, -rim, rim);
      v_t -= a * lambda;
      impulse += lambda;
    }
    EXPECT_NEAR(answers[0].velocity(0), v(0) - impulse / m, round_off);
    EXPECT_NEAR(answers[0].velocity(1), -wheel.restitution * v(1), round_off);
    EXPECT_NEAR(answers[0].velocity(2), v(2) - r * impulse / J, 1e-10);
    EXPECT_EQ(answers[0].rounds, 1);
  }
}

TEST(Impact, ASimultaneousPlasticImpactInTheCornerIsAdmissible) {
  const WheelAtAnEdge wheel{};
  const FrictionalSystem system = test::system_of(wheel);
  const VectorXd q = test::corner_of(wheel);
  const Eigen::Vector3d v(-5.0, -3.0, -80.0);
  const auto answers = impacts(system, q, v, both);
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_GE(answers[0].rate.tail(2).minCoeff(), -round_off);
  EXPECT_GE(answers[0].reaction.tail(2).minCoeff(), 0.0);
  // Both contacts have forces: the centre stops in the corner, the wheel turns, both contacts slip.
  EXPECT_NEAR(answers[0].velocity.head(2).norm(), 0.0, round_off);
  EXPECT_LT(answers[0].velocity(2), -1.0);
  EXPECT_NEAR(answers[0].reaction(0), 0.4 * answers[0].reaction(2), round_off);
  EXPECT_NEAR(answers[0].reaction(1), 0.4 * answers[0].reaction(3), round_off);
  // Negative control: with the floor alone the wheel would penetrate the edge.
  EXPECT_LT(impacts(system, q, v, floor_only)[0].rate(2), -1.0);
}

// Wall and step at once, e = 0.3, μ = 0.4, by hand (all modes). The plastic phase ends at rest,
// with impulses on a segment from (p 8.93, 16.24) to (20.83, 28.14). Restitution returns a fraction
// of each. The velocities at both ends are known to six digits.
TEST(Impact, RedundantContactsWithRestitutionHaveSeveralSolutions) {
  const auto answers_of = [](double restitution, const std::vector<Index>& closed) {
    const auto wheel =
        test::frictional_case("wheel_and_curb", {{"friction", 0.4}, {"restitution", restitution}});
    VectorXd gap(3);
    const Eigen::Vector3d q(0.1, 0.15, 0.0);
    wheel.system.geometry->gap(q, gap);
    EXPECT_NEAR(gap(closed.front()), 0.0, 1e-15);
    return impacts(wheel.system, q, Eigen::Vector3d(-1.0, -1.981, 5.0), closed);
  };
  const std::vector<Index> wall_and_step = {0, 1};
  const auto answers = answers_of(0.3, wall_and_step);
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_FALSE(answers[0].open);
  EXPECT_TRUE(answers[1].open);
  const Eigen::Vector3d least(0.10714, 0.38001, -1.07143), other(0.28728, 0.59430, -1.75440);
  EXPECT_LT((answers[0].velocity - least).norm(), 2e-5);
  EXPECT_LT((answers[1].velocity - other).norm(), 2e-5);
  // Negative controls: without restitution all solutions act alike, and one contact has one.
  EXPECT_THAT(answers_of(0.0, wall_and_step), SizeIs(1));
  EXPECT_THAT(answers_of(0.3, {0}), SizeIs(1));
}

struct Extremes {
  double growth = -1.0;   ///< of the energy, relative
  double least = 1.0;     ///< the smallest remaining energy, relative
  double closing = 0.0;   ///< the fastest −g' afterwards
  double momentum = 0.0;  ///< |M (v⁺ − v⁻) − Hᵀ r|
  int rounds = 0;
  int plastic = 0;
  std::size_t most = 0, none = 0;  ///< of answers that are no ends of segments
  std::size_t open = 0;            ///< ends of segments
};

Extremes random_impacts(bool same_restitution, double least_friction, double most_friction,
                        int count) {
  RandomNumbers random(8);
  Extremes extremes;
  for (int i = 0; i < count; ++i) {
    const WheelAtAnEdge wheel{.friction = random.uniform(least_friction, most_friction),
                              .restitution = random.uniform(0.0, 1.0)};
    FrictionalSystem system = test::system_of(wheel);
    if (!same_restitution) system.contacts[0].restitution = random.uniform(0.0, 1.0);
    const VectorXd q = test::corner_of(wheel);
    const Eigen::Vector3d v(random.uniform(), random.uniform(), random.uniform(-20.0, 20.0));
    const auto answers = impacts(system, q, v, both);
    const auto open = static_cast<std::size_t>(std::ranges::count(answers, true, &Impact::open));
    extremes.most = std::max(extremes.most, answers.size() - open);
    extremes.open += open;
    extremes.none += answers.empty() ? 1 : 0;
    const double before = kinetic_energy(system.smooth, q, v);
    for (const Impact& end : answers) {
      const double after = kinetic_energy(system.smooth, q, end.velocity);
      extremes.growth = std::max(extremes.growth, (after - before) / before);
      extremes.least = std::min(extremes.least, after / before);
      extremes.plastic += end.plastic ? 1 : 0;
      extremes.closing = std::max(extremes.closing, -end.rate.tail(2).minCoeff());
      const Eigen::Vector3d masses(wheel.mass, wheel.mass, wheel.inertia);
      const VectorXd H_r = contact_rows(system, q).rows.transpose() * end.reaction;
      extremes.momentum = std::max(
          extremes.momentum, (masses.cwiseProduct(end.velocity - v) - H_r).cwiseAbs().maxCoeff());
      extremes.rounds = std::max(extremes.rounds, end.rounds);
    }
  }
  return extremes;
}

// Velocities up to 20 rad/s and impulses up to 40 N s: 1e-12 is some hundred of their roundings.
TEST(Impact, RandomImpactsOfTwoContactsLoseEnergyAndLeaveNoClosingContact) {
  for (const bool same : {true, false}) {
    const Extremes extremes = random_impacts(same, 0.0, 1.7, 1000);
    EXPECT_LE(extremes.growth, 1e-13);
    EXPECT_LE(extremes.closing, 1e-10);
    EXPECT_LE(extremes.momentum, round_off);
    EXPECT_EQ(extremes.none, 0u);
    EXPECT_EQ(extremes.most, 1u);
    EXPECT_GT(extremes.open, 0u);  // the wheel stops in the corner
    EXPECT_EQ(extremes.plastic, 0);
    EXPECT_GE(extremes.rounds, 2);  // some contacts close again during the other's restitution
    EXPECT_LT(extremes.least, 0.5);
  }
}

// Beyond μ = √3 the wheel jams between edge and floor, with several solutions. Unequal fractions of
// impulses without motion would add energy; no solution has them.
TEST(Impact, JammingContactsHaveSeveralSolutionsAndGainNoEnergy) {
  for (const bool same : {true, false}) {
    const Extremes extremes = random_impacts(same, 1.8, 2.5, 200);
    EXPECT_GE(extremes.most, 2u);
    EXPECT_LE(extremes.growth, 1e-10);
    EXPECT_EQ(extremes.plastic > 0, !same);
  }
}

// Normal and tangential impulses of the rod are coupled (A_nt up to 1.5). There Newton's law of
// restitution can create energy (Kane's paradox), Poisson's law cannot.
TEST(Impact, ARodLosesEnergyWhereNewtonsLawWouldGainIt) {
  RandomNumbers random(15);
  double growth = -1.0, newton = -1.0;
  for (int i = 0; i < 500; ++i) {
    FrictionalSystem system =
        test::system_of(test::RodOnFloor{.friction = random.uniform(0.0, 3.0)});
    const double e = system.contacts[0].restitution = random.uniform(0.0, 1.0);
    const double angle = random.uniform(0.1, 3.0);
    const Eigen::Vector3d q(0.0, std::sin(angle), angle), v = random.vector<3>();
    const ContactRows rows = contact_rows(system, q);
    const VectorXd before = rows.rows * v;
    if (before(1) > -1e-3) continue;
    const auto answers = impacts(system, q, v, {0});
    ASSERT_THAT(answers, testing::Not(testing::IsEmpty()));
    const double energy = kinetic_energy(system.smooth, q, v);
    for (const Impact& end : answers) {
      growth = std::max(growth, kinetic_energy(system.smooth, q, end.velocity) / energy - 1.0);
      EXPECT_GE(end.rate(1), -1e-12);
      EXPECT_FALSE(end.plastic);  // without the reduction to a plastic impact
    }
    // Negative control: Newton's law g'⁺ = −e g'⁻.
    ContactProblem by_newton = contact_problem_of(system, rows, before, VectorXd::Zero(1), {{0}});
    by_newton.free(1) *= 1.0 + e;
    for (const ContactSolution& end : solve_contact_problem(by_newton))
      newton = std::max(
          newton,
          kinetic_energy(system.smooth, q, v + rows.response * end.reaction) / energy - 1.0);
  }
  EXPECT_LE(growth, 1e-13);
  EXPECT_GT(newton, 0.01);
}

}  // namespace
}  // namespace rigidlimit
