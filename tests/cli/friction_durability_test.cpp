// Tests that the finished solves of a friction study survive kills and serve other runs.
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "support/process.hpp"
#include "support/sample_friction.hpp"
#include "support/stored_rows.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

constexpr const char* finished = "SELECT count(*) FROM solves WHERE status = 'finished'";
/// Rigid on two grids, time stepping with two steps, four ε with two tolerances each.
constexpr long all_solves = 12;

class FrictionDurability : public testing::Test {
 protected:
  std::vector<std::string> command(std::vector<std::string> more = {}) const {
    std::vector<std::string> all{RIGIDLIMIT_PROGRAM, "run", "study.toml", "--jobs", "2"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  test::Said run(std::vector<std::string> more = {}) {
    return test::Process(command(std::move(more)), place.path()).wait();
  }
  test::TemporaryDirectory place;
  std::string study = place.write("study.toml", test::sample_friction_text);
  std::string store = place.path("results/sample/results.db");
};

TEST_F(FrictionDurability, KillsLoseNoFinishedSolve) {
  ASSERT_EQ(run({"--results", "undisturbed"}).status, 0);
  std::mt19937 random(20261122);
  std::uniform_real_distribution<double> seconds(0.0, 0.3);
  long before = 0;
  int kills = 0;
  for (; kills < 12; ++kills) {
    test::Process process(command(), place.path());
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds(random)));
    process.send(SIGKILL);
    process.wait();
    const bool created = test::is_created(store);
    if (created) {
      EXPECT_EQ(test::stored_rows(store, "PRAGMA integrity_check").at(0).at(0), "ok");
    }
    const long now = created ? test::stored_number(store, finished) : 0;
    EXPECT_GE(now, before) << "after kill " << kills;
    before = now;
  }
  const test::Said last = run();
  EXPECT_EQ(last.status, 0) << last.err;
  EXPECT_EQ(test::stored_number(store, finished), all_solves);
  EXPECT_EQ(test::stored_number(store, "SELECT complete FROM study"), 1);
  for (const char* name : {"result.txt", "result.md", "result.tex", "resolved.toml", "result.json",
                           "events.csv", "event_times.csv", "errors.csv", "motions.csv"})
    EXPECT_EQ(test::text_of(place.path(std::string("results/sample/") + name)),
              test::text_of(place.path(std::string("undisturbed/sample/") + name)))
        << name;
}

TEST_F(FrictionDurability, AnotherClaimSolvesNothingAndAnotherMassSolvesAll) {
  ASSERT_EQ(run().status, 0);
  const auto computed = [&] {
    return test::stored_number(store, "SELECT computed FROM runs ORDER BY id DESC LIMIT 1");
  };
  EXPECT_EQ(computed(), all_solves);
  EXPECT_THAT(run({"--dry-run", "--set", "solvers.rtol=1e-9"}).out, HasSubstr("4 of"));
  // Another claim, broken: it needs no solve.
  EXPECT_EQ(run({"--set", "history.modes_at_end=\"slip\""}).status, 1);
  EXPECT_EQ(computed(), 0);
  EXPECT_EQ(run({"--set", "system.mass=1.5"}).status, 0);
  EXPECT_EQ(computed(), all_solves);
}

}  // namespace
}  // namespace rigidlimit
