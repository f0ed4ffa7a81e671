// Tests the result of a rolling study: rows with error bars, verdicts, and failures as rows.
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/memory_archive.hpp"
#include "support/sample_study.hpp"
#include "support/series_of_result.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

RollingResult run_sample(const std::vector<std::string>& overrides,
                         const RunOptions& options = {}) {
  return run_rolling_study(test::sample_study(overrides), options);
}

const std::string expected_q_order = "expect=[{quantity=\"q\", order=";

TEST(RunStudy, ConfirmsTheOrdersOfTheKnifeEdge) {
  const RollingResult result = run_sample({});
  EXPECT_TRUE(result.held());
  EXPECT_FALSE(result.interrupted);
  EXPECT_TRUE(result.failures.empty());
  for (const auto& [quantity, order] :
       {std::pair{Quantity::q, 2.0}, {Quantity::v, 1.0}, {Quantity::lambda, 0.0}}) {
    const Series& series = test::series_of(result, quantity);
    EXPECT_EQ(series.judgement.verdict, Verdict::confirmed) << series.judgement.reason;
    EXPECT_NEAR(series.judgement.fit.order, order, 0.05);
    EXPECT_TRUE(series.expectation);
  }
}

TEST(RunStudy, HasOneSeriesForEachQuantityNormAndWindowWithAllEpsilons) {
  const RollingResult result =
      run_sample({"solvers.rigid=[\"ida\", \"closed_form\"]",
                  "solvers.compliant=[\"cvode_bdf\", \"rosenbrock4\"]", "solvers.rtol=1e-7"});
  std::set<std::tuple<std::string, std::string, int, int, int>> seen;
  for (const Series& series : result.series) {
    ASSERT_EQ(series.rows.size(), result.study.epsilons.size());
    for (std::size_t k = 0; k < series.rows.size(); ++k) {
      const Row& row = series.rows[k];
      EXPECT_EQ(row.epsilon, result.study.epsilons[k]) << "largest first";
      EXPECT_TRUE(std::isfinite(row.model_error()) && std::isfinite(row.solver_error()) &&
                  std::isfinite(row.reference_error()));
      EXPECT_EQ(std::isnan(row.order), k == 0);
      EXPECT_EQ(row.verdict, series.judgement.verdict);
      EXPECT_GT(row.work.steps, 0);
      seen.insert({row.rigid_solver, row.compliant_solver, static_cast<int>(row.measure.quantity),
                   static_cast<int>(row.measure.norm), static_cast<int>(row.measure.window)});
    }
  }
  EXPECT_EQ(result.series.size(), 2u * 2u * 3u * 2u * 2u);
  EXPECT_EQ(seen.size(), result.series.size()) << "series are distinct";
  ASSERT_EQ(result.rigid.size(), 3u) << "two named, one reference";
  EXPECT_EQ(result.rigid[0].reference, "closed_form");
  EXPECT_EQ(result.rigid[1].reference, "runge_kutta_fehlberg78");
}

TEST(RunStudy, ResolvesTheLayerOfAStiffSpring) {
  // Sliding velocity: peak |Λ(0)| sqrt(A/C) ε/e at τ = 1/sqrt(A C) (docs/theory.md, section 4).
  // C = 1e4 puts the peak at ε/100, between the first two times of the uniform layer grid. The
  // logarithmic grid misses the peak by half a spacing, 3 %, and its value by 0.03²/2 < 1e-3. The
  // outer error v₂ ε², v₂ < 10/C, is 3e-3 of the peak at ε = 1e-2. 1 % covers both.
  const RollingResult result = run_sample({"contact.stiffness=1e4"});
  const Series& v = test::series_of(result, Quantity::v, Norm::sup, Window::all);
  for (const Row& row : v.rows)
    EXPECT_NEAR(row.model_error() / row.epsilon, 0.91e-2 / std::exp(1.0), 0.01 * 0.0033);
  EXPECT_EQ(v.judgement.verdict, Verdict::confirmed) << v.judgement.reason;
}

// Without damping the contact force oscillates with period 2π ε ≤ 0.06 for all t. The grid follows
// the period: two samples of the study give the errors of 2001, to the error bars of both. Negative
// control: an error changed by 1 % is outside (ADominantSamplingErrorAsksForMoreSamples has an
// oscillation of the body, which the grid does not know).
TEST(RunStudy, AnUndampedOscillationOfTheContactIsResolvedByAnyNumberOfSamples) {
  const auto force = [](const char* samples) {
    const RollingResult result = run_sample(
        {"contact.damping=0.0", samples, "time.after=1.0",
         "solvers={compliant=[\"radau_iia\"], rigid=[\"closed_form\"]}", "epsilon.count=3"});
    return test::series_of(result, Quantity::lambda, Norm::l2, Window::after);
  };
  const Series few = force("time.samples=2"), many = force("time.samples=2001");
  ASSERT_EQ(few.rows.size(), many.rows.size());
  for (std::size_t k = 0; k < few.rows.size(); ++k) {
    const Row &a = few.rows[k], &b = many.rows[k];
    EXPECT_EQ(name_of(a.evidence), "ok");
    EXPECT_LE(std::abs(a.model_error() - b.model_error()), a.floor() + b.floor());
    EXPECT_GT(0.01 * a.model_error(), a.floor() + b.floor());
  }
}

/// The archived solve of this kind by `solver` at the smallest ε.
SolveRecord kept_solve(const test::MemoryArchive& archive, const std::string& solver,
                       bool tighter) {
  for (const auto& [determinants, record] : archive.kept)
    if (determinants.find("kind=compliant") == 0 &&
        determinants.find("epsilon=0.001 ") != std::string::npos &&
        determinants.find(fmt::format("solver={} tighter={} ", solver, tighter)) !=
            std::string::npos)
      return record;
  ADD_FAILURE() << "no solve by " << solver;
  return {};
}

// The second solve, with the energy balance, uses the method of the row: steps and motion equal
// those of the method alone at the tighter tolerance.
TEST(RunStudy, TheTighterSolveUsesTheMethodOfTheRow) {
  test::MemoryArchive archive;
  const std::vector<std::string> solvers{
      "solvers={rigid=[\"radau_iia\"], compliant=[\"radau_iia\", "
      "\"radau_iia_7\"]}",
      "epsilon.count=3"};
  const RollingResult result = run_sample(solvers, {.archive = &archive});
  EXPECT_TRUE(result.failures.empty());
  const SolveRecord tighter = kept_solve(archive, "radau_iia", true);
  const RollingStudy& study = result.study;
  const auto problem =
      compliant_problem(study, *find_law("viscoelastic"), Formulation::adapted, 1e-3);
  const auto alone = [&](const char* method) {
    return find_ode_method(method)->solve(
        problem.problem, grid_for(study.time, 1e-3),
        solve_options(study, study.solvers.tolerance_of(method, true), {}));
  };
  const Solution batched = alone("radau_iia");
  EXPECT_EQ(tighter.work.steps, batched.work.steps);
  EXPECT_EQ(tighter.work.newton_iterations, batched.work.newton_iterations);
  EXPECT_NE(tighter.work.newton_iterations,
            kept_solve(archive, "radau_iia_7", true).work.newton_iterations)
      << "negative control: another method";
  SolveRecord copy = tighter;
  EXPECT_EQ(copy.take("q", any_size, any_size), problem.motion(batched).q);
  // Energy defect of two methods: E is of order 1 J at rtol 1e-11, times 1e4 as in its own test.
  for (const EnergyReport& energy : result.energy) EXPECT_LT(energy.sizes.defect, 1e-7);
  EXPECT_EQ(result.energy.size(), 6u) << "both solvers at every ε";
}

// Regression: the energy balance of an additive method once aborted the study.
TEST(RunStudy, AnAdditiveMethodHasAnEnergyBalance) {
  const RollingResult result =
      run_sample({"solvers={compliant=[\"arkode_imex_ark436l2sa_6_3_4\"], rtol=1e-7, atol=1e-9}",
                  "epsilon.count=2", "expect=[]"});
  EXPECT_TRUE(result.failures.empty());
  EXPECT_EQ(result.energy.size(), 2u);
}

// The stone rocks at 107 rad/s: 41 samples in 2 s are 1.2 per oscillation.
TEST(RunStudy, ADominantSamplingErrorAsksForMoreSamples) {
  const auto run_with = [](const char* samples) {
    return run_rolling_study(
        read_rolling_study(test::in_repository("experiments/convergence/rattleback.toml"),
                           {samples, "epsilon.count=5", "solvers.compliant=[\"radau_iia\"]"}));
  };
  const RollingResult few = run_with("time.samples=41");
  const Series& q = test::series_of(few, Quantity::q);
  const auto lost = static_cast<std::size_t>(std::ranges::count_if(
      q.rows, [](const Row& row) { return row.evidence.floor == FloorSource::sampling; }));
  ASSERT_GT(lost, 1u) << q.judgement.reason;
  EXPECT_EQ(q.judgement.verdict, Verdict::floor_limited) << q.judgement.reason;
  EXPECT_EQ(q.judgement.hidden.sampling, lost);
  EXPECT_EQ(q.judgement.hidden.all(), lost) << "other errors hide no row";
  EXPECT_THAT(q.judgement.reason, HasSubstr(fmt::format("(sampling error {})", lost)));
  EXPECT_THAT(advice(q.judgement), HasSubstr("more samples"));
  EXPECT_THAT(advice(q.judgement), testing::Not(HasSubstr("ighten")));
  // Negative control: the advice helps at the same tolerances.
  EXPECT_EQ(test::series_of(run_with("time.samples=1101"), Quantity::q).judgement.verdict,
            Verdict::confirmed);
}

TEST(RunStudy, RefutesAWrongOrder) {
  // Negative controls: q has order 2. Expecting 1 fails, as does 0.2 too low and 0.2 too high.
  for (const char* wrong : {"1.0", "1.8", "2.2", "0.0"}) {
    const RollingResult result = run_sample({expected_q_order + wrong + "}]"});
    EXPECT_FALSE(result.held()) << wrong;
    EXPECT_EQ(test::series_of(result, Quantity::q).judgement.verdict, Verdict::refuted) << wrong;
  }
  EXPECT_TRUE(run_sample({expected_q_order + "2.0}]"}).held());
}

TEST(RunStudy, ALooseSolverGivesRowsThatAreNoEvidence) {
  // At rtol 1e-3 the solver error is about 1e-3 of q. The model error at ε = 1e-3 is 1.8e-5.
  const RollingResult result = run_sample({"solvers.rtol=1e-3", "solvers.atol=1e-3"});
  EXPECT_FALSE(result.held());
  const Row& last = test::row_at(result, 1e-3, Quantity::q);
  EXPECT_EQ(name_of(last.evidence), "solver_limited");
  EXPECT_GT(last.solver_error(), 0.1 * last.model_error());
  EXPECT_NE(test::series_of(result, Quantity::q).judgement.verdict, Verdict::confirmed);
}

TEST(RunStudy, ALooseRigidSideGivesRowsThatAreNoEvidence) {
  const RollingResult result = run_sample({"solvers.rigid_rtol=1e-3", "solvers.rigid_atol=1e-3"});
  EXPECT_FALSE(result.held());
  const Row& last = test::row_at(result, 1e-3, Quantity::q);
  EXPECT_EQ(name_of(last.evidence), "reference_limited");
  EXPECT_GT(last.reference_error(), 0.1 * last.model_error());
  EXPECT_LT(last.solver_error(), 0.1 * last.model_error()) << "the compliant side is unchanged";
}

TEST(RunStudy, AnExactReferenceHasOnlyTheErrorOfItsCheck) {
  const RollingResult result = run_sample({"solvers.rigid=[\"closed_form\"]"});
  EXPECT_TRUE(result.held());
  // Runge-Kutta-Fehlberg at 1e-13 over T = 2.
  EXPECT_LT(test::row_at(result, 1e-3, Quantity::q).reference_error(), 1e-11);
}

TEST(RunStudy, AFailedSolverHasRowsAndTheOthersSucceed) {
  // Only one solver fails: 20000 steps suffice for CVODE, but not for a method of order 4 at
  // 1e-13.
  const RollingResult result =
      run_sample({"solvers.compliant=[\"cvode_bdf\", \"rosenbrock4\"]", "solvers.max_steps=4000",
                  "solvers.rosenbrock4={rtol=1e-13, atol=1e-15}"});
  EXPECT_FALSE(result.held());
  const auto& failed =
      test::series_of(result, Quantity::q, Norm::sup, Window::all, "rosenbrock4").rows;
  ASSERT_EQ(failed.size(), result.study.epsilons.size()) << "a failure is a row";
  for (const Row& row : failed) {
    EXPECT_EQ(name_of(row.evidence), "failed: max_steps");
    EXPECT_TRUE(std::isnan(row.model_error()));
  }
  const Series& spared = test::series_of(result, Quantity::q, Norm::sup, Window::all, "cvode_bdf");
  EXPECT_EQ(spared.judgement.verdict, Verdict::confirmed);
  for (const Row& row : spared.rows) EXPECT_EQ(name_of(row.evidence), "ok");
  ASSERT_EQ(result.failures.size(), 2 * result.study.epsilons.size()) << "both tolerances";
  double before = 1.0;
  for (const CompliantSolve& failure : result.failures) {
    EXPECT_EQ(failure.solver, "rosenbrock4");
    EXPECT_EQ(failure.outcome, Outcome::max_steps);
    EXPECT_NE(failure.message, "");
    EXPECT_LT(failure.t_reached, result.study.time.end);
    EXPECT_LE(failure.epsilon, before);
    before = failure.epsilon;
  }
}

TEST(RunStudy, FiveStepsFailEverySolver) {
  const RollingResult result = run_sample({"solvers.max_steps=5"});
  EXPECT_FALSE(result.held());
  ASSERT_EQ(result.rigid.size(), 1u);
  EXPECT_EQ(result.rigid[0].outcome, Outcome::max_steps);
  for (const Row& row : test::series_of(result, Quantity::v).rows)
    EXPECT_EQ(name_of(row.evidence), "failed: max_steps");
}

TEST(RunStudy, AFailedSecondSolveLeavesTheErrorUnknown) {
  // Only the second, tighter solve needs more steps than the limit.
  const RollingResult result = run_sample({"solvers.max_steps=2000", "solvers.tighten=1e-5"});
  ASSERT_FALSE(result.failures.empty());
  for (const CompliantSolve& failure : result.failures) EXPECT_TRUE(failure.tighter);
  const Row& row = test::row_at(result, result.failures.back().epsilon, Quantity::q);
  EXPECT_TRUE(std::isfinite(row.model_error()));
  EXPECT_TRUE(std::isnan(row.solver_error()));
  EXPECT_EQ(name_of(row.evidence), "solver_limited");
}

TEST(RunStudy, AFailedRigidSideFailsEveryRow) {
  // IDA at index 2 cannot reach this tolerance in few steps. CVODE can.
  const RollingResult result =
      run_sample({"solvers.rigid_rtol=1e-13", "solvers.rigid_atol=1e-15", "solvers.rtol=1e-6",
                  "solvers.atol=1e-8", "solvers.max_steps=1000"});
  ASSERT_NE(result.rigid.at(0).outcome, Outcome::success);
  for (const Row& row : test::series_of(result, Quantity::q).rows)
    EXPECT_THAT(name_of(row.evidence), StartsWith("failed: rigid "));
  EXPECT_FALSE(result.held());
}

TEST(RunStudy, NotesThatAnUnloadedSpringWithoutLoadIsPrepared) {
  // u0 = 0 and φ = 0: Λ(0) = −m u0 ω = 0.
  const RollingResult none = run_sample({"initial.v=[0.0, 0.0, 1.3]", "expect=[]"});
  EXPECT_THAT(none.notes, testing::Contains(HasSubstr("Λ(0) = ")));
  EXPECT_THAT(run_sample({"expect=[]"}).notes, testing::Not(testing::Contains(HasSubstr("Λ(0)"))));
}

TEST(RunStudy, NotesThatIndex2LeavesTheMultiplierUntested) {
  EXPECT_THAT(run_sample({}).notes, testing::Contains(testing::StartsWith("ida: Λ")));
  const RollingResult index1 = run_sample({"solvers.rigid=[\"ida_impulse\"]"});
  EXPECT_THAT(index1.notes, testing::Not(testing::Contains(testing::StartsWith("ida: Λ"))));
}

TEST(RunStudy, ReportsProgressOnceForEachSolve) {
  std::vector<int> done;
  int total = 0;
  const RunOptions options{
      .jobs = 2, .stop_requested = {}, .on_progress = [&](const SolveProgress& progress) {
        done.push_back(progress.done);
        total = progress.total;
      }};
  run_sample({}, options);
  // The work along the rigid motion, two rigid solves (IDA and its reference), and two tolerances
  // for each of five ε.
  EXPECT_EQ(total, 13);
  ASSERT_EQ(done.size(), 13u);
  for (int k = 0; k < 13; ++k) EXPECT_EQ(done[static_cast<std::size_t>(k)], k + 1);
}

TEST(RunStudy, AnInterruptedRunKeepsItsRowsAndIsNotHeld) {
  for (const int jobs : {1, 2}) {
    std::atomic<int> done = 0;
    const RunOptions options{.jobs = jobs,
                             .stop_requested = [&] { return done >= 7; },
                             .on_progress = [&](const SolveProgress& news) { done = news.done; }};
    const RollingResult result = run_sample({}, options);
    EXPECT_TRUE(result.interrupted);
    EXPECT_FALSE(result.held());
    const auto& rows = test::series_of(result, Quantity::q).rows;
    EXPECT_GE(rows.size(), 1u) << jobs;
    EXPECT_LT(rows.size(), result.study.epsilons.size()) << jobs;
    // Each finished row equals that of a complete run.
    const RollingResult whole = run_sample({});
    for (const Row& row : rows)
      EXPECT_EQ(row.model_error(), test::row_at(whole, row.epsilon, Quantity::q).model_error());
    EXPECT_TRUE(result.failures.empty()) << "an interruption counts as no failure";
  }
}

TEST(RunStudy, StoppedAtTheStartHasNoRows) {
  const RollingResult result =
      run_sample({}, {.jobs = 1, .stop_requested = [] { return true; }, .on_progress = {}});
  EXPECT_TRUE(result.interrupted);
  EXPECT_FALSE(result.held());
  for (const Series& series : result.series) EXPECT_TRUE(series.rows.empty());
}

TEST(RunStudy, EverySolverHandlesNearlyEqualTimes) {
  // Layer samples of one ε equal uniform samples up to rounding: the union has neighbours one ulp
  // apart.
  std::string solvers;
  for (const RigidSolver& solver : rigid_solvers())
    solvers += (solvers.empty() ? "\"" : ", \"") + std::string(solver.name) + "\"";
  const RollingResult result =
      run_sample({"epsilon={from=0.06, to=0.0075, count=4}", "solvers.rigid=[" + solvers + "]",
                  "solvers.rtol=1e-7", "solvers.atol=1e-9", "expect=[]"});
  for (const RigidReport& rigid : result.rigid)
    EXPECT_EQ(rigid.outcome, Outcome::success) << rigid.solver << ": " << rigid.message;
}

}  // namespace
}  // namespace rigidlimit
