// Tests the stored solves of a friction study: a stored solve equals a new one, and the key of a
// solve contains all its inputs.
#include <gmock/gmock.h>

#include <cstring>

#include "rigidlimit/experiment/friction/friction_motions.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/solvers/own_method.hpp"
#include "support/memory_archive.hpp"
#include "support/sample_friction.hpp"

namespace rigidlimit {
namespace {

bool same_bits(const MatrixXd& a, const MatrixXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

// A changed method of a user is another method: its stored solves are not used. Negative control: a
// method of the library has one key.
TEST(FrictionIdentities, ContainTheCodeOfAMethodOfAUser) {
  const FrictionStudy study = test::sample_friction();
  const auto key_of = [&](const std::string& solver) {
    return FrictionIdentities(study)
        .compliant(study.contact.laws.front(), solver, 1e-3, false, "grid")
        .determinants;
  };
  const auto own = [&](const std::string& content) {
    add_method({.name = "friction_store_test", .content = content, .solve = [](auto&&...) {
                  return Solution();
                }});
    return key_of("friction_store_test");
  };
  EXPECT_NE(own("y + h f(t, y)"), own("y + h f(t + h, y)"));
  EXPECT_EQ(own("y + h f(t, y)"), own("y + h f(t, y)"));
  EXPECT_EQ(key_of("cvode_bdf"), key_of("cvode_bdf"));
}

// The bodies strike, slide, bounce and come to rest: events of every kind.
TEST(FrictionRecord, RestoresARigidMotionBitForBit) {
  for (const char* name : {"bouncing_ball", "wheel_and_curb", "painleve_rod", "sliding_sphere"}) {
    const SystemEntry& entry = *find_system(builtin_systems(), name);
    const std::vector<double> values = entry.frictional_default_values();
    const FrictionalSystem system = entry.make_frictional(values);
    const std::vector<double> times{0.0, 0.25, 0.5};
    const NonsmoothMotion motion =
        event_driven_motion(system, entry.frictional_start(values), times);
    const SolveRecord record = record_of(motion, system);
    const NonsmoothMotion back = nonsmooth_motion_of(record, system, times);
    EXPECT_TRUE(same_result(record_of(back, system), record)) << name;
    EXPECT_EQ(back.outcome, motion.outcome);
    EXPECT_EQ(back.initial_modes, motion.initial_modes);
    EXPECT_EQ(back.notes, motion.notes);
    EXPECT_TRUE(same_bits(back.motion.q, motion.motion.q));
    ASSERT_EQ(back.events.size(), motion.events.size());
    for (std::size_t k = 0; k < motion.events.size(); ++k) {
      EXPECT_EQ(back.events[k].t, motion.events[k].t);
      EXPECT_EQ(back.events[k].kind, motion.events[k].kind);
      EXPECT_EQ(back.events[k].contacts, motion.events[k].contacts);
      EXPECT_EQ(back.events[k].modes, motion.events[k].modes);
      EXPECT_TRUE(same_bits(back.events[k].v_after, motion.events[k].v_after));
      EXPECT_TRUE(same_bits(back.events[k].impulse, motion.events[k].impulse));
    }
    // Negative control: another motion has another record.
    NonsmoothMotion other = motion;
    other.notes.emplace_back("one more");
    EXPECT_FALSE(same_result(record_of(other, system), record));
  }
}

TEST(FrictionRecord, KeepsTheOrderOfTheContacts) {
  const SystemEntry& entry = *find_system(builtin_systems(), "wheel_and_curb");
  const FrictionalSystem system = entry.make_frictional(entry.frictional_default_values());
  NonsmoothMotion motion;
  ContactEvent event{.t = 0.5,
                     .kind = EventKind::stick,
                     .contacts = {2, 0},
                     .q = VectorXd::LinSpaced(system.smooth.nq, 1.0, 2.0),
                     .v_before = VectorXd::LinSpaced(system.smooth.n, 3.0, 4.0),
                     .v_after = VectorXd::LinSpaced(system.smooth.n, 5.0, 6.0),
                     .impulse = VectorXd::LinSpaced(system.forces(), 7.0, 8.0),
                     .modes = "stick,free,stick"};
  motion.events = {event};
  const NonsmoothMotion back = nonsmooth_motion_of(record_of(motion, system), system, {});
  EXPECT_EQ(back.events.at(0).contacts, event.contacts);
  EXPECT_EQ(back.events.at(0).modes, event.modes);
  EXPECT_EQ(back.events.at(0).q, event.q);
  EXPECT_EQ(back.events.at(0).impulse, event.impulse);
}

/// The model errors of all rows, in order.
std::vector<double> errors_of(const FrictionResult& result) {
  std::vector<double> errors;
  for (const Series& series : result.series)
    for (const Row& row : series.rows) errors.push_back(row.model_error());
  return errors;
}

TEST(FrictionArchive, ASecondRunReusesAllSolves) {
  test::MemoryArchive archive;
  const FrictionStudy study = test::sample_friction();
  const FrictionResult first = run_friction_study(study, {.jobs = 2, .archive = &archive});
  // The rigid motion on uniform samples and on the union of the grids, Moreau-Jean with two steps,
  // four ε twice; the closed form is the reference.
  EXPECT_EQ(first.counts.computed, 12);
  EXPECT_EQ(first.counts.reused, 0);
  const FrictionResult second = run_friction_study(study, {.archive = &archive});
  EXPECT_EQ(second.counts.computed, 0);
  EXPECT_EQ(second.counts.reused, 12);
  EXPECT_EQ(errors_of(second), errors_of(first));
  EXPECT_EQ(second.matches.size(), first.matches.size());
  EXPECT_TRUE(second.held());
  const RunOptions options{.archive = &archive};
  FrictionPlan plan(study, options);
  EXPECT_EQ(summary_of(plan, options).kept, 12);
}

TEST(FrictionArchive, OnlyChangedInputsOfASolveRepeatIt) {
  test::MemoryArchive archive;
  run_friction_study(test::sample_friction(), {.archive = &archive});
  const auto computed = [&](const char* override_text) {
    return run_friction_study(test::sample_friction({override_text}), {.archive = &archive})
        .counts.computed;
  };
  EXPECT_EQ(computed("history.modes_at_end=\"stick\""), 0);
  EXPECT_EQ(computed("inequality.draws=3"), 0);
  EXPECT_EQ(computed("study.name=\"other\""), 0);
  EXPECT_EQ(computed("contact.damping_ratio=0.7"), 8) << "the rigid side knows no damper";
  EXPECT_EQ(computed("solvers.rtol=1e-9"), 8);
  EXPECT_EQ(computed("solvers.moreau_jean=[1e-3, 5e-4, 2.5e-4]"), 1);
  EXPECT_EQ(computed("system.friction=0.2500001"), 12);
  EXPECT_EQ(computed("initial.v=[1.5, 0.0]"), 12);
}

TEST(FrictionArchive, ThePlanBeforeTheFirstRunHasAllSolves) {
  test::MemoryArchive archive;
  const FrictionStudy study = test::sample_friction();
  const RunOptions options{.archive = &archive};
  FrictionPlan plan(study, options);
  const PlanSummary summary = summary_of(plan, options);
  EXPECT_EQ(summary.solves, 12);
  EXPECT_EQ(summary.kept, 0);
  EXPECT_EQ(archive.begun, 0);
}

TEST(FrictionArchive, AStoppedRunKeepsFinishedSolves) {
  test::MemoryArchive archive;
  const FrictionResult stopped = run_friction_study(
      test::sample_friction(),
      {.stop_requested = [&] { return archive.kept.size() >= 5; }, .archive = &archive});
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_FALSE(stopped.held());
  EXPECT_EQ(stopped.counts.computed, 5);
  const FrictionResult rest = run_friction_study(test::sample_friction(), {.archive = &archive});
  EXPECT_EQ(rest.counts.reused, 5);
  EXPECT_EQ(errors_of(rest), errors_of(run_friction_study(test::sample_friction())));
}

}  // namespace
}  // namespace rigidlimit
