// Tests the reported events of rigid motions, and the note if compliant events differ.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/friction/judge_friction.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "support/sample_friction.hpp"
#include "support/shipped_studies.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

NonsmoothMotion rigid_motion(const std::string& file, const std::vector<std::string>& changed) {
  const FrictionStudy study =
      read_friction_study(test::in_repository("experiments/impacts/" + file), changed);
  return event_driven_motion(study.model, study.initial, {0.0, study.time.end},
                             rigid_options(study, 1.0, {}));
}

long count(const NonsmoothMotion& motion, EventKind kind) {
  return std::ranges::count(motion.events, kind, &ContactEvent::kind);
}

// The wheel rolls over the edge, slips and detaches. With e = 0 there is no bounce.
TEST(RigidEvents, ADetachmentIsNotAnAccumulation) {
  for (const char* speed : {"0.6", "0.9"}) {
    const std::string v = speed;
    const NonsmoothMotion motion = rigid_motion(
        "curb_plastic.toml", {"initial.q=[0.35,0.15,0]",
                              "initial.v=[" + v + ",0,-" + std::to_string(10 * std::stod(v)) + "]",
                              "time.end=0.5", "time.compared=0.5"});
    ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
    EXPECT_GE(count(motion, EventKind::detachment), 1);
    EXPECT_EQ(count(motion, EventKind::accumulation), 0) << speed;
    EXPECT_LE(motion.events.size(), 6U);
  }
  // Negative control: decaying flights give one accumulation.
  EXPECT_EQ(count(rigid_motion("bouncing_ball.toml", {}), EventKind::accumulation), 1);
}

// The flights of a ball with e = 0.95 last 2u/G e^k, u = sqrt(2 G h). Their end is a geometric sum.
// The error of its time in the rigid motion is below the printed error of event times.
TEST(RigidEvents, TheErrorOfEventTimesIncludesTheAccumulation) {
  const FrictionStudy study =
      read_friction_study(test::in_repository("experiments/impacts/bouncing_ball.toml"),
                          {"system.restitution=0.95", "time.end=13.0", "time.compared=13.0"});
  const RigidSide side =
      rigid_side_of(study, event_driven_motion(study.model, study.initial, {0.0, study.time.end},
                                               rigid_options(study, 1.0, {})));
  const ContactEvent& last = side.report.motion.events.back();
  ASSERT_EQ(last.kind, EventKind::accumulation);
  const double fall = std::sqrt(2.0 * 0.5 / 9.81);
  const double off = std::abs(last.t - fall * (1.0 + 2.0 * 0.95 / (1.0 - 0.95)));
  EXPECT_LE(off, side.report.event_time_error * (1.0 + 1e-3));
  EXPECT_LT(side.report.event_time_error, 1e-9);
  // Negative control: the error of the impacts alone is smaller than `off`.
  EXPECT_GT(off, 4e-10);
}

/// The note on the events of the wheel from rest with this friction; rolling needs tan(0.3)/3.
std::string note_on_wheel(double friction) {
  FrictionStudy study =
      test::sample_friction({"system.friction=" + std::to_string(friction), "initial.v=[0.0, 0.0]",
                             "solvers.moreau_jean=[1e-2]", "epsilon.count=2"});
  study.expectations.clear();
  study.history.events.reset();
  for (const std::string& note : run_friction_study(study).notes)
    if (note.find("events differ") != std::string::npos) return note;
  return "";
}

// The rigid wheel rolls at once. The unloaded spring of the compliant wheel overshoots its load by
// more than 5 %. The wheel therefore slips first if the friction exceeds the load by 5 %, and never
// at three times the load.
TEST(RigidEvents, DifferentCompliantEventsAreReported) {
  const double needed = std::tan(0.3) / 3.0;
  const std::string note = note_on_wheel(1.05 * needed);
  EXPECT_THAT(note, HasSubstr("slip ground"));
  EXPECT_THAT(note, HasSubstr("rigid: none"));
  EXPECT_EQ(note_on_wheel(3.0 * needed), "");
}

}  // namespace
}  // namespace rigidlimit
