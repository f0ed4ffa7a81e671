// Tests that a sweep is one plan: shared solves once, points judged when complete, failures apart.
#include "rigidlimit/experiment/sweep_plan.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <stdexcept>

namespace rigidlimit {
namespace {

/// A study of named solves in two stages; a solve named "bad…" throws.
struct NamedSolves {
  std::vector<std::string> first, rest;
  std::atomic<int>* made = nullptr;
  std::atomic<int>* alive = nullptr;  ///< plans at any time
};

class NamedPlan final : public ExperimentPlan {
 public:
  explicit NamedPlan(const NamedSolves& study) : study_(study) {
    if (study.alive) ++*study.alive;
  }
  ~NamedPlan() override {
    if (study_.alive) --*study_.alive;
  }
  SolveStage next_stage() override {
    const bool begins = !begun_;
    begun_ = true;
    for (const std::string& name : begins ? study_.first : study_.rest) add(name);
    std::vector<const Task*> tasks = pointers_to(tasks_);
    if (!begins) tasks.erase(tasks.begin(), tasks.begin() + std::ssize(study_.first));
    return {std::move(tasks), begins};
  }
  /// The names are notes.
  Result judged(const SolveCounts& counts) override {
    Result result;
    result.notes = taken_;
    result.interrupted = counts.missing > 0;
    return result;
  }

 private:
  void add(const std::string& name) {
    SolveIdentity identity;
    identity.determinants = name;
    tasks_.push_back(single_task({.identity = identity,
                                  .times = &none_,
                                  .run =
                                      [this, name] {
                                        ++*study_.made;
                                        if (name.starts_with("bad"))
                                          throw std::runtime_error("no " + name);
                                        return SolveRecord{
                                            {.outcome = Outcome::success, .message = name}};
                                      }},
                                 name, [this](SolveRecord record) {
                                   if (record.outcome == Outcome::success)
                                     taken_.push_back(record.message);
                                 }));
  }

  const NamedSolves& study_;
  std::vector<double> none_;
  std::deque<Task> tasks_;
  std::vector<std::string> taken_;
  bool begun_ = false;
};

/// A sweep whose only key has a value for each point.
SweepPlan plan_of(const std::vector<NamedSolves>& points) {
  SweepGrid grid;
  SweepAxis axis{.keys = {"k"}, .values = {}};
  for (std::size_t k = 0; k < points.size(); ++k) axis.values.push_back({{std::to_string(k), ""}});
  grid.add(std::move(axis));
  return SweepPlan({}, std::move(grid),
                   [&points](std::size_t k) { return std::make_unique<NamedPlan>(points[k]); });
}

std::vector<std::string> taken(const SweptResult& point) {
  return point.result.value().notes;
}

/// A sweep of `count` points whose first solve is shared as `first_of(k)` says.
template <class FirstOf>
struct Made {
  Made(std::size_t count, const FirstOf& first_of, const RunOptions& options = {.jobs = 4}) {
    std::vector<NamedSolves> studies;
    for (std::size_t k = 0; k < count; ++k)
      studies.push_back({{first_of(k)}, {"own " + std::to_string(k)}, &made, &alive});
    SweepPlan plan = plan_of(studies);
    counts = do_plan(plan, options);
    left_alive = alive;
    result = plan.judged(counts);
    points = plan.results();
  }
  std::atomic<int> made = 0, alive = 0;
  int left_alive = 0;
  SolveCounts counts;
  Result result;
  std::vector<SweptResult> points;
};

TEST(SweepPlan, RunsSharedSolvesOnceAndGivesThemToEachPoint) {
  const Made one(6, [](std::size_t) { return std::string("rigid"); });
  EXPECT_EQ(one.made, 7);
  EXPECT_EQ(one.counts.computed, 7);
  EXPECT_EQ(one.counts.reused, 0) << "nothing was kept from before";
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_EQ(taken(one.points[k]),
              (std::vector<std::string>{"rigid", "own " + std::to_string(k)}));
  EXPECT_FALSE(one.result.interrupted);
  const Made two(6, [](std::size_t k) { return "rigid " + std::to_string(k % 2); });
  EXPECT_EQ(two.made, 8);
  // Negative control: different solves all run.
  const Made all(6, [](std::size_t k) { return "rigid " + std::to_string(k); });
  EXPECT_EQ(all.made, 12);
}

TEST(SweepPlan, DropsAPointsPlanOnceItIsJudged) {
  const Made one(6, [](std::size_t) { return std::string("rigid"); });
  EXPECT_EQ(one.left_alive, 0);
  // Negative control: an incomplete point keeps its plan until the end.
  const Made stopped(6, [](std::size_t k) { return k == 2 ? "bad" : "good"; });
  EXPECT_EQ(stopped.left_alive, 1);
}

TEST(SweepPlan, AFailingPointKeepsItsMessageAndTheOthersGoOn) {
  const Made some(4, [](std::size_t k) { return std::string(k == 2 ? "bad" : "good"); });
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(some.points[k].complaint, k == 2 ? "no bad" : "");
    EXPECT_EQ(some.points[k].result.has_value(), k != 2);
  }
  EXPECT_FALSE(some.result.interrupted);
  EXPECT_EQ(some.counts.computed, 4) << "the shared one and three of their own";
  EXPECT_EQ(some.counts.missing, 1);
}

TEST(SweepPlan, AStopRequestLeavesTheRestOut) {
  std::atomic<int> made = 0;
  std::vector<NamedSolves> points;
  for (std::size_t k = 0; k < 5; ++k)
    points.push_back({{"first " + std::to_string(k)}, {"own " + std::to_string(k)}, &made});
  const RunOptions options{.jobs = 1, .stop_requested = [&] { return made >= 2; }};
  SweepPlan plan = plan_of(points);
  const SolveCounts counts = do_plan(plan, options);
  EXPECT_EQ(counts.computed, 2);
  EXPECT_EQ(counts.missing, 3) << "of the first stage";
  EXPECT_TRUE(plan.judged(counts).interrupted);
  EXPECT_EQ(taken(plan.results()[0]), std::vector<std::string>{"first 0"});
  EXPECT_FALSE(plan.results()[4].result.has_value());
}

TEST(SweepPlan, ShardsAreDisjointAndComplete) {
  std::map<std::string, int> seen;
  for (int index = 1; index <= 3; ++index) {
    std::atomic<int> made = 0;
    std::vector<NamedSolves> points;
    for (std::size_t k = 0; k < 5; ++k)
      points.push_back({{"first"}, {"a " + std::to_string(k), "shared"}, &made});
    const RunOptions options{.shard = {index, 3}};
    SweepPlan plan = plan_of(points);
    const SolveCounts counts = do_plan(plan, options);
    plan.judged(counts);
    for (const SweptResult& point : plan.results())
      if (point.result)
        for (const std::string& name : taken(point)) seen[name] += name == "shared" ? 0 : 1;
    EXPECT_LT(made, 7) << "not all solves are in one shard";
  }
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(seen["a " + std::to_string(k)], 1);
  EXPECT_EQ(seen["first"], 15) << "a deciding solve is in every shard, for every point";
}

/// `sides` rigid sides of two tasks, each with four pairs, as one stage.
class SidesAndPairs final : public SolvePlan {
 public:
  explicit SidesAndPairs(int sides) {
    for (int k = 0; k < sides; ++k) {
      std::vector<const Task*> side;
      for (const char* name : {"rigid", "reference"}) side.push_back(&add(name, k));
      for (int pair = 0; pair < 4; ++pair) add("pair " + std::to_string(pair), k).after = side;
    }
  }
  SolveStage next_stage() override { return {pointers_to(tasks_)}; }

 private:
  Task& add(const std::string& name, int side) {
    SolveIdentity identity;
    identity.determinants = name + " of " + std::to_string(side);
    const auto run = [] { return SolveRecord{{.outcome = Outcome::success}}; };
    return tasks_.emplace_back(single_task({.identity = identity, .times = &none_, .run = run},
                                           name, [](const SolveRecord&) {}));
  }

  std::vector<double> none_;
  std::deque<Task> tasks_;
};

/// Solves of all shards together.
int solved_in_shards(int sides, int shards) {
  int solves = 0;
  for (int index = 1; index <= shards; ++index) {
    SidesAndPairs plan(sides);
    const int own = do_plan(plan, {.shard = {index, shards}}).computed;
    EXPECT_GT(own, 0) << "shard " << index;
    solves += own;
  }
  return solves;
}

// Four rigid sides and more for each shard: no solve is in two shards. Fewer: pairs choose the
// shard, and each shard also solves the rigid side of its pairs.
TEST(Shards, RepeatNoRigidSideIfThereAreManyOfThem) {
  EXPECT_EQ(solved_in_shards(64, 3), 64 * 6);
  EXPECT_EQ(solved_in_shards(1, 2), 4 + 2 * 2);  // negative control: both shards have pairs
}

}  // namespace
}  // namespace rigidlimit
