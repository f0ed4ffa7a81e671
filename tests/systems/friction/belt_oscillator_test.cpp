// Tests the closed history of the block on a belt against the laws.
#include <gmock/gmock.h>

#include "support/built_in.hpp"
#include "support/frictional_catalogued.hpp"
#include "support/history_check.hpp"

namespace rigidlimit {
namespace {

using test::frictional_system_of;

struct BeltOscillator : test::BuiltIn {
  /// On a belt of constant speed, unless `values` have a ripple.
  BeltOscillator(Values values = {})
      : BuiltIn("belt_oscillator", (values.insert({"belt_ripple", 0.0}), values)) {}
};

/// μ m g weakening = 0.3 · 19.62 N · 1 s/m exceeds the damping.
BeltOscillator cycling() {
  return BeltOscillator{{{"damping", 2.0}, {"weakening", 1.0}}};
}

TEST(BeltOscillator, HistoryObeysTheLaws) {
  for (const BeltOscillator& block :
       {BeltOscillator{}, BeltOscillator{{{"damping", 1.0}, {"friction", 0.5}}}, cycling()}) {
    const FrictionalSystem system = frictional_system_of(block);
    EXPECT_LE(test::worst_defect(system, system, block.start(), 2.5), 1.0);
    EXPECT_LE(test::worst_jump(system, block.start(), 2.5), 1.0);
  }
}

TEST(BeltOscillator, HistoryOnAnotherBeltViolatesThem) {
  const BeltOscillator block;
  const FrictionalSystem system = frictional_system_of(block);
  for (const BeltOscillator& other :
       {BeltOscillator{{{"belt_ripple", 1e-3}}}, BeltOscillator{{{"friction", 0.3003}}},
        BeltOscillator{{{"stiffness", 50.05}}}})
    EXPECT_GT(test::worst_defect(system, frictional_system_of(other), block.start(), 2.5), 1e3);
}

// A cycle has one slip and one stick; from the second slip on it repeats itself.
TEST(BeltOscillator, HasALimitCycleIfFrictionWeakens) {
  const BeltOscillator block = cycling();
  const auto events = block.closed_history(block.start(), {0.0, 12.0}).value().event_times;
  ASSERT_GE(events.size(), 6U);
  const double period = events[2] - events[0];
  for (std::size_t k = 0; k + 2 < events.size(); ++k)
    EXPECT_NEAR(events[k + 2] - events[k], period, 1e-12) << k;
  // Negative control: below the bound it slips for ever.
  const BeltOscillator damped{{{"damping", 6.0}, {"weakening", 1.0}}};
  EXPECT_EQ(damped.closed_history(damped.start(), {0.0, 12.0}).value().event_times.size(), 1U);
}

// The formula covers sticking from the start on a belt of constant speed only.
TEST(BeltOscillator, HistoryIsKnownForAConstantBeltOnly) {
  const BeltOscillator shaken{{{"belt_ripple", 0.1}}};
  EXPECT_FALSE(shaken.closed_history(shaken.start(), {0.0, 1.0}));
  const BeltOscillator block;
  InitialState slides = block.start();
  slides.v(0) = 0.0;
  EXPECT_FALSE(block.closed_history(slides, {0.0, 1.0}));
  EXPECT_TRUE(block.closed_history(block.start(), {0.0, 1.0}));
}

}  // namespace
}  // namespace rigidlimit
