// The expansion of the rolling disc: a Lagrangian system with two contacts.
#include <gtest/gtest.h>

#include "rigidlimit/systems/rolling_disk.hpp"
#include "support/expansion_checks.hpp"

namespace rigidlimit {
namespace {

using test::ExpansionCase;
using test::Spring;

ExpansionCase<RollingDisk> disk(double damping_ratio, Spring spring) {
  const SystemInfo& info = RollingDisk::info();
  return {RollingDisk{},
          {VectorXd::Map(info.initial_q.data(), 5), VectorXd::Map(info.initial_v.data(), 5)},
          (MatrixXd(2, 2) << 1.3, 0.2, 0.2, 0.8).finished(),
          damping_ratio,
          spring,
          1.0};
}

// From this start the next layer term of λ is small or absent: its remainder has an order between 1
// and 3 (measured: 2.0 leading, 1.6 to 2.0 composite; 3.0 composite from a prepared spring), so
// that only the lower bound, less the 0.15 of the others, is a statement.
void expect_multiplier_orders(const ExpansionCase<RollingDisk>& c, double least) {
  const Prediction p = c.prediction();
  for (const auto& approximation : {test::leading_of(p), test::composite_of(p)})
    EXPECT_GT(test::remainder_orders(c.measured, approximation, -1.0).lambda, least - 0.15);
}

TEST(RollingDiskExpansion, RemainderHasOneOrderMore) {
  for (const double damping_ratio : {1.0, 0.8}) {
    const auto c = disk(damping_ratio, Spring::unloaded);
    test::expect_remainders(c, {3.0, 2.0, NAN}, {3.0, 3.0, 3.0});
    expect_multiplier_orders(c, 1.0);
  }
}

TEST(RollingDiskExpansion, RemainderHasOneOrderMoreFromAPreparedSpring) {
  const auto c = disk(1.0, Spring::prepared);
  test::expect_remainders(c, {3.0, 3.0, NAN}, {3.0, 3.0, 3.0});
  expect_multiplier_orders(c, 2.0);
}

TEST(RollingDiskExpansion, WrongOnesFail) {
  test::expect_controls_to_fail(disk(1.0, Spring::unloaded));
}

}  // namespace
}  // namespace rigidlimit
