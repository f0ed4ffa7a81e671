// Tests that stored comparisons replace the motions of an ensemble without a change of any number.
#include <gmock/gmock.h>

#include <bit>
#include <cmath>

#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/solves.hpp"
#include "support/memory_archive.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

RollingStudy without_samples_study(std::vector<std::string> overrides = {}) {
  overrides.emplace_back("output.samples='none'");
  return test::sample_study(overrides);
}

/// Every number of the rows, bit by bit.
std::vector<std::uint64_t> bits_of(const RollingResult& result) {
  std::vector<std::uint64_t> bits;
  const auto add = [&](double x) { bits.push_back(std::bit_cast<std::uint64_t>(x)); };
  for (const Series& series : result.series)
    for (const Row& row : series.rows)
      for (const double x :
           {row.epsilon, row.model_error(), row.solver_error(), row.reference_error(),
            row.sizes.sampling, row.sizes.rounding, row.order, row.predicted_coefficient, row.ratio,
            row.ratio_error, static_cast<double>(row.work.steps)})
        add(x);
  for (const EnergyReport& energy : result.energy)
    for (const double x : {energy.sizes.mechanical, energy.sizes.spring, energy.sizes.work,
                           energy.sizes.damper, energy.sizes.defect})
      add(x);
  return bits;
}

long stored(const test::MemoryArchive& archive, bool samples, SolveIdentity::Kind kind) {
  return std::ranges::count_if(archive.kept, [&](const auto& entry) {
    return entry.first.starts_with(std::string("kind=") + name_of(kind) + " ") &&
           entry.second.samples_hash.empty() == samples;
  });
}

TEST(Comparisons, ReplaceTheMotionsInAnArchive) {
  const RollingStudy study = without_samples_study();
  test::MemoryArchive archive;
  const auto expected = bits_of(run_rolling_study(test::sample_study()));
  ASSERT_GT(expected.size(), 500u);
  EXPECT_EQ(bits_of(run_rolling_study(study, {.archive = &archive})), expected);
  EXPECT_EQ(stored(archive, true, SolveIdentity::Kind::compliant), 0);
  EXPECT_EQ(stored(archive, false, SolveIdentity::Kind::compliant), 10);
  EXPECT_EQ(stored(archive, true, SolveIdentity::Kind::comparison), 5);
  const int begun = archive.begun;
  EXPECT_EQ(bits_of(run_rolling_study(study, {.archive = &archive, .solve = false})), expected);
  EXPECT_EQ(archive.begun, begun) << "nothing is solved again";
}

TEST(Comparisons, OfAnotherWindowNeedTheMotionsAgain) {
  test::MemoryArchive archive;
  run_rolling_study(without_samples_study(), {.archive = &archive});
  const int begun = archive.begun;
  const RollingStudy other = without_samples_study({"time.after=0.25"});
  const RollingResult result = run_rolling_study(other, {.archive = &archive});
  EXPECT_EQ(archive.begun, begun + 10) << "both compliant solves of five ε, none of the rigid side";
  EXPECT_EQ(bits_of(result), bits_of(run_rolling_study(test::sample_study({"time.after=0.25"}))));
  EXPECT_NE(bits_of(result), bits_of(run_rolling_study(test::sample_study())));
}

TEST(Comparisons, OfShardsAreEnoughToJudge) {
  const RollingStudy study = without_samples_study();
  test::MemoryArchive archive;
  for (const int k : {1, 2, 3}) {
    const RunOptions of_shard{.archive = &archive, .shard = {k, 3}};
    RollingPlan plan(study, of_shard);
    do_plan(plan, of_shard);
  }
  EXPECT_EQ(stored(archive, true, SolveIdentity::Kind::comparison), 5);
  const RollingResult result = run_rolling_study(study, {.archive = &archive, .solve = false});
  EXPECT_EQ(result.counts.missing, 0);
  EXPECT_EQ(bits_of(result), bits_of(run_rolling_study(test::sample_study())));
}

TEST(Comparisons, KeptSamplesReplaceTheHashOfSamples) {
  test::MemoryArchive archive;
  run_rolling_study(without_samples_study(), {.archive = &archive});
  const RollingStudy whole = test::sample_study();
  run_rolling_study(whole, {.archive = &archive});
  EXPECT_EQ(stored(archive, true, SolveIdentity::Kind::compliant), 10);
  const int begun = archive.begun;
  run_rolling_study(whole, {.archive = &archive});
  EXPECT_EQ(archive.begun, begun);
}

// With 41 samples of the layer, ratios of measured and predicted terms lie within their bars of
// those with 2001. Negative control: without the sampling errors of both terms some do not.
TEST(Ratios, ContainTheSamplingErrorsOfBothTerms) {
  const RollingResult coarse = run_rolling_study(test::sample_study(
                          {"contact.damping_exponent=0.0", "time.layer_samples=41"})),
                      fine = run_rolling_study(test::sample_study(
                          {"contact.damping_exponent=0.0", "time.layer_samples=2001"}));
  int compared = 0, outside_of_old_bars = 0;
  for (std::size_t s = 0; s < coarse.series.size(); ++s)
    for (std::size_t k = 0; k < coarse.series[s].rows.size(); ++k) {
      const Row &a = coarse.series[s].rows[k], &b = fine.series[s].rows[k];
      if (std::isnan(a.ratio) || std::isnan(b.ratio)) continue;
      ++compared;
      const double distance = std::abs(a.ratio - b.ratio), predicted = a.model_error() / a.ratio;
      EXPECT_LE(distance, a.ratio_error + b.ratio_error) << a.epsilon;
      if (distance > 2.0 * a.error_bar() / predicted + 1e-8) ++outside_of_old_bars;
    }
  EXPECT_GT(compared, 20);
  EXPECT_GT(outside_of_old_bars, 0);
}

TEST(KeptMotions, AreAllUpTo200PairsAndThoseOfFiguresBeyond) {
  const auto kept = [](int count, const std::string& samples) {
    const RollingStudy study = test::sample_study(
        {"epsilon.count=" + std::to_string(count), "output.samples='" + samples + "'"});
    const std::vector<CompliantPair> pairs = axes_of(study).pairs();
    return std::ranges::count_if(
        pairs, [&](const CompliantPair& pair) { return keeps_motion(study, pair); });
  };
  EXPECT_EQ(kept(200, "auto"), 200);
  EXPECT_EQ(kept(201, "auto"), 8) << "at each of eight ε";
  EXPECT_EQ(kept(201, "all"), 201);
  EXPECT_EQ(kept(5, "none"), 0);
}

TEST(SamplesHash, DependsOnEveryBitNameAndSize) {
  const auto hash = [](const std::string& name, MatrixXd values) {
    SolveRecord record{{.outcome = Outcome::success}};
    record.samples.push_back({name, std::move(values)});
    return hash_of_samples(record);
  };
  MatrixXd x = VectorXd::LinSpaced(12, 0.0, 1.0).reshaped(3, 4);
  const std::string whole = hash("q", x);
  EXPECT_EQ(hash("q", x), whole);
  EXPECT_NE(hash("v", x), whole);
  EXPECT_NE(hash("q", x.reshaped(4, 3)), whole);
  for (Index k = 0; k < x.size(); ++k) {
    MatrixXd changed = x;
    changed(k) = std::nextafter(changed(k), 2.0);
    EXPECT_NE(hash("q", changed), whole) << k;
  }
  MatrixXd swapped = x;
  swapped.col(0).swap(swapped.col(1));
  EXPECT_NE(hash("q", swapped), whole);
}

}  // namespace
}  // namespace rigidlimit
