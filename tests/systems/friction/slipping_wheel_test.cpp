// Tests the slipping wheel's closed-form histories in (x, φ) and in Euler parameters.

#include <gmock/gmock.h>

#include <cmath>

#include "support/built_in.hpp"
#include "support/central_difference.hpp"
#include "support/frictional_catalogued.hpp"
#include "support/history_check.hpp"

namespace rigidlimit {
namespace {

using Eigen::Vector2d;
using test::frictional_system_of;
using test::unit_roundoff;

struct Case {
  const char* what;
  double friction;
  double speed, rim_speed;  ///< x', r φ'
  std::size_t events;       ///< within 3 s
};

// The wheel of docs/theory.md, section 10.
struct Inclined : test::BuiltIn {
  Inclined(const char* name, Values values)
      : BuiltIn(name, with(std::move(values), {{"radius", 0.1}, {"drag", 0.0}})) {}

  InitialState sliding_start() const { return entry().frictional_start(values()); }

 private:
  static Values with(Values values, const Values& defaults) {
    values.insert(defaults.begin(), defaults.end());
    return values;
  }
};
struct Wheel : Inclined {
  Wheel(const Values& values = {}) : Inclined("wheel", values) {}
};
struct WheelEuler : Inclined {
  WheelEuler(const Values& values = {}) : Inclined("wheel_euler", values) {}
};

// The default incline: rolling needs μ ≥ tan(0.3)/3 = 0.1031.
const std::vector<Case> cases{{"slips, then rolls", 0.25, 1.0, 0.0, 1},
                              {"slips for ever", 0.08, 1.0, 0.0, 0},
                              {"rolls at once", 0.25, 0.5, 0.5, 0},
                              {"slips at once from rest", 0.08, 0.0, 0.0, 0},
                              {"slides up, turns back, rolls", 0.25, -1.5, 0.0, 1},
                              {"rolls up and turns back", 0.25, -0.8, -0.8, 0},
                              {"spins uphill, slips the other way", 0.08, 0.0, 0.9, 1},
                              {"spins backwards while it slides down", 0.4, 0.7, -1.2, 1}};

Wheel wheel(double friction) {
  return Wheel{{{"friction", friction}}};
}

InitialState start_of(const Wheel& sys, const Case& run) {
  return {Vector2d(0.3, -0.2), Vector2d(run.speed, run.rim_speed / sys("radius"))};
}

TEST(SlippingWheel, HistoriesObeyTheLaws) {
  for (const Case& run : cases) {
    const Wheel sys = wheel(run.friction);
    const FrictionalSystem system = frictional_system_of(sys);
    const InitialState start = start_of(sys, run);
    EXPECT_LE(test::worst_defect(system, system, start, 3.0), 1.0) << run.what;
    EXPECT_LE(test::worst_jump(system, start, 3.0), 1.0) << run.what;
    EXPECT_EQ(system.closed_history(start, {0.0, 3.0})->event_times.size(), run.events) << run.what;
  }
}

TEST(SlippingWheel, HistoryOfAnotherWheelViolatesTheLaws) {
  const FrictionalSystem system = frictional_system_of(Wheel{});
  const InitialState start = Wheel{}.sliding_start();
  EXPECT_GT(test::worst_defect(frictional_system_of(wheel(0.2501)), system, start, 1.0), 1e3);
  const Wheel heavy{{{"mass", 1.0001}}};
  EXPECT_GT(test::worst_defect(frictional_system_of(heavy), system, start, 1.0), 1e3);
}

// t* = v0/(g (3 μ cos α − sin α)) for κ = ½; docs/theory.md, section 10, prints 0.2421.
TEST(SlippingWheel, RollingBeginsAtTheKnownTime) {
  const Wheel sys;
  const auto history = sys.closed_history(sys.sliding_start(), {0.0, 0.6}).value();
  ASSERT_EQ(history.event_times.size(), 1u);
  const double t = 1.0 / (9.81 * (3.0 * 0.25 * std::cos(0.3) - std::sin(0.3)));
  EXPECT_NEAR(history.event_times[0], t, 16.0 * unit_roundoff);
  EXPECT_NEAR(t, 0.2421, 5e-5);
  // λ: μ m g cos α, then a third of m g sin α (κ/(1 + κ) = 1/3).
  EXPECT_NEAR(history.motion.lambda(0, 0), 0.25 * 9.81 * std::cos(0.3), 1e-14);
  EXPECT_NEAR(history.motion.lambda(0, 1), 9.81 * std::sin(0.3) / 3.0, 1e-14);
}

// From rest it rolls if and only if μ ≥ tan(α)/3.
TEST(SlippingWheel, RollsFromRestAboveTheThreshold) {
  const double threshold = std::tan(0.3) / 3.0;
  for (double off : {-1e-12, 1e-12}) {
    const Wheel sys = wheel(threshold * (1.0 + off));
    const auto history = sys.closed_history({Vector2d::Zero(), Vector2d::Zero()}, {2.0}).value();
    const double sliding = (sys.constraint(Vector2d(0, 0)) * history.motion.v.col(0))(0);
    // w' = s − 3 μ g cos α = −3 g cos α threshold · off, over 2 s, against roundings of x' ≈ 6 m/s.
    if (off < 0.0)
      EXPECT_GT(sliding, 0.9 * 3.0 * 9.81 * std::cos(0.3) * threshold * 1e-12 * 2.0);
    else
      EXPECT_NEAR(sliding, 0.0, 16.0 * unit_roundoff * 6.0);
  }
}

TEST(SlippingWheel, HasNoHistoryWithDrag) {
  const Wheel sys{{{"drag", 0.1}}};
  EXPECT_FALSE(sys.closed_history(sys.sliding_start(), {1.0}));
}

InitialState in_euler_parameters(const WheelEuler& sys, const InitialState& plain) {
  const double half = -0.5 * plain.q(1), rate = -0.5 * plain.v(1);
  return {Eigen::Vector4d(plain.q(0), sys("radius"), std::cos(half), std::sin(half)),
          Eigen::Vector4d(plain.v(0), 0.0, -std::sin(half) * rate, std::cos(half) * rate)};
}

TEST(SlippingWheelEuler, HistoriesObeyTheLaws) {
  for (const Case& run : cases) {
    const WheelEuler sys{{{"friction", run.friction}}};
    const FrictionalSystem system = frictional_system_of(sys);
    const InitialState start = in_euler_parameters(sys, start_of(wheel(run.friction), run));
    EXPECT_LE(test::worst_defect(system, system, start, 1.0), 1.0) << run.what;
  }
}

TEST(SlippingWheelEuler, HistoryOfAnotherWheelViolatesTheLaws) {
  const WheelEuler other{{{"friction", 0.2501}}};
  const InitialState start = other.sliding_start();
  EXPECT_GT(test::worst_defect(frictional_system_of(other), frictional_system_of(WheelEuler{}),
                               start, 1.0),
            1e3);
}

// The force of the plane is computed in Euler parameters and given in (x, φ).
TEST(SlippingWheelEuler, SharesForcesAndEventsWithTheWheelInItsAngle) {
  const Wheel plain;
  const WheelEuler sys;
  const InitialState start = in_euler_parameters(sys, plain.sliding_start());
  const std::vector<double> times{0.0, 0.1, 0.5, 2.0};
  const KnownHistory a = plain.closed_history(plain.sliding_start(), times).value();
  const KnownHistory b = sys.closed_history(start, times).value();
  EXPECT_EQ(a.event_times, b.event_times);
  EXPECT_EQ(a.motion.lambda, b.motion.lambda);
  EXPECT_EQ(a.motion.q.row(0), b.motion.q.row(0));
  EXPECT_FALSE(sys.closed_history({start.q + Eigen::Vector4d(0, 0.01, 0, 0), start.v}, times));
}

}  // namespace
}  // namespace rigidlimit
