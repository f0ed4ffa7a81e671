// The expansion of the Chaplygin sleigh: M depends on q and F is quadratic in v.
#include <gtest/gtest.h>

#include "rigidlimit/systems/chaplygin_sleigh.hpp"
#include "support/expansion_checks.hpp"

namespace rigidlimit {
namespace {

using test::ExpansionCase;
using test::Spring;

ExpansionCase<ChaplyginSleigh> sleigh(double damping_ratio, Spring spring) {
  const SystemInfo& info = ChaplyginSleigh::info();
  return {ChaplyginSleigh{},
          {VectorXd::Map(info.initial_q.data(), 3), VectorXd::Map(info.initial_v.data(), 3)},
          MatrixXd::Ones(1, 1),
          damping_ratio,
          spring,
          2.0};
}

TEST(ChaplyginSleighExpansion, RemainderHasOneOrderMore) {
  for (const double damping_ratio : {1.0, 0.8})
    test::expect_remainders(sleigh(damping_ratio, Spring::unloaded), {3.0, 2.0, 1.0},
                            {3.0, 3.0, 3.0});
}

TEST(ChaplyginSleighExpansion, RemainderHasOneOrderMoreFromAPreparedSpring) {
  for (const double damping_ratio : {1.0, 0.8})
    test::expect_remainders(sleigh(damping_ratio, Spring::prepared), {3.0, 3.0, 2.0},
                            {3.0, 3.0, 3.0});
}

TEST(ChaplyginSleighExpansion, WrongOnesFail) {
  test::expect_controls_to_fail(sleigh(1.0, Spring::unloaded));
}

// ‖measured‖/‖predicted‖ = 1 + O(ε).
TEST(ChaplyginSleighExpansion, NormsTendToThePredictedOnesLinearly) {
  const auto c = sleigh(1.0, Spring::unloaded);
  test::expect_orders(test::ratio_orders(c.measured, c.prediction()), {1.0, 1.0, NAN}, 0.15,
                      "ratio");
}

}  // namespace
}  // namespace rigidlimit
