// What the program says of a store whose system is another program's: what it holds can be had.
#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

class ForeignStoreTest : public testing::Test {
 protected:
  ForeignStoreTest() {
    place.write("mine.toml", test::sample_text + test::sample_expectations);
    ran = test::rigidlimit({"run", "mine.toml", "--format", "csv"}, place.path());
    SQLite::Database store(place.path("results/sample/results.db"), SQLite::OPEN_READWRITE);
    EXPECT_EQ(store.exec("UPDATE study SET resolved = "
                         "replace(resolved, '\"knife_edge\"', '\"caster_robot\"')"),
              1);
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
  EXPECT_THAT(exported({}).err,
              HasSubstr("the system 'caster_robot' is not built into this program"));
  for (const auto& [format, file] :
       {std::pair("table", "table.txt"), std::pair("markdown", "table.md"),
        std::pair("latex", "table.tex")}) {
    const test::Said said = exported({"--format", format});
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_EQ(said.out, test::text_of(place.path(std::string("results/sample/") + file)));
  }
  const std::string object = test::text_of(place.path("results/sample/table.json"));
  EXPECT_EQ(nlohmann::json::parse(exported({"--format", "json"}).out),
            nlohmann::json::array({nlohmann::json::parse(object)}));
}

TEST_F(ForeignStoreTest, ExportJoinsItWithAStudyThatTheProgramKnows) {
  place.write("known.toml", test::renamed(test::sample_text, "known"));
  ASSERT_EQ(test::rigidlimit({"run", "known.toml", "--quiet"}, place.path()).status, 0);
  const auto lines = test::csv_fields(exported({"results/known"}).out);
  std::map<std::string, int> rows;
  for (const auto& fields : lines) ++rows[fields.at(0)];
  EXPECT_EQ(rows["study"], 1) << "one header";
  EXPECT_EQ(rows["sample"], rows["known"]);
  EXPECT_GT(rows["known"], 10);
  const auto json = nlohmann::json::parse(exported({"results/known", "--format", "json"}).out);
  EXPECT_EQ(json.size(), 2u);
}

TEST_F(ForeignStoreTest, ExportOfAStoreWithoutTablesSaysWhoCan) {
  SQLite::Database(place.path("results/sample/results.db"), SQLite::OPEN_READWRITE)
      .exec("DELETE FROM texts");
  const test::Said said = exported({});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("run it again with the program that has it"));
}

}  // namespace
}  // namespace rigidlimit
