// Tests that Ctrl-C prints and writes the finished rows and gives exit status 130.
#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_benchmark.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

/// Without damping the contact rings for all t and a solve takes about 0.1 s. There are 500 nearly
/// equal ε: some solves finish soon and the rest take a minute.
std::string long_study() {
  std::string text = test::sample_text + test::sample_expectations;
  const std::string ladder = "from = 1e-2\nto = 1e-3\ncount = 5";
  text.replace(text.find(ladder), ladder.size(), "from = 1.1e-3\nto = 1e-3\ncount = 500");
  return text.replace(text.find("[epsilon]"), 0, "damping = 0.0\n");
}

/// Sends SIGINT after `seconds`; fails if the process has ended by then.
test::Said interrupted_after(double seconds, const std::vector<std::string>& arguments,
                             const std::string& directory) {
  test::Process process(arguments, directory);
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < until && process.running())
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(process.running()) << "ended within " << seconds << " s";
  process.send(SIGINT);
  return process.wait();
}

TEST(Interrupt, OfRunKeepsTheFinishedRows) {
  const test::TemporaryDirectory place;
  place.write("long.toml", long_study());
  // A slow machine may have no row after a second: it gets more time.
  for (double seconds = 1.0; seconds < 40.0; seconds *= 2.0) {
    const test::Said said = interrupted_after(
        seconds, {RIGIDLIMIT_PROGRAM, "run", "long.toml", "--jobs", "2"}, place.path());
    ASSERT_EQ(said.status, 130) << said.err;
    EXPECT_THAT(said.out, HasSubstr("interrupted"));
    EXPECT_THAT(said.out, testing::Not(HasSubstr("sample: held")));
    const auto lines = test::csv_fields(test::text_of(place.path("results/sample/errors.csv")));
    if (lines.size() <= 1) continue;  // without a row nothing is written
    EXPECT_LT(lines.size(), 1u + 500u * 12u);
    for (const auto& fields : lines) EXPECT_EQ(fields.size(), 27u);
    return;
  }
  FAIL() << "no row within 32 s";
}

// Before any row: the rigid side is not complete, and nothing is predicted.
TEST(Interrupt, AtOnceIsAnInterruptionToo) {
  const test::TemporaryDirectory place;
  place.write("long.toml", long_study());
  for (const double seconds : {0.02, 0.05, 0.1, 0.2}) {
    const test::Said said =
        interrupted_after(seconds, {RIGIDLIMIT_PROGRAM, "run", "long.toml"}, place.path());
    EXPECT_EQ(said.status, 130) << seconds << ": " << said.err;
  }
}

TEST(Interrupt, OfRunPrintsTheRowsInTheFormatAskedFor) {
  const test::TemporaryDirectory place;
  place.write("long.toml", long_study());
  for (double seconds = 1.0; seconds < 40.0; seconds *= 2.0) {
    const test::Said said = interrupted_after(
        seconds, {RIGIDLIMIT_PROGRAM, "run", "long.toml", "--format", "csv"}, place.path());
    ASSERT_EQ(said.status, 130) << said.err;
    const std::string written = test::text_of(place.path("results/sample/errors.csv"));
    if (written.empty()) continue;  // a slow machine: no row yet
    EXPECT_EQ(said.out, written);
    return;
  }
  FAIL() << "no row within 32 s";
}

/// The trials take a second, their timing takes hours.
TEST(Interrupt, OfABenchmarkKeepsItsTrials) {
  const test::TemporaryDirectory place;
  std::string text = test::sample_benchmark_text;
  const std::string study = "knife_edge.toml";
  place.write("b.toml",
              text.replace(text.find(study), study.size(), test::studies + "/knife_edge.toml"));
  for (double seconds = 2.0; seconds < 70.0; seconds *= 2.0) {
    const test::Said said =
        interrupted_after(seconds,
                          {RIGIDLIMIT_PROGRAM, "run", "b.toml", "--set", "timing.repeats=10000",
                           "--set", "timing.most_seconds=1e4"},
                          place.path());
    ASSERT_EQ(said.status, 130) << said.err;
    const std::string page = test::text_of(place.path("results/sample/result.md"));
    if (page.find("but not all times") == std::string::npos) continue;  // a slow machine
    EXPECT_THAT(page, HasSubstr("* interrupted: "));
    // Another number of rounds needs other times, and no trial anew.
    const test::Said again =
        test::rigidlimit({"run", "b.toml", "--dry-run", "--set", "timing.repeats=0"}, place.path());
    EXPECT_THAT(again.out, HasSubstr("nothing to do"));
    return;
  }
  FAIL() << "the trials did not end within 64 s";
}

TEST(Interrupt, SkipsTheStudiesThatFollow) {
  const test::TemporaryDirectory place;
  place.write("long.toml", long_study());
  place.write("next.toml", test::renamed(test::sample_text, "next"));
  const test::Said said =
      interrupted_after(0.5, {RIGIDLIMIT_PROGRAM, "run", "long.toml", "next.toml"}, place.path());
  EXPECT_EQ(said.status, 130);
  EXPECT_THAT(said.out, testing::Not(HasSubstr("next")));
}

TEST(Interrupt, OfCheckGivesNoVerdict) {
  const test::TemporaryDirectory place;
  place.write("long.toml", long_study());
  const test::Said said = interrupted_after(
      0.5, {RIGIDLIMIT_PROGRAM, "check", "long.toml", "--junit", "report.xml"}, place.path());
  EXPECT_EQ(said.status, 130);
  EXPECT_THAT(said.out, HasSubstr("interrupted"));
  EXPECT_NE(test::text_of(place.path("report.xml")), "");
}

}  // namespace
}  // namespace rigidlimit
