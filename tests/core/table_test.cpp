// Tests tables: complete columns, cells for people, chosen rows, and tables below each other.
#include "rigidlimit/core/table.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>

namespace rigidlimit {
namespace {

struct Fall {
  double height;
  long bounces;
  std::string body;
};

Table falls(std::vector<Fall> rows) {
  using C = ColumnOf<Fall>;
  return table_of<Fall>(
      "falls",
      {{"body", "", &Fall::body},
       C("height", "height [m]", &Fall::height).said([](const Fall& fall) {
         return "about " + std::to_string(std::lround(fall.height));
       }),
       {"work.bounces", "", [](const Fall& fall) { return count_value(fall.bounces); }, of_counts}},
      std::move(rows), 1, {{"study", "drop"}});
}

TEST(Table, HasValuesForDataAndTextsForPeople) {
  const Table table = falls({{1.5, 3, "ball"}, {2.0, -1, "egg"}});
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table.value(0, "height"), Value(1.5));
  EXPECT_EQ(table.text(0, "height"), "about 2");
  EXPECT_EQ(table.at("work.bounces").header, "bounces") << "the name in words";
  EXPECT_EQ(table.text(0, "work.bounces"), "3");
  EXPECT_EQ(table.text(1, "work.bounces"), "?") << "an unknown count";
  EXPECT_TRUE(table.value(1, "work.bounces").is_nothing());
  EXPECT_EQ(table.at("body").role, Role::key);
  EXPECT_EQ(table.at("height").role, Role::value);
  EXPECT_TRUE(std::isnan(table.number(0, "body")));
  EXPECT_THROW(table.at("colour"), std::out_of_range);
  EXPECT_THAT(flat_names(table), testing::ElementsAre("study", "body", "height", "bounces"));
}

TEST(Shown, ZeroHasNoSign) {
  for (const char* format : {"{}", "{:.6g}", "{:.3e}", "{:.2f}"}) {
    EXPECT_EQ(shown(Value(-0.0), format), shown(Value(0.0), format)) << format;
    EXPECT_EQ(shown(Value(-2.0), format), "-" + shown(Value(2.0), format)) << "negative control";
  }
  EXPECT_EQ(shown(Value(-1e-9), "{:.2f}"), "0.00") << "rounded to zero";
  EXPECT_EQ(shown(Value(-1e-9), "{:.1e}"), "-1.0e-09") << "negative control";
}

TEST(Table, RefusesIncompleteAndEqualColumns) {
  const auto value = [](std::size_t) { return Value(1.0); };
  const auto made = [](std::vector<Column> columns) { return Table("t", std::move(columns), 1); };
  EXPECT_NO_THROW(made({{.name = "a", .value = value}, {.name = "b", .value = value}}));
  EXPECT_THROW(made({{.name = "", .value = value}}), std::logic_error);
  EXPECT_THROW(made({{.name = "a", .value = {}}}), std::logic_error);
  EXPECT_THROW(made({{.name = "a", .value = value}, {.name = "a", .value = value}}),
               std::logic_error);
}

TEST(Table, KeepsItsRowsAlive) {
  Table table = falls({{1.5, 3, "ball"}});
  table = table.with_rows({0, 0});
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(table.value(1, "body"), Value("ball"));
  EXPECT_EQ(table.text(1, "height"), "about 2");
}

TEST(FlatNames, AreUnique) {
  const auto value = [](std::size_t) { return Value(); };
  const Table table("t",
                    {{.name = "held", .value = value},
                     {.name = "ratio.held", .value = value},
                     {.name = "ratio.found", .value = value}},
                    0);
  EXPECT_THAT(flat_names(table), testing::ElementsAre("held", "ratio_held", "found"));
}

TEST(UnitedTables, HaveTheirKeysAndTheColumnsOfEachPart) {
  const auto number = [](double x) { return [x](std::size_t) { return Value(x); }; };
  const Table one("t", {{.name = "a", .value = number(1.0)}}, 1);
  const Table two("t", {{.name = "b", .value = number(2.0)}, {.name = "a", .value = number(3.0)}},
                  2);
  const Table all = united({{{{"swept.mass", 0.5}}, one}, {{{"swept.mass", 0.25}}, two}}, {"mass"});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_THAT(flat_names(all), testing::ElementsAre("mass", "a", "b"));
  EXPECT_EQ(all.at("swept.mass").role, Role::key);
  EXPECT_EQ(all.value(0, "swept.mass"), Value(0.5));
  EXPECT_EQ(all.value(2, "swept.mass"), Value(0.25));
  EXPECT_EQ(all.value(0, "a"), Value(1.0));
  EXPECT_EQ(all.value(2, "a"), Value(3.0));
  EXPECT_TRUE(all.value(0, "b").is_nothing()) << "the first part has no such column";
  EXPECT_EQ(all.text(0, "b"), "-");
  EXPECT_EQ(all.value(1, "b"), Value(2.0));
}

}  // namespace
}  // namespace rigidlimit
