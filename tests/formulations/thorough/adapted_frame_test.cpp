// The frame [S; G]: what its condition number is, and when it refuses.
#include "rigidlimit/formulations/adapted_frame.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "support/central_difference.hpp"
#include "support/model_systems.hpp"
#include "support/random_state.hpp"

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

Eigen::Vector3d turned(double phi) {
  return {0.4, -0.2, phi};
}

// S is chosen at φ = 0, where it spans the forward and the turning direction. The blade turned by δ
// has sin δ as the cosine between G and the forward row, in any units of mass. Rounding of 1 − σ.
TEST(AdaptedFrame, ConditionOfATurningBladeIsThatOfItsAngle) {
  const AdaptedFrame<Blade> frame(Blade{}, turned(0.0), {});
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

// Chosen anew there, it is as good as at the start; and after reset() as bad as before.
TEST(AdaptedFrame, ChoosingAnewMendsASingularFrame) {
  AdaptedFrame<Blade> frame(Blade{}, turned(0.0), {});
  frame.choose(turned(M_PI_2));
  EXPECT_NEAR(frame.condition(turned(M_PI_2)), 1.0, 1e-7);
  frame.reset();
  EXPECT_GT(frame.condition(turned(M_PI_2)), 1e6);
}

// S M⁻¹ Sᵀ = I and S M⁻¹ Gᵀ = 0 at q̄, m = 1 and 2: 50 roundings of a Cholesky and a QR.
template <class Sys>
void expect_orthonormal_in_inverse_mass(std::uint64_t seed) {
  constexpr int free = Sys::n - Sys::m;
  const Sys sys;
  test::RandomNumbers random(seed);
  const Coordinates<Sys> q = random.vector<Sys::nq>();
  const AdaptedFrame<Sys> frame(sys, q, {});
  const MatrixXd B = frame.template at<double>(q);
  const MatrixXd gram = B * mass_matrix(sys, q).ldlt().solve(B.transpose());
  MatrixXd expected = MatrixXd::Zero(Sys::n, Sys::n);
  expected.topLeftCorner(free, free).setIdentity();
  expected.bottomRightCorner(Sys::m, Sys::m) = delassus(sys, q);
  EXPECT_LE((gram - expected).cwiseAbs().maxCoeff(), 50.0 * unit_roundoff * gram.norm() * 10.0);
  // Negative control: elsewhere it is neither.
  const Coordinates<Sys> elsewhere = random.vector<Sys::nq>();
  EXPECT_GT(frame.condition(elsewhere), 1.01);
}

TEST(AdaptedFrame, IsOrthonormalInTheInverseMassWhereItIsChosen) {
  expect_orthonormal_in_inverse_mass<test::BodyFrameSkate>(211);
  expect_orthonormal_in_inverse_mass<test::TwoContacts>(212);
}

// The drift is the derivative of B(q + τ q') v.
TEST(AdaptedFrame, DriftIsTheRateOfTheFrame) {
  const test::BodyFrameSkate sys;
  test::RandomNumbers random(213);
  const Eigen::Vector4d q = random.vector<4>(), q_rate = random.vector<4>();
  const Eigen::Vector3d v = random.vector<3>();
  const AdaptedFrame<test::BodyFrameSkate> frame(sys, q, {});
  const auto moved = [&](double tau) -> VectorXd {
    return frame.at<double>(Eigen::Vector4d(q + tau * q_rate)) * v;
  };
  const auto numerical = test::central_difference(moved, 0.0, 1.0 / 16.0);
  EXPECT_LE((frame.drift<double>(q, q_rate, v) - numerical.value).norm(), 2.0 * numerical.bound);
  EXPECT_GT(numerical.value.norm(), 1e3 * numerical.bound);
}

}  // namespace
}  // namespace rigidlimit
