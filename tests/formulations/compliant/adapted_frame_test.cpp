// Tests the frame [S; E; G_I]: its condition number, and the starts that it refuses.
#include "rigidlimit/formulations/compliant/adapted_frame.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/inertia.hpp"
#include "support/adapted_systems.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit {
namespace {

using test::unit_roundoff;

/// A blade under the centre of mass: q = (x, y, φ), M = diag(m, m, J), G = (−sin φ, cos φ, 0).
struct Blade {
  static constexpr int nq = 3, n = 3, m = 1;
  double mass = 2.0, inertia = 0.3;
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Vector<S, n>(S(mass), S(mass), S(inertia)).asDiagonal();
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return {S(1), S(0), S(0)};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    return Matrix<S, m, n>(-sin(q(2)), cos(q(2)), S(0));
  }
};

/// Two rows that are parallel at φ = 0 only.
struct Scissors : Blade {
  static constexpr int m = 2;
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    Matrix<S, m, n> G;
    G << -sin(q(2)), cos(q(2)), S(0), sin(q(2)), cos(q(2)), S(0);
    return G;
  }
};

VectorXd turned(double phi) {
  return Eigen::Vector3d(0.4, -0.2, phi);
}

// S is chosen at φ = 0, where it spans the forward and the turning direction. For the blade turned
// by δ the cosine between G and the forward row is sin δ, in any units of mass. Rounding of 1 − σ.
TEST(AdaptedFrame, ConditionOfATurningBladeFollowsItsAngle) {
  const AdaptedFrame frame(make_system(Blade{}), turned(0.0), {});
  EXPECT_NEAR(frame.condition(turned(0.0)), 1.0, 1e-7);  // σ = sqrt of a rounding error
  for (const double delta : {0.1, -0.4, 0.9, 1.3}) {
    const double sigma = std::abs(std::sin(delta));
    const double expected = std::sqrt((1.0 + sigma) / (1.0 - sigma));
    EXPECT_NEAR(frame.condition(turned(delta)), expected,
                50.0 * unit_roundoff * expected / (1.0 - sigma));
  }
  // At a right angle [S; G] is singular: σ = 1 up to a few roundings.
  EXPECT_GT(frame.condition(turned(M_PI_2)), 1e6);
}

// A frame chosen there has the condition of the start; reset() restores the former condition.
TEST(AdaptedFrame, ChoosingNewRowsRepairsASingularFrame) {
  AdaptedFrame frame(make_system(Blade{}), turned(0.0), {});
  frame.choose(turned(M_PI_2));
  EXPECT_NEAR(frame.condition(turned(M_PI_2)), 1.0, 1e-7);
  frame.reset();
  EXPECT_GT(frame.condition(turned(M_PI_2)), 1e6);
}

// Contacts that are redundant at the start only are refused: w = H w_I would be wrong elsewhere.
TEST(AdaptedFrame, RefusesContactsThatBecomeIndependent) {
  AdaptedFrame frame(make_system(Scissors{}), turned(0.0), {});
  EXPECT_EQ(frame.rank(), 1);
  EXPECT_THROW(frame.choose(turned(0.1)), InputError);
  // Negative control: rows that stay proportional are accepted.
  test::RandomNumbers random(214);
  const System proportional = test::proportional_contacts();
  AdaptedFrame other(proportional, test::random_vector(random, 3), {});
  EXPECT_EQ(other.rank(), 2);
  EXPECT_NO_THROW(other.choose(test::random_vector(random, 3)));
}

// With M⁻¹ the inverse on ker E: S M⁻¹ Sᵀ = I, S M⁻¹ G_Iᵀ = 0 and E M⁻¹ = 0 at q̄. 500 roundings of
// a Cholesky, a QR and an LU.
void expect_orthonormal_in_inverse_mass(const System& system, std::uint64_t seed) {
  test::RandomNumbers random(seed);
  const VectorXd q = test::held_state(system, random).q;
  const AdaptedFrame frame(system, q, {.natural = false});
  const Index free = frame.free(), r = frame.rank(), ne = system.ne;
  const MatrixXd B = frame.at(q);
  ASSERT_EQ(B.rows(), system.n);
  Inertia<double> inertia;
  inertia.compute(system, q);
  const MatrixXd gram = B * inertia.solve(MatrixXd(B.transpose()));
  MatrixXd expected = MatrixXd::Zero(system.n, system.n);
  expected.topLeftCorner(free, free).setIdentity();
  expected.bottomRightCorner(r, r) = gram.bottomRightCorner(r, r);
  const double tolerance = 500.0 * unit_roundoff * gram.norm();
  EXPECT_LE((gram - expected).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_LE(gram.middleRows(free, ne).norm(), tolerance);
  EXPECT_GT(expected.bottomRightCorner(r, r).diagonal().minCoeff(), 1e-3);
  EXPECT_LT(frame.condition(q), 1.0 + 1e-6);
  // Negative control: elsewhere the frame is not orthonormal.
  EXPECT_GT(frame.condition(test::held_state(system, random).q), 1.01);
}

TEST(AdaptedFrame, IsOrthonormalInTheInverseMassAtItsReferencePoint) {
  expect_orthonormal_in_inverse_mass(test::skate(), 211);
  expect_orthonormal_in_inverse_mass(test::two_contacts(), 212);
  expect_orthonormal_in_inverse_mass(test::proportional_contacts(), 215);
  expect_orthonormal_in_inverse_mass(test::bead_on_cylinder(), 216);  // M is singular
}

}  // namespace
}  // namespace rigidlimit
