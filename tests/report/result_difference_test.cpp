// Tests the comparison of two results.
#include "rigidlimit/report/result_difference.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/plan/build_info.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/report/reproduction_report.hpp"

namespace rigidlimit {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::SizeIs;

/// Two rows of errors, one without evidence; a fit; two claims.
Json sample() {
  return Json::parse(R"({
    "name": "sample", "kind": "rolling", "held": true,
    "claims": [{"name": "order of q", "group": "expectations", "held": true, "message": "2.00"},
               {"name": "bound of q", "group": "bounds", "held": false, "message": "broken"}],
    "errors": [
      {"solver": "radau_iia", "epsilon": 0.1, "quantity": "q", "model_error": 1e-2, "solver_error": 2e-6,
       "reference_error": 1e-6, "sampling_error": 1e-6, "status": "ok", "work": {"steps": 100}},
      {"solver": "radau_iia", "epsilon": 0.01, "quantity": "q", "model_error": 1e-4, "solver_error": 5e-5,
       "reference_error": 0.0, "sampling_error": 0.0, "status": "sampling_limited", "work": {"steps": 200}}],
    "series": [{"solver": "radau_iia", "quantity": "q", "order": 2.0, "standard_error": 1e-3,
                "floor_error": 1e-3, "reason": "a sentence", "held": true}],
    "notes": ["a note"],
    "provenance": {"version": "0.2.0", "compiler": "GNU 12.2.0", "hash": "1", "resolved": "text"}})");
}

/// Columns as the program declares them.
Table like(const char* name, const std::vector<std::pair<const char*, Role>>& roles) {
  std::vector<Column> columns;
  for (const auto& [column, role] : roles)
    columns.push_back(
        {.name = column, .role = role, .value = [](std::size_t /*row*/) { return Value(); }});
  for (Column& column : columns) {
    if (column.name == "model_error")
      column.bars = {"solver_error", "reference_error", "sampling_error"};
    if (column.name == "order") column.bars = {"standard_error", "floor_error"};
  }
  return {name, std::move(columns), 0};
}

/// The result whose result.json this is.
Result result_in(const Json& json) {
  Result result{.name = "sample", .kind = "rolling"};
  result.conclusion = json.at("held") == true ? Conclusion::held : Conclusion::not_held;
  for (const Json& claim : json.at("claims"))
    result.claims.push_back({.name = claim.at("name"), .state = state_if(claim.at("held"))});
  constexpr Role key = Role::key, value = Role::value;
  for (const Table& table : {like("errors", {{"swept.contact_damping_ratio", key},
                                             {"solver", key},
                                             {"epsilon", key},
                                             {"quantity", key},
                                             {"model_error", value},
                                             {"solver_error", value},
                                             {"reference_error", value},
                                             {"sampling_error", value},
                                             {"status", value},
                                             {"work.steps", value}}),
                             like("series", {{"solver", key},
                                             {"quantity", key},
                                             {"order", value},
                                             {"standard_error", value},
                                             {"floor_error", value},
                                             {"reason", Role::note},
                                             {"held", value}})})
    if (json.contains(table.name()))
      result.tables.push_back(table_in(json.at(table.name()).dump(), table));
  return result;
}

ResultDifference difference(const Json& then, const Json& now) {
  return difference_of_results(then.dump(), result_in(now), "archive");
}

const ColumnDifference& column(const ResultDifference& found, const std::string& name) {
  for (const ColumnDifference& c : found.columns)
    if (c.table + "." + c.column == name) return c;
  throw std::out_of_range(name);
}

TEST(ResultDifference, OfAResultAndItselfIsNone) {
  const ResultDifference found = difference(sample(), sample());
  EXPECT_TRUE(found.reproduced());
  EXPECT_EQ(found.differing, 0);
  EXPECT_EQ(found.claims, 2);
  EXPECT_EQ(found.with_bars, 3);  // two errors and an order
  EXPECT_EQ(column(found, "errors.model_error").cells, 2);
}

TEST(ResultDifference, AllowsThreeErrorBarsAndNoMore) {
  Json now = sample();
  now["errors"][0]["model_error"] = 1e-2 + 2.9 * 4e-6;  // the bar is 2e-6 + 1e-6 + 1e-6
  ResultDifference found = difference(sample(), now);
  EXPECT_TRUE(found.reproduced());
  EXPECT_EQ(column(found, "errors.model_error").differing, 1);
  EXPECT_NEAR(column(found, "errors.model_error").worst.bars, 2.9, 1e-6);
  EXPECT_NEAR(column(found, "errors.model_error").worst.relative, 1.16e-3, 1e-8);

  now["errors"][0]["model_error"] = 1e-2 + 3.1 * 4e-6;
  found = difference(sample(), now);
  EXPECT_FALSE(found.reproduced());
  EXPECT_EQ(found.beyond, 1);
  EXPECT_EQ(column(found, "errors.model_error").worst.row, "radau_iia, epsilon = 0.1, q");
}

TEST(ResultDifference, TakesTheLargerErrorBarOfBothResults) {
  Json now = sample();
  now["errors"][0]["model_error"] = 1e-2 + 20e-6;
  EXPECT_FALSE(difference(sample(), now).reproduced());
  now["errors"][0]["solver_error"] = 6e-6;  // the bar is now 8e-6
  EXPECT_TRUE(difference(sample(), now).reproduced());
  EXPECT_TRUE(difference(now, sample()).reproduced());
}

TEST(ResultDifference, OfARowWithoutEvidenceIsListedAndAllowed) {
  Json now = sample();
  now["errors"][1]["model_error"] = 1.0;
  const ResultDifference found = difference(sample(), now);
  EXPECT_TRUE(found.reproduced());
  EXPECT_EQ(column(found, "errors.model_error").differing, 1);
  EXPECT_EQ(column(found, "errors.model_error").beyond, 0);
}

TEST(ResultDifference, IncludesAnErrorThatIsNotFinite) {
  Json now = sample();
  now["errors"][0]["model_error"] = nullptr;
  EXPECT_EQ(difference(sample(), now).beyond, 1);
  EXPECT_TRUE(difference(now, now).reproduced());
}

TEST(ResultDifference, ListsWorkAndTextsButNotSentences) {
  Json now = sample();
  now["errors"][0]["work"]["steps"] = 150;
  now["errors"][1]["status"] = "solver_limited";
  now["series"][0]["reason"] = "another sentence";
  now["notes"] = Json::array({"another note"});
  const ResultDifference found = difference(sample(), now);
  EXPECT_TRUE(found.reproduced());
  EXPECT_EQ(found.differing, 2);
  EXPECT_NEAR(column(found, "errors.work.steps").worst.relative, 0.5, 1e-15);
  EXPECT_EQ(column(found, "errors.status").worst.now, "solver_limited");
}

TEST(ResultDifference, NamesAClaimWithAnotherVerdict) {
  Json now = sample();
  now["claims"][1]["held"] = true;
  const ResultDifference found = difference(sample(), now);
  EXPECT_FALSE(found.reproduced());
  EXPECT_EQ(found.changed_claims, 1);
  EXPECT_THAT(found.changed, ElementsAre(testing::StartsWith("bound of q: ")));
}

TEST(ResultDifference, MatchesRowsByTheirIdentityInAnyOrder) {
  Json now = sample();
  std::swap(now["errors"][0], now["errors"][1]);
  EXPECT_TRUE(difference(sample(), now).reproduced());
  EXPECT_EQ(difference(sample(), now).differing, 0);
  now["errors"][0]["epsilon"] = 0.02;
  const ResultDifference found = difference(sample(), now);
  EXPECT_FALSE(found.reproduced());
  EXPECT_THAT(found.missing, ElementsAre("errors: radau_iia, epsilon = 0.01, q"));
  EXPECT_THAT(found.extra, ElementsAre("errors: radau_iia, epsilon = 0.02, q"));
}

TEST(ResultDifference, MatchesThePointsOfASweep) {
  Json then = sample(), now = sample();
  for (Json* result : {&then, &now})
    for (Json& row : (*result)["errors"]) {
      const bool first = row["epsilon"] == 0.1;
      row["epsilon"] = 0.1;
      row["swept"] = {{"contact_damping_ratio", first ? 0.5 : 2.0}};
    }
  std::swap(now["errors"][0], now["errors"][1]);
  now["errors"][1]["model_error"] = 2e-2;
  EXPECT_EQ(column(difference(then, now), "errors.model_error").worst.row,
            "contact_damping_ratio = 0.5, radau_iia, epsilon = 0.1, q");
}

TEST(ResultDifference, ListsAMissingTable) {
  Json now = sample();
  now.erase("series");
  EXPECT_THAT(difference(sample(), now).missing, SizeIs(1));
  EXPECT_THAT(difference(now, sample()).extra, SizeIs(1));
}

TEST(ResultDifference, ComparesTheProgramsAndLibraries) {
  const ResultDifference found = difference(sample(), sample());
  ASSERT_THAT(found.origins, SizeIs(2));
  EXPECT_EQ(found.origins[1].then, "GNU 12.2.0");
  EXPECT_EQ(found.origins[1].now, build_compiler());
}

TEST(ResultDifference, RefusesATextThatIsNoResult) {
  for (const char* text : {"", "[]", "{}", "{\"name\": 1", R"({"name": "x", "provenance": 1})"})
    EXPECT_THROW(difference_of_results(text, result_in(sample()), "archive"), InputError) << text;
}

TEST(ReproductionReport, HoldsExactlyIfTheResultIsReproduced) {
  const Result repeated{.name = "sample", .kind = "rolling"};
  Json now = sample();
  EXPECT_TRUE(reproduction_report(repeated, difference(sample(), now)).held());
  now["errors"][0]["model_error"] = 2e-2;
  const Result report = reproduction_report(repeated, difference(sample(), now));
  EXPECT_FALSE(report.held());
  ASSERT_THAT(report.claims, SizeIs(3));
  EXPECT_TRUE(report.claims[0].held());
  EXPECT_FALSE(report.claims[1].held());
  EXPECT_TRUE(report.claims[2].held());
  const std::string page = formatted({report}, Format::table);
  EXPECT_THAT(page, testing::HasSubstr("model_error"));
  EXPECT_THAT(page, testing::Not(testing::HasSubstr("work.steps")));  // equal columns are left out
}

// The name of a claim is a text of the archive.
TEST(ReproductionReport, HasNoControlCharacterOfTheArchive) {
  Json then = sample(), now = sample();
  then["claims"][0]["name"] = "\x1b[5m\r";
  now["claims"][0]["held"] = false;
  const Result report = reproduction_report({.name = "sample"}, difference(then, now));
  EXPECT_THAT(report.verdict, testing::HasSubstr("[5m"));
  EXPECT_EQ(report.verdict.find_first_of("\x1b\r"), std::string::npos);
}

}  // namespace
}  // namespace rigidlimit
