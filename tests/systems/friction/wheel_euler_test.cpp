// Tests the wheel in Euler parameters: published equations, the singular M, the wheel in (x, φ).
#include "rigidlimit/core/dense.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "support/built_in.hpp"
#include "support/catalogued_system.hpp"
#include "support/closed_form_residual.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector4d;
using test::RandomNumbers;
using test::system_of;
using test::unit_roundoff;

struct Wheel : test::BuiltIn {
  Wheel(const Values& values = {}) : BuiltIn("wheel", values) {}
};

struct WheelEuler : test::BuiltIn {
  WheelEuler(const Values& values = {}) : BuiltIn("wheel_euler", values) {}

  /// A rolling start at angle θ and speed x'.
  InitialState rolling_start(double x, double theta, double speed) const {
    const double radius = (*this)("radius");
    const double p = std::cos(0.5 * theta), q = std::sin(0.5 * theta);
    const double half_rate = -0.5 * speed / radius;
    return {Vector4d(x, radius, p, q), Vector4d(speed, 0.0, -q * half_rate, p * half_rate)};
  }
  /// K*, twice of which is v·(M v) where M is that of the formula.
  double kinetic_coenergy(const Vector4d& q, const Vector4d& v) const {
    return 0.5 * v.dot(mass_matrix(q) * v);
  }
};

std::vector<WheelEuler> wheels() {
  return {WheelEuler{}, WheelEuler{{{"drag", 0.0}}},
          WheelEuler{{{"mass", 2.5},
                      {"radius", 0.3},
                      {"axial_ratio", 1.0},
                      {"slope", -0.5},
                      {"gravity", 3.0}}}};
}

TEST(WheelEulerClosedForm, SatisfiesTheEquationsOfMotion) {
  for (const WheelEuler& sys : wheels())
    for (const double theta : {0.4, 0.0, -3.0, 9.0}) {  // beyond a full turn p and q change sign
      const System system = system_of(sys);
      EXPECT_LE(test::worst_residual(system, system, sys.rolling_start(0.2, theta, 0.6)), 1.0);
    }
}

TEST(WheelEulerClosedForm, OfAnotherWheelViolatesTheEquationsOfMotion) {
  const WheelEuler sys;
  const System system = system_of(sys);
  EXPECT_GT(test::worst_residual(system, system, sys.start(), -1.0), 1e3);
  for (const WheelEuler& other :
       {WheelEuler{{{"mass", 1.0001}}}, WheelEuler{{{"radius", 0.2501}}},
        WheelEuler{{{"axial_ratio", 0.5001}}}, WheelEuler{{{"drag", 2.0001}}}})
    EXPECT_GT(test::worst_residual(system, system_of(other), sys.start()), 1e3);
}

/// Souchet's ∫ρ a·v dx with the virtual coefficients (w_x, w_p, w_q) = unit vectors: the rows x,
/// p and q of M a less the velocity-quadratic inertia forces. `lost` is w_p in the published a22,
/// 2 m r² (pq w_p + (p² + 4q²) w_q), which our text extraction omits.
Eigen::Vector3d published_inertia(const WheelEuler& sys, const Vector4d& z, const Vector4d& v,
                                  const Vector4d& a, double lost = 1.0) {
  const double p = z(2), q = z(3), twice = 2.0 * sys("mass") * sys("radius") * sys("radius");
  const double cross = 2.0 * v(2) * v(3), square = 2.0 * v(3) * v(3);
  const double of_p = twice * (q * q * a(2) + lost * p * q * a(3) + q * cross);
  const double of_q =
      twice * (p * q * a(2) + (p * p + 4.0 * q * q) * a(3) + p * cross + 2.0 * q * square);
  return {sys("mass") * a(0), of_p, of_q};
}

// Sums of a dozen products of numbers below 2, whether or not p² + q² = 1.
TEST(WheelEuler, InertiaIsThePublishedInertia) {
  const WheelEuler disc{{{"mass", 1.3}, {"radius", 0.7}, {"gravity", 0.0}, {"drag", 0.0}}};
  const System system = system_of(disc);
  RandomNumbers random(201);
  for (int i = 0; i < 50; ++i) {
    const Vector4d q = random.vector<4>(-1.5, 1.5), v = random.vector<4>(), a = random.vector<4>();
    VectorXd inertia(4), F(4);
    system.in<double>().inertia_force(q, a, inertia);
    system.in<double>().force(q, v, 0.0, F);
    const Vector4d ours = inertia - F;
    const Eigen::Vector3d rows(ours(0), ours(2), ours(3));
    const double tolerance = 64.0 * 8.0 * unit_roundoff;
    EXPECT_LE((rows - published_inertia(disc, q, v, a)).cwiseAbs().maxCoeff(), tolerance);
    // Negative control: a22 as extracted, without its w_p.
    EXPECT_GT((rows - published_inertia(disc, q, v, a, 0.0)).norm(), 1e-6);
  }
}

Eigen::Vector2d material_point(const Vector4d& q, const Eigen::Vector2d& body) {
  const double R11 = 1.0 - 2.0 * q(3) * q(3), R21 = 2.0 * q(2) * q(3);
  return {q(0) + R11 * body(0) - R21 * body(1), q(1) + R21 * body(0) + R11 * body(1)};
}

/// Velocity of the material point; quadratic in t along q + t v, so a central difference is exact.
Eigen::Vector2d material_velocity(const Vector4d& q, const Vector4d& v,
                                  const Eigen::Vector2d& body) {
  return 0.5 * (material_point(q + v, body) - material_point(q - v, body));
}

// Four masses m/4 at the distance sqrt(κ) r have the second moments of the wheel.
TEST(WheelEuler, KineticCoenergyIsThatOfItsPoints) {
  RandomNumbers random(202);
  for (const WheelEuler& sys : wheels())
    for (int i = 0; i < 20; ++i) {
      const Vector4d q = random.vector<4>(-1.5, 1.5), v = random.vector<4>();
      const double distance = std::sqrt(sys("axial_ratio")) * sys("radius");
      double sum = 0.0;
      for (const Eigen::Vector2d& X :
           {Eigen::Vector2d(distance, 0.0), Eigen::Vector2d(-distance, 0.0),
            Eigen::Vector2d(0.0, distance), Eigen::Vector2d(0.0, -distance)})
        sum += 0.125 * sys("mass") * material_velocity(q, v, X).squaredNorm();
      EXPECT_NEAR(sys.kinetic_coenergy(q, v), sum, 128.0 * unit_roundoff * (1.0 + sum));
      // Negative control: a wheel of twice the radius.
      const WheelEuler other{{{"mass", sys("mass")}, {"radius", 2.0 * sys("radius")}}};
      EXPECT_GT(std::abs(other.kinetic_coenergy(q, v) - sum), 1e-6);
    }
}

// The body point that touches the plane: R X = (0, −r). For E v = 0 it moves with (G v, 0).
TEST(WheelEuler, SlidingVelocityIsThatOfTheLowestPoint) {
  const WheelEuler sys;
  RandomNumbers random(203);
  for (int i = 0; i < 20; ++i) {
    const double theta = random.uniform(-7.0, 7.0), rate = random.uniform(-3.0, 3.0);
    const double p = std::cos(0.5 * theta), q = std::sin(0.5 * theta);
    const Vector4d z(random.uniform(), sys("radius"), p, q);
    const Vector4d v(random.uniform(), 0.0, -0.5 * q * rate, 0.5 * p * rate);
    const Eigen::Vector2d body(-sys("radius") * std::sin(theta), -sys("radius") * std::cos(theta));
    EXPECT_NEAR(material_point(z, body)(1), 0.0, 16.0 * unit_roundoff);
    const Eigen::Vector2d velocity = material_velocity(z, v, body);
    const double w = (sys.constraint(z) * v)(sys.rolling().ne), tolerance = 64.0 * unit_roundoff;
    EXPECT_NEAR(velocity(0), w, tolerance);
    EXPECT_NEAR(velocity(1), 0.0, tolerance);
    EXPECT_NEAR(w, v(0) + sys("radius") * rate, tolerance);            // x' + r θ'
    EXPECT_GT(std::abs(material_velocity(z, v, -body)(0) - w), 1e-6);  // not the highest point
  }
}

// At θ = 0 M's row and column of p vanish; E = (0, 0, p, q) contains p. Entries of the KKT matrix
// are between 2κ m r² = 1/16 and 2: its condition is that of a well-scaled 7 × 7 matrix.
TEST(WheelEuler, MassMatrixIsSingularAtFullTurnsAndTheKktMatrixIsNot) {
  const WheelEuler sys;
  const System system = system_of(sys);
  const ContactBasis basis = independent_contacts(1);
  for (const double theta : {0.0, 2.0 * M_PI, -4.0 * M_PI, 1.0}) {
    const InitialState start = sys.rolling_start(0.0, theta, 0.5);
    MatrixXd M(4, 4);
    system.in<double>().mass_matrix(start.q, M);
    const double least = symmetric_eigenvalues(M)(0);
    if (theta == 1.0) {
      EXPECT_GT(least, 1e-3);  // negative control
    } else {
      EXPECT_LE(std::abs(least), 8.0 * unit_roundoff);
    }
    const MatrixXd K = kkt_matrix<double>(system, basis, start.q);  // symmetric
    const VectorXd sizes = symmetric_eigenvalues(K).cwiseAbs();
    EXPECT_LT(sizes.maxCoeff() / sizes.minCoeff(), 100.0);

    // The plane presses with m g cos α: y'' = 0 = −m g cos α − κ₂.
    const auto kkt = solve_kkt<double>(system, basis, start.q, start.v, 0.0);
    const double pressing = sys("mass") * sys("gravity") * std::cos(sys("slope"));
    EXPECT_NEAR(kkt.exact_multiplier(1), -pressing, 100.0 * unit_roundoff * pressing);
  }
}

/// q, v at time `end` by the classical Runge-Kutta method, from the KKT accelerations.
InitialState integrated(const System& system, InitialState state, double end, int steps) {
  const ContactBasis basis = contact_basis(system, state.q);
  const auto rate = [&](const VectorXd& y) -> VectorXd {
    const VectorXd q = y.head(system.nq), v = y.tail(system.n);
    VectorXd q_rate(system.nq), y_rate(y.size());
    system.in<double>().coordinate_rate(q, v, q_rate);
    y_rate << q_rate, solve_kkt<double>(system, basis, q, v, 0.0).acceleration;
    return y_rate;
  };
  VectorXd y(system.nq + system.n);
  y << state.q, state.v;
  const double h = end / steps;
  for (int i = 0; i < steps; ++i) {
    const VectorXd k1 = rate(y), k2 = rate(y + 0.5 * h * k1), k3 = rate(y + 0.5 * h * k2);
    const VectorXd k4 = rate(y + h * k3);
    y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return {y.head(system.nq), y.tail(system.n)};
}

// Rolled through θ = 0 and θ = −2π by its own equations, it is the wheel in (x, φ), φ = 0.4 − θ.
// Bound: with half the steps the error is 16 times as large. The difference is then 15 times the
// finer error; three times that share is allowed. Λ is Lipschitz in the state with
// |∂Λ/∂(q, v)| < 10.
TEST(WheelEuler, MovesLikeTheWheelInPositionAndAngle) {
  const WheelEuler sys;
  const Wheel peer;
  const System system = system_of(sys);
  const double end = 2.0;
  const InitialState coarse = integrated(system, sys.start(), end, 1000);
  const InitialState fine = integrated(system, sys.start(), end, 2000);
  const double bound = 0.2 * std::max((fine.q - coarse.q).cwiseAbs().maxCoeff(),
                                      (fine.v - coarse.v).cwiseAbs().maxCoeff());
  EXPECT_LT(bound, 1e-9);

  const Motion motion = peer.closed_form(peer.start(), {end}).value();
  const double theta = 0.4 - motion.q(1, 0);
  EXPECT_LT(theta, -2.0 * M_PI);
  EXPECT_NEAR(fine.q(0), motion.q(0, 0), bound);
  EXPECT_NEAR(fine.v(0), motion.v(0, 0), bound);
  EXPECT_NEAR(fine.q(2), std::cos(0.5 * theta), bound);
  EXPECT_NEAR(fine.q(3), std::sin(0.5 * theta), bound);
  const auto kkt = solve_kkt<double>(system, independent_contacts(1), fine.q, fine.v, end);
  EXPECT_NEAR(kkt.multiplier(0), motion.lambda(0, 0), 10.0 * bound);
  // Negative control: a wheel that is 0.01 % larger moves elsewhere.
  const Wheel larger{{{"radius", 0.250025}}};
  const Motion other = larger.closed_form(larger.start(), {end}).value();
  EXPECT_GT(std::abs(std::sin(0.5 * (0.4 - other.q(1, 0))) - fine.q(3)), 1e3 * bound);
}

}  // namespace
}  // namespace rigidlimit
