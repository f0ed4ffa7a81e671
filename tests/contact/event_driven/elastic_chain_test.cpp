// Tests chains of impacts of blocks on a line: the number of impacts and the final velocities of
// two blocks and a wall (the digits of pi), Newton's cradle, and the loss of every impact with e
// < 1.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/mechanics/frictional_system_of.hpp"

namespace rigidlimit {
namespace {

using testing::SizeIs;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Frictionless blocks at x_1 < … < x_N on a line, free between impacts. Gaps: x_1 of the wall,
/// then x_{i+1} − x_i.
template <int N>
struct Blocks {
  static constexpr int nq = N, n = N, m = N;
  Vector<double, N> mass = Vector<double, N>::Ones();
  double restitution = 1.0;

  template <class S>
  Matrix<S, N, N> mass_matrix(const Vector<S, N>&) const {
    return mass.template cast<S>().asDiagonal();
  }
  template <class S>
  Vector<S, N> force(const Vector<S, N>&, const Vector<S, N>&) const {
    return Vector<S, N>::Zero();
  }
  template <class S>
  Matrix<S, N, N> constraint(const Vector<S, N>&) const {
    Matrix<S, N, N> G = Matrix<S, N, N>::Identity();
    for (int i = 1; i < N; ++i) G(i, i - 1) = S(-1);
    return G;
  }
  std::vector<ContactPoint> contacts() const {
    std::vector<ContactPoint> all;
    for (int i = 0; i < N; ++i)
      all.push_back({.name = i == 0 ? "wall" : "blocks " + std::to_string(i),
                     .first = i,
                     .friction = 0.0,
                     .restitution = restitution});
    return all;
  }
  template <class S>
  Vector<S, N> gap(const Vector<S, N>& x) const {
    return constraint<S>(x) * x;
  }

  double energy(const VectorXd& v) const { return 0.5 * v.cwiseAbs2().dot(mass); }
};

struct TwoBlocks {
  double ratio;         ///< of the masses
  std::size_t impacts;  ///< ⌈π/θ⌉ − 1
};

/// A small block of mass 1 at x_1 = 1 at rest, and one of mass `ratio` at x_2 = 2 that moves
/// towards it and the wall at x = 0 with unit speed.
NonsmoothMotion motion_of(const Blocks<2>& blocks) {
  return event_driven_motion(make_frictional_system(blocks),
                             {.q = Eigen::Vector2d(1.0, 2.0), .v = Eigen::Vector2d(0.0, -1.0)},
                             {0.0, 10.0});
}

class BlocksAtAWall : public testing::TestWithParam<TwoBlocks> {};
INSTANTIATE_TEST_SUITE_P(Ratios, BlocksAtAWall,
                         testing::Values(TwoBlocks{1.0, 3}, TwoBlocks{7.5, 8}, TwoBlocks{50.0, 22},
                                         TwoBlocks{100.0, 31}, TwoBlocks{1e4, 314},
                                         TwoBlocks{1e6, 3141}),
                         [](const auto& tested) {
                           return "Impacts" + std::to_string(tested.param.impacts);
                         });

/// The billiard of Galperin. With X_i = √m_i x_i the kinetic energy is |X'|²/2, and an elastic
/// impact reflects X' at the line g = 0. The lines X_1 = 0 and X_1/√m = X_2/√M enclose the angle
/// θ = atan √(m/M). Reflecting the wedge instead of the path gives a straight line, which comes
/// parallel to the X_2 axis and crosses every ray at an angle kθ with 0 < kθ < π. There are
/// n = ⌈π/θ⌉ − 1 of them. The path has the direction φ = π before. The reflection at the ray θ
/// gives 2θ − φ, and at the ray 0, −φ. After n of them, alternating, φ = π − n θ (n even) or −π +
/// (n + 1) θ (n odd), and v = (√(M/m) sin φ, cos φ).
///
/// Tolerance: each reflection rounds both components of X', of length √M, by some units in the last
/// place of the product of its three factors. 8 n ε √M bounds the sum of the roundings of n.
/// Negative control: without the last reflection X' is off by far more than the tolerance.
TEST_P(BlocksAtAWall, CollideLikeTheBilliardInAWedge) {
  const auto [ratio, count] = GetParam();
  const Blocks<2> blocks{.mass = Eigen::Vector2d(1.0, ratio)};
  const NonsmoothMotion motion = motion_of(blocks);
  ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
  EXPECT_THAT(motion.events, SizeIs(count));
  EXPECT_THAT(motion.notes, testing::IsEmpty());

  const double theta = std::atan(std::sqrt(1.0 / ratio)), n = std::ceil(M_PI / theta - 1e-9) - 1.0;
  ASSERT_EQ(n, static_cast<double>(count));
  const auto expected = [&](double reflections) {
    const double phi = std::fmod(reflections, 2.0) == 0.0 ? M_PI - reflections * theta
                                                          : -M_PI + (reflections + 1.0) * theta;
    return Eigen::Vector2d(std::sqrt(ratio) * std::sin(phi), std::cos(phi));
  };
  const Eigen::Vector2d root_mass = blocks.mass.cwiseSqrt(), v = motion.motion.v.col(1);
  const auto distance = [&](double reflections) {
    return root_mass.cwiseProduct(v - expected(reflections)).norm();
  };
  const double tolerance = 8.0 * n * epsilon * std::sqrt(ratio);
  EXPECT_LT(distance(n), tolerance);
  EXPECT_GT(distance(n - 1.0), 1e3 * tolerance);
}

/// An impact with e loses (1 − e²) μ g'²/2, where μ = 1/A_nn is the reduced mass, for any e. A
/// rounding of the energy, 16 ε K, is the tolerance. Negative control: with e = 0.999 the loss is
/// not zero.
TEST(BlocksAtAWall, LoseTheEnergyOfTheirRestitutionAtEveryImpact) {
  for (const double e : {1.0, 0.999, 0.99}) {
    const Blocks<2> blocks{.mass = Eigen::Vector2d(1.0, 100.0), .restitution = e};
    const NonsmoothMotion motion = motion_of(blocks);
    ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
    int lossy = 0;
    for (const ContactEvent& event : motion.events) {
      ASSERT_THAT(event.contacts, SizeIs(1));
      const bool wall = event.contacts.front() == 0;
      const VectorXd& v = event.v_before;
      const double speed = wall ? v(0) : v(1) - v(0), reduced = wall ? 1.0 : 100.0 / 101.0;
      const double before = blocks.energy(v), lost = before - blocks.energy(event.v_after);
      EXPECT_NEAR(lost, (1.0 - e * e) * 0.5 * reduced * speed * speed, 16.0 * epsilon * before);
      lossy += lost > 1e3 * epsilon * before ? 1 : 0;
    }
    EXPECT_EQ(lossy > 0, e < 1.0);
    EXPECT_GE(motion.events.size(), 5U);
  }
}

/// Five equal balls, the last moving towards the others. Two of them exchange their velocities, so
/// that with gaps the impacts follow each other and the first one leaves alone. Without gaps all
/// impacts are one, the reflection at the plane of the closing contacts, u⁺ = −u⁻ = (1, 0, 0, 0):
/// with the sum of the velocities −1 it leaves v = (−2, −2, −2, −2, 3)/5, at the same energy.
/// Tolerance: some roundings of unit velocities. The two cases are each other's negative control.
TEST(NewtonsCradle, PassesTheVelocityOnAndKeepsTheEnergy) {
  for (const double gap : {0.01, 0.0}) {
    const Blocks<5> balls{};
    VectorXd x(5), v = -VectorXd::Unit(5, 4);
    for (int i = 0; i < 5; ++i) x(i) = 10.0 + gap * i;
    const NonsmoothMotion motion =
        event_driven_motion(make_frictional_system(balls), {.q = x, .v = v}, {0.0, 1.0});
    ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
    EXPECT_THAT(motion.events, SizeIs(gap > 0.0 ? 4 : 1));
    VectorXd expected = -VectorXd::Unit(5, 0);
    if (gap == 0.0) expected = Vector<double, 5>(-0.4, -0.4, -0.4, -0.4, 0.6);
    const VectorXd end = motion.motion.v.col(1);
    EXPECT_LT((end - expected).cwiseAbs().maxCoeff(), 16.0 * epsilon) << end.transpose();
    EXPECT_NEAR(balls.energy(end), 0.5, 16.0 * epsilon);
  }
}

}  // namespace
}  // namespace rigidlimit
