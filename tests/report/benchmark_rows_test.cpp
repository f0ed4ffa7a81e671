// Tests the files of a benchmark: CSV header, missing numbers, escaping, failures, and the page.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "rigidlimit/experiment/judge/work_columns.hpp"
#include "support/csv_fields.hpp"
#include "support/report_texts.hpp"
#include "support/sample_benchmark.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

const BenchmarkResult& sample_result() {
  static const BenchmarkResult result =
      run_benchmark(test::benchmark_from(test::sample_benchmark_text));
  return result;
}

std::map<std::string, std::string> line_of(const std::vector<std::vector<std::string>>& lines,
                                           std::size_t k) {
  std::map<std::string, std::string> line;
  for (std::size_t c = 0; c < lines[0].size(); ++c) line[lines[0][c]] = lines[k][c];
  return line;
}

// One missing reference of two: the other rows have errors, but the result is not judged.
TEST(BenchReport, EachMissingReferenceIsInTheConclusion) {
  for (const std::size_t missing : {0U, 1U, 2U}) {
    BenchmarkProblems problems = test::logistic(1.0);
    problems.problems.push_back(problems.problems[0]);
    problems.references.push_back(problems.references[0]);
    problems.problems[1].reference = 1;
    for (std::size_t r = 0; r < missing; ++r)
      problems.references[r].find = [](const auto&) {
        return BenchmarkReference{.message = "none"};
      };
    const BenchmarkResult result = run_benchmark(test::equal_steps({"radau_iia_3"}), problems);
    const Result report = in_tables(result);
    EXPECT_EQ(report.conclusion,
              missing == 0 ? Conclusion::nothing_expected : Conclusion::could_not)
        << missing;
    EXPECT_EQ(report.claims.size(), missing);
    EXPECT_EQ(report.heading.front().find("missing") != std::string::npos, missing > 0);
  }
}

TEST(BenchCsv, HasTheDocumentedColumns) {
  const std::string header = test::csv_of(BenchmarkResult{});
  EXPECT_EQ(header,
            "benchmark,kind,problem,system,epsilon,formulation,method,library,order,rtol,atol,h,"
            "count,group,error,scd,mixed,reference_error,observed_order,seconds,seconds_median,"
            "repeats,steps,rejected_steps,rhs_evaluations,jacobian_evaluations,factorisations,"
            "linear_solves,newton_iterations,status,reason,"
            "t_reached,last_step\n");
}

TEST(BenchCsv, NamesTheCountersOfASolveAsStudiesDo) {
  const std::vector<std::string> names = test::csv_fields(test::csv_of(BenchmarkResult{})).at(0);
  for (const auto& [name, count] : work_counters) EXPECT_THAT(names, testing::Contains(name));
  for (const char* other : {"rhs", "jacobians", "rejected", "newton"})  // negative control
    EXPECT_THAT(names, testing::Not(testing::Contains(other)));
}

TEST(BenchCsv, HasALineForEveryTrialAndGroup) {
  const BenchmarkResult& result = sample_result();
  const auto lines = test::csv_fields(test::csv_of(result));
  ASSERT_EQ(lines.size(), 1u + result.trials.size() * 3u);
  for (const auto& fields : lines) ASSERT_EQ(fields.size(), lines[0].size());
  const auto line = line_of(lines, 1);
  EXPECT_EQ(line.at("h"), "nan");
  EXPECT_EQ(line.at("count"), "nan");
  EXPECT_EQ(line.at("observed_order"), "nan");
}

TEST(BenchCsv, AFailedTrialHasItsReason) {
  const auto lines = test::csv_fields(test::csv_of(sample_result()));
  int failures = 0;
  for (std::size_t k = 1; k < lines.size(); ++k) {
    const auto line = line_of(lines, k);
    EXPECT_EQ(line.at("status") == "failed", !line.at("reason").empty());
    if (line.at("status") != "failed") continue;
    ++failures;
    EXPECT_EQ(line.at("error"), "nan");
    EXPECT_THAT(line.at("reason"), HasSubstr("max_steps"));
    EXPECT_LT(std::stod(line.at("t_reached")), 2.0);
  }
  EXPECT_GT(failures, 0) << "dopri5 at ε = 1e-4 fails within 300 steps";
}

TEST(BenchCsv, AReasonIsEscaped) {
  BenchmarkResult result = sample_result();
  result.trials[0].message = "a, \"b\"\nc";
  const std::string text = test::csv_of(result);
  EXPECT_THAT(text, HasSubstr(",\"a, \"\"b\"\" c\",")) << "RFC 4180";
  EXPECT_EQ(std::ranges::count(text, '\n'),
            std::ranges::count(test::csv_of(sample_result()), '\n'));
}

TEST(BenchCsv, HasHAndTheObservedOrderForEqualSteps) {
  const BenchmarkResult result =
      run_benchmark(test::equal_steps({"radau_iia_3"}), test::logistic(1.0));
  const auto lines = test::csv_fields(test::csv_of(result));
  EXPECT_EQ(line_of(lines, 1).at("h"), "0.5");
  EXPECT_EQ(line_of(lines, 1).at("observed_order"), "nan");
  EXPECT_NEAR(std::stod(line_of(lines, 3).at("observed_order")), 5.0, 0.5);
  EXPECT_EQ(line_of(lines, 1).at("epsilon"), "nan");
  EXPECT_EQ(line_of(lines, 1).at("formulation"), "-");
}

TEST(BenchCsv, AStepThatTheMethodDoesNotReportIsMissing) {
  BenchmarkResult result = sample_result();
  result.trials[0].last_step = 0.0;
  EXPECT_EQ(line_of(test::csv_fields(test::csv_of(result)), 1).at("last_step"), "nan");
  EXPECT_GT(std::stod(line_of(test::csv_fields(test::csv_of(sample_result())), 1).at("last_step")),
            0.0);
}

TEST(BenchJson, HoldsReferencesAndProvenance) {
  const auto json = nlohmann::json::parse(test::json_of(sample_result()));
  EXPECT_EQ(json["benchmark_kind"], "work_precision");
  EXPECT_EQ(json["references"].size(), 2u);
  EXPECT_THAT(json["references"][0]["how"], HasSubstr("113"));
  EXPECT_THAT(json["definitions"]["times"], HasSubstr("CLOCK_THREAD_CPUTIME_ID"));
  EXPECT_THAT(json["resolved_studies"]["knife_edge"], HasSubstr("[system]"));
  EXPECT_EQ(json["provenance"]["resolved"], resolved_toml(sample_result().benchmark));
  EXPECT_EQ(json["trials"].size(), sample_result().trials.size());
}

TEST(BenchPage, MarksAnInterruptedRun) {
  const test::TemporaryDirectory place;
  test::write_results(sample_result(), place.path());
  const std::string complete = test::text_of(place.path("sample/result.md"));
  EXPECT_THAT(complete, testing::Not(HasSubstr("interrupted")));
  BenchmarkResult stopped = sample_result();
  stopped.interrupted = true;
  stopped.trials.back().outcome = Outcome::not_run;
  stopped.trials.back().message = never_begun;
  const std::string where = test::write_results(stopped, place.path());
  const std::string page = test::text_of(where + "/result.md");
  const std::string said =
      fmt::format("interrupted: {} of {}", stopped.trials.size() - 1, stopped.trials.size());
  EXPECT_LT(page.find(said), page.find("**Winners"));
  EXPECT_EQ(nlohmann::json::parse(test::json_of(stopped))["trials_ended"],
            stopped.trials.size() - 1);
}

TEST(BenchPage, NamesWinnersFailuresAndTheProtocol) {
  const std::string page = test::markdown_report(sample_result());
  for (const char* said :
       {"# sample", "**Winners", "**Failures", "radau_iia", "max_steps", "compiler"})
    EXPECT_THAT(page, HasSubstr(said));
  EXPECT_TRUE(test::view_of(in_tables(BenchmarkResult{}), "winners").rows.empty());
  EXPECT_THAT(test::markdown_report(BenchmarkResult{}), testing::Not(HasSubstr("Winners")));
}

TEST(OrderTable, HasTheClassicalAndTheObservedOrder) {
  const BenchmarkResult result =
      run_benchmark(test::equal_steps({"radau_iia_3"}), test::logistic(1.0));
  const TextTable table = test::view_of(in_tables(result), "orders");
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0][3].text, "5");
  EXPECT_EQ(table.rows[0][4].text, "-") << "no ε";
  EXPECT_NEAR(std::stod(table.rows[0][5].text), 5.0, 0.5) << "the least of two neighbours";
  EXPECT_NEAR(std::stod(table.rows[0][6].text), 5.0, 0.3);
}

}  // namespace
}  // namespace rigidlimit
