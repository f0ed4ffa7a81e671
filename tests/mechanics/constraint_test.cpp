// Tests drift, Delassus matrix and projection from G and M, on systems of every kind.
#include <gmock/gmock.h>

#include <type_traits>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
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

template <class Sys>
class Constraint : public testing::Test {};
using Systems = testing::Types<test::NonholonomicParticle, test::DrivenPendulum,
                               test::BodyFrameSkate, test::TwoContacts>;
TYPED_TEST_SUITE(Constraint, Systems);

// constraint_drift(q, v) = d/ds [G(q + s T v) v] at s = 0, by differences; this includes T.
TYPED_TEST(Constraint, DriftIsTheRateOfSlidingAtFixedVelocity) {
  const TypeParam sys;
  RandomNumbers random(12);
  for (int i = 0; i < 20; ++i) {
    const auto [q, v, t] = random_state<TypeParam>(random);
    const auto rate = coordinate_rate(sys, q, v);
    const auto sliding = [&](double s) -> VectorXd {
      return constraint(sys, Coordinates<TypeParam>(q + s * rate)) * v;
    };
    const auto numerical = test::central_difference(sliding, 0.0, 1.0 / 64.0);
    EXPECT_LT(numerical.bound, 1e-10);
    EXPECT_LE((constraint_drift(sys, q, v) - numerical.value.col(0)).cwiseAbs().maxCoeff(),
              numerical.bound);
  }
}

// Another route to A: the lower right block of the inverse of [M Gᵀ; G 0] is −(G M⁻¹ Gᵀ)⁻¹.
// Two inversions, each off by N cond · u: cond ≤ 100, N = 6 (full pivoting: negligible growth).
TYPED_TEST(Constraint, DelassusIsMinusTheInverseOfTheCornerOfTheInverse) {
  constexpr int n = TypeParam::n, m = TypeParam::m;
  const TypeParam sys;
  RandomNumbers random(13);
  for (int i = 0; i < 50; ++i) {
    const auto [q, v, t] = random_state<TypeParam>(random);
    const auto A = delassus(make_system(sys), q);
    MatrixXd K = MatrixXd::Zero(n + m, n + m);
    K.topLeftCorner(n, n) = mass_matrix(sys, q);
    K.topRightCorner(n, m) = constraint(sys, q).transpose();
    K.bottomLeftCorner(m, n) = constraint(sys, q);
    const MatrixXd corner = inverse_of(K).bottomRightCorner(m, m);
    const MatrixXd other = -inverse_of(corner);
    EXPECT_LE((A - other).cwiseAbs().maxCoeff(),
              2.0 * 6.0 * 100.0 * unit_roundoff * A.cwiseAbs().maxCoeff());
    EXPECT_EQ(A, A.transpose().eval());  // exactly, because A is symmetrised
    EXPECT_GT(symmetric_eigenvalues(A)(0), 0.0);
  }
}

// P v = v − M⁻¹GᵀA⁻¹Gv: G P v = 0, P P v = P v, and the removed part is M-orthogonal to every
// rolling velocity. Sizes: |v| ≤ 2, |M| ≤ 4, cond(A), cond(M) ≤ 30, n ≤ 4.
TYPED_TEST(Constraint, ProjectionIsOrthogonalOntoTheRollingVelocities) {
  const TypeParam sys;
  const System system = make_system(sys);
  const auto project = [&](const VectorXd& q, const VectorXd& v) -> Velocities<TypeParam> {
    return projected_velocity<double>(system, independent_contacts(system.m), q, v);
  };
  RandomNumbers random(14);
  const double tolerance = 4.0 * 30.0 * 30.0 * unit_roundoff;
  for (int i = 0; i < 100; ++i) {
    const auto [q, v, t] = random_state<TypeParam>(random);
    const auto other = project(q, random_state<TypeParam>(random).v);
    const auto M = mass_matrix(sys, q);
    const auto G = constraint(sys, q);
    const auto projected = project(q, v);
    EXPECT_LE((G * projected).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LE((project(q, projected) - projected).cwiseAbs().maxCoeff(), tolerance);
    const double product = (v - projected).dot(M * other);
    EXPECT_NEAR(product, 0.0, 8.0 * tolerance);  // |v| |M| ≤ 8
    // Negative controls: the removed part is not zero, and the Euclidean projection differs.
    EXPECT_GT((G * v).cwiseAbs().maxCoeff(), 1e-6);
    const Velocities<TypeParam> euclidean =
        v - G.transpose() * inverse_of(G * G.transpose()) * G * v;
    constexpr bool isotropic = std::is_same_v<TypeParam, test::NonholonomicParticle>;  // M = mass I
    EXPECT_EQ((euclidean - projected).cwiseAbs().maxCoeff() > 1e-6, !isotropic);
  }
}

}  // namespace
}  // namespace rigidlimit
