// Tests planar contact problems against closed forms, each with a case of another solution.
#include <gmock/gmock.h>

#include "rigidlimit/contact/contact_laws.hpp"
#include "rigidlimit/contact/contact_problem.hpp"
#include "rigidlimit/core/error.hpp"
#include "support/contact_bodies.hpp"

namespace rigidlimit {
namespace {

using test::block;
using test::planar;
using test::problem_of;
using testing::ElementsAre;
using testing::SizeIs;

// 1e-12 is a thousand times the round-off of a few operations on numbers up to 1e3.
constexpr double round_off = 1e-12;

TEST(PlanarContact, ABlockSticksUntilThePullExceedsFriction) {
  const auto held = solve_contact_problem(block(0.5, 9.0, -20.0));
  ASSERT_THAT(held, SizeIs(1));
  EXPECT_THAT(held[0].modes, ElementsAre(ContactMode::stick));
  EXPECT_NEAR(held[0].reaction(0), -9.0, round_off);  // −λ
  EXPECT_NEAR(held[0].reaction(1), 20.0, round_off);
  EXPECT_NEAR(held[0].rate.norm(), 0.0, round_off);

  // Negative control: a pull beyond μ N accelerates the block by the rest of the force.
  const auto pulled = solve_contact_problem(block(0.5, 11.0, -20.0));
  ASSERT_THAT(pulled, SizeIs(1));
  EXPECT_THAT(pulled[0].modes, ElementsAre(ContactMode::slip));
  EXPECT_NEAR(pulled[0].reaction(0), -10.0, round_off);
  EXPECT_NEAR(pulled[0].rate(0), 0.5, round_off);
}

TEST(PlanarContact, FrictionOpposesSlipForAnyPull) {
  for (const double way : {1.0, -1.0}) {
    const auto slipping = solve_contact_problem(block(0.5, 3.0, -20.0, way));
    ASSERT_THAT(slipping, SizeIs(1));
    EXPECT_NEAR(slipping[0].reaction(0), -10.0 * way, round_off);
    EXPECT_THAT(slipping[0].modes, ElementsAre(ContactMode::slip));
  }
}

TEST(PlanarContact, APullUpwardsOpensTheContact) {
  const auto lifted = solve_contact_problem(block(0.5, 3.0, 4.0));
  ASSERT_THAT(lifted, SizeIs(1));
  EXPECT_THAT(lifted[0].modes, ElementsAre(ContactMode::free));
  EXPECT_NEAR(lifted[0].rate(1), 2.0, round_off);
  EXPECT_EQ(lifted[0].reaction.norm(), 0.0);
}

TEST(PlanarContact, ABilateralContactPullsAndHasFrictionOfTheAbsoluteNormalForce) {
  ContactProblem lifted = block(0.5, 11.0, 20.0);
  lifted.contacts[0].normal = ContactProblem::Normal::bilateral;
  const auto answers = solve_contact_problem(lifted);
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_THAT(answers[0].modes, ElementsAre(ContactMode::slip));
  EXPECT_NEAR(answers[0].reaction(1), -20.0, round_off);
  EXPECT_NEAR(answers[0].reaction(0), -10.0, round_off);
}

TEST(PlanarContact, AGivenNormalForceLeavesTheNormalRateFree) {
  ContactProblem pressed = block(0.5, 11.0, -20.0);
  pressed.contacts[0].normal = ContactProblem::Normal::given;
  pressed.contacts[0].given_force = -30.0;
  const auto answers = solve_contact_problem(pressed);
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_THAT(answers[0].modes, ElementsAre(ContactMode::stick));
  EXPECT_EQ(answers[0].reaction(1), -30.0);
  EXPECT_NEAR(answers[0].reaction(0), -11.0, round_off);
  EXPECT_NEAR(answers[0].rate(1), -25.0, round_off);
}

/// Painlevé's rod: mass 1, half length 1, inclined by `angle`; its lower end slips to the left.
/// Rows of that end: x' + sin(angle) ω, y' − cos(angle) ω. `normal`: b_n.
ContactProblem painleve_rod(double angle, double friction, double normal) {
  MatrixXd H(2, 3);
  H << 1.0, 0.0, std::sin(angle), 0.0, 1.0, -std::cos(angle);
  ContactProblem problem = problem_of(Eigen::Vector3d(1.0, 1.0, 1.0 / 3.0), H,
                                      Eigen::Vector3d::Zero(), {planar(0, friction, -1.0)});
  problem.free = Eigen::Vector2d(0.0, normal);
  return problem;
}

// p (A_nn − μ s A_nt) = −b_n with A_nn = 1 + 3 cos², A_nt = −3 sin cos. At 60 degrees the bracket
// is zero at μ = 1.75/1.299 = 1.347 for slip to the left.
TEST(PlanarContact, PainlevesRodHasNoneOneOrTwoSolutions) {
  const double angle = std::acos(0.5);
  EXPECT_THAT(solve_contact_problem(painleve_rod(angle, 1.3, -1.0)), SizeIs(1));
  EXPECT_THAT(solve_contact_problem(painleve_rod(angle, 1.4, -1.0)), SizeIs(0));
  EXPECT_THAT(solve_contact_problem(painleve_rod(angle, 1.3, 1.0)), SizeIs(1));
  const auto two = solve_contact_problem(painleve_rod(angle, 1.4, 1.0));
  ASSERT_THAT(two, SizeIs(2));
  EXPECT_THAT(two[0].modes, ElementsAre(ContactMode::slip));
  EXPECT_NEAR(two[0].reaction(1), 1.0 / (1.4 * 3.0 * 0.5 * std::sin(angle) - 1.75), 1e-10);
  EXPECT_THAT(two[1].modes, ElementsAre(ContactMode::free));
}

using test::WheelInCornerB;

// Equation 93: the spin drives the wheel away from the curb, x'' = μ g, y'' = 0.
TEST(CornerB, ASpinAwayFromTheCurbLeavesIt) {
  const double g = WheelInCornerB::g;
  const auto answers = solve_contact_problem(WheelInCornerB::spinning(0.4, -1.0));
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_THAT(answers[0].modes, ElementsAre(ContactMode::free, ContactMode::slip));
  EXPECT_NEAR(answers[0].reaction(3), 98.1, 1e-11);
  // u_n of the corner is x'' times the normal's x.
  EXPECT_NEAR(answers[0].rate(2), 0.4 * g * std::sqrt(0.75), 1e-12);
}

// Equation 94b, both contacts closed: N₁ (√3/2 − μ/2) = μ N₂ and N₁ (1/2 + μ √3/2) + N₂ = m g.
TEST(CornerB, ASpinTowardsTheCurbStaysWithLittleFriction) {
  const double mu = 0.4, root = std::sqrt(0.75);
  const auto answers = solve_contact_problem(WheelInCornerB::spinning(mu, 1.0));
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_THAT(answers[0].modes, ElementsAre(ContactMode::slip, ContactMode::slip));
  const double first = 98.1 / ((root - 0.5 * mu) / mu + 0.5 + root * mu);
  EXPECT_NEAR(answers[0].reaction(2), first, 1e-11);
  EXPECT_NEAR(answers[0].reaction(3), first * (root - 0.5 * mu) / mu, 1e-11);
}

// Equation 94c: the wheel climbs if |G|² ≤ 1 − μ f_B, i.e. μ ≥ √3, with p = m g/|G| at the corner.
TEST(CornerB, ASpinTowardsTheCurbClimbsWithMuchFriction) {
  const auto answers = solve_contact_problem(WheelInCornerB::spinning(1.8, 1.0));
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_THAT(answers[0].modes, ElementsAre(ContactMode::slip, ContactMode::free));
  EXPECT_NEAR(answers[0].reaction(2), 98.1 / 2.0, 1e-11);
  EXPECT_GT(answers[0].rate(3), 0.0);
  EXPECT_THAT(solve_contact_problem(WheelInCornerB::spinning(1.7, 1.0))[0].modes,
              ElementsAre(ContactMode::slip, ContactMode::slip));
}

/// The wheel in corner A: a wall on the left, with rows −y' + r φ' and x', and the step below.
ContactProblem spinning_in_corner_a(double friction, double way) {
  MatrixXd H(4, 3);
  H << 0.0, -1.0, 0.1, 1.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0;
  return problem_of(Eigen::Vector3d(10.0, 10.0, 0.05), H, Eigen::Vector3d(0.0, -98.1, 0.0),
                    {planar(0, friction, way), planar(1, friction, way)});
}

// N₁ = μ N₂ and N₂ + μ N₁ = m g: the wheel never climbs the wall.
TEST(CornerA, ASpinTowardsTheWallStaysForAnyFriction) {
  for (const double mu : {0.4, 3.0}) {
    const auto answers = solve_contact_problem(spinning_in_corner_a(mu, 1.0));
    ASSERT_THAT(answers, SizeIs(1));
    EXPECT_THAT(answers[0].modes, ElementsAre(ContactMode::slip, ContactMode::slip));
    EXPECT_NEAR(answers[0].reaction(3), 98.1 / (1.0 + mu * mu), 1e-11);
    EXPECT_NEAR(answers[0].reaction(2), mu * 98.1 / (1.0 + mu * mu), 1e-11);
  }
}

TEST(CornerA, ASpinAwayFromTheWallLeavesIt) {
  const auto answers = solve_contact_problem(spinning_in_corner_a(0.4, -1.0));
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_THAT(answers[0].modes, ElementsAre(ContactMode::free, ContactMode::slip));
  EXPECT_NEAR(answers[0].rate(2), 0.4 * 9.81, 1e-12);
}

TEST(PlanarContact, InvalidProblemsAreRefused) {
  ContactProblem problem = block(-0.1, 0.0, -1.0);
  EXPECT_THROW(solve_contact_problem(problem), InputError);
  problem = block(0.1, 0.0, std::nan(""));
  EXPECT_THROW(solve_contact_problem(problem), InputError);
  problem = block(0.1, 0.0, -1.0, 0.5);
  EXPECT_THROW(solve_contact_problem(problem), InputError);
  problem = block(0.1, 0.0, -1.0);
  problem.free = VectorXd::Zero(3);
  EXPECT_THROW(solve_contact_problem(problem), InputError);
  problem = block(0.1, 0.0, -1.0);
  problem.compliance = Eigen::Vector2d(1.0, -1.0);
  EXPECT_THROW(solve_contact_problem(problem), InputError);
}

TEST(PlanarContact, LawViolationDetectsEachBrokenLaw) {
  const ContactProblem problem = block(0.5, 9.0, -20.0);
  EXPECT_LT(law_violation(problem, Eigen::Vector2d(-9.0, 20.0)), 1e-15);
  EXPECT_GT(law_violation(problem, Eigen::Vector2d(-9.0, 21.0)), 1e-2);  // opens under pressure
  EXPECT_GT(law_violation(problem, Eigen::Vector2d(-9.0, 19.0)), 1e-2);  // penetrates
  EXPECT_GT(law_violation(problem, Eigen::Vector2d(-8.0, 20.0)), 1e-2);  // slides below the rim
  EXPECT_GT(law_violation(problem, Eigen::Vector2d(9.0, 20.0)), 1e-2);   // drives the slip
  const ContactProblem up = block(0.5, 0.0, 20.0);
  EXPECT_GT(law_violation(up, Eigen::Vector2d(0.0, -20.0)), 1e-2);  // adheres
}

}  // namespace
}  // namespace rigidlimit
