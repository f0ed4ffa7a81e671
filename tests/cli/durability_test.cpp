// Tests that finished solves survive kills, a full disk, a read-only directory, a second process.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <random>
#include <thread>

#include "support/process.hpp"
#include "support/sample_friction.hpp"
#include "support/sample_study.hpp"
#include "support/stored_rows.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

const std::vector<std::string> run_it{RIGIDLIMIT_PROGRAM, "run", "study.toml", "--jobs", "2"};

/// The sample with that number of ε: some milliseconds per solve.
std::string study_of(int epsilons) {
  std::string text = test::sample_text + test::sample_expectations;
  return text.replace(text.find("count = 5"), 9, "count = " + std::to_string(epsilons));
}

constexpr const char* finished = "SELECT count(*) FROM solves WHERE status = 'finished'";

/// Every finished solve has samples and a grid, every row of samples a solve.
void expect_whole(const std::string& store) {
  EXPECT_EQ(test::stored_rows(store, "PRAGMA integrity_check").at(0).at(0), "ok");
  EXPECT_EQ(test::stored_number(
                store,
                "SELECT count(*) FROM solves WHERE status = 'finished' AND sampled AND kind <> "
                "'comparison' AND (key NOT IN (SELECT key FROM samples) OR grid NOT IN (SELECT id "
                "FROM grids))"),
            0);
  EXPECT_EQ(test::stored_number(
                store,
                "SELECT count(*) FROM samples WHERE key NOT IN (SELECT key FROM solves WHERE "
                "status = 'finished')"),
            0);
}

/// The result files of a run by name, without the database.
std::map<std::string, std::string> result_files(const std::string& directory) {
  std::map<std::string, std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (entry.is_regular_file() && entry.path().string().find(".db") == std::string::npos)
      texts[entry.path().filename()] = test::text_of(entry.path());
  return texts;
}

struct Victim {
  std::string name, text;
  int kills;
  double seconds;  ///< latest time of a kill
};

class KilledRuns : public testing::TestWithParam<Victim> {};

TEST_P(KilledRuns, LoseAndDuplicateNothing) {
  const test::TemporaryDirectory place;
  place.write("study.toml", GetParam().text);
  const std::string results = place.path("results/sample"), store = results + "/results.db";
  ASSERT_EQ(test::Process(run_it, place.path()).wait().status, 0);
  const auto undisturbed = result_files(results);
  EXPECT_GT(undisturbed.size(), 4u);
  std::filesystem::remove_all(place.path("results"));

  const auto expect_all = [&] {
    const auto written = result_files(results);
    for (const auto& [name, text] : undisturbed) EXPECT_TRUE(written.at(name) == text) << name;
    EXPECT_EQ(test::stored_number(store, finished),
              test::stored_number(store, "SELECT count(*) FROM plan"));
    EXPECT_EQ(test::stored_number(store, "SELECT complete FROM study"), 1);
  };
  std::mt19937 random(20261121);
  std::uniform_real_distribution<double> seconds(0.0, GetParam().seconds);
  int kills = 0, completed = 0;
  for (long before = 0; kills < GetParam().kills;) {
    test::Process process(run_it, place.path());
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds(random)));
    const bool killed = process.running();
    process.send(SIGKILL);
    const test::Said said = process.wait();
    if (killed) ++kills;
    const bool created = test::is_created(store);
    if (created) expect_whole(store);
    const long now = created ? test::stored_number(store, finished) : 0;
    ASSERT_GE(now, before) << "after kill " << kills;
    before = now;
    if (said.status == 0) {  // ended before the kill: start again
      expect_all();
      std::filesystem::remove_all(place.path("results"));
      before = 0;
      ++completed;
    }
  }
  const test::Said last = test::Process(run_it, place.path()).wait();
  EXPECT_EQ(last.status, 0) << last.err;
  expect_all();
  expect_whole(store);
  RecordProperty("kills", kills);
  RecordProperty("completed", completed);
}

INSTANTIATE_TEST_SUITE_P(Durability, KilledRuns,
                         testing::Values(Victim{"rolling", study_of(40), 50, 0.4},
                                         Victim{"friction", test::sample_friction_text, 12, 0.3}),
                         [](const auto& one) { return one.param.name; });

// A limit on file sizes acts like a full disk: writes fail in the middle of a transaction.
TEST(Durability, AFullDiskIsReportedAndTheNextRunContinues) {
  const test::TemporaryDirectory place;
  place.write("study.toml", study_of(40));
  const test::Said full =
      test::Process({"sh", "-c", "trap '' XFSZ; ulimit -f 2000; exec \"$0\" run study.toml",
                     RIGIDLIMIT_PROGRAM},
                    place.path())
          .wait();
  EXPECT_EQ(full.status, 2) << full.err;
  EXPECT_THAT(full.err, HasSubstr("results.db: "));
  EXPECT_THAT(full.err, testing::ContainsRegex("[0-9]+ finished solves"));
  const std::string store = place.path("results/sample/results.db");
  expect_whole(store);
  EXPECT_LT(test::stored_number(store, finished), 84);
  const test::Said roomy = test::Process(run_it, place.path()).wait();
  EXPECT_EQ(roomy.status, 0) << roomy.err;
  EXPECT_EQ(test::stored_number(store, finished), 83) << "80 compliant, 2 rigid and work";
}

/// Runs the program as an unprivileged user, because root can write read-only files.
test::Said as_nobody(const test::TemporaryDirectory& place, std::vector<std::string> arguments) {
  const std::string program = place.path("program");
  std::filesystem::copy_file(RIGIDLIMIT_PROGRAM, program,
                             std::filesystem::copy_options::overwrite_existing);
  chmod(place.path().c_str(), 0755);
  chmod(program.c_str(), 0755);
  arguments.insert(arguments.begin(), program);
  if (geteuid() == 0) {
    const std::vector<std::string> other{"setpriv", "--reuid=65534", "--regid=65534",
                                         "--clear-groups"};
    arguments.insert(arguments.begin(), other.begin(), other.end());
  }
  return test::Process(arguments, place.path()).wait();
}

TEST(Durability, AReadOnlyDirectoryGivesItsStoredResults) {
  const test::TemporaryDirectory place;
  place.write("study.toml", study_of(5));
  ASSERT_EQ(test::Process(run_it, place.path()).wait().status, 0);
  const std::string results = place.path("results/sample");
  for (const auto& entry : std::filesystem::directory_iterator(results))
    chmod(entry.path().c_str(), 0444);
  chmod(results.c_str(), 0555);
  chmod(place.path("study.toml").c_str(), 0644);

  const test::Said whole = as_nobody(place, {"run", "study.toml"});
  EXPECT_EQ(whole.status, 0) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr("sample: held"));
  EXPECT_THAT(whole.err, HasSubstr("read-only"));

  const test::Said more = as_nobody(place, {"run", "study.toml", "--set", "epsilon.count=6"});
  EXPECT_EQ(more.status, 2);
  EXPECT_THAT(more.err, testing::AllOf(HasSubstr("results.db"), HasSubstr("--results DIR")));

  const test::Said none =
      as_nobody(place, {"run", "study.toml", "--results", "results/sample/new"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err,
              testing::AllOf(HasSubstr("results/sample/new"), HasSubstr("--results DIR")));
  chmod(results.c_str(), 0755);
}

TEST(Durability, ASecondProcessIsRefusedAndTheFirstNamed) {
  const test::TemporaryDirectory place;
  place.write("study.toml", study_of(400));
  const std::string store = place.path("results/sample/results.db");
  test::Process first(run_it, place.path());
  while (first.running() && !test::is_created(store))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_TRUE(first.running());
  const test::Said second = test::Process(run_it, place.path()).wait();
  EXPECT_EQ(second.status, 2);
  EXPECT_THAT(second.err,
              testing::AllOf(testing::ContainsRegex("process [0-9]+"), HasSubstr("--shard k/n")));
  EXPECT_EQ(test::rigidlimit({"export", place.path("results/sample")}).status, 0) << "readers may";
  first.send(SIGTERM);
  const test::Said stopped = first.wait();
  EXPECT_EQ(stopped.status, 130) << "SIGTERM stops like Ctrl-C";
  expect_whole(store);
  EXPECT_EQ(test::Process({RIGIDLIMIT_PROGRAM, "run", "study.toml", "--set", "epsilon.count=3"},
                          place.path())
                .wait()
                .status,
            0)
      << "the lock ends with its process";
}

TEST(Durability, MergeNeedsShardsOfOneStudy) {
  const test::TemporaryDirectory place;
  place.write("study.toml", study_of(7));
  const auto run = [&](std::vector<std::string> arguments) {
    return test::rigidlimit(std::move(arguments), place.path());
  };
  EXPECT_EQ(run({"run", "study.toml"}).status, 0);
  EXPECT_EQ(run({"run", "study.toml", "--set", "system.mass=2.0", "--results", "other"}).status, 0);
  const test::Said foreign = run({"merge", "parts/sample", "other/sample", "results/sample"});
  EXPECT_EQ(foreign.status, 2);
  EXPECT_THAT(foreign.err, testing::AllOf(HasSubstr("other/sample"), HasSubstr("results/sample")));
  for (const char* wrong : {"0/3", "4/3", "1", "a/b", "1/3x", ""}) {
    const test::Said said = run({"run", "study.toml", "--shard", wrong});
    EXPECT_EQ(said.status, *wrong ? 2 : 0) << wrong;
  }
}

// Without expectations the status is 0, and 2 if every solve failed.
TEST(Durability, MergeJudgesLikeRun) {
  const test::TemporaryDirectory place;
  place.write("study.toml", study_of(3));
  const auto statuses = [&](const std::string& steps) {
    const std::string results = "after_" + steps;
    const test::Said run = test::rigidlimit({"run", "study.toml", "--set", "expect=[]", "--set",
                                             "solvers.max_steps=" + steps, "--results", results},
                                            place.path());
    const test::Said merged =
        test::rigidlimit({"merge", results + "/merged", results + "/sample"}, place.path());
    return std::pair(run.status, merged.status);
  };
  EXPECT_EQ(statuses("3"), std::pair(2, 2)) << "no row is a number";
  EXPECT_EQ(statuses("100000"), std::pair(0, 0));
}

TEST(Durability, FreshDeletesNothingIfDeclined) {
  const test::TemporaryDirectory place;
  place.write("study.toml", study_of(3));
  const std::string store = place.path("results/sample/results.db");
  ASSERT_EQ(test::Process(run_it, place.path()).wait().status, 0);
  const long solves = test::stored_number(store, finished);
  test::TerminalProcess declined({RIGIDLIMIT_PROGRAM, "run", "study.toml", "--fresh"},
                                 place.path());
  declined.type("n\n");
  const test::Said no = declined.wait();
  EXPECT_EQ(no.status, 2);
  EXPECT_THAT(no.out, HasSubstr("[y/N]"));
  EXPECT_EQ(test::stored_number(store, finished), solves);
}

}  // namespace
}  // namespace rigidlimit
