// Tests the expansion with exact rows beside the contact against the same motion without them.
#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/expansion_checks.hpp"
#include "support/sleigh_by_direction.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using test::by_direction;
using test::ExpansionCase;
using test::SleighByAngle;
using test::SleighByDirection;
using test::Spring;

const InitialState start{Eigen::Vector3d(0.1, -0.2, 0.4),
                         Eigen::Vector3d(0.9 * std::cos(0.4), 0.9 * std::sin(0.4), 1.1)};
const ViscoelasticLaw law{MatrixXd::Constant(1, 1, 1.5), MatrixXd::Constant(1, 1, 1.9)};
const VectorXd unloaded = VectorXd::Zero(1);

const System& with_angle() {
  static const System system = make_system(SleighByAngle{});
  return system;
}
const System& with_direction() {
  static const System system = make_system(SleighByDirection{});
  return system;
}

/// The (q, v) and (q₂, v₂) of a state of the outer problem.
struct OuterState {
  OuterState(const VectorXd& y, Index nq, Index n)
      : motion{y.head(nq), y.segment(nq, n)}, varied{y.segment(nq + n, nq), y.tail(n)} {}
  InitialState motion, varied;
};
double distance(const InitialState& a, const InitialState& b) {
  return (a.q - b.q).norm() + (a.v - b.v).norm();
}

// All values known at t = 0 are equal; an LU of size 6 and numbers below 10.
TEST(ExactRowExpansion, StartsLikeItsTwinInMinimalCoordinates) {
  const Expansion twin = expansion_of(with_angle(), start, law, unloaded);
  const Expansion e = expansion_of(with_direction(), by_direction(start), law, unloaded);
  const double tolerance = 1e-12;
  EXPECT_NEAR(e.delassus(0, 0), twin.delassus(0, 0), tolerance);
  EXPECT_NEAR(e.multiplier(0), twin.multiplier(0), tolerance);
  EXPECT_NEAR(e.multiplier_rate(0), twin.multiplier_rate(0), tolerance);
  EXPECT_NEAR(e.missing_load(0), twin.missing_load(0), tolerance);
  EXPECT_GT(std::abs(twin.missing_load(0)), 0.1);
  const OuterState minimal(twin.outer.y0, 3, 3), exact(e.outer.y0, 4, 4);
  EXPECT_LE(distance(exact.varied, by_direction(minimal.motion, minimal.varied)), tolerance);
  EXPECT_GT(minimal.varied.v.norm(), 0.1);
  const InitialState impulse{twin.coordinate_of_impulse.col(0), twin.velocity_of_impulse.col(0)};
  EXPECT_LE((e.coordinate_of_impulse.col(0) - by_direction(start, impulse).q).norm(), tolerance);

  // Negative control: another inertia of the twin gives other values.
  SleighByAngle other;
  other.inertia *= 1.0 + 1e-6;
  const Expansion changed = expansion_of(make_system(other), start, law, unloaded);
  EXPECT_GT(std::abs(changed.multiplier_rate(0) - e.multiplier_rate(0)), 1e-9);
}

// Solver at rtol 1e-12, over a second in which the coefficients stay below 100.
TEST(ExactRowExpansion, HasTheCoefficientsOfItsTwin) {
  const std::vector<double> times = test::uniform_grid(0.0, 1.0, 8);
  const Prediction twin(expansion_of(with_angle(), start, law, unloaded), times);
  const Expansion expansion = expansion_of(with_direction(), by_direction(start), law, unloaded);
  const Prediction p(expansion, times);
  ASSERT_EQ(p.outcome(), Outcome::success) << p.message();
  const Motion rigid = test::rigid_motion(with_angle(), start, law, unloaded, times);
  const Motion &wanted = twin.outer_coefficients(), &found = p.outer_coefficients();
  for (Index k = 0; k < found.q.cols(); ++k) {
    const InitialState at{rigid.q.col(k), rigid.v.col(k)};
    const InitialState of_twin = by_direction(at, {wanted.q.col(k), wanted.v.col(k)});
    EXPECT_LE(distance({found.q.col(k), found.v.col(k)}, of_twin), 1e-9) << k;
    EXPECT_NEAR(found.lambda(0, k), wanted.lambda(0, k), 1e-9) << k;
    // q₂ is tangent to e(q) = 0, and E v₂ + (∂q E[q₂]) v̂ = 0.
    const InitialState there = by_direction(at);
    const auto c_s = [](const VectorXd& x) { return x.tail(2); };
    EXPECT_NEAR(c_s(there.q).dot(c_s(found.q.col(k))), 0.0, 1e-10);
    EXPECT_NEAR(c_s(there.q).dot(c_s(found.v.col(k))) + c_s(found.q.col(k)).dot(c_s(there.v)), 0.0,
                1e-10);
  }
}

TEST(ExactRowExpansion, RemainderHasOneOrderMore) {
  test::expect_remainders({with_direction(), by_direction(start), law, Spring::unloaded, 1.0},
                          {3.0, 2.0, 1.0}, {3.0, 3.0, 3.0});
  test::expect_remainders({with_direction(), by_direction(start), law, Spring::prepared, 1.0},
                          {3.0, 3.0, 2.0}, {3.0, 3.0, 3.0});
}

TEST(ExactRowExpansion, RefusesAStartThatViolatesTheExactRows) {
  const auto refusal = [](const InitialState& from) -> std::string {
    try {
      expansion_of(with_direction(), from, law, unloaded);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(by_direction(start)), "accepted");
  InitialState stretching = by_direction(start), long_heading = by_direction(start);
  stretching.v.tail(2) += 0.25 * stretching.q.tail(2);
  EXPECT_THAT(refusal(stretching), testing::HasSubstr("|E v| = 0.25"));
  long_heading.q.tail(2) *= 1.5;  // e = 1.25
  EXPECT_THAT(refusal(long_heading), testing::HasSubstr("|e(q)| = 1.25"));
}

}  // namespace
}  // namespace rigidlimit
