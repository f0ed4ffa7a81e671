// Tests the force of a kinetic coenergy in quasi-velocities against equations by hand.
#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/system_check.hpp"
#include "support/central_difference.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;

// Numbers below 100, some fifty operations each.
constexpr double tolerance = 50.0 * 100.0 * unit_roundoff;

VectorXd force_at(const System& system, const VectorXd& q, const VectorXd& v) {
  VectorXd F(system.n);
  system.in<double>().force(q, v, 0.0, F);
  return F;
}

/// A body in the plane, q = (x, y, φ), with body-fixed velocities v = (u, w, ω):
/// m u' = m ω w, m w' = −m ω u, J ω' = 0.
struct PlanarBody {
  static constexpr int nq = 3, n = 3, m = 1;
  double mass = 2.0, inertia = 0.7;

  template <class S>
  Matrix<S, nq, n> velocity_map(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    const S c = cos(q(2)), s = sin(q(2));
    Matrix<S, nq, n> T;
    T << c, -s, S(0), s, c, S(0), S(0), S(0), S(1);
    return T;
  }
  template <class S>
  S kinetic_coenergy(const Vector<S, nq>&, const Vector<S, n>& v) const {
    return 0.5 * (mass * (v(0) * v(0) + v(1) * v(1)) + inertia * v(2) * v(2));
  }
  template <class S>
  S potential(const Vector<S, nq>&) const {
    return S(0);
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(0), S(1), S(0));
  }
};

TEST(BoltzmannHamel, GivesTheForceOfBodyFixedVelocities) {
  const PlanarBody sys;
  const System system = make_system(sys);
  RandomNumbers random(41);
  for (int i = 0; i < 50; ++i) {
    const Eigen::Vector3d q = random.vector<3>(-3.0, 3.0), v = random.vector<3>(-3.0, 3.0);
    const Eigen::Vector3d by_hand(sys.mass * v(2) * v(1), -sys.mass * v(2) * v(0), 0.0);
    EXPECT_LE((force_at(system, q, v) - by_hand).norm(), tolerance);
    // Negative control: the brackets of the opposite sense of rotation.
    EXPECT_GT((force_at(system, q, v) + by_hand).norm(), 1e-6);
  }
}

/// A heavy top, q = p (attitude quaternion), v = Ω in the body's frame, about a fixed point with
/// the centre of mass at c: I Ω' = (I Ω) × Ω − g m c × γ, γ = Rᵀe₃.
struct HeavyTop {
  static constexpr int nq = 4, n = 3, m = 1;
  Eigen::Vector3d inertia{0.4, 0.9, 1.3};
  Eigen::Vector3d weight_arm{0.5, -1.0, 2.0};  ///< m g c, N m

  template <class S>
  static Vector<S, 3> up(const Vector<S, nq>& p) {
    return {2.0 * (p(1) * p(3) - p(0) * p(2)), 2.0 * (p(2) * p(3) + p(0) * p(1)),
            p(0) * p(0) - p(1) * p(1) - p(2) * p(2) + p(3) * p(3)};
  }
  template <class S>
  Matrix<S, nq, n> velocity_map(const Vector<S, nq>& p) const {
    Matrix<S, nq, n> T;
    T << -p(1), -p(2), -p(3), p(0), -p(3), p(2), p(3), p(0), -p(1), -p(2), p(1), p(0);
    return S(0.5) * T;
  }
  template <class S>
  Vector<S, 1> invariants(const Vector<S, nq>& p) const {
    return Vector<S, 1>(S(p.squaredNorm() - S(1)));
  }
  template <class S>
  S kinetic_coenergy(const Vector<S, nq>&, const Vector<S, n>& v) const {
    return 0.5 * (inertia(0) * v(0) * v(0) + inertia(1) * v(1) * v(1) + inertia(2) * v(2) * v(2));
  }
  template <class S>
  S potential(const Vector<S, nq>& p) const {
    const Vector<S, 3> gamma = up(p);
    return weight_arm(0) * gamma(0) + weight_arm(1) * gamma(1) + weight_arm(2) * gamma(2);
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(0), S(1), S(0));
  }
};

TEST(BoltzmannHamel, GivesEulersEquationsOfAHeavyTopInQuaternions) {
  const HeavyTop sys;
  const System system = make_system(sys);
  RandomNumbers random(42);
  for (int i = 0; i < 50; ++i) {
    const Eigen::Vector4d p = random.vector<4>().normalized();
    const Eigen::Vector3d Omega = random.vector<3>(-3.0, 3.0);
    const Eigen::Vector3d momentum = sys.inertia.cwiseProduct(Omega);
    const Eigen::Vector3d gyroscopic = momentum.cross(Omega);
    const Eigen::Vector3d by_hand = gyroscopic - sys.weight_arm.cross(HeavyTop::up<double>(p));
    EXPECT_LE((force_at(system, p, Omega) - by_hand).norm(), tolerance);
    // Negative control: without the brackets the gyroscopic moment would be missing.
    EXPECT_GT((force_at(system, p, Omega) - (by_hand - gyroscopic)).norm(), 1e-6);
  }
  EXPECT_NO_THROW(
      check_system(system, "top", {Eigen::Vector4d(1, 0, 0, 0), Eigen::Vector3d(1, 0, 2)}));
}

/// A knife edge whose T is its constraint, v = (u, ω): [T₁, T₂] is sideways.
struct ReducedKnifeEdge {
  static constexpr int nq = 3, n = 2, m = 1;

  template <class S>
  Matrix<S, nq, n> velocity_map(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    Matrix<S, nq, n> T;
    T << cos(q(2)), S(0), sin(q(2)), S(0), S(0), S(1);
    return T;
  }
  template <class S>
  S kinetic_coenergy(const Vector<S, nq>&, const Vector<S, n>& v) const {
    return 0.5 * (v(0) * v(0) + v(1) * v(1));
  }
  template <class S>
  S potential(const Vector<S, nq>&) const {
    return S(0);
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(1), S(0));
  }
};

TEST(BoltzmannHamel, AVelocityMapThatIsAConstraintIsRejected) {
  const System system = make_system(ReducedKnifeEdge());
  const InitialState start{Eigen::Vector3d(0.1, 0.2, 0.3), Eigen::Vector2d(0.0, 1.0)};
  try {
    check_system(system, "knife", start);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(),
                testing::AllOf(testing::HasSubstr("knife"), testing::HasSubstr("velocity_map"),
                               testing::HasSubstr("exact_constraint")));
  }
}

}  // namespace
}  // namespace rigidlimit
