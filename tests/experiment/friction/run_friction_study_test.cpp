// Tests the run of a friction study: rows, events, claims, verdicts and failed solves.
#include "rigidlimit/experiment/friction/run_friction_study.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/judge/judge_series.hpp"
#include "support/sample_friction.hpp"

namespace rigidlimit {
namespace {

const Series& series_of(const FrictionResult& result, const Measure& measure) {
  for (const Series& series : result.series)
    if (!series.rows.empty() && series.rows.front().measure == measure) return series;
  throw std::logic_error("no such series");
}

/// docs/theory.md, section 10: t* = 0.2421 s; at ε = 5e-3 the errors of x are 2.29e-5 m and 2.92e-3
/// m/s. The errors of φ and φ' are larger by 1/r = 10 and determine the sup norm over all
/// components.
TEST(RunFriction, ReproducesTheNumbersOfTheTheory) {
  const FrictionResult result = run_friction_study(test::sample_friction());
  EXPECT_TRUE(result.held());
  ASSERT_EQ(result.rigid.motion.events.size(), 1u);
  EXPECT_NEAR(result.rigid.motion.events[0].t, 0.2421, 5e-5);
  EXPECT_LT(result.rigid.event_time_error, 1e-12) << "event-driven against the formula";
  const Row& q = series_of(result, {.quantity = Quantity::q}).rows.at(1);
  EXPECT_DOUBLE_EQ(q.epsilon, 5e-3);
  EXPECT_NEAR(q.model_error(), 2.29e-4, 1e-6);
  EXPECT_NEAR(series_of(result, {.quantity = Quantity::v}).rows.at(1).model_error(), 2.92e-2, 1e-4);
  EXPECT_LT(q.floor(), 0.1 * q.model_error());
}

TEST(RunFriction, AWrongClaimBreaksAndShowsTheFoundEvents) {
  FrictionStudy study = test::sample_friction({"history.events=\"slip ground\""});
  study.epsilons.clear();
  study.expectations.clear();
  const FrictionResult result = run_friction_study(study);
  EXPECT_FALSE(result.held());
  EXPECT_TRUE(result.has_numbers());
  int broken = 0;
  for (const HistoryClaim& claim : result.claims)
    if (!claim.held) {
      ++broken;
      EXPECT_EQ(claim.found, "stick ground");
    }
  EXPECT_EQ(broken, 1);
}

TEST(RunFriction, AWrongOrderIsRefuted) {
  const FrictionResult result = run_friction_study(
      test::sample_friction({"contact.friction=\"regularised\"", "solvers.moreau_jean=[1e-2]"}));
  const Series& q = series_of(result, {.quantity = Quantity::q});
  EXPECT_EQ(q.judgement.verdict, Verdict::refuted) << q.judgement.reason;
  EXPECT_NEAR(q.judgement.fit.order, 1.0, 0.05) << "it creeps";
  EXPECT_FALSE(result.held());
}

/// Every failed solve gives a row; no exception is thrown.
TEST(RunFriction, AFailedSolveGivesARow) {
  const FrictionResult result = run_friction_study(test::sample_friction({"solvers.max_steps=20"}));
  EXPECT_FALSE(result.held());
  const Series& q = series_of(result, {.quantity = Quantity::q});
  ASSERT_EQ(q.rows.size(), 4u);
  for (const Row& row : q.rows) {
    EXPECT_EQ(name_of(row.evidence), "failed: max_steps");
    EXPECT_TRUE(std::isnan(row.model_error()));
  }
}

/// Five of six rows show the order, but the solve of the sixth failed. Negative control: all six.
TEST(RunFriction, ASeriesWithOneFailedRowIsNotConfirmed) {
  const FrictionResult result =
      run_friction_study(test::sample_friction({"epsilon.count=6", "inequality.draws=0"}));
  Series q = series_of(result, {.quantity = Quantity::q});
  ASSERT_TRUE(q.held()) << q.judgement.reason;
  q.rows.front().evidence = evidence_named("failed: max_steps");
  judge(result.study.expectations, q);
  EXPECT_FALSE(q.held());
  EXPECT_THAT(q.judgement.reason, testing::HasSubstr("but 1 row failed"));
}

TEST(RunFriction, ASolverWithoutRootsStepsAcrossTheKinks) {
  const FrictionResult result = run_friction_study(
      test::sample_friction({"solvers.locate_kinks=false", "solvers.moreau_jean=[1e-2]"}));
  EXPECT_TRUE(result.held());
  for (const CompliantSolve& solve : result.solves) EXPECT_EQ(solve.roots, 0);
  for (const EventMatch& match : result.matches) EXPECT_TRUE(std::isnan(match.t));
}

TEST(RunFriction, ModesAreRightContinuous) {
  const FrictionResult result =
      run_friction_study(test::sample_friction({"solvers.moreau_jean=[1e-2]"}));
  const double t = result.rigid.motion.events.at(0).t;
  EXPECT_EQ(modes_at(result.rigid.motion, 0.999 * t), "slip");
  EXPECT_EQ(modes_at(result.rigid.motion, t), "stick");
}

// A reference that ends early gives no error; the report states the missing comparison.
TEST(RunFriction, AnIncompleteReferenceIsNotCompared) {
  const FrictionStudy study = test::sample_friction({"solvers.moreau_jean=[1e-2]"});
  const std::vector<double> times = {0.0, 0.1};
  const NonsmoothMotion whole =
      event_driven_motion(study.model, study.initial, times, rigid_options(study, 1.0, {}));
  const NonsmoothMotion stopped = event_driven_motion(
      study.model, study.initial, times, rigid_options(study, 1.0, [] { return true; }));
  ASSERT_EQ(stopped.outcome, Outcome::interrupted);
  const auto compared_with = [&](const NonsmoothMotion& reference) {
    RigidSide side = rigid_side_of(study, whole);
    side.times = times;
    set_judged(study, reference, reference, side);
    return side.report;
  };
  EXPECT_THAT(compared_with(stopped).uncompared, testing::HasSubstr("interrupted"));
  // Negative control: a complete reference is compared.
  EXPECT_EQ(compared_with(whole).uncompared, "");
  EXPECT_LT(compared_with(whole).q_error, 1e-10);
}

TEST(RunFriction, StopsWhenAsked) {
  const FrictionResult result =
      run_friction_study(test::sample_friction(), {.stop_requested = [] { return true; }});
  EXPECT_TRUE(result.interrupted);
  EXPECT_FALSE(result.held());
}

// The last questions are those of the check of the rigid motion, one for 4096 velocities; those
// before are of the last pair, of 61 samples. A stop keeps the rows that are judged.
TEST(RunFriction, StopsWhileItIsJudgedAndKeepsItsRows) {
  const FrictionStudy study =
      test::sample_friction({"inequality.draws=10000", "epsilon.count=2", "epsilon.to=5e-3"});
  long asked = 0;
  const auto run = [&](long most) {
    asked = 0;
    return run_friction_study(study, {.stop_requested = [&, most] { return ++asked > most; }});
  };
  const auto rows = [](const FrictionResult& result) {
    return series_of(result, {.quantity = Quantity::q}).rows.size();
  };
  const FrictionResult whole = run(1'000'000'000);
  const long all = asked;
  EXPECT_FALSE(whole.interrupted);
  EXPECT_EQ(rows(whole), 2U);
  EXPECT_EQ(whole.inequality.size(), 3U);
  const FrictionResult without_rigid = run(all - 1);
  EXPECT_TRUE(without_rigid.interrupted);
  EXPECT_FALSE(without_rigid.held());
  EXPECT_EQ(rows(without_rigid), 2U);
  EXPECT_EQ(without_rigid.inequality.size(), 2U);
  const long of_rigid = whole.inequality.front().check.drawn / 4096 + 1;
  const FrictionResult one_row = run(all - of_rigid - 20);
  EXPECT_TRUE(one_row.interrupted);
  EXPECT_EQ(rows(one_row), 1U);
  EXPECT_EQ(one_row.counts.missing, 0) << "all solves had ended";
}

}  // namespace
}  // namespace rigidlimit
