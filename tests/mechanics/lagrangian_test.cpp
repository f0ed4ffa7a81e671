// Tests the Lagrangian front end against equations by hand, and the energy balance.
#include <gmock/gmock.h>

#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "support/central_difference.hpp"
#include "support/model_systems.hpp"
#include "support/random_numbers.hpp"
#include "support/terms_by_duals.hpp"

namespace rigidlimit {
namespace {

using test::DrivenPendulum;
using test::RandomNumbers;
using test::TwoContacts;
using test::unit_roundoff;

// Numbers below 10, a dozen operations each.
constexpr double by_hand_tolerance = 12.0 * 10.0 * unit_roundoff;

TEST(Lagrangian, MassMatrixMatchesTheDerivationByHand) {
  const DrivenPendulum sys;
  RandomNumbers random(31);
  for (int i = 0; i < 100; ++i) {
    const Eigen::Vector2d q = random.vector<2>(-3.0, 3.0);
    EXPECT_LE((mass_matrix(sys, q) - sys.mass_matrix_by_hand(q)).cwiseAbs().maxCoeff(),
              by_hand_tolerance);
  }
}

// Q + ∂(K* − P)/∂q − (∂²K*/∂v∂q) v − ∂R/∂v has all four terms here.
TEST(Lagrangian, ForceMatchesTheDerivationByHand) {
  const DrivenPendulum sys;
  RandomNumbers random(32);
  for (int i = 0; i < 100; ++i) {
    const Eigen::Vector2d q = random.vector<2>(-3.0, 3.0), v = random.vector<2>(-3.0, 3.0);
    const double t = random.uniform(0.0, 10.0);
    const Eigen::Vector2d by_hand = sys.force_by_hand(q, v, t);
    EXPECT_LE((force(sys, q, v, t) - by_hand).cwiseAbs().maxCoeff(), by_hand_tolerance);
    // Negative control: without the damper, without the drive, without the inertia force.
    DrivenPendulum smooth = sys, free = sys;
    smooth.hinge = 0.0;
    free.drive = 0.0;
    EXPECT_GT((force(smooth, q, v, t) - by_hand).norm(), 1e-6);
    EXPECT_GT((force(free, q, v, t) - by_hand).norm(), 1e-6);
    EXPECT_GT((force(sys, q, Eigen::Vector2d(v(0), -v(1)), t) - by_hand).norm(), 1e-6);
  }
}

template <class Sys>
class Inertia : public testing::Test {};
using Systems = testing::Types<DrivenPendulum, TwoContacts, test::BodyFrameSkate>;
TYPED_TEST_SUITE(Inertia, Systems);

// The shortcut by momenta equals the product with M: n products of numbers below 10 either way.
TYPED_TEST(Inertia, ForceIsMassTimesAcceleration) {
  const TypeParam sys;
  RandomNumbers random(33);
  for (int i = 0; i < 50; ++i) {
    const auto q = random.vector<TypeParam::nq>();
    const auto a = random.vector<TypeParam::n>(-3.0, 3.0);
    EXPECT_LE((inertia_force(sys, q, a) - mass_matrix(sys, q) * a).cwiseAbs().maxCoeff(),
              by_hand_tolerance);
  }
}

// The systems of this file have K* = ½ vᵀ M v, so that the momentum is M v.
TEST(Momentum, IsMassTimesVelocity) {
  const TwoContacts sys;
  RandomNumbers random(34);
  for (int i = 0; i < 50; ++i) {
    const Eigen::Vector3d q = random.vector<3>(), v = random.vector<3>(-3.0, 3.0);
    EXPECT_LE((momentum(sys, q, v) - mass_matrix(sys, q) * v).cwiseAbs().maxCoeff(),
              by_hand_tolerance);
  }
}

/// K* with a part linear in v (a transport velocity) and a part without v: M is still ∂²K*/∂v².
struct OnAConveyor {
  static constexpr int nq = 2, n = 2, m = 1;
  template <class S>
  S kinetic_coenergy(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    const S absolute = v(0) + 0.5 * q(1);  // a shearing belt: moves with 0.5 y along x
    return absolute * absolute + 1.5 * v(1) * v(1);
  }
  template <class S>
  S potential(const Vector<S, nq>&) const {
    return S(0);
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(0), S(1));
  }
};

// By hand: M = diag(2, 3); 2 (x' + y/2)' = 0 gives F₁ = −y', and 3 y'' = x' + y/2 is F₂.
TEST(Momentum, MassAndForceAreRightWithATransportVelocity) {
  const OnAConveyor sys;
  const Eigen::Vector2d q(0.3, -0.8), v(1.1, 0.6), a(0.7, -2.0);
  const Eigen::Vector2d expected_force(-v(1), v(0) + 0.5 * q(1));
  EXPECT_EQ(mass_matrix(sys, q), Eigen::Matrix2d(Eigen::Vector2d(2.0, 3.0).asDiagonal()));
  EXPECT_LE((inertia_force(sys, q, a) - Eigen::Vector2d(1.4, -6.0)).norm(), by_hand_tolerance);
  EXPECT_LE((force(sys, q, v, 0.0) - expected_force).norm(), by_hand_tolerance);
  EXPECT_LE((momentum(sys, q, v) - Eigen::Vector2d(2.0 * v(0) + q(1), 1.8)).norm(),
            by_hand_tolerance);
}

/// d/dt of the mechanical energy along q' = v, v' = a.
template <class Sys>
double energy_rate(const Sys& sys, const Coordinates<Sys>& q, const Velocities<Sys>& v,
                   const Velocities<Sys>& a) {
  const auto moving = along(v, a);
  const auto position = along(q, v);
  return (sys.kinetic_coenergy(position, moving) + sys.potential(position)).derivative[0];
}

// docs/theory.md, section 7: d/dt (K* + P) = vᵀQ − 2R − vᵀGᵀΛ, at any v, rolling or not. Terms
// are below 100 (F a with a ≤ 50, twice), twenty of them.
TEST(EnergyBalance, ContainsThePowerOfDriveDamperAndContact) {
  const DrivenPendulum sys;
  RandomNumbers random(35);
  for (int i = 0; i < 100; ++i) {
    const Eigen::Vector2d q = random.vector<2>(), v = random.vector<2>(-2.0, 2.0);
    const double t = random.uniform(0.0, 3.0);
    const auto kkt = solve_kkt<double>(make_system(sys), independent_contacts(1), q, v, t);
    const double power = v.dot(sys.applied_force(q, v, t)) - 2.0 * sys.dissipation(v);
    const double contact = kkt.multiplier.dot(constraint(sys, q) * v);
    const double scale = 1.0 + kkt.acceleration.norm() * 10.0 + std::abs(contact);
    EXPECT_NEAR(energy_rate(sys, q, v, Velocities<std::decay_t<decltype(sys)>>(kkt.acceleration)),
                power - contact, 200.0 * unit_roundoff * scale);
    EXPECT_GT(std::abs(contact), 1e-8);  // negative control: the contact's power is in the balance
  }
}

TEST(EnergyBalance, RollingDoesNoWork) {
  const TwoContacts sys;
  const System system = make_system(sys);
  RandomNumbers random(36);
  for (int i = 0; i < 100; ++i) {
    const Eigen::Vector3d q = random.vector<3>();
    const Eigen::Vector3d free = random.vector<3>(-2.0, 2.0);
    const Eigen::Vector3d v = projected_velocity<double>(system, independent_contacts(2), q, free);
    const auto kkt = solve_kkt<double>(system, independent_contacts(2), q, v, 0.0);
    const double scale = 1.0 + 10.0 * (kkt.acceleration.norm() + kkt.multiplier.norm());
    EXPECT_NEAR(energy_rate(sys, q, v, Velocities<std::decay_t<decltype(sys)>>(kkt.acceleration)),
                -2.0 * sys.dissipation(v), 200.0 * unit_roundoff * scale);
  }
}

// T(q) v for quasi-velocities, otherwise v.
TEST(CoordinateRate, IsTheVelocityMapTimesVelocity) {
  const test::BodyFrameSkate skate;
  const Eigen::Vector4d q(0.1, 0.2, 0.6, 0.8);
  const Eigen::Vector3d v(1.0, 2.0, 3.0);
  // x' = 0.6 − 1.6, y' = 0.8 + 1.2, (c, s)' = 3 (−0.8, 0.6)
  EXPECT_LE((coordinate_rate(skate, q, v) - Eigen::Vector4d(-1.0, 2.0, -2.4, 1.8)).norm(),
            8.0 * unit_roundoff);
  EXPECT_EQ(coordinate_rate(test::NonholonomicParticle{}, v, v), v);
}

}  // namespace
}  // namespace rigidlimit
