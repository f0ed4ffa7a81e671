// Tests of the reference of all keys: complete, and equal to docs/keys.md.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "rigidlimit/cli/file_keys.hpp"
#include "rigidlimit/cli/keys_help.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/process.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

/// A name that `list` or `describe` gives, or one that the user chooses.
bool is_listed_elsewhere(const KeyLog::Name& key) {
  if (key.table == "solvers" && find_ode_method(key.name)) return true;
  if (key.table == "system.parameters") return true;
  if (key.table.starts_with("sweep") || key.table.ends_with(".where")) return true;
  if (key.table.find(".where.") != std::string::npos) return true;
  if (key.table == "[problem].parameters") return true;  // of a classical problem
  for (const SystemEntry& entry : builtin_systems())
    for (const ParameterInfo& p : entry.frictional_parameters())
      if (key.table == "system" && key.name == p.name) return true;
  return false;
}

/// The names of tables, which are keys of the table around them.
bool is_table(const KeyLog::Name& key, const KeyLog& log) {
  const std::string name = key.table.empty() ? key.name : key.table + "." + key.name;
  return std::ranges::any_of(log.declared(), [&](const DeclaredKey& declared) {
    return declared.table == name || declared.table == "[" + name + "]" ||
           declared.table.starts_with(name + ".");
  });
}

/// A reader of one kind asks for keys of another kind, to refuse them.
bool is_declared(const KeyLog::Name& key, const std::vector<FileKeys>& files) {
  return std::ranges::any_of(files, [&](const FileKeys& file) {
    return is_table(key, file.log) ||
           std::ranges::any_of(file.log.declared(), [&](const DeclaredKey& declared) {
             return declared.table == key.table && declared.name == key.name;
           });
  });
}

TEST(KeysHelp, DeclaresEveryKeyThatAReaderAsksFor) {
  const std::vector<FileKeys> files = keys_of_files();
  for (const FileKeys& file : files)
    for (const KeyLog::Name& key : file.log.undeclared())
      EXPECT_TRUE(is_listed_elsewhere(key) || is_declared(key, files))
          << file.name << ": [" << key.table << "] " << key.name;
}

TEST(KeysHelp, GivesMeaningValuesAndUnits) {
  for (const FileKeys& file : keys_of_files()) {
    EXPECT_GT(file.log.declared().size(), 1u) << file.name;
    for (const DeclaredKey& key : file.log.declared()) {
      const std::string name = file.name + ": [" + key.table + "] " + key.name;
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
