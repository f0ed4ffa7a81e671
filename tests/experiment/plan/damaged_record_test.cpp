// Tests that a result of unknown origin is refused unless its samples have the sizes of its solve,
// for every kind of experiment. A checksum does not help: a stranger can compute it too.
#include <gmock/gmock.h>

#include "rigidlimit/experiment/benchmark/run_benchmark.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "support/memory_archive.hpp"
#include "support/sample_benchmark.hpp"
#include "support/sample_friction.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using Change = std::function<void(SolveRecord&)>;

const std::vector<std::pair<const char*, Change>>& changes() {
  const auto each = [](const std::function<void(NamedSamples&)>& change) {
    return [change](SolveRecord& record) {
      for (NamedSamples& samples : record.samples) change(samples);
    };
  };
  static const std::vector<std::pair<const char*, Change>> all{
      {"one row more", each([](NamedSamples& s) {
         s.values.conservativeResize(s.values.rows() + 1, s.values.cols());
         s.values.bottomRows(1).setZero();
       })},
      {"transposed", each([](NamedSamples& s) {
         s.values = MatrixXd(s.values.transpose());
         if (s.values.size() == 1) s.values = MatrixXd::Zero(1, 2);
         if (s.values.rows() == s.values.cols()) s.values.conservativeResize(s.values.rows(), 99);
       })},
      {"another name", each([](NamedSamples& s) { s.name += "x"; })},
      {"none", [](SolveRecord& record) { record.samples.clear(); }}};
  return all;
}

/// Runs with an archive, changes all records with samples there, and runs again.
void expect_refusals(const std::function<void(const RunOptions&)>& run) {
  test::MemoryArchive archive;
  run({.archive = &archive});
  ASSERT_FALSE(archive.kept.empty());
  const std::map<std::string, SolveRecord> whole = archive.kept;
  EXPECT_NO_THROW(run({.archive = &archive, .solve = false})) << "negative control";
  for (const auto& [name, change] : changes())
    for (const auto& [key, record] : whole) {
      if (record.samples.empty() || record.outcome != Outcome::success) continue;
      archive.kept = whole;
      change(archive.kept.at(key));
      EXPECT_THROW(run({.archive = &archive, .solve = false}), DamagedRecord)
          << name << ": " << key.substr(0, 60);
    }
}

TEST(DamagedRecord, OfARollingStudyIsRefused) {
  const RollingStudy study = test::sample_study();
  expect_refusals([&](const RunOptions& options) { run_rolling_study(study, options); });
}

TEST(DamagedRecord, OfAFrictionStudyIsRefused) {
  const FrictionStudy study = test::sample_friction();
  expect_refusals([&](const RunOptions& options) { run_friction_study(study, options); });
}

TEST(DamagedRecord, OfABenchmarkIsRefused) {
  const Benchmark benchmark = test::benchmark_from(test::sample_benchmark_text);
  expect_refusals([&](const RunOptions& options) { run_benchmark(benchmark, options); });
}

TEST(DamagedRecord, HasWholeNumbersInTheirRange) {
  EXPECT_EQ(whole_number(3.0, "x"), 3);
  for (const double wrong : {-1.0, 0.5, 1e300, std::nan("")})
    EXPECT_THROW(whole_number(wrong, "x"), DamagedRecord) << wrong;
}

// Empty samples have no address; a sanitizer finds a comparison at it.
TEST(SameResult, HoldsForEmptySamples) {
  SolveRecord record;
  record.samples.push_back({"events", MatrixXd(3, 0)});
  SolveRecord other = record;
  EXPECT_TRUE(same_result(record, other));
  other.samples[0].values = MatrixXd(4, 0);
  EXPECT_FALSE(same_result(record, other));
}

}  // namespace
}  // namespace rigidlimit
