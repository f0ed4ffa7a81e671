// Every study under experiments/ runs here in a short form, and must hold what it expects.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/study/read_study.hpp"
#include "rigidlimit/study/run_study.hpp"
#include "support/shipped_studies.hpp"

namespace rigidlimit {
namespace {

/// One compliant solver at a looser tolerance. All ε, since the series decides the verdict, except
/// where the contact rings on: there a solve costs steps in proportion to T/ε, so at most 9 of
/// them, the largest, and few samples (the norms of such a study must not hang on these).
Study short_form(const std::string& file) {
  Study study = read_study(file);
  study.solvers.compliant = {"cvode_bdf"};
  study.solvers.own_tolerance.clear();
  study.solvers.rtol = std::max(study.solvers.rtol, 1e-10);
  study.solvers.atol = std::max(study.solvers.atol, 1e-12);
  const bool rings = study.contact.damping_exponent < 1.0;
  if (rings && study.epsilons.size() > 9) study.epsilons.resize(9);
  return study;
}

class ShippedStudy : public testing::TestWithParam<std::string> {};

TEST_P(ShippedStudy, HoldsInItsShortForm) {
  const Study study = short_form(GetParam());
  EXPECT_FALSE(study.question.empty()) << "a study asks a question";
  EXPECT_FALSE(study.expectations.empty()) << "and expects an answer";
  const StudyResult result = run_study(study, {.jobs = 2, .stop_requested = {}, .on_progress = {}});
  EXPECT_TRUE(result.failures.empty());
  for (const RigidReport& rigid : result.rigid) {
    EXPECT_EQ(rigid.outcome, Outcome::success) << rigid.message;
    EXPECT_LT(rigid.energy_error, 1e-6 * std::max(1.0, rigid.energy_scale));
  }
  for (const Series& series : result.series) {
    EXPECT_EQ(series.rows.size(), study.epsilons.size());
    for (const Row& row : series.rows)
      EXPECT_TRUE(std::isfinite(row.model_error) && std::isfinite(row.solver_error) &&
                  std::isfinite(row.reference_error))
          << name_of(row.quantity) << ", ε = " << row.epsilon << ": " << row.status;
    EXPECT_TRUE(series.held()) << name_of(series.rows.front().quantity) << ", "
                               << name_of(series.rows.front().norm) << ", "
                               << name_of(series.rows.front().window) << ": "
                               << name_of(series.judgement.verdict) << ": "
                               << series.judgement.reason;
  }
  EXPECT_TRUE(result.held());
}

TEST_P(ShippedStudy, DoesNotHoldWithItsOrdersShifted) {
  // Negative control: an expectation 0.2 off must break, for each one by itself.
  Study study = short_form(GetParam());
  for (ExpectationSpec& e : study.expectations) e.order += 0.2;
  const StudyResult result = run_study(study, {.jobs = 2, .stop_requested = {}, .on_progress = {}});
  for (const Series& series : result.series) {
    EXPECT_TRUE(!series.expectation || !series.held())
        << name_of(series.rows.front().quantity) << ": " << series.judgement.reason;
  }
}

TEST(ShippedStudies, AreFoundAndNamedAfterTheirFiles) {
  const auto files = test::shipped_studies();
  EXPECT_GE(files.size(), 9u);
  for (const std::string& file : files)
    EXPECT_EQ(read_study(file).name + ".toml", std::filesystem::path(file).filename().string());
}

INSTANTIATE_TEST_SUITE_P(Experiments, ShippedStudy, testing::ValuesIn(test::shipped_studies()),
                         [](const auto& one) { return test::test_name_of(one.param); });

}  // namespace
}  // namespace rigidlimit
