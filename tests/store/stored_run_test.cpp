// Tests runs with a store as other programs than the command line use them.
#include "rigidlimit/store/stored_run.hpp"
#include "rigidlimit/report/report.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/toml/section.hpp"
#include "support/sample_study.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class StoredRunTest : public testing::Test {
 protected:
  Experiment sample(const std::vector<std::string>& overrides = {}) const {
    const std::string file =
        place.write("sample.toml", test::sample_text + test::sample_expectations);
    return read_experiment(file, overrides, builtin_systems());
  }
  /// Runs the experiment in its store.
  StoredResult run(const Experiment& experiment, RunOptions options = {},
                   bool full_disk = false) const {
    Store store(store_of(experiment, place.path("results")), Store::Access::write);
    store.begin_run(stored_run_of(experiment));
    if (full_disk) store.limit_size();
    return run_in_store(experiment, store, std::move(options));
  }
  test::TemporaryDirectory place;
};

TEST_F(StoredRunTest, PrintsNothingAndIsFoundAgain) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const Experiment experiment = sample();
  const auto [first, end] = run(experiment);
  const auto [second, end_of_second] = run(experiment);
  ReadOnlyStore kept(store_of(experiment, place.path("results")));
  const Result third = result_of(experiment, {.archive = &kept});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_GT(first.counts.computed, 0);
  EXPECT_EQ(second.counts.computed, 0);
  EXPECT_EQ(third.counts.computed, 0);
  EXPECT_EQ(formatted({second}, Format::csv), formatted({first}, Format::csv));
  EXPECT_EQ(formatted({third}, Format::csv), formatted({first}, Format::csv));
  for (const RunEnd& one : {end, end_of_second}) {
    EXPECT_THAT(one.findings, IsEmpty());
    EXPECT_EQ(one.failure, "");
  }
}

TEST_F(StoredRunTest, AFullDiskStopsTheSolvesAndIsTheReasonOfTheEnd) {
  const auto [judged, end] = run(sample(), {}, true);
  EXPECT_NE(end.failure, "");
  EXPECT_EQ(run(sample()).end.failure, "") << "the same store with space";
}

TEST_F(StoredRunTest, NamesTheValuesOfTheVariantThatIsReplaced) {
  run(sample());
  const Experiment other = sample({"contact.damping_ratio=2"});
  {
    const Store store(store_of(other, place.path("results")), Store::Access::write);
    EXPECT_THAT(replaced_values(store, stored_run_of(other)), HasSubstr("damping_ratio"));
    EXPECT_EQ(replaced_values(store, stored_run_of(sample())), "");
  }
  const Store readable(store_of(other, place.path("results")), Store::Access::read);
  EXPECT_EQ(replaced_values(readable, stored_run_of(other)), "") << "nothing is replaced there";
}

TEST_F(StoredRunTest, AnInterruptedRunWithoutANumberReplacesNoJudgement) {
  run(sample());
  const std::string path = store_of(sample(), place.path("results"));
  const auto judged_study = [&] { return Store(path, Store::Access::read).study(); };
  const Experiment other = sample({"contact.damping_ratio=2"});
  const auto [judged, end] = run(other, {.stop_requested = [] { return true; }});
  EXPECT_TRUE(judged.interrupted);
  EXPECT_FALSE(judged.has_numbers);
  EXPECT_THAT(judged_study(), HasSubstr("damping_ratio = 2")) << "the run itself is known";
}

TEST(ReadFile, OfAMissingFileNamesFilesOfThatNameNearby) {
  const test::TemporaryDirectory place;
  place.write("there.toml", test::sample_text);
  std::string message;
  try {
    read_experiment(place.path("missing/there.toml"), {}, builtin_systems());
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_THAT(message, testing::AllOf(HasSubstr("cannot be read"), HasSubstr("there.toml")));
}

}  // namespace
}  // namespace rigidlimit
