// Tests that a store returns its solves bit for bit, and reports damaged and foreign files.
#include "rigidlimit/store/store.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"

#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/plan/provenance.hpp"
#include "rigidlimit/experiment/plan/solve_archive.hpp"
#include "rigidlimit/report/output.hpp"
#include "support/report_texts.hpp"
#include "support/sample_study.hpp"
#include "support/stored_rows.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

StoredRun run_of(const RollingStudy& study, Shard shard = {}) {
  return {study.name, resolved_toml(study), content_hash(resolved_toml(study)), 1, shard};
}

/// Runs the study with its solves in the store at `path`.
RollingResult stored_run(const RollingStudy& study, const std::string& path,
                         RunOptions options = {}) {
  Store store(path, Store::Access::write);
  store.begin_run(run_of(study, options.shard));
  options.archive = &store;
  RollingResult result = run_rolling_study(study, options);
  store.end_run(result.counts);
  store.write_judgement(in_tables(result), true);
  return result;
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Store, ReproducesTheTableWithoutSolving) {
  const test::TemporaryDirectory place;
  const std::string path = place.path("sample/results.db");
  const RollingStudy study = test::sample_study();
  const RollingResult without = run_rolling_study(study);
  const RollingResult first = stored_run(study, path);
  const RollingResult second = stored_run(study, path);
  EXPECT_EQ(test::csv_rows(first), test::csv_rows(without));
  EXPECT_EQ(test::csv_rows(second), test::csv_rows(first));
  EXPECT_EQ(test::formatted({second}, Format::markdown, false),
            test::formatted({first}, Format::markdown, false));
  EXPECT_EQ(test::json_text({second}), test::json_text({first}));
  EXPECT_EQ(first.counts.reused, 0);
  EXPECT_EQ(second.counts.computed, 0);
  EXPECT_EQ(second.counts.reused, first.counts.computed);
  EXPECT_EQ(test::stored_number(path, "SELECT count(*) FROM solves WHERE status = 'finished'"),
            first.counts.computed);
  EXPECT_EQ(test::stored_number(path, "SELECT count(*) FROM plan"), first.counts.computed);
}

TEST(Store, ReturnsSolvesIn113BitsAndFailures) {
  const test::TemporaryDirectory place;
  const RollingStudy quad = test::sample_study(
      {"solvers={rigid=[\"radau_iia\"], compliant=[\"radau_iia\"], precision=\"quad\", rtol=1e-18, "
       "atol=1e-20}",
       "epsilon.count=2", "time.samples=11", "expect=[]"});
  const RollingResult first = stored_run(quad, place.path("quad.db"));
  EXPECT_EQ(test::csv_rows(stored_run(quad, place.path("quad.db"))), test::csv_rows(first));

  const RollingStudy failing = test::sample_study({"solvers.max_steps=20"});
  const RollingResult failed = stored_run(failing, place.path("failing.db"));
  const RollingResult again = stored_run(failing, place.path("failing.db"));
  ASSERT_THAT(failed.failures, testing::Not(IsEmpty()));
  EXPECT_EQ(test::json_text({again}), test::json_text({failed}));
  EXPECT_EQ(again.counts.computed, 0) << "a failure is a result";
}

TEST(Store, ComputesOnlyMissingSolves) {
  const test::TemporaryDirectory place;
  const std::string path = place.path("results.db");
  const RollingResult few = stored_run(test::sample_study({"epsilon.count=3"}), path);
  // With two more ε and other expectations, the compliant solves of the first three are reused. The
  // rigid motion has more sample times and is solved again.
  const RollingResult more = stored_run(test::sample_study({"epsilon.count=5", "expect=[]"}), path);
  EXPECT_EQ(more.counts.reused, 6);
  EXPECT_EQ(more.counts.reused + more.counts.computed, few.counts.computed + 4);
}

TEST(Store, KeysContainEveryInputOfASolve) {
  const test::TemporaryDirectory place;
  const std::string path = place.path("results.db");
  const RollingResult first = stored_run(test::sample_study(), path);
  for (const char* change :
       {"system.mass=1.5", "initial.v=[0.7, 0.0, 1.4]", "contact.stiffness=2.0",
        "contact.damping_ratio=0.5", "solvers.rtol=1e-9", "solvers.max_steps=1000000",
        "solvers.formulation=\"natural\"", "time.samples=400", "contact.preparation=\"prepared\"",
        "contact.law=\"elastic\"", "solvers.compliant=[\"radau_iia\"]"}) {
    const RollingResult changed = stored_run(test::sample_study({change, "expect=[]"}), path);
    for (const Series& series : changed.series) ASSERT_FALSE(series.rows.empty());
    EXPECT_GE(changed.counts.computed, 10) << change << ": no compliant solve is reused";
  }
  // Negative control: no solve depends on these keys.
  const RollingResult same = stored_run(
      test::sample_study({"study.question=\"another\"", "expect=[]", "study.name=\"other\""}),
      path);
  EXPECT_EQ(same.counts.computed, 0);
}

/// Stores zeros as q of the first compliant solve at ε = 0.001.
class OtherMachine final : public SolveArchive {
 public:
  explicit OtherMachine(Store& store) : store_(store) {}
  void plan(const std::vector<SolveIdentity>& solves) override { store_.plan(solves); }
  std::optional<SolveRecord> find(const SolveIdentity& solve, Samples wanted) override {
    return store_.find(solve, wanted);
  }
  void begin(const SolveIdentity& solve) override { store_.begin(solve); }
  void keep(const SolveIdentity& solve, const std::vector<double>& times, const SolveRecord& record,
            Samples kept) override {
    SolveRecord other = record;
    if (solve.kind == SolveIdentity::Kind::compliant && !solve.tighter && solve.epsilon < 1.1e-3)
      for (NamedSamples& samples : other.samples)
        if (samples.name == "q") samples.values.setZero();
    store_.keep(solve, times, other, kept);
  }

 private:
  Store& store_;
};

TEST(Store, RecordsARecomputedResultThatDiffers) {
  const test::TemporaryDirectory place;
  const std::string path = place.path("results.db");
  const RollingStudy study = test::sample_study();
  const RollingResult first = stored_run(study, path);
  stored_run(study, path, {.recompute = true});
  EXPECT_EQ(test::stored_number(path, "SELECT count(*) FROM findings"), 0)
      << "the same machine, the same bits";
  EXPECT_EQ(test::stored_number(path, "SELECT min(attempts) FROM solves"), 2);

  std::filesystem::remove(path);
  {
    Store store(path, Store::Access::write);
    store.begin_run(run_of(study));
    OtherMachine other(store);
    store.end_run(run_rolling_study(study, {.archive = &other}).counts);
  }
  Store store(path, Store::Access::write);
  store.begin_run(run_of(study));
  const RollingResult again = run_rolling_study(study, {.archive = &store, .recompute = true});
  store.end_run(again.counts);
  ASSERT_EQ(store.findings().size(), 1);
  EXPECT_THAT(store.findings()[0].solve,
              HasSubstr("compliant, viscoelastic, cvode_bdf, eps = 0.001"));
  EXPECT_THAT(store.findings()[0].what, AllOf(testing::StartsWith("q "), HasSubstr(" 1 ")));
  EXPECT_EQ(test::stored_number(path, "SELECT count(*) FROM findings"), 1);
  EXPECT_EQ(test::stored_number(path,
                                "SELECT count(*) FROM samples WHERE name = 'q' AND data = "
                                "zeroblob(length(data))"),
            1)
      << "the stored solve stays";
}

// Each pair is in one shard, with the rigid side; a shard without pairs solves nothing.
TEST(Store, ShardsAreDisjointAndComplete) {
  const test::TemporaryDirectory place;
  const RollingStudy study = test::sample_study();
  const RollingResult whole = stored_run(study, place.path("whole.db"));
  Store merged(place.path("merged.db"), Store::Access::write);
  merged.begin_run(run_of(study));
  int taken = 0;
  long compliant = 0, rigid = 0;
  for (int k = 1; k <= 3; ++k) {
    const std::string path = place.path(std::to_string(k) + ".db");
    {
      Store store(path, Store::Access::write);
      store.begin_run(run_of(study, {k, 3}));
      const RunOptions options{.archive = &store, .shard = {k, 3}};
      RollingPlan plan(study, options);
      const SolveCounts counts = do_plan(plan, options);
      EXPECT_EQ(counts.missing, 0);
      store.end_run(counts);
    }
    taken += merged.take_from(path);
    const auto solves_of = [&](const std::string& kind) {
      return test::stored_number(path, "SELECT count(*) FROM solves WHERE kind = '" + kind + "'");
    };
    EXPECT_EQ(solves_of("rigid") > 0, solves_of("compliant") > 0) << "shard " << k;
    compliant += solves_of("compliant");
    rigid += solves_of("rigid");
  }
  EXPECT_GT(rigid, test::stored_number(place.path("whole.db"),
                                       "SELECT count(*) FROM solves WHERE kind = 'rigid'"))
      << "two shards have pairs";
  EXPECT_EQ(taken, whole.counts.computed);
  EXPECT_EQ(compliant, std::ssize(study.epsilons) * 2);
  const RollingResult result = run_rolling_study(study, {.archive = &merged, .solve = false});
  EXPECT_EQ(result.counts.missing, 0);
  EXPECT_EQ(test::csv_rows(result), test::csv_rows(whole));
  EXPECT_EQ(test::formatted({result}, Format::table, false),
            test::formatted({whole}, Format::table, false));
  EXPECT_THAT(merged.findings(), IsEmpty());
}

// take_from reads two files; an error names the damaged one only.
TEST(Store, AnErrorNamesTheDamagedStore) {
  const test::TemporaryDirectory place;
  const std::string into = place.path("into.db"), from = place.path("from.db");
  const RollingStudy study = test::sample_study();
  const auto taken = [&](const std::string& damaged) {
    for (const std::string& path : {into, from}) {
      std::filesystem::remove(path);
      stored_run(study, path);
    }
    Store store(into, Store::Access::write);
    store.begin_run(run_of(study));
    if (!damaged.empty())
      SQLite::Database(damaged, SQLite::OPEN_READWRITE).exec("DROP TABLE samples");
    return complaint([&] { store.take_from(from); });
  };
  EXPECT_EQ(taken(""), "");
  EXPECT_THAT(taken(into), AllOf(HasSubstr("into.db"), Not(HasSubstr("from.db"))));
  EXPECT_THAT(taken(from), AllOf(HasSubstr("from.db"), Not(HasSubstr("into.db"))));
}

TEST(Store, AMissingShardIsCounted) {
  const test::TemporaryDirectory place;
  const RollingStudy study = test::sample_study();
  Store store(place.path("1.db"), Store::Access::write);
  store.begin_run(run_of(study, {1, 3}));
  const RunOptions options{.archive = &store, .shard = {1, 3}};
  RollingPlan plan(study, options);
  do_plan(plan, options);
  store.end_run({});
  const RollingResult result = run_rolling_study(study, {.archive = &store, .solve = false});
  EXPECT_GT(result.counts.missing, 0);
  EXPECT_TRUE(result.interrupted);
  EXPECT_FALSE(result.held());
}

TEST(Store, AllowsOneWriterAtATime) {
  const test::TemporaryDirectory place;
  const std::string path = place.path("results.db");
  const auto open = [&] { Store second(path, Store::Access::write); };
  {
    const Store first(path, Store::Access::write);
    const std::string message = complaint(open);
    EXPECT_THAT(message, HasSubstr("process " + std::to_string(getpid())));
    EXPECT_THAT(message, HasSubstr("--shard"));
    EXPECT_EQ(complaint([&] { Store reader(path, Store::Access::read); }), "") << "readers may";
  }
  EXPECT_EQ(complaint(open), "") << "the first is closed";
}

TEST(Store, RefusesOtherFiles) {
  const test::TemporaryDirectory place;
  const auto opened = [](const std::string& path, Store::Access access) {
    return complaint([&] { Store store(path, access); });
  };
  EXPECT_THAT(opened(place.path("none.db"), Store::Access::read), HasSubstr("none.db"));
  const std::string text = place.write("text.db", std::string(5000, 'x'));
  EXPECT_THAT(opened(text, Store::Access::write), HasSubstr("damaged"));
  {
    SQLite::Database(place.path("foreign.db"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("CREATE TABLE other (x)");
    SQLite::Database(place.path("newer.db"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec(
            "CREATE TABLE study (x); PRAGMA application_id = 0x52474c4d; PRAGMA user_version = 4");
    SQLite::Database(place.path("older.db"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec(
            "CREATE TABLE study (x); PRAGMA application_id = 0x52474c4d; PRAGMA user_version = 1");
  }
  EXPECT_THAT(opened(place.path("foreign.db"), Store::Access::write),
              AllOf(HasSubstr("foreign.db"), Not(HasSubstr("damaged"))));
  EXPECT_THAT(opened(place.path("newer.db"), Store::Access::write),
              AllOf(HasSubstr("newer.db"), HasSubstr("newer rigidlimit")));
  for (const auto access : {Store::Access::write, Store::Access::read})
    EXPECT_THAT(opened(place.path("older.db"), access),
                AllOf(HasSubstr("older.db"), HasSubstr("schema 1"), HasSubstr("run again")));
  EXPECT_THAT(opened(place.write("file", "") + "/results.db", Store::Access::write),
              HasSubstr("file/results.db"));
}

// A limit on the pages of the file acts like a full disk.
TEST(Store, AFullDiskLosesNoWrittenSolve) {
  const test::TemporaryDirectory place;
  const std::string path = place.path("results.db");
  const RollingStudy study = test::sample_study();
  stored_run(test::sample_study({"epsilon.count=3", "expect=[]"}), path);
  const long kept = test::stored_number(path, "SELECT count(*) FROM solves");
  {
    Store store(path, Store::Access::write);
    store.begin_run(run_of(study));
    store.limit_size();
    const RollingResult result = run_rolling_study(
        study, {.stop_requested = [&] { return !store.failure().empty(); }, .archive = &store});
    EXPECT_GT(result.counts.computed, 0);
    const std::string message = complaint([&] { store.end_run(result.counts); });
    EXPECT_THAT(message, HasSubstr("full"));
    EXPECT_THAT(message, testing::ContainsRegex("[0-9]+ finished solves"));
  }
  EXPECT_GE(test::stored_number(path, "SELECT count(*) FROM solves WHERE status = 'finished'"),
            kept);
  EXPECT_EQ(test::stored_rows(path, "PRAGMA integrity_check").at(0).at(0), "ok");
  const RollingResult resumed = stored_run(study, path);
  EXPECT_GT(resumed.counts.reused, 0);
  EXPECT_EQ(test::csv_rows(resumed), test::csv_rows(run_rolling_study(study)));
}

TEST(Store, ClearRemovesEverything) {
  const test::TemporaryDirectory place;
  const std::string path = place.path("results.db");
  const RollingStudy study = test::sample_study();
  stored_run(study, path);
  {
    Store store(path, Store::Access::write);
    EXPECT_GT(store.finished(), 0);
    store.clear();
    EXPECT_EQ(store.finished(), 0);
  }
  EXPECT_EQ(stored_run(study, path).counts.reused, 0);
}

TEST(Store, HostileTextsAreStoredAsText) {
  const test::TemporaryDirectory place;
  const std::string path = place.path("results.db");
  const std::string text = "'; DROP TABLE solves; -- \"<script>";
  RollingStudy study = test::sample_study();
  study.question = text;
  stored_run(study, path);
  EXPECT_GT(test::stored_number(path, "SELECT count(*) FROM solves"), 0);
  EXPECT_EQ(
      test::stored_rows(path, "SELECT json_extract(result, '$.question') FROM study").at(0).at(0),
      text);
}

TEST(Store, ContainsThePrintedTables) {
  const test::TemporaryDirectory place;
  const std::string path = place.path("results.db");
  const RollingResult result = stored_run(test::sample_study(), path);
  {
    const Store store(path, Store::Access::read);
    for (const std::string& name : names_of_formats())
      EXPECT_EQ(store.text(name), test::formatted({result}, format_named(name), false)) << name;
  }
  Store store(path, Store::Access::write);
  store.begin_run(run_of(test::sample_study({"contact.damping_ratio=2"})));
  EXPECT_EQ(store.text("csv"), "") << "the texts belong to another variant";
}

TEST(Store, OpensRegularFilesOnly) {
  const test::TemporaryDirectory place;
  ASSERT_EQ(mkfifo(place.path("pipe.db").c_str(), 0600), 0);
  for (const std::string& path : {place.path("pipe.db"), std::string("/dev/zero"), place.path()}) {
    for (const auto access : {Store::Access::read, Store::Access::write})
      EXPECT_THAT(complaint([&] { Store(path, access); }), HasSubstr(path));
  }
}

}  // namespace
}  // namespace rigidlimit
