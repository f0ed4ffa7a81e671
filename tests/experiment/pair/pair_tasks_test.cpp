// Tests the engine of all pairs with a kind of study whose solves are numbers.
#include "rigidlimit/experiment/pair/pair_tasks.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "rigidlimit/core/stop_request.hpp"
#include "rigidlimit/experiment/pair/comparison.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"
#include "support/memory_archive.hpp"

namespace rigidlimit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const PairAxes axes{.laws = {{"one", {}}, {"two", {}}},
                    .solvers = {"fast", "slow"},
                    .epsilons = {1e-1, 1e-2, 1e-3}};

/// The motion of a pair is q = ε; the distance of a pair from the rigid side is ε as well.
class Numbers final : public PairTasks::Kind {
 public:
  MotionSizes sizes() const override { return {.q = 1, .v = 1, .forces = 1, .contacts = 0}; }
  const std::vector<double>& times(const CompliantPair&) const override { return grid; }
  Solve solve(const CompliantPair& pair, bool tighter) override {
    const CompliantSolve of = axes.solve(pair, tighter);
    SolveIdentity key{.kind = SolveIdentity::Kind::compliant, .epsilon = of.epsilon};
    key.determinants = fmt::format("{} {} {} {}", text_of(of.law), of.solver, of.epsilon, tighter);
    return {.identity = key, .times = &grid, .run = [this, of, tighter] {
              ++solved;
              CompliantMotion motion;
              motion.outcome = fails.contains(of.solver) ? Outcome::max_steps : Outcome::success;
              const MatrixXd value = MatrixXd::Constant(1, 1, of.epsilon * (tighter ? 1.0 : 2.0));
              motion.motion = Motion{grid, value, value, value};
              return record_of(std::move(motion));
            }};
  }
  bool keeps_samples(const CompliantPair&) const override { return keeps; }
  std::size_t measures() const override { return 1; }
  bool shows(const CompliantPair& pair) const override { return shown && pair.epsilon == 0; }
  void prepare() override { ++prepared; }
  void judge(CompliantPair& pair) override {
    if (stops && pair.epsilon == 1) throw Stopped();
    ++judged;
    Comparison& one = pair.against.emplace_back();
    one.sizes.push_back({.model = pair.base.motion.rounded.q(0, 0)});
    one.predicted.emplace_back();
  }

  std::vector<double> grid{0.0};
  bool keeps = true, shown = false, stops = false;
  std::set<std::string> fails;
  std::atomic<int> solved = 0, judged = 0, prepared = 0;
};

/// All pairs of a study whose rigid side has no solves.
struct PairRun {
  explicit PairRun(Numbers& kind, RunOptions options = {}, bool with_errors = true)
      : how(std::move(options)), pairs(kind, how) {
    pairs.plan(axes, with_errors, {}, tasks);
    counts = do_tasks(pointers_to(tasks), how);
  }

  RunOptions how;
  std::deque<Task> tasks;
  PairTasks pairs;
  SolveCounts counts;
};

TEST(PairTasks, JudgesEachPairOnceAndDropsItsMotions) {
  Numbers kind;
  kind.shown = true;
  const PairRun run(kind, {.jobs = 2});
  EXPECT_EQ(kind.solved, 24) << "two of each pair";
  EXPECT_EQ(kind.judged, 12);
  EXPECT_EQ(kind.prepared, 1);
  EXPECT_TRUE(run.pairs.is_complete());
  for (const CompliantPair& pair : run.pairs.pairs()) {
    EXPECT_EQ(pair.against.at(0).sizes.at(0).model, 2.0 * axes.epsilons[pair.epsilon]);
    EXPECT_EQ(pair.base.motion.rounded.times.empty(), pair.epsilon != 0) << "shown at one ε";
  }
}

TEST(PairTasks, LaddersBeginWithTheLargestEpsilonAndFollowLawsAndSolvers) {
  Numbers kind;
  const PairRun run(kind);
  const std::vector<PairLadder> ladders = run.pairs.ladders();
  ASSERT_THAT(ladders, SizeIs(4));
  for (std::size_t k = 0; k < ladders.size(); ++k) {
    ASSERT_THAT(ladders[k], SizeIs(3));
    for (std::size_t e = 0; e < 3; ++e) {
      EXPECT_EQ(ladders[k][e]->epsilon, e);
      EXPECT_EQ(ladders[k][e]->law, k / 2);
      EXPECT_EQ(ladders[k][e]->solver, k % 2);
      EXPECT_EQ(run.pairs.position(*ladders[k][e]), axes.position(k / 2, k % 2, e));
    }
  }
  EXPECT_EQ(run.pairs.solves().front().epsilon, 1e-1);
  EXPECT_EQ(run.pairs.solves().back().epsilon, 1e-3);
}

TEST(PairTasks, AFailedSolveStaysInItsLadder) {
  Numbers kind;
  kind.fails = {"slow"};
  const PairRun run(kind);
  EXPECT_TRUE(run.pairs.is_complete()) << "it ended by itself";
  EXPECT_THAT(run.pairs.ladders(), SizeIs(4));
  const std::vector<CompliantSolve> solves = run.pairs.solves();
  EXPECT_EQ(std::ranges::count(solves, Outcome::max_steps, &CompliantSolve::outcome), 12);
}

// A judgement that the user stops leaves no number: the pair counts as not solved.
TEST(PairTasks, AStoppedJudgementLeavesThePairOut) {
  Numbers kind;
  kind.stops = true;
  const PairRun run(kind);
  EXPECT_FALSE(run.pairs.is_complete());
  for (const PairLadder& ladder : run.pairs.ladders()) EXPECT_THAT(ladder, SizeIs(2));
  kind.stops = false;
  EXPECT_TRUE(PairRun(kind).pairs.is_complete()) << "negative control";
}

TEST(PairTasks, ASingleSolveOfEachPairIsCompleteWithoutASecond) {
  Numbers kind;
  const PairRun run(kind, {}, false);
  EXPECT_EQ(kind.solved, 12);
  EXPECT_TRUE(run.pairs.is_complete());
  EXPECT_THAT(run.pairs.solves(), SizeIs(12));
}

// Without the samples of its motions, an archive has the comparison: a second run solves and judges
// nothing, and has the same numbers. Negative control: `recompute` solves again.
TEST(PairTasks, AnArchiveWithoutSamplesKeepsTheComparison) {
  test::MemoryArchive archive;
  Numbers kind;
  kind.keeps = false;
  const PairRun first(kind, {.archive = &archive});
  EXPECT_EQ(archive.kept.size(), 36u) << "24 solves and 12 comparisons";
  Numbers again;
  again.keeps = false;
  const PairRun second(again, {.archive = &archive});
  EXPECT_EQ(again.solved, 0);
  EXPECT_EQ(again.judged, 0);
  EXPECT_EQ(second.counts.reused, 24);
  for (std::size_t k = 0; k < axes.count(); ++k)
    EXPECT_EQ(second.pairs.pairs()[k].against.at(0).sizes.at(0).model,
              first.pairs.pairs()[k].against.at(0).sizes.at(0).model);
  Numbers third;
  third.keeps = false;
  const PairRun recomputed(third, {.archive = &archive, .recompute = true});
  EXPECT_EQ(third.solved, 24);
  EXPECT_EQ(third.judged, 12);
}

// A shard is not judged, but for the comparisons that it keeps in place of samples.
TEST(PairTasks, AShardJudgesOnlyWhatItDoesNotKeep) {
  Numbers kind;
  const PairRun whole(kind, {.shard = {.index = 1, .count = 2}});
  EXPECT_EQ(kind.judged, 0);
  test::MemoryArchive archive;
  Numbers kept;
  kept.keeps = false;
  const PairRun some(kept, {.archive = &archive, .shard = {.index = 1, .count = 2}});
  EXPECT_EQ(kept.judged, 12);
}

/// A confirmed series of this law.
Series series_of_law(const std::string& law) {
  Series series;
  series.rows.emplace_back().law = {.name = law, .tangential_power = {}};
  return series;
}

// An expectation that one pair of solvers has no series for was not judged.
TEST(AllHeld, NeedsASeriesOfEveryLawAndEveryPairOfSolvers) {
  const ExpectationSpec both{.measure = {}};
  const std::vector<Series> four{series_of_law("one"), series_of_law("one"), series_of_law("two"),
                                 series_of_law("two")};
  EXPECT_TRUE(all_held({both}, axes.laws, 2, four));
  for (std::size_t left_out = 0; left_out < four.size(); ++left_out) {
    std::vector<Series> three = four;
    three.erase(three.begin() + static_cast<std::ptrdiff_t>(left_out));
    EXPECT_FALSE(all_held({both}, axes.laws, 2, three)) << left_out;
  }
  ExpectationSpec one = both;
  one.law = "one";
  EXPECT_TRUE(all_held({one}, axes.laws, 2, {four[0], four[1]}));
  EXPECT_FALSE(all_held({one}, axes.laws, 2, {four[2], four[3]}));
  EXPECT_TRUE(all_held({}, axes.laws, 2, {}));
}

}  // namespace
}  // namespace rigidlimit
