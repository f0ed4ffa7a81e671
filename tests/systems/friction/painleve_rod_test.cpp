// Tests Painlevé's rod: regions where sliding has no, one or two reactions.

#include <gmock/gmock.h>

#include <cmath>

#include "support/built_in.hpp"
#include "support/central_difference.hpp"
#include "support/frictional_catalogued.hpp"

namespace rigidlimit {
namespace {

using test::frictional_system_of;
using test::unit_roundoff;

struct PainleveRod : test::BuiltIn {
  PainleveRod(const Values& values = {}) : BuiltIn("painleve_rod", values) {}
  /// The tip on the floor and sliding at `sliding`, without vertical velocity.
  InitialState sliding_start(double angle, double sliding, double angle_rate) const {
    const double l = (*this)("half_length"), s = std::sin(angle), c = std::cos(angle);
    return {Eigen::Vector3d(0.0, l * s, angle),
            Eigen::Vector3d(sliding - l * s * angle_rate, l * c * angle_rate, angle_rate)};
  }
  /// A and B of g'' = B + A p while the tip slides in the direction ±1.
  double normal_ease(double angle, double direction) const {
    const double s = std::sin(angle), c = std::cos(angle);
    const double tangential = c * c + direction * (*this)("friction") * s * c;
    return (1.0 + tangential / (*this)("inertia_ratio")) / (*this)("mass");
  }
  double normal_drift(double angle, double angle_rate) const {
    return (*this)("half_length") * std::sin(angle) * angle_rate * angle_rate - (*this)("gravity");
  }
};

/// g'' of the sliding tip under the reaction p, from the equations of motion.
double gap_acceleration(const FrictionalSystem& system, const InitialState& at, double p) {
  const MatrixXd N = test::normal_rows(system, at.q), W = test::sliding_rows(system, at.q);
  MatrixXd M(3, 3);
  VectorXd F(3), drift(1);
  system.smooth.in<double>().mass_matrix(at.q, M);
  system.smooth.in<double>().force(at.q, at.v, 0.0, F);
  system.geometry->normal_drift(at.q, at.v, drift);
  const double w = (W * at.v)(0);
  const double lambda = std::copysign(system.contacts[0].friction * p, w);
  const VectorXd a = M.inverse() * (F + p * N.transpose() - lambda * W.transpose());
  return (N * a)(0) + drift(0);
}

TEST(PainleveRod, GapAccelerationMatchesTheFormula) {
  for (double angle : {0.3, 1.1, 2.0})
    for (double sliding : {-1.0, 0.7})
      for (double rate : {0.0, 5.0}) {
        const PainleveRod rod;
        const FrictionalSystem system = frictional_system_of(rod);
        const InitialState at = rod.sliding_start(angle, sliding, rate);
        EXPECT_NEAR(test::gap_at(system, at.q)(0), 0.0, unit_roundoff);
        EXPECT_NEAR((test::normal_rows(system, at.q) * at.v)(0), 0.0, 8.0 * unit_roundoff);
        EXPECT_NEAR((test::sliding_rows(system, at.q) * at.v)(0), sliding, 8.0 * unit_roundoff);
        const double B = rod.normal_drift(angle, rate);
        const double A = rod.normal_ease(angle, sliding < 0.0 ? -1.0 : 1.0);
        for (double p : {0.0, 3.0})
          EXPECT_NEAR(gap_acceleration(system, at, p), B + A * p, 1e3 * unit_roundoff);
      }
}

// κ = ⅓: the least μ with A < 0 at some angle is 4/3, at tan θ = 2.
TEST(PainleveRod, ParadoxBeginsAtFourThirds) {
  const double worst = std::atan(2.0), e = 1e-9;
  const PainleveRod below{{{"friction", 4.0 / 3.0 - e}}}, above{{{"friction", 4.0 / 3.0 + e}}};
  EXPECT_LT(above.normal_ease(worst, -1.0), 0.0);
  for (double angle = 0.01; angle < 1.57; angle += 0.01)
    EXPECT_GT(below.normal_ease(angle, -1.0), 0.0);
  EXPECT_GT(below.normal_ease(worst, -1.0), 0.0);
  EXPECT_GT(above.normal_ease(worst, 1.0), 0.0);  // no paradox when it slides the other way
}

// All three cases of the header are reached with μ = 1.8.
TEST(PainleveRod, AllCasesCanBeReached) {
  const PainleveRod rod;
  EXPECT_GT(rod.normal_ease(0.5, -1.0), 0.0);  // the default start: one solution
  EXPECT_LT(rod.normal_drift(0.5, 0.0), 0.0);
  EXPECT_LT(rod.normal_ease(1.1, -1.0), 0.0);
  EXPECT_LT(rod.normal_drift(1.1, 0.0), 0.0);  // no solution
  EXPECT_GT(rod.normal_drift(1.1, 6.0), 0.0);  // two solutions
}

}  // namespace
}  // namespace rigidlimit
