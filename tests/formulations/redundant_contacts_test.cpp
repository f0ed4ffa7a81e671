// Tests redundant contacts: the stiffness determines the shares of the force.
#include <gmock/gmock.h>

#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/formulations/rigid/rigid.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid/rigid_semi_explicit.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "support/central_difference.hpp"
#include "support/model_systems.hpp"
#include "support/random_state.hpp"

namespace rigidlimit {
namespace {

using test::unit_roundoff;

/// The nonholonomic particle with its row twice, the second one doubled: H ∝ (1, 2).
struct TwoGuides : test::NonholonomicParticle {
  static constexpr int m = 2;
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    Matrix<S, m, n> G;
    G << -q(2), S(1), S(0), -2.0 * q(2), S(2), S(0);
    return G;
  }
};

class RedundantContacts : public testing::Test {
 protected:
  System once = make_system(test::NonholonomicParticle{});
  System twice = make_system(TwoGuides{});
  test::RandomNumbers random{131};
  InitialState start = test::rolling_state(once, random);
};

// The rigid motion is that of the single row, Λ₁ + 2 Λ₂ its Λ. Condition < 100: 1e3 roundings.
TEST_F(RedundantContacts, RigidFormsMoveAsWithTheIndependentRow) {
  const auto kkt = solve_kkt<double>(once, independent_contacts(1), start.q, start.v, 0.0);
  const auto expect_share = [&](const VectorXd& lambda) {
    ASSERT_EQ(lambda.size(), 2);
    EXPECT_NEAR(lambda(0) + 2.0 * lambda(1), kkt.multiplier(0), 1e3 * unit_roundoff);
    EXPECT_EQ(lambda.cwiseAbs().minCoeff(), 0.0);
    EXPECT_GT(std::abs(lambda.sum()), 1e-3);
  };
  const auto eliminated = rigid_eliminated(twice, start);
  VectorXd f(6);
  eliminated.problem.rhs(0.0, eliminated.problem.y0, f);
  EXPECT_LE((f.tail(3) - kkt.acceleration).norm(), 1e3 * unit_roundoff);
  Solution at_start;
  at_start.times = {0.0};
  at_start.states = eliminated.problem.y0;
  expect_share(eliminated.motion(at_start).lambda.col(0));

  const auto semi = rigid_semi_explicit(twice, start);
  ASSERT_EQ(semi.problem.y0.size(), 7);
  f.resize(7);
  semi.problem.rhs(0.0, semi.problem.y0, f);
  EXPECT_LE((f.segment(3, 3) - kkt.acceleration).norm(), 1e3 * unit_roundoff);
  at_start.states = semi.problem.y0;
  expect_share(semi.motion(at_start).lambda.col(0));

  for (const MultiplierForm form : {MultiplierForm::index2, MultiplierForm::impulse}) {
    const auto dae = rigid_dae(twice, start, form);
    ASSERT_EQ(dae.problem.y0.size(), 7);
    dae.problem.residual(0.0, dae.problem.y0, dae.problem.yp0, f);
    EXPECT_LE(f.norm(), 1e3 * unit_roundoff);
    at_start.states = dae.problem.y0;
    at_start.rates = dae.problem.yp0;
    expect_share(dae.motion(at_start).lambda.col(0));
  }
}

// An unreached column is NaN in every row, the dependent rows included.
TEST_F(RedundantContacts, UnreachedColumnsAreNaN) {
  const auto semi = rigid_semi_explicit(twice, start);
  Solution solution;
  solution.times = {0.0, 1.0};
  solution.states = MatrixXd::Constant(7, 2, std::nan(""));
  solution.states.col(0) = semi.problem.y0;
  EXPECT_TRUE(semi.motion(solution).lambda.col(0).allFinite());
  EXPECT_TRUE(semi.motion(solution).lambda.col(1).array().isNaN().all());
  const auto eliminated = rigid_eliminated(twice, start);
  Solution same;
  same.times = solution.times;
  same.states = solution.states.topRows(6);
  EXPECT_TRUE(eliminated.motion(same).lambda.col(1).array().isNaN().all());
}

/// λ of the compliant motion and Λ of its own (q, v) at t = 1, by classical Runge-Kutta steps.
std::pair<VectorXd, VectorXd> contact_forces(const System& twice, const InitialState& start,
                                             const ViscoelasticLaw& law, double epsilon) {
  const auto rolling = compliant_ode(twice, start, law, epsilon, VectorXd::Zero(2));
  VectorXd y = rolling.problem.y0, a(y.size()), b = a, c = a, d = a;
  const double h = epsilon / 32.0;
  for (double t = 0.0; t < 1.0; t += h) {
    rolling.problem.rhs(t, y, a);
    rolling.problem.rhs(t, VectorXd(y + 0.5 * h * a), b);
    rolling.problem.rhs(t, VectorXd(y + 0.5 * h * b), c);
    rolling.problem.rhs(t, VectorXd(y + h * c), d);
    y += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
  }
  Solution end;
  end.times = {1.0};
  end.states = y;
  const auto kkt =
      solve_kkt<double>(twice, contact_basis(twice, start.q), y.head(3), y.segment(3, 3), 1.0);
  return {rolling.motion(end).lambda.col(0), kkt.multiplier};
}

/// Distance of λ at ε from the selected Λ, of its action from HᵀΛ, and of λ from the Λ of equal
/// stiffness.
struct Distances {
  double share, action, other;
};
Distances distances(const System& twice, const InitialState& start, const ViscoelasticLaw& law,
                    double epsilon) {
  const ContactBasis basis = contact_basis(twice, start.q);
  const auto [lambda, rigid] = contact_forces(twice, start, law, epsilon);
  const VectorXd none = VectorXd::Zero(2);
  const MatrixXd equal = MatrixXd::Identity(2, 2);
  const VectorXd selected = selected_multiplier(basis, law.stiffness, none, rigid);
  return {(lambda - selected).norm(), (basis.combination.transpose() * (lambda - rigid)).norm(),
          (lambda - selected_multiplier(basis, equal, none, rigid)).norm()};
}

// After the layer the action Hᵀλ is HᵀΛ + O(ε²) as with independent contacts. The share is the
// selected one: nᵀη = 0 gives nᵀC⁻¹λ = ε^(2−β) nᵀC⁻¹D η', so O(ε) at β = 1, and O(ε²) where D is
// proportional to C. Two-sided, on halving ε: 4 or 2 to 25 % (the next term is ε times smaller).
TEST_F(RedundantContacts, CompliantForceConvergesToTheSelectedForce) {
  ViscoelasticLaw law{MatrixXd::Zero(2, 2), MatrixXd::Zero(2, 2)};
  law.stiffness.diagonal() << 3.0, 0.5;
  for (const bool proportional : {false, true}) {
    if (proportional)
      law.damping = 0.8 * law.stiffness;
    else
      law.damping.diagonal() << 2.0, 1.0;
    const Distances coarse = distances(twice, start, law, 1.0 / 32.0);
    const Distances fine = distances(twice, start, law, 1.0 / 64.0);
    EXPECT_NEAR(coarse.action / fine.action, 4.0, 1.0);
    EXPECT_NEAR(coarse.share / fine.share, proportional ? 4.0 : 2.0, proportional ? 1.0 : 0.5);
    EXPECT_LT(fine.share, 0.02);
    // Negative control: the Λ of equal stiffness.
    EXPECT_GT(fine.other, 10.0 * fine.share);
  }
}

}  // namespace
}  // namespace rigidlimit
