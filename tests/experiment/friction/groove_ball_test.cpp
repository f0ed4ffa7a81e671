// Tests the ball in a groove: thresholds of rolling, the internal force, the mode map.
#include "rigidlimit/experiment/friction/groove_ball.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/contact/contact_terms.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/friction/run_mode_map.hpp"

namespace rigidlimit {
namespace {

TwoPointBall groove(double slope, double half_angle, double friction) {
  return {.half_angle = half_angle,
          .slope = slope,
          .friction_left = friction,
          .friction_right = friction};
}

VectorXd at_rest() {
  return VectorXd::Zero(6);
}

// Compares the formula of docs/theory.md, section 10, with the rigid contact problem and the
// compliant motion. Bisections end at 1e-9 of μ. The contact problem resolves 1e-11 of its forces,
// which are some hundred times larger than their change with the mode: 1e-8.
TEST(GrooveBall, ThresholdOfRollingMatchesTheClosedForm) {
  for (double half_angle : {0.3, 1.1}) {
    const TwoPointBall ball = groove(0.3, half_angle, 0.0);
    const RollingThreshold found = rolling_threshold(ball, {.epsilon = 1e-3});
    const double c = std::cos(half_angle);
    const double expected = c * std::tan(0.3) * (1.0 - 1.0 / (1.0 + 2.0 / (5.0 * c * c)));
    EXPECT_EQ(found.complaint, "");
    EXPECT_NEAR(found.unloaded, expected, 1e-15);
    EXPECT_NEAR(found.rigid_slips_below, expected, 1e-8);
    EXPECT_NEAR(found.compliant, expected, 1e-8);
    EXPECT_NEAR(found.rigid_rolls_from, found.wedged, 1e-8);
    // Negative control: the two thresholds differ clearly.
    EXPECT_GT(found.unloaded - found.wedged, 1e-5);
  }
}

// Minimises μ over a fine sweep of internal forces k; the error is quadratic in the spacing.
TEST(GrooveBall, WedgedThresholdIsTheLeastOfAllInternalForces) {
  for (double half_angle : {0.3, 0.7, 1.1}) {
    const TwoPointBall ball = groove(0.5, half_angle, 0.0);
    const double c = std::cos(half_angle), s = std::sin(half_angle);
    const double p = std::cos(ball.slope) / (2.0 * c), a = unloaded_threshold(ball) * p;
    double least = 1.0;
    for (double k = 0.0; k < 0.2; k += 1e-6)
      least = std::min(least, std::hypot(a, k * c) / (p + k * s));
    EXPECT_NEAR(wedged_threshold(ball), least, 1e-11);
    EXPECT_LT(wedged_threshold(ball), unloaded_threshold(ball));
  }
}

// Between the thresholds rigid bodies may roll or slip; unloaded springs slip.
TEST(GrooveBall, UnloadedSpringsSlipBetweenTheThresholds) {
  TwoPointBall ball = groove(0.3, 0.7, 0.0);
  const double friction = 0.5 * (unloaded_threshold(ball) + wedged_threshold(ball));
  ball.friction_left = ball.friction_right = friction;
  const std::vector<double> times{0.0, 0.5, 1.0};
  const FrictionalSystem system = groove_system(ball);
  const GrooveMotion rigid = rigid_groove_motion(ball, at_rest(), {}, times);
  const GrooveMotion compliant = compliant_groove_motion(ball, at_rest(), {}, times);
  EXPECT_EQ(rigid.outcome, Outcome::success);
  EXPECT_EQ(rigid.notes, 1u);  // several motions satisfy the laws
  EXPECT_EQ(mode_sequence(system, compliant.motion, 1e-3), "SS");
}

// λ_l = (τ/r) C_l/(C_l + C_r). Compliant: the remaining relaxation of the springs, e^{-t/ε} times
// a power of t/ε, vanishes at t = 1; tolerances of 1e-10 remain. Rigid: normals have 1e-9 of the
// compliance, which shifts λ by that fraction of the forces (7 N).
TEST(GrooveBall, StiffnessesShareTheInternalForce) {
  TwoPointBall ball = groove(0.3, 0.7, 1.0);
  ball.couple = 0.1;
  for (double ratio : {0.125, 1.0, 8.0}) {
    const InternalForce force = internal_force(ball, {.stiffness_left = ratio, .epsilon = 1e-3});
    ASSERT_EQ(force.outcome, Outcome::success) << force.message;
    EXPECT_NEAR(force.predicted, ratio / (1.0 + ratio), 1e-15);
    EXPECT_NEAR(force.compliant, force.predicted, 1e-8);
    EXPECT_NEAR(force.rigid, force.predicted, 2e-8);
    // (τ/r) cos γ/sin γ and the sum over both walls: see the comment of the header.
    EXPECT_NEAR(force.normal_right - force.normal_left, 1.0 / std::tan(0.7), 1e-8);
    const double sum =
        (9.81 * std::cos(0.3) + (2.0 * force.predicted - 1.0) * std::sin(0.7)) / std::cos(0.7);
    EXPECT_NEAR(force.normal_left + force.normal_right, sum, 1e-8);
  }
}

/// Largest couple τ (N m, to 1e-7) with rolling on both walls from rest for some internal force.
double largest_couple(TwoPointBall ball) {
  double low = 0.1, high = 1.0;
  while (high - low > 1e-7) {
    ball.couple = 0.5 * (low + high);
    const FrictionalSystem system = groove_system(ball);
    const ContactTerms terms = contact_terms(system, ball.start().q, at_rest(), 0.0);
    const auto answers = solve_contact_problem(
        contact_problem_of(system, terms, terms.free, terms.normal_force, {{0, {}}, {1, {}}}));
    const std::vector<ContactMode> rolling{ContactMode::stick, ContactMode::stick};
    const bool rolls = std::ranges::any_of(
        answers, [&](const ContactSolution& answer) { return answer.modes == rolling; });
    (rolls ? low : high) = ball.couple;
  }
  return low;
}

// The couple grows. The time of the first slip depends on the stiffnesses. Rolling on both walls
// continues with a changing internal force and ends when no admissible force is left, at the same
// time for all stiffnesses.
TEST(GrooveBall, RollingEndsWithTheLastAdmissibleInternalForce) {
  TwoPointBall ball = groove(0.3, 0.7, 0.3);
  ball.couple_rate = 0.2;
  std::vector<double> times;
  for (int k = 0; k <= 40; ++k) times.push_back(0.05 * k);
  const FrictionalSystem system = groove_system(ball);
  std::vector<double> first;
  for (double ratio : {0.25, 1.0, 4.0}) {
    const GrooveMotion motion =
        compliant_groove_motion(ball, at_rest(), {.stiffness_left = ratio}, times);
    ASSERT_EQ(motion.outcome, Outcome::success);
    first.push_back(motion.first_rim);
    for (Index k = 0; k <= 40; ++k) {
      const double t = times[static_cast<std::size_t>(k)];
      const double speed =
          sliding_speeds(system, motion.motion.q.col(k), motion.motion.v.col(k)).maxCoeff();
      // Rolling until 1.564, except for creep of order ε.
      EXPECT_EQ(speed > 1e-5, t > 1.564) << t;
    }
  }
  EXPECT_NEAR(first[0], 1.257, 1e-2);
  EXPECT_LT(first[2], 1.0);  // the stiffer spring bears more, and slips first

  // The rigid contact problem at rest gives the same largest couple of rolling.
  EXPECT_NEAR(largest_couple(groove(0.3, 0.7, 0.3)), 0.2 * 1.56414, 2e-6);
}

ModeMap small_map() {
  ModeMap map;
  map.name = "small";
  map.slopes = {0.3};
  map.half_angles = {0.7};
  map.frictions = {0.05, 0.2, 0.4};
  VectorXd slip = at_rest(), yaw = at_rest();
  slip(0) = 1.0;
  yaw(0) = 0.5;
  yaw(5) = 20.0;
  map.starts = {
      {.name = "rest", .v = at_rest()}, {.name = "slip", .v = slip}, {.name = "yaw", .v = yaw}};
  map.samples = 11;
  map.expectations = {{.quantity = ModeMapExpectation::Quantity::threshold, .within = 1e-6},
                      {.quantity = ModeMapExpectation::Quantity::agreement}};
  return map;
}

TEST(ModeMap, RigidAndCompliantMotionsEndInTheSameModes) {
  const ModeMapResult result = run_mode_map(small_map());
  ASSERT_EQ(result.rows.size(), 9u);
  std::vector<std::string> finals;
  for (const ModeMapRow& row : result.rows) {
    EXPECT_EQ(row.rigid_outcome, Outcome::success) << row.message;
    EXPECT_EQ(row.rigid, row.compliant) << row.start << row.friction_left;
    EXPECT_TRUE(row.agree());
    finals.push_back(row.rigid_final());
  }
  // Rest: rolling for μ ≥ 0.0961. Yaw: the right contact slips long after the left contact rolls.
  EXPECT_THAT(finals, testing::ElementsAre("SS", "RR", "RR", "SS", "RR", "RR", "SS", "RS", "RR"));
  EXPECT_EQ(result.thresholds.size(), 1u);
  EXPECT_TRUE(result.held());

  // Negative controls: a threshold wrong by 1e-5, a motion with another final mode.
  ModeMapResult off = result;
  off.thresholds[0].compliant += 1e-5;
  off.claims = judged_claims(off);
  EXPECT_FALSE(off.held());
  off = result;
  off.rows[1].compliant = "SS";
  off.claims = judged_claims(off);
  EXPECT_FALSE(off.held());
}

TEST(ModeMap, RejectsInvalidInput) {
  ModeMap map = small_map();
  map.slopes.clear();
  EXPECT_THROW(run_mode_map(map), InputError);
  map = small_map();
  map.starts[0].v(2) = 1.0;
  EXPECT_THROW(run_mode_map(map), InputError);
  map = small_map();
  map.frictions = {-0.1};
  EXPECT_THROW(run_mode_map(map), InputError);
}

TEST(ModeMap, AReversalOfVelocityIsNotRolling) {
  const FrictionalSystem system = groove_system(TwoPointBall{});
  Motion motion{
      .times = {0, 1, 2}, .q = MatrixXd::Zero(3, 3), .v = MatrixXd::Zero(6, 3), .lambda = {}};
  motion.v.row(0) << 1.0, 0.0, -1.0;
  EXPECT_EQ(mode_sequence(system, motion, 1e-3), "SS");
  motion.v.row(0) << 1.0, 0.0, 0.0;
  EXPECT_EQ(mode_sequence(system, motion, 1e-3), "SS > RR");
  motion.v.row(5) << 5.0, 5.0, 5.0;
  motion.v.row(0).setConstant(5.0 * 0.1 * std::sin(0.7));  // the left contact's w vanishes
  EXPECT_EQ(mode_sequence(system, motion, 1e-3), "RS");
}

}  // namespace
}  // namespace rigidlimit
