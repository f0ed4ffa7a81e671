// Tests that the files of `rigidlimit init` have every row of `help keys`, given or as a comment.
#include <gmock/gmock.h>

#include <iterator>
#include <regex>
#include <set>

#include "rigidlimit/experiment/benchmark/benchmark_keys.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_template.hpp"
#include "rigidlimit/experiment/friction/friction_keys.hpp"
#include "rigidlimit/experiment/friction/friction_template.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/rolling/rolling_keys.hpp"
#include "rigidlimit/experiment/rolling/rolling_template.hpp"
#include "rigidlimit/experiment/spec/template_page.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/csv_fields.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::IsEmpty;
using Tables = std::vector<KeyTableInfo>;

/// "[expect] order" of each line "order = ..." of a table, also in comments.
std::set<std::string> keys_in(const std::string& text) {
  static const std::regex heading("#? ?(?:\\[(.+?)\\]|(KEY = \\{.*\\}))(?: .*)?"),
      key("#? ?([A-Za-z_]+) = .*");
  std::set<std::string> found;
  std::string table;
  for (const std::string& line : test::split(text, '\n')) {
    std::smatch match;
    if (std::regex_match(line, match, heading))
      table = match[1].str() + match[2].str();
    else if (std::regex_match(line, match, key))
      found.insert(table + " " + match[1].str());
  }
  return found;
}

std::vector<std::string> missing_in(const std::string& text, Tables tables) {
  tables.push_back(layer_keys());
  const std::set<std::string> found = keys_in(text);
  std::vector<std::string> missing;
  for (const KeyTableInfo& table : tables)
    for (const KeyInfo& key : table.keys)
      if (const std::string name = table.name + " " + key.name; !found.contains(name))
        missing.push_back(name);
  return missing;
}

/// The text without its lines about the key.
std::string without(const std::string& text, const std::string& key) {
  return std::regex_replace(text, std::regex("\n#? ?" + key + " = [^\n]*"), "");
}

const SystemEntry& system_of(const char* name) {
  return *find_system(builtin_systems(), name);
}

TEST(KeysOfTemplates, OfARollingStudyAreComplete) {
  for (const char* name : {"wheel", "knife_edge", "rolling_disk"}) {
    const std::string text = rolling_template(system_of(name), "mine", TemplateKind::study);
    EXPECT_THAT(missing_in(text, tables_of_rolling_studies()), IsEmpty()) << name;
  }
}

TEST(KeysOfTemplates, OfASweepAreComplete) {
  Tables tables = tables_of_rolling_studies();
  std::ranges::move(tables_of_sweeps(), std::back_inserter(tables));
  const std::string text = rolling_template(system_of("wheel"), "mine", TemplateKind::sweep);
  EXPECT_THAT(missing_in(text, tables), IsEmpty());
}

// With impacts, and without.
TEST(KeysOfTemplates, OfAFrictionStudyAreComplete) {
  for (const char* name : {"wheel_and_curb", "wheel"}) {
    const std::string text = friction_template(system_of(name), "mine");
    EXPECT_THAT(missing_in(text, tables_of_friction_studies()), IsEmpty()) << name;
  }
}

TEST(KeysOfTemplates, OfABenchmarkAreComplete) {
  EXPECT_THAT(missing_in(benchmark_template("mine"), tables_of_benchmarks()), IsEmpty());
  EXPECT_THAT(
      missing_in(benchmark_template(
                     "mine", {.file = "wheel.toml", .name = "disc", .system = "wheel", .end = 1.0}),
                 tables_of_benchmarks()),
      IsEmpty());
}

TEST(KeysOfTemplates, ThatLackAKeyAreDetected) {
  const std::string text = rolling_template(system_of("wheel"), "mine", TemplateKind::study);
  const Tables tables = tables_of_rolling_studies();
  EXPECT_THAT(missing_in(without(text, "proved"), tables), Contains("[bound] proved"));
  EXPECT_THAT(missing_in(without(text, "parameter"), tables), Contains("tangent parameter"));
  EXPECT_THAT(missing_in(without(text, "samples"), tables),
              AllOf(Contains("time samples"), Contains("output samples")));
  EXPECT_THAT(missing_in(without(text, "base"), tables), Contains(" base"));
}

}  // namespace
}  // namespace rigidlimit
