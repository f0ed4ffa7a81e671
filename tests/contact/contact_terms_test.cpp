// Tests contact_terms() against differences along a motion and against the KKT system.
#include "rigidlimit/contact/contact_terms.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/mechanics/kkt.hpp"
#include "support/frictional_models.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;

/// (w, g') after the time h with acceleration a, for T = I.
VectorXd rate_after(const FrictionalSystem& system, const VectorXd& q, const VectorXd& v,
                    const VectorXd& a, double h) {
  return contact_rows(system, q + h * v + 0.5 * h * h * a).rows * (v + h * a);
}

// Central differences of (w, g'): the error is h²/6 of the third derivative, 1e-8 · O(100), plus
// the round-off 1e-16 · |rate|/h = 1e-11.
TEST(ContactTerms, AccelerationsAreRatesOfTheVelocitiesOfTheContacts) {
  const FrictionalSystem system = test::system_of(test::WheelAtAnEdge{.push = 3.0});
  RandomNumbers random(5);
  for (int i = 0; i < 20; ++i) {
    const VectorXd q = Eigen::Vector3d(0.2, 0.3, 0.0) + 0.1 * random.vector<3>();
    const VectorXd v = random.vector<3>(), r = 10.0 * random.vector<4>();
    const ContactTerms terms = contact_terms(system, q, v, 0.0);
    const VectorXd a = terms.acceleration + terms.response * r;
    constexpr double h = 1e-4;
    const VectorXd measured =
        (rate_after(system, q, v, a, h) - rate_after(system, q, v, a, -h)) / (2.0 * h);
    const VectorXd expected = terms.delassus * r + terms.free;
    EXPECT_LT((measured - expected).cwiseAbs().maxCoeff(), 1e-5 * (1.0 + a.norm()));
    // Negative control: the rate of the rows is left out.
    EXPECT_GT((measured - terms.rows * a).cwiseAbs().maxCoeff(), 1e-3);
  }
}

TEST(ContactTerms, ReactionsKeepTheExactRows) {
  const FrictionalSystem system = test::system_of(test::DumbbellAboveFloor{});
  const VectorXd q = Eigen::Vector4d(0.0, 0.0, 0.8, 0.6);
  const ContactTerms terms = contact_terms(system, q, VectorXd::Zero(4), 0.0);
  const Eigen::RowVector4d E(-0.8, -0.6, 0.8, 0.6);
  EXPECT_LT((E * terms.response).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT(std::abs((E * terms.acceleration).value()), 1e-13);
  // The Delassus matrix of the sliding rows equals that of the smooth system.
  EXPECT_LT((terms.delassus.topLeftCorner(2, 2) - delassus(system.smooth, q)).norm(), 1e-14);
  EXPECT_GT((terms.rows * terms.rows.transpose() / 2.0 - terms.delassus).norm(), 0.01);
}

TEST(ContactTerms, ASubsetOfTheContactsGivesItsOwnProblem) {
  const FrictionalSystem system = test::system_of(test::WheelAtAnEdge{});
  const ContactTerms terms =
      contact_terms(system, Eigen::Vector3d(0.3, 0.05, 0.0), Eigen::Vector3d(-1.0, 0.0, 0.0), 0.0);
  const std::vector<ActiveContact> floor = {{.which = 1, .slipping = VectorXd::Constant(1, -1.0)}};
  const ContactProblem problem =
      contact_problem_of(system, terms, terms.free, terms.normal_force, floor);
  const auto answers = solve_contact_problem(problem);
  ASSERT_THAT(answers, testing::SizeIs(1));
  const VectorXd forces = forces_of(system, reaction_of_all(system, floor, answers[0].reaction));
  // λ = μ p s, p = m g; the edge has no force.
  EXPECT_LT((forces - Eigen::Vector4d(0.0, -0.4 * 98.1, 0.0, 98.1)).norm(), 1e-12);
}

}  // namespace
}  // namespace rigidlimit
