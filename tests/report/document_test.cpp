// Tests that the JSON of a document is what a tree of all its values would print.
#include "rigidlimit/report/document.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rigidlimit {
namespace {

/// Rows of several types; `named` has no value in the first row.
Table rows_of(std::string name, std::size_t count) {
  const auto always = [](Value value) { return [value](std::size_t /*row*/) { return value; }; };
  return {std::move(name),
          {{.name = "number", .value = [](std::size_t row) { return Value(row); }},
           {.name = "law.name", .value = always("line\nbreak")},
           {.name = "law.power", .value = always(0.5)},
           {.name = "entries", .value = always(Value::Numbers{1.0, 2.0})},
           {.name = "named",
            .optional = true,
            .value = [](std::size_t row) { return row == 0 ? Value() : Value("yes"); }}},
          count};
}

Document sample() {
  return {.head = {{"study", "a"}, {"rigid.outcome", "success"}},
          .tables = {rows_of("rows", 3), rows_of("rigid.steps", 2), rows_of("none", 0)},
          .tail = {{"like a mark", std::string("\1") + "7\1"}}};
}

TEST(JsonOfADocument, IsThatOfATreeOfAllValues) {
  const std::string text = json_text(sample());
  const auto one = nlohmann::ordered_json::parse(text);
  EXPECT_EQ(one.dump(1) + "\n", text);
  EXPECT_EQ(one.at("rows").size(), 3u);
  EXPECT_EQ(one.at("rows").at(2).at("number"), 2);
  EXPECT_EQ(one.at("rows").at(0).at("law").at("name"), "line\nbreak");
  EXPECT_EQ(one.at("rigid").at("outcome"), "success");
  EXPECT_EQ(one.at("rigid").at("steps").at(1).at("law").at("power"), 0.5);
  EXPECT_TRUE(one.at("none").empty());
  EXPECT_EQ(one.at("like a mark").get<std::string>().size(), 3u);
}

TEST(JsonOfADocument, LeavesOutOptionalMembersWithoutAValue) {
  const auto rows = nlohmann::json::parse(json_text(sample())).at("rows");
  EXPECT_FALSE(rows.at(0).contains("named"));
  EXPECT_EQ(rows.at(1).at("named"), "yes");
}

TEST(CsvCells, HaveNoFormulaAndNoEscapeCode) {
  const auto cell = [](const std::string& text) { return csv_text(text); };
  for (const char* formula : {"=cmd|x", "+1+1", "-2+3", "@SUM(A1)", "=1"})
    EXPECT_EQ(cell(formula), std::string("'") + formula);
  for (const char* text : {"-", "-1.5", "+2", "a=b", "1e-3", "-1e300"}) EXPECT_EQ(cell(text), text);
  EXPECT_EQ(cell("a\x1b]0;b\x07\nc"), "a ]0;b  c");
}

}  // namespace
}  // namespace rigidlimit
