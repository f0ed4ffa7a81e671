// Tests the snakeboard: its inertia by parts, its momentum equation, and its gaits.

#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>

#include "support/built_in.hpp"
#include "support/derivative.hpp"
#include "support/catalogued_system.hpp"
#include "support/random_numbers.hpp"
#include "support/rigid_integration.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;
using Vector5 = Vector<double, 5>;

struct Snakeboard : test::BuiltIn {
  Snakeboard(const Values& values = {}) : BuiltIn("snakeboard", values) {}
  double total_inertia() const {
    return (*this)("board_inertia") + (*this)("rotor_inertia") + 2.0 * (*this)("wheel_inertia");
  }
};

// K* is the sum over the bodies: the board with m, the rotor at rate θ' + ψ', the wheel sets at
// θ' ± φ'. A dozen operations.
TEST(Snakeboard, KineticEnergyIsTheSumOverTheBodies) {
  const Snakeboard sys;
  const System board = test::system_of(sys);
  RandomNumbers random(241);
  for (int i = 0; i < 30; ++i) {
    const Vector5 q = random.vector<5>(), v = random.vector<5>(-3.0, 3.0);
    const auto turning = [](double inertia, double rate) { return 0.5 * inertia * rate * rate; };
    const auto sum = [&](double front) {
      return 0.5 * sys("mass") * v.head<2>().squaredNorm() + turning(sys("board_inertia"), v(2)) +
             turning(sys("rotor_inertia"), v(2) + v(3)) +
             turning(sys("wheel_inertia"), v(2) + v(4)) +
             turning(sys("wheel_inertia"), v(2) + front * v(4));
    };
    const double tolerance = 16.0 * unit_roundoff * (1.0 + sum(-1.0));
    EXPECT_NEAR(kinetic_energy(board, q, v), sum(-1.0), tolerance);
    EXPECT_GT(std::abs(kinetic_energy(board, q, v) - sum(1.0)), tolerance);  // wheels turn apart
  }
}

// Lateral velocity of the wheels' points (x, y) ∓ ℓ (cos θ, sin θ), which move with the board.
TEST(Snakeboard, SlidingIsTheLateralVelocityOfTheWheels) {
  const Snakeboard sys;
  RandomNumbers random(242);
  for (int i = 0; i < 30; ++i) {
    const Vector5 q = random.vector<5>(), v = random.vector<5>(-3.0, 3.0);
    const Eigen::Vector2d w = sys.constraint(q) * v;
    for (int k = 0; k < 2; ++k) {
      const double side = k == 0 ? -1.0 : 1.0, angle = q(2) - side * q(4);
      const Eigen::Vector2d velocity(v(0) - side * sys("half_length") * std::sin(q(2)) * v(2),
                                     v(1) + side * sys("half_length") * std::cos(q(2)) * v(2));
      const auto lateral = [&](double at) {
        return -std::sin(at) * velocity(0) + std::cos(at) * velocity(1);
      };
      EXPECT_NEAR(w(k), lateral(angle), 32.0 * unit_roundoff * 4.0);
      EXPECT_GT(std::abs(w(k) - lateral(q(2) + side * q(4))), 1e-9);  // steered the other way
    }
  }
}

/// p = m ℓ cos φ u − sin φ (J_t θ' + J_r ψ').
template <class S>
S board_momentum(const Snakeboard& sys, const Vector<S, 5>& q, const Vector<S, 5>& v) {
  using std::cos, std::sin;
  const S u = cos(q(2)) * v(0) + sin(q(2)) * v(1);
  return sys("mass") * sys("half_length") * cos(q(4)) * u -
         sin(q(4)) * (sys.total_inertia() * v(2) + sys("rotor_inertia") * v(3));
}

// p' along the flow by automatic differentiation against the momentum equation, under any drive.
// Condition of the KKT matrix below 1e4 (6 kg against 2.6e-3 kg m²).
TEST(Snakeboard, ObeysTheMomentumEquation) {
  const Snakeboard sys;
  const System board = test::system_of(sys);
  const ContactBasis basis = independent_contacts(2);
  RandomNumbers random(243);
  for (int i = 0; i < 50; ++i) {
    const Vector5 q = random.vector<5>(-1.2, 1.2);
    const VectorXd sliding = random.vector<5>(-3.0, 3.0);
    const double t = random.uniform(0.0, 3.0);
    const auto rate = [&](const Vector5& v) {
      const Vector5 a = solve_kkt<double>(board, basis, q, v, t).acceleration;
      return board_momentum(sys, along(q, v), along(v, a)).derivative[0];
    };
    const auto expected = [&](const Vector5& v) {
      const double u = std::cos(q(2)) * v(0) + std::sin(q(2)) * v(1);
      return -sys("mass") * sys("half_length") * std::sin(q(4)) * v(4) * u -
             std::cos(q(4)) * v(4) * (sys.total_inertia() * v(2) + sys("rotor_inertia") * v(3));
    };
    const Vector5 v = projected_velocity<double>(board, basis, q, sliding);
    const double tolerance = 1e4 * unit_roundoff * 30.0;
    EXPECT_NEAR(rate(v), expected(v), tolerance);
    // Negative control: with lateral speed the equation lacks a term.
    EXPECT_GT(std::abs(rate(sliding) - expected(sliding)), 1e3 * tolerance);
  }
}

/// Final position after `periods` of the rotor's gait, from rest at φ = 0.
Vector5 after_gait(const Snakeboard& sys, int periods) {
  const InitialState rest{VectorXd::Zero(5), VectorXd::Zero(5)};
  const double period = 2.0 * M_PI / sys("rotor_frequency");
  return test::rigid_integration(test::system_of(sys), rest, periods * period, 100 * periods).q;
}

// Ostrowski and Burdick's drive gait: rotor and wheels at the same frequency move the board along
// its heading, farther with every period. The sign of the amplitudes' product gives the direction.
// With straight wheels the rotor only rocks the board, which stays in place.
TEST(Snakeboard, EqualFrequenciesDriveForward) {
  const Snakeboard sys;
  const Vector5 five = after_gait(sys, 5), ten = after_gait(sys, 10);
  std::printf("drive gait: x = %.4f after 5 periods, %.4f after 10, y = %.4f\n", five(0), ten(0),
              ten(1));
  EXPECT_GT(five(0), 0.0);
  EXPECT_GT(ten(0), 2.0 * five(0));  // it gathers speed: no friction, no limit
  EXPECT_GT(ten(0), 2.0 * std::abs(ten(1)));
  EXPECT_LT(after_gait(Snakeboard{{{"wheel_amplitude", -sys("wheel_amplitude")}}}, 10)(0),
            -0.5 * ten(0));
  EXPECT_LE(after_gait(Snakeboard{{{"wheel_amplitude", 0.0}}}, 5).head<2>().norm(), 1e-12);
}

}  // namespace
}  // namespace rigidlimit
