// Tests the export of a store with a system that this program does not have.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/store/store.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"
#include "support/stored_rows.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

class ForeignStoreTest : public testing::Test {
 protected:
  ForeignStoreTest() {
    place.write("mine.toml", test::sample_text + test::sample_expectations);
    ran = test::rigidlimit({"run", "mine.toml", "--format", "csv"}, place.path());
    const std::string path = place.path("results/sample/results.db");
    {
      // As the program of an own system judges it.
      const Experiment experiment = read_experiment(
          TomlDocument::from_text(test::sample_text + test::sample_expectations, "mine.toml"),
          builtin_systems());
      EXPECT_TRUE(experiment.portable) << "its own store has no reports";
      Store store(path, Store::Access::write);
      store.write_judgement(result_of(experiment, {.archive = &store, .solve = false}), true);
    }
    test::change_store(path,
                       "UPDATE study SET resolved = "
                       "replace(resolved, '\"knife_edge\"', '\"caster_robot\"')");
    const std::string resolved = test::stored_rows(path, "SELECT resolved FROM study").at(0).at(0);
    EXPECT_THAT(resolved, HasSubstr("caster_robot"));
    test::change_store(path, "UPDATE study SET hash = '" + content_hash(resolved) + "'");
  }
  test::Said exported(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"export", "results/sample"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return test::rigidlimit(arguments, place.path());
  }
  test::TemporaryDirectory place;
  test::Said ran;
};

TEST_F(ForeignStoreTest, ExportGivesItsTablesInEveryFormat) {
  EXPECT_EQ(exported({}).out, ran.out);
  EXPECT_THAT(exported({}).err, HasSubstr("'caster_robot'"));
  EXPECT_EQ(exported({"--format", "table"}).out,
            test::text_of(place.path("results/sample/result.txt")));
  for (const char* format : {"markdown", "html", "latex"}) {
    const test::Said said = exported({"--format", format});
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("confirmed")) << "the lines of the table";
  }
  auto written = nlohmann::json::parse(test::text_of(place.path("results/sample/result.json")));
  auto stored = nlohmann::json::parse(exported({"--format", "json"}).out);
  EXPECT_EQ(written["provenance"]["program"], "rigidlimit");
  EXPECT_EQ(stored["provenance"]["program"], "test_cli");
  for (auto* object : {&written, &stored}) object->erase("provenance");
  EXPECT_TRUE(stored == written);
}

// Each stored text is that of an attacker. Control: the same texts are in the store.
TEST_F(ForeignStoreTest, ExportShowsItsTextsAsData) {
  const std::string hostile =
      "<script>alert(1)</script>\\input{/etc/passwd}</pre>`![x](javascript:1)";
  for (const char* kind : {"table", "html", "latex", "markdown"})
    test::change_store(
        place.path("results/sample/results.db"),
        fmt::format("UPDATE texts SET text = '{}' WHERE format = '{}'", hostile, kind));
  test::change_store(
      place.path("results/sample/results.db"),
      "UPDATE texts SET text = 'name,value\n=cmd|x,\"a\n+1+1\"\n' WHERE format = 'csv'");
  EXPECT_THAT(exported({"--format", "table"}).out, HasSubstr("<script>"));
  EXPECT_EQ(exported({"--format", "html"}).out.find("<script"), std::string::npos);
  EXPECT_EQ(exported({"--format", "html"}).out.find("</pre>`"), std::string::npos);
  EXPECT_EQ(exported({"--format", "latex"}).out.find("\\input"), std::string::npos);
  EXPECT_THAT(exported({"--format", "markdown"}).out, testing::StartsWith("    <script>"));
  EXPECT_EQ(exported({"--format", "csv"}).out, "name,value\n'=cmd|x,a +1+1\n");
}

TEST_F(ForeignStoreTest, ExportJoinsItWithAKnownStudy) {
  place.write("known.toml", test::renamed(test::sample_text, "known"));
  ASSERT_EQ(test::rigidlimit({"run", "known.toml", "--quiet"}, place.path()).status, 0);
  const auto lines = test::csv_fields(exported({"results/known"}).out);
  std::map<std::string, int> rows;
  for (const auto& fields : lines) ++rows[fields.at(0)];
  EXPECT_EQ(rows["study"], 1) << "one header";
  EXPECT_EQ(rows["sample"], rows["known"]);
  EXPECT_GT(rows["known"], 10);
  const std::string known = test::text_of(place.path("results/known/result.json"));
  const std::string both = exported({"results/known", "--format", "json"}).out;
  EXPECT_EQ(both, known + exported({"--format", "json"}).out);
}

TEST_F(ForeignStoreTest, ExportWithoutStoredTablesIsStatus2) {
  test::change_store(place.path("results/sample/results.db"), "DELETE FROM texts");
  const test::Said said = exported({});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("'caster_robot'"));
}

}  // namespace
}  // namespace rigidlimit
