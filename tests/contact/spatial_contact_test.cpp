// Tests spatial and redundant contacts, and random problems against an iteration that shares no
// code with the enumeration of modes.
#include <gmock/gmock.h>

#include <algorithm>

#include "rigidlimit/contact/contact_laws.hpp"
#include "rigidlimit/contact/contact_problem.hpp"
#include "support/contact_bodies.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using testing::ElementsAre;
using testing::SizeIs;

using Contact = ContactProblem::Contact;

/// A point mass of 2 kg on a plane, with an applied `force`.
ContactProblem mass_point(double friction, const Eigen::Vector3d& force) {
  return test::problem_of(Eigen::Vector3d(2.0, 2.0, 2.0), Eigen::Matrix3d::Identity(), force,
                          {{.first = 0, .components = 2, .friction = friction}});
}

TEST(SpatialContact, AMassPointBeginsToSlipInTheDirectionOfThePull) {
  const Eigen::Vector3d pull(6.0, 8.0, -20.0);
  EXPECT_THAT(solve_contact_problem(mass_point(0.51, pull))[0].modes,
              ElementsAre(ContactMode::stick));
  const auto answers = solve_contact_problem(mass_point(0.25, pull));
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_THAT(answers[0].modes, ElementsAre(ContactMode::slip));
  EXPECT_NEAR(answers[0].reaction(0), -3.0, 1e-13);
  EXPECT_NEAR(answers[0].reaction(1), -4.0, 1e-13);
  EXPECT_NEAR(answers[0].rate.norm(), 2.5, 1e-13);
}

/// r ← proj(r − ρ (A r + b)), contact by contact, p first: Coulomb's disc of the new p.
VectorXd by_projections(const ContactProblem& problem) {
  const Index size = problem.free.size(), m = size - static_cast<Index>(problem.contacts.size());
  const double rho = 0.3 / problem.delassus.trace();
  VectorXd r = VectorXd::Zero(size);
  for (int sweep = 0; sweep < 200000; ++sweep) {
    const VectorXd before = r, u = problem.delassus * r + problem.free;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      const Contact& contact = problem.contacts[i];
      const Index normal = m + static_cast<Index>(i);
      r(normal) = std::max(0.0, r(normal) - rho * u(normal));
      auto r_t = r.segment(contact.first, contact.components);
      r_t -= rho * u.segment(contact.first, contact.components);
      const double rim = contact.friction * r(normal);
      if (r_t.norm() > rim) r_t *= rim / r_t.norm();
    }
    if ((r - before).norm() < 1e-15 * r.norm()) break;
  }
  return r;
}

/// Two contacts of `components` each, with so little friction that the solution is unique.
ContactProblem random_problem(RandomNumbers& random, Index components) {
  const Index size = 2 * components + 2;
  ContactProblem problem{
      .delassus = random.positive_definite(size), .free = VectorXd(size), .contacts = {}};
  for (Index i = 0; i < size; ++i) problem.free(i) = random.uniform();
  for (Index i = 0; i < 2; ++i) {
    problem.free(2 * components + i) -= 0.5;
    problem.contacts.push_back(
        {.first = i * components, .components = components, .friction = random.uniform(0.05, 0.5)});
  }
  return problem;
}

// The iteration stops at a change of 1e-15 a sweep. Its rate of convergence, ρ times the smallest
// eigenvalue, is at least some 1e-3, so that its error is 1e-12 at scales of order 1.
TEST(RandomContacts, AgreeWithProjections) {
  RandomNumbers random(21);
  int slipping = 0, sticking = 0, open = 0;
  for (int i = 0; i < 40; ++i) {
    const ContactProblem problem = random_problem(random, 1 + i % 2);
    const VectorXd expected = by_projections(problem);
    ASSERT_LT(law_violation(problem, expected), 1e-10);
    const auto answers = solve_contact_problem(problem);
    ASSERT_THAT(answers, SizeIs(1)) << i;
    EXPECT_LT((answers[0].reaction - expected).norm(), 1e-9 * (1.0 + expected.norm())) << i;
    EXPECT_LT(law_violation(problem, answers[0].reaction), 1e-11);
    for (const ContactMode mode : answers[0].modes) {
      slipping += mode == ContactMode::slip ? 1 : 0;
      sticking += mode == ContactMode::stick ? 1 : 0;
      open += mode == ContactMode::free ? 1 : 0;
    }
  }
  // Negative control: every mode occurred.
  EXPECT_GT(slipping, 5);
  EXPECT_GT(sticking, 5);
  EXPECT_GT(open, 5);
}

/// Twelve planar contacts have 4^12 combinations of modes.
TEST(RandomContacts, InLargeNumberAreSolvedByProjections) {
  RandomNumbers random(4);
  ContactProblem problem{
      .delassus = random.positive_definite(24) / 24.0, .free = VectorXd(24), .contacts = {}};
  for (Index i = 0; i < 24; ++i) problem.free(i) = random.uniform();
  for (Index i = 0; i < 12; ++i) problem.contacts.push_back({.first = i, .friction = 0.2});
  const auto answers = solve_contact_problem(problem);
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_LT(law_violation(problem, answers[0].reaction), 1e-11);
  EXPECT_THAT(answers[0].modes, testing::Contains(ContactMode::slip));
  EXPECT_THAT(answers[0].modes, testing::Contains(ContactMode::free));
}

TEST(RandomContacts, ASolutionContinuesInItsModesWhileTheyHold) {
  RandomNumbers random(6);
  int continued = 0;
  for (int i = 0; i < 20; ++i) {
    ContactProblem problem = random_problem(random, 2);
    const ContactSolution known = solve_contact_problem(problem)[0];
    problem.free += 1e-3 * VectorXd::Ones(problem.free.size());
    const ContactSolution all = solve_contact_problem(problem)[0];
    const auto near = continued_solution(problem, known);
    EXPECT_EQ(near.has_value(), all.modes == known.modes);
    if (!near) continue;
    ++continued;
    EXPECT_LT((near->reaction - all.reaction).norm(), 1e-9 * (1.0 + all.reaction.norm()));
  }
  EXPECT_GT(continued, 10);
  // Negative control: with an upward pull the modes of rest have no solution.
  const auto rest = solve_contact_problem(mass_point(0.5, {0.0, 0.0, -20.0}));
  EXPECT_FALSE(continued_solution(mass_point(0.5, {0.0, 0.0, 20.0}), rest[0]).has_value());
}

/// A ball of mass 1 and radius 1 in a V-groove along x, inclined by α. The planes have the normals
/// (0, ± sin γ, cos γ) in the groove's frame. Both contacts are closed and do not slip yet.
/// Velocities (x, y, z, ω); tangents along x, and across, n × e_x.
ContactProblem ball_in_groove(double alpha, double gamma, double friction) {
  MatrixXd H = MatrixXd::Zero(6, 6);
  for (Index i = 0; i < 2; ++i) {
    const double side = i == 0 ? 1.0 : -1.0;
    const Eigen::Vector3d n(0.0, side * std::sin(gamma), std::cos(gamma));
    const Eigen::Vector3d along = Eigen::Vector3d::UnitX(), across = n.cross(along);
    const Eigen::Vector3d arm = -n;
    for (const auto& [row, t] :
         {std::pair<Index, Eigen::Vector3d>{2 * i, along}, {2 * i + 1, across}, {4 + i, n}})
      H.row(row) << t.transpose(), arm.cross(t).transpose();
  }
  VectorXd masses(6), force = VectorXd::Zero(6);
  masses << 1.0, 1.0, 1.0, 0.4, 0.4, 0.4;
  force(0) = 9.81 * std::sin(alpha);
  force(2) = -9.81 * std::cos(alpha);
  return test::problem_of(masses, H, force,
                          {{.first = 0, .components = 2, .friction = friction},
                           {.first = 2, .components = 2, .friction = friction}});
}

bool rolls(double alpha, double gamma, double friction) {
  for (const ContactSolution& answer :
       solve_contact_problem(ball_in_groove(alpha, gamma, friction)))
    if (answer.modes == std::vector(2, ContactMode::stick)) return true;
  return false;
}

/// The smallest friction coefficient for rolling, by bisection.
double threshold(double alpha, double gamma) {
  double slips = 0.0, does = 5.0;
  for (int i = 0; i < 40; ++i)
    (rolls(alpha, gamma, 0.5 * (slips + does)) ? does : slips) = 0.5 * (slips + does);
  return does;
}

// Without internal force T/N = cos γ tan α (1 − 1/(1 + 2/(5 cos²γ))) = μ₀ (docs/theory.md, section
// 10). An internal force δ along the line of the contacts adds δ sin γ to N and δ cos γ across. It
// allows T up to μ N cos γ/sqrt(cos²γ − μ² sin²γ), so that rolling begins at
//
//   μ₁² = μ₀² cos²γ/(cos²γ + μ₀² sin²γ) < μ₀².
TEST(BallInGroove, RollsAboveTheThresholdWithInternalForce) {
  for (const double alpha : {0.3, 0.8})
    for (const double gamma : {0.4, 0.9}) {
      const double c = std::cos(gamma), s = std::sin(gamma);
      const double none = c * std::tan(alpha) * (1.0 - 1.0 / (1.0 + 0.4 / (c * c)));
      const double some = none * c / std::sqrt(c * c + none * none * s * s);
      EXPECT_NEAR(threshold(alpha, gamma), some, 1e-6);
      EXPECT_LT(some, none - 1e-5);
    }
}

// With rigid normals (compliance 0) only the forces across count in the measure, and they vanish.
TEST(BallInGroove, WithRigidNormalsTheLeastReactionHasNoInternalForce) {
  const double alpha = 0.5, gamma = 0.7;
  ContactProblem problem = ball_in_groove(alpha, gamma, 0.6);
  problem.compliance = VectorXd::Ones(6);
  problem.compliance.tail(2).setZero();
  const auto answers = solve_contact_problem(problem);
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_THAT(answers[0].modes, ElementsAre(ContactMode::stick, ContactMode::stick));
  const VectorXd& r = answers[0].reaction;
  EXPECT_NEAR(r(4), 9.81 * std::cos(alpha) / (2.0 * std::cos(gamma)), 1e-12);
  EXPECT_NEAR(r(5), r(4), 1e-12);
  EXPECT_NEAR(r(1), 0.0, 1e-12);  // across
  EXPECT_NEAR(r(3), 0.0, 1e-12);
  EXPECT_NEAR(answers[0].rate.norm(), 0.0, 1e-12);
  // Negative control: equally compliant normals share the load with the forces across.
  problem.compliance.setOnes();
  EXPECT_GT(std::abs(solve_contact_problem(problem)[0].reaction(1)), 0.1);
}

// Between μ₁ and μ₀ the least reaction lies on the boundary of both cones, with the u of rolling.
TEST(BallInGroove, RollsByInternalForceBetweenTheThresholds) {
  const double gamma = 0.9, c = std::cos(gamma);
  const double none = c * std::tan(0.8) * (1.0 - 1.0 / (1.0 + 0.4 / (c * c)));
  const auto answers = solve_contact_problem(ball_in_groove(0.8, gamma, 0.99 * none));
  ASSERT_FALSE(answers.empty());
  const VectorXd& r = answers[0].reaction;
  EXPECT_THAT(answers[0].modes, ElementsAre(ContactMode::stick, ContactMode::stick));
  EXPECT_NEAR(r.head(2).norm(), 0.99 * none * r(4), 1e-9);
  EXPECT_GT(std::abs(r(1)), 1e-3);
}

// Both signs of p and every mode of the search: the same u and the same least reaction.
TEST(BallInGroove, InTheModesOfASolutionItIsFoundWithoutASearch) {
  RandomNumbers random(12);
  int stick = 0, slip = 0;
  for (int i = 0; i < 60; ++i) {
    ContactProblem problem = ball_in_groove(random.uniform(0.1, 0.9), random.uniform(0.3, 1.0),
                                            random.uniform(0.02, 1.0));
    problem.compliance = VectorXd::Constant(6, 0.1);
    for (Index k = 0; k < 6; ++k) problem.compliance(k) += random.uniform(0.0, 1.0);
    if (i % 2 == 0)
      for (Contact& contact : problem.contacts) contact.normal = ContactProblem::Normal::bilateral;
    for (const ContactSolution& found : solve_contact_problem(problem)) {
      ContactProblem known = problem;
      for (std::size_t k = 0; k < 2; ++k) {
        if (found.modes[k] != ContactMode::slip) continue;
        const VectorXd u = found.rate.segment<2>(known.contacts[k].first);
        known.contacts[k].slipping = u.normalized();
      }
      const auto again = solutions_in_modes(known, found.modes);
      const auto same = std::ranges::find_if(again, [&](const ContactSolution& one) {
        return (one.rate - found.rate).norm() < 1e-8 * (1.0 + found.rate.norm());
      });
      ASSERT_NE(same, again.end()) << i;
      EXPECT_LT((same->reaction - found.reaction).norm(), 1e-8 * found.reaction.norm()) << i;
      (found.modes[0] == ContactMode::stick ? stick : slip) += 1;
    }
  }
  EXPECT_GT(stick, 10);
  EXPECT_GE(slip, 5);
  // Negative controls: with so little friction it cannot stick; an open direction is not searched.
  const ContactProblem slippery = ball_in_groove(0.8, 0.4, 0.05);
  EXPECT_TRUE(solutions_in_modes(slippery, {ContactMode::stick, ContactMode::stick}).empty());
  EXPECT_TRUE(solutions_in_modes(slippery, {ContactMode::slip, ContactMode::slip}).empty());
}

// Below μ₁ the ball slips at both contacts, along the groove, with N as without internal force.
TEST(BallInGroove, SlipsAtBothContactsWithLittleFriction) {
  const double alpha = 0.8, gamma = 0.4, mu = 0.05;
  const auto answers = solve_contact_problem(ball_in_groove(alpha, gamma, mu));
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_THAT(answers[0].modes, ElementsAre(ContactMode::slip, ContactMode::slip));
  const double p = 9.81 * std::cos(alpha) / (2.0 * std::cos(gamma));
  EXPECT_NEAR(answers[0].reaction(4), p, 1e-11);
  EXPECT_NEAR(answers[0].reaction(0), -mu * p, 1e-11);
  EXPECT_NEAR(answers[0].reaction(2), -mu * p, 1e-11);
}

}  // namespace
}  // namespace rigidlimit
