// Tests small motions: known matrices, and the speed above which a disc rolls upright.
#include "rigidlimit/formulations/linearisation.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {
namespace {

/// Two coupled oscillators with every kind of linear force, and a third coordinate that is held.
struct Oscillators {
  static constexpr int nq = 3, n = 3, m = 1;
  static constexpr double gyroscopic = 0.7, circulatory = 0.2;

  template <class S>
  S kinetic_coenergy(const Vector<S, nq>&, const Vector<S, n>& v) const {
    return v(0) * v(0) + 0.3 * v(0) * v(1) + 0.5 * v(1) * v(1) + 0.5 * v(2) * v(2);
  }
  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return 2.0 * q(0) * q(0) - 0.5 * q(0) * q(1) + 1.5 * q(1) * q(1);
  }
  template <class S>
  S dissipation(const Vector<S, n>& v) const {
    return 0.05 * v(0) * v(0) + 0.1 * v(1) * v(1) + 0.02 * v(0) * v(1);
  }
  template <class S>
  Vector<S, n> applied_force(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    return {S(-gyroscopic * v(1) - circulatory * q(1)), S(gyroscopic * v(0) + circulatory * q(0)),
            S(0)};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(0), S(0), S(1));
  }
};

// Derivatives of polynomials of second degree: a dozen roundings of numbers up to 4.
constexpr double round_off = 1e-14;

TEST(Linearise, ReturnsTheMatricesOfALinearSystem) {
  const Linearisation found =
      linearise(make_system(Oscillators{}), {VectorXd::Zero(3), VectorXd::Zero(3)});
  MatrixXd M(3, 3), D(3, 3), gyroscopic(3, 3), K(3, 3), H(3, 3);
  M << 2.0, 0.3, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0, 1.0;
  D << 0.1, 0.02, 0.0, 0.02, 0.2, 0.0, 0.0, 0.0, 0.0;
  gyroscopic << 0.0, 0.7, 0.0, -0.7, 0.0, 0.0, 0.0, 0.0, 0.0;
  K << 4.0, -0.5, 0.0, -0.5, 3.0, 0.0, 0.0, 0.0, 0.0;
  H << 0.0, 0.2, 0.0, -0.2, 0.0, 0.0, 0.0, 0.0, 0.0;
  EXPECT_LE((found.M - M).cwiseAbs().maxCoeff(), round_off);
  EXPECT_LE((found.D - D).cwiseAbs().maxCoeff(), round_off);
  EXPECT_LE((found.gyroscopic - gyroscopic).cwiseAbs().maxCoeff(), round_off);
  EXPECT_LE((found.K - K).cwiseAbs().maxCoeff(), round_off);
  EXPECT_LE((found.circulatory - H).cwiseAbs().maxCoeff(), round_off);
  EXPECT_EQ(found.acceleration, VectorXd::Zero(3)) << "an equilibrium";
  // Symmetric or skew by definition, and not zero.
  EXPECT_EQ(found.D, MatrixXd(found.D.transpose()));
  EXPECT_EQ(found.gyroscopic, MatrixXd(-found.gyroscopic.transpose()));
  EXPECT_GT(found.circulatory.norm(), 0.1);
}

// The eigenvalues solve det(s² M + s (D + Γ) + K + H) = 0 on the two free coordinates; the third is
// held and neutral: s = 0. Residual relative to the terms, 1e3 roundings for an eigensolver.
TEST(Linearise, EigenvaluesAreRootsOfTheCharacteristicPolynomial) {
  const Linearisation found =
      linearise(make_system(Oscillators{}), {VectorXd::Zero(3), VectorXd::Zero(3)});
  ASSERT_EQ(found.eigenvalues.size(), 5);
  const auto characteristic = [&](std::complex<double> s, double flip) {
    const Eigen::MatrixXcd P =
        (s * s * found.M + s * (found.D + flip * found.gyroscopic) + found.K + found.circulatory)
            .topLeftCorner(2, 2);
    return std::abs(P.determinant());
  };
  int oscillating = 0;
  double worst_wrong = 0.0;
  for (const std::complex<double> s : found.eigenvalues) {
    if (std::abs(s) < 1e-12) continue;
    ++oscillating;
    EXPECT_LT(characteristic(s, 1.0), 1e-12) << s;
    worst_wrong = std::max(worst_wrong, characteristic(s, -1.0));
  }
  EXPECT_EQ(oscillating, 4);
  EXPECT_GT(worst_wrong, 0.1) << "negative control: the other sense of the gyroscopic forces";
}

double largest_growth(double speed_ratio) {
  const SystemEntry& entry = *find_system(builtin_systems(), "rolling_disk");
  const System disk = entry.make(entry.default_values());  // r = 0.5 m, homogeneous
  const double spin = speed_ratio * std::sqrt(9.81 / (3.0 * 0.5));
  InitialState upright{VectorXd::Zero(5), VectorXd::Zero(5)};
  upright.v(4) = spin;
  upright.v(0) = 0.5 * spin;
  return linearise(disk, upright).eigenvalues.real().maxCoeff();
}

// A homogeneous disc rolls upright, stably, iff φ'² > g/(3 r) (Neimark & Fufaev 1972; O'Reilly
// 1996). The double zero eigenvalue (heading and position drift) is split by round-off by its
// square root, 1e-7.
TEST(Linearise, UprightDiscIsStableAboveTheCriticalSpin) {
  EXPECT_LT(largest_growth(1.01), 1e-6);
  EXPECT_GT(largest_growth(0.99), 0.1);
  EXPECT_GT(largest_growth(0.5), largest_growth(0.99));
}

}  // namespace
}  // namespace rigidlimit
