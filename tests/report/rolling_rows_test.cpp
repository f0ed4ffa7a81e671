// Tests the CSV header, missing numbers, and the keys of the JSON of a rolling result.

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "rigidlimit/experiment/judge/work_columns.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/provenance.hpp"
#include "rigidlimit/experiment/rolling/judge_rolling.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "support/csv_fields.hpp"
#include "support/report_texts.hpp"
#include "support/sample_result.hpp"

namespace rigidlimit {
namespace {

using Json = nlohmann::json;
using testing::Contains;

constexpr const char* columns =
    "study,system,law,rigid_solver,compliant_solver,epsilon,quantity,norm,window,model_error,"
    "solver_error,reference_error,sampling_error,order,predicted_coefficient,ratio,ratio_error,"
    "verdict,status,steps,rejected_steps,rhs_evaluations,"
    "jacobian_evaluations,factorisations,newton_iterations,"
    "error_bar,predicted_order";

TEST(Csv, HasTheDocumentedHeader) {
  EXPECT_EQ(test::csv_header(), std::string(columns) + "\n");
}

TEST(Csv, HasALineForEveryNumber) {
  for (const RollingResult& result : {test::sample_result(), test::troubled_result()}) {
    const auto lines = test::csv_fields(test::csv_rows(result));
    // 3 quantities, 2 norms, 2 windows, 5 ε
    ASSERT_EQ(lines.size(), 3u * 2u * 2u * 5u);
    for (const auto& fields : lines) EXPECT_EQ(fields.size(), 27u);
    EXPECT_TRUE(test::csv_rows(result).ends_with("\n"));
  }
}

/// strtod of the whole text.
double parsed(const std::string& text) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  EXPECT_EQ(end, text.c_str() + text.size()) << text;
  return x;
}

TEST(Csv, NumbersParseBackToTheSameDouble) {
  const RollingResult& result = test::sample_result();
  const auto lines = test::csv_fields(test::csv_rows(result));
  std::size_t line = 0;
  for (const Series& series : result.series)
    for (const Row& row : series.rows) {
      const auto& fields = lines.at(line++);
      EXPECT_EQ(parsed(fields[5]), row.epsilon);
      EXPECT_EQ(parsed(fields[9]), row.model_error());
      EXPECT_TRUE(parsed(fields[13]) == row.order || std::isnan(row.order));
      EXPECT_EQ(parsed(fields[14]), row.predicted_coefficient);
      EXPECT_EQ(parsed(fields[15]), row.ratio);
      EXPECT_EQ(parsed(fields[16]), row.ratio_error);
    }
}

TEST(Csv, WritesAMissingNumberAsNan) {
  const RollingResult result = test::troubled_result();
  const auto fields =
      test::csv_fields(test::csv_rows(result)).at(4);  // the last row of the first series
  EXPECT_EQ(fields[9], "nan");
  EXPECT_EQ(fields[10], "nan") << "also for a negative NaN";
  EXPECT_EQ(fields[13], "nan");
  EXPECT_EQ(fields[18], "failed: max_steps");
}

TEST(JsonText, HoldsTheSameRowsAsTheCsv) {
  const RollingResult& result = test::sample_result();
  const Json json = Json::parse(test::json_text({result}));
  const Json& rows = json["errors"];
  const auto lines = test::csv_fields(test::csv_rows(result));
  ASSERT_EQ(rows.size(), lines.size());
  for (std::size_t k = 0; k < lines.size(); ++k) {
    EXPECT_EQ(rows[k]["epsilon"].get<double>(), parsed(lines[k][5]));
    EXPECT_EQ(rows[k]["quantity"], lines[k][6]);
    EXPECT_EQ(rows[k]["model_error"].get<double>(), parsed(lines[k][9]));
    EXPECT_EQ(rows[k]["reference_error"].get<double>(), parsed(lines[k][11]));
    EXPECT_EQ(rows[k]["order"].is_null(), lines[k][13] == "nan");
    EXPECT_EQ(rows[k]["status"], lines[k][18]);
    EXPECT_EQ(rows[k]["work"]["steps"].get<double>(), parsed(lines[k][19]));
  }
}

TEST(JsonText, HoldsTheJudgementOfEverySeries) {
  const RollingResult& result = test::sample_result();
  const Json json = Json::parse(test::json_text({result}));
  ASSERT_EQ(json["series"].size(), result.series.size());
  int expected = 0;
  for (std::size_t k = 0; k < result.series.size(); ++k) {
    const Json& series = json["series"][k];
    EXPECT_EQ(series["order"].get<double>(), result.series[k].judgement.fit.order);
    EXPECT_EQ(series["verdict"], name_of(result.series[k].judgement.verdict));
    EXPECT_EQ(series["reason"], result.series[k].judgement.reason);
    EXPECT_EQ(series.contains("held"), series.contains("expected_order"));
    expected += series.contains("held") ? 1 : 0;
  }
  EXPECT_EQ(expected, 3);
  EXPECT_EQ(json["held"], true);
  EXPECT_NEAR(json["multiplier_at_start"][0].get<double>(), -0.91, 1e-14);
  EXPECT_EQ(json["rigid"][0]["multiplier_in_error_test"], false);
}

TEST(JsonText, DescribesTheSystemWithTheParametersAndStartOfTheStudy) {
  RollingResult result = test::sample_result();
  result.study.parameters[0] = 2.5;  // not the default
  const Json document = Json::parse(test::json_text({result}));
  const Json& system = document["system"];
  const SystemEntry& entry = *result.study.system;
  EXPECT_EQ(system["equations"], entry.info.equations);
  ASSERT_EQ(system["parameters"].size(), entry.parameters.size());
  EXPECT_EQ(system["parameters"][0]["name"], "mass");
  EXPECT_EQ(system["parameters"][0]["unit"], "kg");
  EXPECT_EQ(system["parameters"][0]["value"], 2.5);
  ASSERT_EQ(system["velocities"].size(), entry.info.velocities.size());
  EXPECT_EQ(system["velocities"][2]["start"].get<double>(), result.study.initial.v(2));
  EXPECT_EQ(system["contacts"].size(), static_cast<std::size_t>(result.study.model.m));
  EXPECT_EQ(system["velocities_are_rates"], true);
  ASSERT_EQ(document["laws"].size(), 1u);
  EXPECT_EQ(document["laws"][0]["equations"], find_law("viscoelastic")->equations);
}

TEST(JsonText, HoldsTheBounds) {
  RollingResult result = test::sample_result();
  EXPECT_TRUE(Json::parse(test::json_text({result}))["bounds"].empty());
  result.study.bounds = {{.bound = {.constant = 10.0, .power = 2.5}}};
  result.bounds = judged_bounds(result.study, result.series);
  const Json json = Json::parse(test::json_text({result}));
  ASSERT_EQ(json["bounds"].size(), 1u);
  const Json& bound = json["bounds"][0];
  EXPECT_THAT(bound["claim"], testing::HasSubstr("≤ 10 ε^2.5"));
  EXPECT_EQ(bound["of"], "model_error");
  EXPECT_EQ(bound["constant"], 10.0);
  EXPECT_EQ(bound["power"], 2.5);
  EXPECT_TRUE(bound["epsilon_to"].is_null()) << "no end";
  EXPECT_EQ(bound["state"], "broken");
  EXPECT_EQ(bound["worst_epsilon"], 1e-3);
  EXPECT_EQ(bound["factor"].get<double>(), result.bounds[0].judgement.factor);
  EXPECT_EQ(bound["held"], false);
  EXPECT_EQ(json["held"], false);
}

TEST(JsonText, HoldsItsProvenance) {
  const Json provenance = Json::parse(test::json_text({test::sample_result()}))["provenance"];
  for (const char* key : {"version", "commit", "compiler", "flags", "sundials", "boost", "eigen",
                          "fmt", "processor", "resolved", "hash"}) {
    ASSERT_TRUE(provenance.contains(key)) << key;
    EXPECT_TRUE(std::string(key) == "flags" || provenance[key] != "") << key;
  }
  EXPECT_EQ(provenance["resolved"], resolved_toml(test::sample_result().study));
  EXPECT_EQ(provenance["hash"], content_hash(resolved_toml(test::sample_result().study)));
}

TEST(JsonText, WritesFailuresAsNullAndStatus) {
  const RollingResult result = test::troubled_result();
  const Json json = Json::parse(test::json_text({result}));
  const Json& row = json["errors"][4];
  EXPECT_TRUE(row["model_error"].is_null());
  EXPECT_TRUE(row["solver_error"].is_null());
  EXPECT_EQ(row["status"], "failed: max_steps");
  EXPECT_EQ(json["question"], result.study.question);
  EXPECT_EQ(json["interrupted"], true);
  EXPECT_EQ(json["held"], false);
  EXPECT_EQ(json["failures"][0]["outcome"], "max_steps");
  EXPECT_EQ(json["failures"][0]["t_reached"], 0.125);
  EXPECT_THAT(json["notes"].get<std::vector<std::string>>(), Contains("a note of <weight> & 50 %"));
}

TEST(JsonText, OmitsEmptySeries) {
  RollingResult empty = test::sample_result();
  for (Series& series : empty.series) series.rows.clear();
  const Json json = Json::parse(test::json_text({empty}));
  EXPECT_TRUE(json["errors"].is_array() && json["errors"].empty());
  EXPECT_TRUE(json["series"].empty());
}

/// The sample result as of methods that count nothing.
RollingResult uncounted_result() {
  RollingResult result = test::sample_result();
  Work unknown;
  for (const auto& [name, count] : work_counters) unknown.*count = -1;
  for (Series& series : result.series)
    for (Row& row : series.rows) row.work = unknown;
  for (StepCount& count : result.step_counts) count.work = unknown;
  for (RigidReport& rigid : result.rigid) rigid.work = unknown;
  return result;
}

// "?" in texts, null in JSON, empty in CSV; never the number that stands for it.
TEST(UnknownCounts, AreNoNumbers) {
  const RollingResult result = uncounted_result();
  for (const auto& fields : test::csv_fields(test::csv_rows(result)))
    for (std::size_t k = 0; k < work_counters.size(); ++k)
      EXPECT_EQ(fields.at(fields.size() - 3 - k), "");
  const Json json = Json::parse(test::json_of(result));
  for (const char* table : {"errors", "rigid", "steps"})
    for (const Json& row : json.at(table))
      for (const auto& [name, count] : work_counters)
        EXPECT_TRUE(row.at("work").at(name).is_null()) << table << " " << name;
  const std::string text = test::markdown_report(result);
  EXPECT_THAT(text, testing::HasSubstr("?"));
  EXPECT_THAT(text, testing::Not(testing::ContainsRegex("(^|[| (])-1([| )]|$)")));
  // Negative control: counts that are known.
  const std::string counted = test::markdown_report(test::sample_result());
  EXPECT_THAT(counted, testing::Not(testing::HasSubstr("?")));
  EXPECT_FALSE(Json::parse(test::json_of(test::sample_result()))
                   .at("errors")
                   .at(0)
                   .at("work")
                   .at("steps")
                   .is_null());
}

}  // namespace
}  // namespace rigidlimit
