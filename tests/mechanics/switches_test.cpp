// Tests the switches of recorded equations and their smooth pieces.
#include "rigidlimit/mechanics/switches.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/select.hpp"

namespace rigidlimit {
namespace {

/// A blade in a potential with a kink, pushed by a force that depends on t, q and v.
struct Pushed {
  static constexpr int nq = 3, n = 3, m = 1;

  template <class S>
  S kinetic_coenergy(const Vector<S, 3>&, const Vector<S, 3>& v) const {
    return S(0.5) * (v(0) * v(0) + v(1) * v(1) + S(0.3) * v(2) * v(2));
  }
  template <class S>
  S potential(const Vector<S, 3>& q) const {
    using std::abs;
    return S(1.5) * abs(q(0) - S(0.2));
  }
  template <class S>
  Vector<S, 3> applied_force(const Vector<S, 3>& q, const Vector<S, 3>& v, const S& t) const {
    using std::sin;
    return {select(t < S(0.513), S(1), S(-1)) + select(S(0.33) < q(0), S(0.7), S(-0.2)),
            select(v(0) <= S(0.5), q(1), -q(1)), select(sin(S(20) * t) > S(0), S(1), S(0))};
  }
  template <class S>
  Matrix<S, 1, 3> constraint(const Vector<S, 3>& q) const {
    using std::cos, std::sin;
    Matrix<S, 1, 3> G;
    G << -sin(q(2)), cos(q(2)), S(0);
    return G;
  }
};

struct Smooth {
  static constexpr int nq = 3, n = 3, m = 1;

  template <class S>
  Matrix<S, 3, 3> mass_matrix(const Vector<S, 3>&) const {
    return Matrix<S, 3, 3>::Identity();
  }
  template <class S>
  Vector<S, 3> force(const Vector<S, 3>& q, const Vector<S, 3>&) const {
    return {q(0), S(0), S(0)};
  }
  template <class S>
  Matrix<S, 1, 3> constraint(const Vector<S, 3>&) const {
    Matrix<S, 1, 3> G;
    G << S(0), S(1), S(0);
    return G;
  }
};

struct Declared : Smooth {
  std::vector<double> switching_times() const { return {0.25, 0.5, 7.0}; }
};

VectorXd force_of(const System& system, double t, const VectorXd& q, const VectorXd& v) {
  VectorXd F(3);
  system.in<double>().force(q, v, t, F);
  return F;
}

// |x − 0.2| and its slope share a switch; with the force's four conditions there are five.
TEST(Switches, AreTheDistinctConditionsOfAllTapes) {
  const System pushed = make_system(Pushed{});
  ASSERT_NE(pushed.switches, nullptr);
  EXPECT_EQ(pushed.switches->count(), 5);
  Index of_time = 0;
  for (Index k = 0; k < 5; ++k) of_time += pushed.switches->depends_on_time_alone(k) ? 1 : 0;
  EXPECT_EQ(of_time, 2);
  EXPECT_EQ(make_system(Smooth{}).switches, nullptr) << "the negative control";
}

TEST(Switches, PieceExtendsTheForceOfItsSide) {
  const System pushed = make_system(Pushed{});
  const VectorXd rest = VectorXd::Zero(3);
  for (const double x : {0.1, 0.25, 0.4})
    for (const double speed : {0.2, 0.9})
      for (const double t : {0.1, 0.2, 0.6}) {
        const VectorXd q = Eigen::Vector3d(x, 0.7, 0.1), v = Eigen::Vector3d(speed, 0.1, 0.2);
        const Sides sides = pushed.switches->sides_at(t, q, v, rest, rest);
        const System& piece = pushed.switches->with(pushed, sides);
        EXPECT_EQ(piece.switches, nullptr);
        EXPECT_EQ(force_of(piece, t, q, v), force_of(pushed, t, q, v));
        // Beyond every switch the piece has the same force, the system another force.
        const VectorXd beyond = Eigen::Vector3d(x < 0.3 ? 9.0 : -9.0, 0.7, 0.1);
        EXPECT_EQ(force_of(piece, t, beyond, v), force_of(piece, t, q, v));
        EXPECT_NE(force_of(pushed, t, beyond, v), force_of(pushed, t, q, v)) << "negative control";
      }
}

TEST(Switches, InstantsAreLocatedToTheLastBit) {
  const System pushed = make_system(Pushed{});
  const auto instants = pushed.switches->instants(1.0);
  // 0.513, and sin(20 t) = 0 at k π/20 for k = 1 … 6; at t = 0 it becomes positive.
  ASSERT_EQ(instants.size(), 7U);
  int pulses = 0;
  for (const auto& instant : instants) {
    if (std::abs(instant.t - 0.513) < 1e-3) {
      EXPECT_EQ(instant.t, 0.513);
      continue;
    }
    // π is rounded, and so is 20 t: 4 units in the last place.
    EXPECT_NEAR(instant.t, ++pulses * M_PI / 20.0, 1e-15);
  }
}

TEST(Switches, SideAtZeroIsThatOfTheMotion) {
  const System pushed = make_system(Pushed{});
  const Switches& switches = *pushed.switches;
  const VectorXd q = Eigen::Vector3d(0.2, 0.0, 0.0), v = Eigen::Vector3d(0.3, 0.0, 0.0),
                 none = VectorXd::Zero(3);
  const Sides forwards = switches.sides_at(0.1, q, v, v, none),
              backwards = switches.sides_at(0.1, q, v, -v, none);
  int different = 0;
  for (std::size_t k = 0; k < forwards.size(); ++k) different += forwards[k] != backwards[k];
  EXPECT_EQ(different, 1);
}

TEST(Switches, AuthorMayDeclareInstants) {
  const System declared = make_system(Declared{});
  ASSERT_NE(declared.switches, nullptr);
  EXPECT_EQ(declared.switches->count(), 0);
  const auto instants = declared.switches->instants(1.0);
  ASSERT_EQ(instants.size(), 2U);
  EXPECT_EQ(instants[0].t, 0.25);
  EXPECT_EQ(instants[1].t, 0.5);
}

}  // namespace
}  // namespace rigidlimit
