// Headline, exit status, JUnit and JSON of a result agree, for every combination of the states of
// its rows and claims.
#include "rigidlimit/result/conclusion.hpp"
#include "rigidlimit/experiment/friction/friction_tables.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/reporter.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/judge/judge_series.hpp"
#include "rigidlimit/experiment/rolling/judge_rolling.hpp"
#include "rigidlimit/experiment/rolling/prove_bounds.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

int count_in(const std::string& junit, const char* what) {
  std::smatch found;
  EXPECT_TRUE(std::regex_search(junit, found, std::regex(std::string(what) + "=\"([0-9]+)\"")));
  return std::stoi(found[1]);
}

bool held_in(const Result& report) {
  return nlohmann::json::parse(json_text(report)).at("held").get<bool>();
}

/// Every format tells the same end.
void expect_agreement(const Result& report) {
  SCOPED_TRACE(report.verdict);
  const std::string junit = junit_document({junit_suite(report)}, {});
  const int failures = count_in(junit, "failures"), errors = count_in(junit, "errors");
  const int status = status_of(report);
  EXPECT_EQ(held_in(report), report.held());
  EXPECT_EQ(count_in(junit, "tests"), std::ssize(report.claims));
  EXPECT_EQ(report.held(), failures + errors == 0);
  EXPECT_EQ(status, errors > 0     ? exit_status::could_not
                    : failures > 0 ? exit_status::not_held
                                   : exit_status::held);
  EXPECT_EQ(report.held(), status == exit_status::held);
  EXPECT_EQ(report.verdict.find(": held") != std::string::npos,
            report.held() && !report.claims.empty());
}

// Up to three claims in all states, with and without numbers, and interrupted: 240 reports.
TEST(Conclusion, IsTheSameInAllFormatsForAllStatesOfClaims) {
  const std::array states{ClaimState::held, ClaimState::failed, ClaimState::unjudged};
  int tried = 0;
  for (int claims = 0; claims <= 3; ++claims)
    for (int code = 0; code < (claims == 0 ? 1 : claims == 1 ? 3 : claims == 2 ? 9 : 27); ++code)
      for (const bool has_numbers : {true, false})
        for (const bool interrupted : {true, false}) {
          Result report{.name = "study",
                        .kind = "rolling",
                        .is_sweep = false,
                        .question = "",
                        .heading = {},
                        .tables = {},
                        .interrupted = interrupted,
                        .has_numbers = has_numbers,
                        .claims = {},
                        .resolved = ""};
          for (int k = 0, rest = code; k < claims; ++k, rest /= 3)
            report.claims.push_back({.name = fmt::format("claim {}", k),
                                     .group = "bounds",
                                     .state = states[static_cast<std::size_t>(rest % 3)],
                                     .type = "",
                                     .message = "",
                                     .reason = ""});
          conclude(report);
          report.verdict = verdict_of(report);
          expect_agreement(report);
          if (interrupted || !has_numbers) EXPECT_FALSE(report.held());
          ++tried;
        }
  EXPECT_EQ(tried, 160);
}

/// The result with the rows of these ε failed, judged again.
RollingResult with_failed_rows(RollingResult result, unsigned failed) {
  for (Series& series : result.series) {
    for (std::size_t k = 0; k < series.rows.size(); ++k)
      if ((failed >> k & 1u) != 0) {
        Row& row = series.rows[k];
        row.sizes = {};
        row.ratio = row.ratio_error = std::nan("");
        row.evidence = evidence_named("failed: max_steps");
      }
    series.expectation.reset();
    judge(result.study.expectations, series);
  }
  result.bounds = judged_bounds(result.study, result.series);
  prove_bounds({}, result);
  return result;
}

// A study with an order, a ratio, a bound on the rows and one for all ε: whatever rows fail, the
// study holds only if none does.
TEST(Conclusion, IsNeverHeldOverAFailedRow) {
  const RollingStudy study = test::sample_study(
      {"epsilon.from=1e-2", "epsilon.to=1e-3", "epsilon.count=4",
       R"(expect=[{quantity="q", order=2.0}, {quantity="q", window="after", ratio=1.0, ratio_within=0.05}])",
       R"(bound=[{quantity="v", constant=1e3, power=0.0}, {quantity="q", constant=1e3, power=2.0, proved="all"}])"});
  const RollingResult result = run_rolling_study(study, {});
  const auto rows = static_cast<unsigned>(study.epsilons.size());
  for (unsigned failed = 0; failed < (1u << rows); ++failed) {
    SCOPED_TRACE(failed);
    const Result report = in_tables(with_failed_rows(result, failed));
    expect_agreement(report);
    EXPECT_EQ(report.held(), failed == 0) << report.verdict;
    EXPECT_EQ(report.claims.size(), 4u);
    EXPECT_EQ(status_of(report) == exit_status::could_not, failed == (1u << rows) - 1);
  }
}

// A row that the theorem contradicts is a failure of the program, although the bound is a theorem.
TEST(Conclusion, IsNotHeldIfRowsAndTheoremDisagree) {
  const RollingStudy study =
      test::sample_study({"epsilon.count=2", "expect=[]",
                          R"(bound=[{quantity="q", constant=1e3, power=2.0, proved="all"}])"});
  RollingResult result = run_rolling_study(study, {});
  EXPECT_TRUE(in_tables(result).held());
  for (Series& series : result.series)
    for (Row& row : series.rows) row.sizes.model *= 1.5;
  result.bounds = judged_bounds(study, result.series);
  prove_bounds({}, result);
  EXPECT_EQ(result.bounds.front().judgement.state, BoundState::broken);
  EXPECT_FALSE(in_tables(result).held());
}

// An interrupted run has an error for each claim.
TEST(Conclusion, HasAnErrorForEachClaimOfAnInterruptedRun) {
  const RollingStudy study =
      test::sample_study({R"(expect=[{quantity="q", order=2.0}, {quantity="v", order=1.0}])",
                          R"(bound=[{quantity="v", constant=1e3, power=0.0}])"});
  RunOptions options;
  options.stop_requested = [] { return true; };
  const Result report = in_tables(run_rolling_study(study, options));
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.claims.size(), 3u);
  expect_agreement(report);
}

}  // namespace
}  // namespace rigidlimit
