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

SeriesExpansion<double> expansion(const System& system, const InitialState& from) {
  return {system, from, law, unloaded, 2, 1.0};
}
/// (q, v) of a vector (q, v, …).
InitialState state(const VectorXd& x, Index nq) {
  return {x.head(nq), x.segment(nq, nq)};
}
double distance(const InitialState& a, const InitialState& b) {
  return (a.q - b.q).norm() + (a.v - b.v).norm();
}

// The terms of both are solutions of the same equations in other coordinates. Numbers are below
// 100, and the outer terms are exact to 1e-13 of them.
TEST(ExactRowExpansion, HasTheTermsOfItsTwin) {
  const SeriesExpansion<double> twin = expansion(with_angle(), start),
                                exact = expansion(with_direction(), by_direction(start));
  for (const double t : test::uniform_grid(0.0, 1.0, 8)) {
    const InitialState rigid = state(twin.outer(t, 0), 3);
    const VectorXd found = exact.outer(t, 2), wanted = twin.outer(t, 2);
    EXPECT_LE(distance(state(found, 4), by_direction(rigid, state(wanted, 3))), 1e-10) << t;
    EXPECT_NEAR(found(8), wanted(6), 1e-10) << t;
    EXPECT_GT(wanted.head(6).norm(), 0.1);
    // q₂ is tangent to e(q) = 0, and E v₂ + (∂q E[q₂]) v̂ = 0.
    const VectorXd there = exact.outer(t, 0);
    const auto c_s = [](const VectorXd& x) { return VectorXd(x.tail(2)); };
    const InitialState at = state(there, 4), varied = state(found, 4);
    EXPECT_NEAR(c_s(at.q).dot(c_s(varied.q)), 0.0, 1e-11);
    EXPECT_NEAR(c_s(at.q).dot(c_s(varied.v)) + c_s(varied.q).dot(c_s(at.v)), 0.0, 1e-11);
    EXPECT_NEAR(exact.layer(t, 0)(8), twin.layer(t, 0)(6), 1e-11) << "at τ = t";
  }
  // Negative control: another inertia of the twin gives other values.
  SleighByAngle other;
  other.inertia *= 1.0 + 1e-6;
  const SeriesExpansion<double> changed = expansion(make_system(other), start);
  EXPECT_GT(std::abs(changed.outer(0.5, 2)(6) - twin.outer(0.5, 2)(6)), 1e-9);
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
      expansion(with_direction(), from);
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
