// Tests that a short form of every study under experiments/ satisfies its expectations.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/rolling/judge_rolling.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "support/shipped_studies.hpp"

namespace rigidlimit {
namespace {

/// Shortens a study. Studies with radau_iia or a fixed number of steps stay unchanged, except that
/// those in 113 bits keep every other ε. The others use CVODE at a looser tolerance and keep all ε,
/// since the series decides the verdict. Lasting contact oscillations cost steps in proportion to
/// T/ε: these studies keep at most the 7 largest ε.
RollingStudy short_form(const std::string& file) {
  RollingStudy study = read_rolling_study(file);
  if (study.solvers.compliant.front() == "radau_iia" || study.solvers.steps > 0) {
    std::vector<double> some;
    for (std::size_t k = 0; k < study.epsilons.size(); k += 2) some.push_back(study.epsilons[k]);
    if (study.solvers.precision == Precision::binary128) study.epsilons = some;
    return study;
  }
  study.solvers.compliant = {"cvode_bdf"};
  study.solvers.own.clear();
  study.solvers.rtol = std::max(study.solvers.rtol, 1e-10);
  study.solvers.atol = std::max(study.solvers.atol, 1e-12);
  // Tolerances ten times looser give solver errors up to ten times larger. The error bars at the
  // smallest ε are then too wide for a bound with a margin of 1 %.
  for (BoundSpec& spec : study.bounds)
    if (spec.subject == BoundSpec::Subject::solver_error)
      spec.bound.constant *= 10.0;
    else
      spec.bound.from = std::max(spec.bound.from, 1e-3);
  const bool rings = study.contact.damping_exponent < 1.0;
  if (rings && study.epsilons.size() > 7) study.epsilons.resize(7);
  return study;
}

class ShippedStudy : public testing::TestWithParam<std::string> {};

/// Verdict on the series if another order were expected.
Verdict verdict_expecting(double order, const Series& series) {
  std::vector<SeriesPoint> points;
  for (const Row& row : series.rows)
    points.push_back({.epsilon = row.epsilon,
                      .error = row.model_error(),
                      .floor = std::max(row.solver_error(), row.reference_error())});
  return judge(points, {.order = order, .within = series.expectation->within}).verdict;
}

/// Verdict on the ratios if the predicted coefficient were `factor` times as large.
Verdict ratio_verdict(double factor, const Series& series) {
  std::vector<RatioPoint> points;
  for (const Row& row : series.rows)
    points.push_back(
        {.epsilon = row.epsilon, .ratio = row.ratio / factor, .floor = row.ratio_error / factor});
  return judge_ratio(points, {.target = 1.0, .within = series.expectation->ratio_within}).verdict;
}

TEST_P(ShippedStudy, HoldsInItsShortForm) {
  const RollingStudy study = short_form(GetParam());
  EXPECT_FALSE(study.question.empty()) << "a study asks a question";
  EXPECT_FALSE(study.expectations.empty()) << "and expects an answer";
  const RollingResult result =
      run_rolling_study(study, {.jobs = 2, .stop_requested = {}, .on_progress = {}});
  EXPECT_TRUE(result.failures.empty());
  for (const RigidReport& rigid : result.rigid) {
    EXPECT_EQ(rigid.outcome, Outcome::success) << rigid.message;
    EXPECT_LT(rigid.energy_error, 1e-6 * std::max(1.0, rigid.energy_scale));
  }
  for (const Series& series : result.series) {
    EXPECT_EQ(series.rows.size(), study.epsilons.size());
    for (const Row& row : series.rows)
      EXPECT_TRUE(std::isfinite(row.model_error()) && std::isfinite(row.solver_error()) &&
                  std::isfinite(row.reference_error()))
          << name_of(row.measure.quantity) << ", ε = " << row.epsilon << ": "
          << name_of(row.evidence);
    if (!series.expectation) continue;
    const ExpectationSpec& e = *series.expectation;
    const std::string what =
        fmt::format("{}: {}: {}", text_of(e.measure), name_of(series.judgement.verdict),
                    series.judgement.reason);
    EXPECT_TRUE(series.held()) << what;
    // Negative control: the same rows confirm neither an order 0.2 higher or lower, nor a
    // coefficient 2 % off, and they refute one off by a factor 2 if the last ratio is accurate.
    if (e.order) {
      EXPECT_EQ(verdict_expecting(*e.order, series), series.judgement.verdict);
      for (const double shift : {-0.2, 0.2})
        EXPECT_NE(verdict_expecting(*e.order + shift, series), Verdict::confirmed) << what;
    }
    if (e.convergence == Convergence::none) {
      EXPECT_GT(series.rows.back().model_error(), 10.0 * series.rows.back().floor());
      for (const double order : {0.5, 1.0, 2.0})
        EXPECT_NE(verdict_expecting(order, series), Verdict::confirmed) << what;
    }
    if (e.ratio) {
      EXPECT_EQ(ratio_verdict(1.0, series), Verdict::confirmed) << series.ratio.reason;
      for (const double factor : {0.5, 0.98, 1.02, 2.0})
        EXPECT_NE(ratio_verdict(factor, series), Verdict::confirmed) << what;
      const Row& last = series.rows.back();
      if (last.ratio_error <= 0.1 * e.ratio_within)
        for (const double factor : {0.5, 2.0})
          EXPECT_EQ(ratio_verdict(factor, series), Verdict::refuted) << what;
    }
  }
  for (const BoundReport& report : result.bounds) {
    EXPECT_TRUE(report.held()) << report.judgement.reason;
    // Negative control: with half the constant the bound fails, or no row decides it.
    RollingResult halved = result;
    for (BoundSpec& spec : halved.study.bounds) spec.bound.constant *= 0.5;
    if (report.spec.subject == BoundSpec::Subject::solver_error) continue;
    const auto index = static_cast<std::size_t>(&report - result.bounds.data());
    if (result.ensemble) {  // the bound is that of the member with the largest error
      EXPECT_GT(result.ensemble->bounds.at(index).factor, 0.5);
      continue;
    }
    EXPECT_FALSE(judged_bounds(halved.study, result.series).at(index).held());
  }
  EXPECT_TRUE(result.held());
}

TEST(ShippedStudies, AreFoundAndNamedAfterTheirFiles) {
  const auto files = test::shipped_studies();
  EXPECT_GE(files.size(), 9u);
  for (const std::string& file : files)
    EXPECT_EQ(read_rolling_study(file).name + ".toml",
              std::filesystem::path(file).filename().string());
}

INSTANTIATE_TEST_SUITE_P(Experiments, ShippedStudy, testing::ValuesIn(test::shipped_studies()),
                         [](const auto& one) { return test::test_name_of(one.param); });

}  // namespace
}  // namespace rigidlimit
