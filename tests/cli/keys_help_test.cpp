// Tests of the table of all keys: each has its meaning, and the page shows them.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "rigidlimit/cli/help/keys_help.hpp"
#include "support/process.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

TEST(KeysHelp, GivesMeaningValuesAndUnits) {
  for (const FileKeys& file : keys_of_files()) {
    EXPECT_GT(file.tables.size(), 1u) << file.name;
    for (const KeyTableInfo& table : file.tables)
      for (const KeyInfo& key : table.keys) {
        const std::string name = file.name + ": [" + table.name + "] " + key.name;
        EXPECT_NE(key.text, "") << name;
        EXPECT_NE(key.values, "") << name;
        EXPECT_NE(key.otherwise, "") << name;
        EXPECT_EQ(key.is_number && key.unit.empty(), false) << name;
      }
  }
}

TEST(KeysHelp, EqualsThePage) {
  std::ifstream file(test::in_repository("docs/keys.md"));
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), keys_page()) << "rigidlimit help keys --markdown > docs/keys.md";
}

TEST(KeysHelp, PrintsAKindOrATable) {
  const std::string table = test::rigidlimit({"help", "keys", "tolerance"}).out;
  EXPECT_THAT(table, testing::AllOf(HasSubstr("[tolerance]\n"), HasSubstr("\natol_factor ")));
  EXPECT_THAT(table, testing::Not(HasSubstr("[judge]")));
  EXPECT_EQ(test::rigidlimit({"help", "keys", "[tolerance]"}).out, table);
  EXPECT_THAT(test::rigidlimit({"help", "keys", "benchmark"}).out, HasSubstr("[judge]"));
  EXPECT_EQ(test::rigidlimit({"help", "run", "tolerance"}).status, 2);
  EXPECT_EQ(test::rigidlimit({"help", "run", "--markdown"}).status, 2);
  const test::Said said = test::rigidlimit({"help", "keys", "tolerence"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("'tolerance'"));
}

}  // namespace
}  // namespace rigidlimit
