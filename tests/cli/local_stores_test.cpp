// Tests of shards whose store is on a local disk during the run, and of the job script.
#include "rigidlimit/cli/local_stores.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "rigidlimit/cli/part_mover.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/store/query.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

long count(const std::string& store, const std::string& sql) {
  return std::stol(query(store, sql).rows.at(0).at(0));
}
constexpr const char* finished = "SELECT count(*) FROM solves WHERE status = 'finished'";
constexpr const char* last_computed = "SELECT computed FROM runs ORDER BY id DESC LIMIT 1";

class LocalShards : public testing::Test {
 protected:
  LocalShards() { place.write("study.toml", test::sample_text); }
  test::Said run(std::vector<std::string> options) {
    options.insert(options.begin(), {"run", "study.toml"});
    return test::rigidlimit(std::move(options), place.path());
  }
  std::string shard(const std::string& name) const {
    return place.path("results/sample/shards/" + name + ".db");
  }
  long entries(const std::string& folder) const {
    return std::distance(fs::directory_iterator(place.path(folder)), fs::directory_iterator());
  }
  test::TemporaryDirectory place;
};

TEST_F(LocalShards, HaveTheSolvesOfOrdinaryShards) {
  for (const char* part : {"1/2", "2/2"}) {
    ASSERT_EQ(run({"--shard", part, "--local", "disk/here"}).status, 0);
    ASSERT_EQ(run({"--shard", part, "--results", "plain"}).status, 0);
  }
  EXPECT_EQ(entries("disk/here"), 0) << "nothing stays on the local disk";
  EXPECT_EQ(entries("results/sample/shards"), 2) << "no hidden copy stays";
  const std::string keys = "SELECT group_concat(key) FROM (SELECT key FROM solves ORDER BY key)";
  for (const char* name : {"1-of-2", "2-of-2"})
    EXPECT_EQ(query(shard(name), keys).rows,
              query(place.path(std::string("plain/sample/shards/") + name + ".db"), keys).rows);
}

TEST_F(LocalShards, DoNotRepeatSolvesOfTheSharedFolder) {
  ASSERT_EQ(run({"--shard", "1/3", "--local", "disk"}).status, 0);
  ASSERT_EQ(run({"--shard", "2/3"}).status, 0);
  const long had = count(shard("1-of-3"), finished) + count(shard("2-of-3"), finished);
  long computed = 0;
  for (const std::string k : {"1", "2"}) {
    ASSERT_EQ(run({"--shard", k + "/2", "--local", "disk"}).status, 0);
    computed += count(shard(k + "-of-2"), last_computed);
  }
  const test::Said merged = test::rigidlimit({"merge", "results/sample"}, place.path());
  EXPECT_NE(merged.status, 2) << merged.err;
  const std::string whole = place.path("results/sample/results.db");
  EXPECT_EQ(had + computed, count(whole, finished));
  ASSERT_EQ(run({"--shard", "1/5", "--local", "disk"}).status, 0);
  EXPECT_EQ(count(shard("1-of-5"), last_computed), 0) << "all are in results.db";
  ASSERT_EQ(run({"--shard", "1/5", "--local", "disk", "--results", "other"}).status, 0);
  EXPECT_GT(count(place.path("other/sample/shards/1-of-5.db"), last_computed), 0)
      << "another folder has none";
}

TEST_F(LocalShards, MoveTheirStoreOnSigterm) {
  std::string text = test::sample_text;
  place.write("study.toml", text);
  test::Process process({RIGIDLIMIT_PROGRAM, "run", "study.toml", "--set", "epsilon.count=2000",
                         "--shard", "1/2", "--local", "disk", "--jobs", "1"},
                        place.path());
  // The store of the shard has some solves.
  const auto has_solves = [&] {
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(place.path("disk"), ignored))
      if (entry.path().filename() == "part.db" && entry.file_size(ignored) > 400'000) return true;
    return false;
  };
  while (process.running() && !has_solves())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_TRUE(process.running());
  EXPECT_FALSE(fs::exists(shard("1-of-2"))) << "not before the end";
  process.send(SIGTERM);
  EXPECT_EQ(process.wait().status, 130);
  EXPECT_GT(count(shard("1-of-2"), finished), 0);
  EXPECT_LT(count(shard("1-of-2"), finished), 4000);
  EXPECT_EQ(entries("disk"), 0);
}

TEST_F(LocalShards, RefuseAStoreThatAProcessWrites) {
  ASSERT_EQ(run({"--shard", "1/2"}).status, 0);
  {
    const Store writer(shard("1-of-2"), Store::Access::write);
    EXPECT_EQ(run({"--shard", "1/2", "--local", "disk"}).status, 2);
    const test::Said other = run({"--shard", "2/2", "--local", "disk"});
    EXPECT_EQ(other.status, 0);
    EXPECT_THAT(other.err, HasSubstr("1-of-2.db"));
  }
  EXPECT_EQ(run({"--shard", "1/2", "--local", "disk"}).status, 0);
  EXPECT_EQ(entries("disk"), 0);
}

TEST_F(LocalShards, NeedTheOptionShard) {
  EXPECT_EQ(run({"--local", "disk"}).status, 2);
  EXPECT_EQ(run({"--cost", "a=1,1"}).status, 2);
  for (const char* wrong : {"x", "x=0", "x=1,y", "x=1; x=1"}) {
    const test::Said said = run({"--shard", "1/2", "--cost", wrong});
    EXPECT_EQ(said.status, 2) << wrong;
    EXPECT_THAT(said.err, HasSubstr("--cost")) << wrong;
  }
  EXPECT_EQ(run({"--shard", "1/2", "--cost", "x=1"}).status, 0);
}

TEST(PartMover, MovesAgainAndAgain) {
  const test::TemporaryDirectory place;
  Store store(place.path("part.db"), Store::Access::write);
  const std::string target = place.path("shared/shards/1-of-2.db");
  PartMover mover(store, place.path(), target, std::chrono::milliseconds(20));
  const auto moves_again = [&] {
    for (int k = 0; k < 500 && !fs::exists(target); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return fs::remove(target);
  };
  EXPECT_TRUE(moves_again());
  EXPECT_TRUE(moves_again());
  mover.finish();
  EXPECT_EQ(count(target, finished), 0) << "a whole store";
}

TEST(PartMover, ReportsATargetThatCannotBeWritten) {
  const test::TemporaryDirectory place;
  place.write("shared", "a file, no folder");
  Store store(place.path("part.db"), Store::Access::write);
  PartMover mover(store, place.path(), place.path("shared/shards/1-of-2.db"));
  EXPECT_THROW(mover.finish(), InputError);
}

class JobScript : public LocalShards {
 protected:
  test::Said script(std::vector<std::string> options, const std::string& file = "study.toml") {
    options.insert(options.begin(), {"slurm", file});
    return test::rigidlimit(std::move(options), place.path());
  }
};

TEST_F(JobScript, HasTheGivenOptions) {
  const test::Said said =
      script({"--parts", "16", "--time", "04:00:00", "--mem", "3G", "--cpus", "4", "--partition",
              "long", "--account", "physics", "--sbatch=--nice=100", "--set", "time.end=1.0"});
  ASSERT_EQ(said.status, 0) << said.err;
  for (const char* text : {"--array=1-16 ", "--time=04:00:00 ", "--mem=3G ", "--cpus-per-task=4 ",
                           "--partition=long ", "--account=physics ", "--nice=100 ",
                           "\"$SLURM_ARRAY_TASK_ID/16\"", "--dependency=afterany:"})
    EXPECT_THAT(said.out, HasSubstr(text));
  place.write("it's.toml", test::sample_text);
  place.write("job.sh", script({"--parts", "16"}, "it's.toml").out);
  EXPECT_EQ(test::Process({"bash", "-n", "job.sh"}, place.path()).wait().status, 0)
      << "the quote in the name is escaped";
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{}, {"--parts", "1"}, {"--parts", "x"}})
    EXPECT_EQ(script(wrong).status, 2);
}

TEST_F(JobScript, HasTheCostsOfStoredTimes) {
  EXPECT_THAT(script({"--parts", "3"}).out, testing::Not(HasSubstr("--cost")));
  ASSERT_LE(run({"--quiet"}).status, 1);
  const test::Said said = script({"--parts", "3"});
  EXPECT_THAT(said.out, HasSubstr("--cost 'compliant "));
  // A stub of sbatch runs the parts; their costs are those of the script.
  place.write("sbatch", R"(#!/bin/bash
case $* in *--wrap*) exit ;; esac
script=$(cat)
for k in 1 2 3; do SLURM_ARRAY_TASK_ID=$k SLURM_CPUS_PER_TASK=1 TMPDIR=disk bash -c "$script" >&2 || exit; done
echo 7
)");
  fs::permissions(place.path("sbatch"), fs::perms::owner_all);
  place.write("job.sh", said.out);
  const test::Said sent =
      test::Process({"bash", "-c", "PATH=$PWD:$PATH bash job.sh"}, place.path()).wait();
  EXPECT_EQ(sent.status, 0) << sent.err;
  long solves = 0;
  for (const char* name : {"1-of-3", "2-of-3", "3-of-3"}) {
    solves += count(shard(name), "SELECT count(*) FROM plan");
    EXPECT_EQ(count(shard(name), last_computed), 0) << "results.db has them";
  }
  EXPECT_GT(solves, 0);
}

}  // namespace
}  // namespace rigidlimit
