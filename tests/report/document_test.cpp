// Tests that the JSON of a document is what a tree of all its values would print.
#include "rigidlimit/report/document.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rigidlimit {
namespace {

DataTable table_of(const std::string& name, int count) {
  DataTable table{.name = name, .of_all = {}, .columns = {}, .records = {}};
  for (int k = 0; k < count; ++k)
    table.records.push_back({{"number", static_cast<long>(k)},
                             {"law.name", "line\nbreak"},
                             {"law.power", 0.5},
                             {"entries", Value::Numbers{1.0, 2.0}}});
  return table;
}

Document sample() {
  return {{"study", Value("a")},
          {"rows", table_of("rows", 3)},
          {"rigid.outcome", Value("success")},
          {"rigid.steps", table_of("steps", 2)},
          {"none", table_of("none", 0)},
          {"like a mark", Value(std::string("\1") + "7\1")}};
}

TEST(JsonOfADocument, IsThatOfATreeOfAllValues) {
  for (const std::string& text : {json_text(sample()), json_text({sample(), sample()}, {})}) {
    const auto tree = nlohmann::ordered_json::parse(text);
    EXPECT_EQ(tree.dump(1) + "\n", text);
    const auto& one = tree.is_array() ? tree.at(1) : tree;
    EXPECT_EQ(one.at("rows").size(), 3u);
    EXPECT_EQ(one.at("rows").at(2).at("number"), 2);
    EXPECT_EQ(one.at("rows").at(0).at("law").at("name"), "line\nbreak");
    EXPECT_EQ(one.at("rigid").at("outcome"), "success");
    EXPECT_EQ(one.at("rigid").at("steps").at(1).at("law").at("power"), 0.5);
    EXPECT_TRUE(one.at("none").empty());
    EXPECT_EQ(one.at("like a mark").get<std::string>().size(), 3u);
  }
  const auto chosen = nlohmann::json::parse(json_text({sample()}, {"rows"}));
  EXPECT_EQ(chosen.at(0).size(), 1u);
  EXPECT_EQ(chosen.at(0).at("rows").size(), 3u);
}

TEST(CsvCells, HaveNoFormulaAndNoEscapeCode) {
  const auto cell = [](const std::string& text) {
    DataTable table{.name = "t", .of_all = {}, .columns = {}, .records = {}};
    table.records.push_back({{"text", text}});
    const std::string lines = csv_lines(table);
    return lines.substr(0, lines.size() - 1);
  };
  for (const char* formula : {"=cmd|x", "+1+1", "-2+3", "@SUM(A1)", "=1"})
    EXPECT_EQ(cell(formula), std::string("'") + formula);
  for (const char* text : {"-", "-1.5", "+2", "a=b", "1e-3", "-1e300"}) EXPECT_EQ(cell(text), text);
  EXPECT_EQ(cell("a\x1b]0;b\x07\nc"), "a ]0;b  c");
}

}  // namespace
}  // namespace rigidlimit
