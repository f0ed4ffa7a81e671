// Tests that a store reports changes by another program while it is open.
#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>

#include <functional>
#include <string>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/provenance.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/store/store.hpp"
#include "support/sample_study.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

/// Runs the sample study with the store; calls `before` after the store is opened.
void run_with_store(const std::string& path, const std::function<void()>& before) {
  const RollingStudy study = test::sample_study();
  Store store(path, Store::Access::write);
  before();
  store.begin_run({study.name, resolved_toml(study), content_hash(resolved_toml(study)), 1, {}});
  RunOptions options;
  options.archive = &store;
  store.end_run(run_rolling_study(study, options).counts);
}

TEST(StoreOfTwoPrograms, RefusesToCompareWithARemovedSolve) {
  const test::TemporaryDirectory place;
  const std::string path = place.path("sample/results.db");
  run_with_store(path, [] {});
  run_with_store(path, [] {});  // nothing was removed
  try {
    run_with_store(
        path, [&] { SQLite::Database(path, SQLite::OPEN_READWRITE).exec("DELETE FROM solves"); });
    FAIL() << "no error";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("results.db"));
  }
}

}  // namespace
}  // namespace rigidlimit
