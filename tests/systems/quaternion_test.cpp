// Tests attitudes by quaternions against rotations about an axis.
#include "rigidlimit/systems/quaternion.hpp"

#include <gmock/gmock.h>

#include "support/central_difference.hpp"
#include "support/derivative.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using test::RandomNumbers;
using test::unit_roundoff;

// Each entry has five products of numbers below 1.
TEST(Quaternion, RotatesByTwiceItsAngle) {
  RandomNumbers random(201);
  for (int i = 0; i < 50; ++i) {
    const Vector3d axis = random.vector<3>().normalized();
    const double angle = random.uniform(-3.0, 3.0);
    Vector4d p;
    p << std::cos(0.5 * angle), std::sin(0.5 * angle) * axis;
    const Matrix3d expected = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    EXPECT_LE((rotation(p) - expected).cwiseAbs().maxCoeff(), 32.0 * unit_roundoff);
    p(0) = -p(0);  // negative control: the inverse rotation
    EXPECT_GT((rotation(p) - expected).cwiseAbs().maxCoeff(), 1e-3);
  }
}

// R' = R [Ω]× and p·p' = 0.
TEST(Quaternion, RateIsThatOfTheAngularVelocity) {
  RandomNumbers random(202);
  for (int i = 0; i < 50; ++i) {
    const Vector4d p = random.vector<4>().normalized();
    const Vector3d Omega = random.vector<3>(-3.0, 3.0);
    const Vector4d rate = quaternion_rates(p) * Omega;
    const Matrix<Dual<double, 1>, 3, 3> R = rotation(along(p, rate));
    const Matrix3d turning = rotation(p) * cross_matrix(Omega);
    const Matrix3d in_space = cross_matrix(Omega) * rotation(p);
    Matrix3d R_rate;
    for (int k = 0; k < 9; ++k) R_rate(k) = R(k).derivative[0];
    const double tolerance = 32.0 * 6.0 * unit_roundoff;
    EXPECT_LE((R_rate - turning).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_GT((R_rate - in_space).cwiseAbs().maxCoeff(), 1e-3);  // negative control: frames
    EXPECT_NEAR(p.dot(rate), 0.0, tolerance);
  }
}

}  // namespace
}  // namespace rigidlimit
