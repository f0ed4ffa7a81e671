// Tests the KKT system on systems of every kind and against solutions by hand.
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/core/dense.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/central_difference.hpp"
#include "support/model_systems.hpp"
#include "support/random_numbers.hpp"
#include "support/random_state.hpp"
#include "support/terms_by_duals.hpp"

namespace rigidlimit {
namespace {

using test::random_state;
using test::RandomNumbers;
using test::State;
using test::unit_roundoff;

/// The KKT solution with contacts taken as independent.
template <class Sys>
KktSolution<double> kkt_of(const Sys& sys, const VectorXd& q, const VectorXd& v, double t) {
  return solve_kkt<double>(make_system(sys), independent_contacts(Sys::m), q, v, t);
}

template <class Sys>
class Kkt : public testing::Test {};
using Systems = testing::Types<test::NonholonomicParticle, test::DrivenPendulum,
                               test::BodyFrameSkate, test::TwoContacts>;
TYPED_TEST_SUITE(Kkt, Systems);

// LU with row exchange is backward stable: |residual| ≤ 3 N² g u |K||x|, growth g ≤ 4 here, N ≤ 6.
// Forming F and the drift costs as much again. Magnitudes below are ∞-norms.
constexpr double lu_roundings = 2.0 * 3.0 * 36.0 * 4.0;

TYPED_TEST(Kkt, BothRowsHoldToRoundOff) {
  const TypeParam sys;
  RandomNumbers random(11);
  for (int i = 0; i < 100; ++i) {
    const auto [q, v, t] = random_state<TypeParam>(random);
    const auto kkt = kkt_of(sys, q, v, t);
    const auto M = mass_matrix(sys, q);
    const auto G = constraint(sys, q);
    const auto F = force(sys, q, v, t);
    const auto drift = constraint_drift(sys, q, v);
    const double magnitude =
        F.cwiseAbs().maxCoeff() + drift.cwiseAbs().maxCoeff() +
        (M.cwiseAbs().sum() + G.cwiseAbs().sum()) *
            (kkt.acceleration.cwiseAbs().maxCoeff() + kkt.multiplier.cwiseAbs().maxCoeff());
    const double tolerance = lu_roundings * unit_roundoff * magnitude;
    const Velocities<TypeParam> balance = M * kkt.acceleration - F + G.transpose() * kkt.multiplier;
    const ContactVector<TypeParam> sliding = G * kkt.acceleration + drift;
    EXPECT_LE(balance.cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LE(sliding.cwiseAbs().maxCoeff(), tolerance);
    // Negative control: the other sign of Λ is not a solution.
    const Velocities<TypeParam> wrong = M * kkt.acceleration - F - G.transpose() * kkt.multiplier;
    EXPECT_GT(wrong.cwiseAbs().maxCoeff(), 1e3 * tolerance);
  }
}

// By hand, a dozen operations on numbers below 10.
TEST(KktByHand, NonholonomicParticleMatches) {
  const test::NonholonomicParticle sys;
  RandomNumbers random(15);
  for (int i = 0; i < 50; ++i) {
    const auto [q, v, t] = random_state<test::NonholonomicParticle>(random);
    const double z = q(2), one = 1.0 + z * z;
    const double lambda = (sys.pull(1) - z * sys.pull(0) - sys.mass * v(2) * v(0)) / one;
    const Eigen::Vector3d acceleration =
        (sys.pull - lambda * Eigen::Vector3d(-z, 1.0, 0.0)) / sys.mass;
    const auto kkt = kkt_of(sys, q, v, t);
    const double tolerance = 12.0 * 10.0 * unit_roundoff;
    EXPECT_NEAR(kkt.multiplier(0), lambda, tolerance);
    EXPECT_LE((kkt.acceleration - acceleration).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_NEAR(delassus(make_system(sys), q)(0, 0), one / sys.mass, tolerance);
  }
}

// M may be singular where G holds: the KKT system needs M > 0 on ker G only. A massless wheel (M =
// diag(2, 0)) is geared to a cart (x' = 0.5 φ'), pulled by 3 and wound by 1: a = (F₁ + F₂/½ ...) by
// virtual work along (½, 1): ¼ · 2 φ'' = ½ · 3 + 1, so φ'' = 5, x'' = 2.5, and Λ = F₁ − 2 x'' = −2.
struct MasslessWheel {
  static constexpr int nq = 2, n = 2, m = 1;
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Vector<S, n>(S(2), S(0)).asDiagonal();
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return {S(3), S(1)};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(1), S(-0.5));
  }
};

TEST(KktByHand, MassMatrixMayBeSingularAcrossTheConstraint) {
  const Eigen::Vector2d zero = Eigen::Vector2d::Zero();
  const auto kkt = kkt_of(MasslessWheel{}, zero, zero, 0.0);
  EXPECT_NEAR(kkt.acceleration(0), 2.5, 16.0 * unit_roundoff);
  EXPECT_NEAR(kkt.acceleration(1), 5.0, 16.0 * unit_roundoff);
  EXPECT_NEAR(kkt.multiplier(0), -2.0, 16.0 * unit_roundoff);
}

// Two equal rows of G leave Λ undetermined. The contact basis keeps one row: Λ is that of one
// contact, and zero on the other. 1e3 roundings: both are LUs of matrices with condition < 100.
struct TwiceHeld : test::NonholonomicParticle {
  static constexpr int m = 2;
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    Matrix<S, m, n> G;
    G << -q(2), S(1), S(0), -q(2), S(1), S(0);
    return G;
  }
};

TEST(KktByHand, OneOfTheDependentRowsCarriesTheMultiplier) {
  const System twice = make_system(TwiceHeld{}), once = make_system(test::NonholonomicParticle{});
  RandomNumbers random(16);
  for (int i = 0; i < 50; ++i) {
    const auto [q, v, t] = random_state<TwiceHeld>(random);
    const ContactBasis basis = contact_basis(twice, q);
    ASSERT_EQ(basis.rank(), 1);
    const auto kkt = solve_kkt<double>(twice, basis, q, v, t);
    const auto single = solve_kkt<double>(once, independent_contacts(1), q, v, t);
    EXPECT_LE((kkt.acceleration - single.acceleration).norm(), 1e3 * unit_roundoff);
    EXPECT_NEAR(kkt.multiplier.sum(), single.multiplier(0), 1e3 * unit_roundoff);
    EXPECT_EQ(kkt.multiplier.cwiseAbs().minCoeff(), 0.0);
    // Negative control: taken as independent, the rows make the matrix singular.
    EXPECT_EQ(independent_columns(kkt_matrix<double>(twice, basis, q), 1e-12).size(), 4);
    EXPECT_EQ(
        independent_columns(kkt_matrix<double>(twice, independent_contacts(2), q), 1e-12).size(),
        4);
  }
}

}  // namespace
}  // namespace rigidlimit
