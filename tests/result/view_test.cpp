// Tests views: chosen columns and rows, and pivots.
#include "rigidlimit/result/view.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>

namespace rigidlimit {
namespace {

using testing::ElementsAre;

/// An error of one quantity at one ε.
struct Point {
  double epsilon;
  std::string quantity, norm;
  double error;
  long steps;
  std::string flag = {};
};

Table table_with(std::vector<Point> rows) {
  return table_of<Point>("points",
                         {{"epsilon", "ε", &Point::epsilon, "{:.1g}"},
                          {"quantity", "", &Point::quantity},
                          {"norm", "", &Point::norm},
                          {"error", "", &Point::error, "{:.2f}"},
                          {"steps", "", &Point::steps},
                          {"flag", "flags", &Point::flag}},
                         std::move(rows), 3);
}

View pivot(Pivot::Of steps = Pivot::Of::first) {
  return {.key = "p",
          .caption = "",
          .table = "points",
          .columns = {"epsilon"},
          .pivot = Pivot{.across = {"quantity", "norm"},
                         .cells = {{"error", "{} error"}},
                         .beside = {{"steps", steps}, {"flag", Pivot::Of::each}}}};
}

std::vector<std::string> texts_of(const std::vector<Cell>& row) {
  std::vector<std::string> texts;
  for (const Cell& cell : row) texts.push_back(cell.text);
  return texts;
}

TEST(PivotedTable, HasALineForEachKeyAndAColumnForEachGroup) {
  const TextTable text = text_table(table_with({{0.1, "q", "sup", 1.0, 7},
                                                {0.01, "q", "sup", 2.0, 8, "late"},
                                                {0.1, "v", "sup", 3.0, 7, "q bad"},
                                                {0.01, "v", "sup", 4.0, 9, "late"}}),
                                    pivot());
  EXPECT_THAT(text.headers, ElementsAre("ε", "q error", "v error", "steps", "flags"));
  ASSERT_EQ(text.rows.size(), 2u);
  EXPECT_THAT(texts_of(text.rows[0]), ElementsAre("0.1", "1.00", "3.00", "7", "q bad"));
  EXPECT_THAT(texts_of(text.rows[1]), ElementsAre("0.01", "2.00", "4.00", "8", "late"));
  EXPECT_THAT(text.breaks, ElementsAre(1u, 2u, 3u)) << "before each group, and after the last";
}

// Lines and groups differ by value: two ε that print alike are two lines.
TEST(PivotedTable, NeverJoinsDifferentKeysWithOneText) {
  const double near = std::nextafter(0.1, 1.0);
  EXPECT_EQ(text_table(table_with({{0.1, "q", "sup", 1.0, 7}, {near, "q", "sup", 2.0, 8}}), pivot())
                .rows.size(),
            2u);
}

TEST(PivotedTable, NamesFurtherKeysOfAGroupOnlyIfTheyDiffer) {
  const TextTable text = text_table(
      table_with({{0.1, "q", "sup", 1.0, 7}, {0.1, "q", "l2", 2.0, 7}}), pivot(Pivot::Of::last));
  EXPECT_THAT(text.headers, ElementsAre("ε", "q sup error", "q l2 error", "steps", "flags"));
}

TEST(PivotedTable, MarksAMissingCell) {
  const TextTable text =
      text_table(table_with({{0.1, "q", "sup", 1.0, 7}, {0.2, "v", "sup", 2.0, 7}}), pivot());
  EXPECT_THAT(texts_of(text.rows[0]), ElementsAre("0.1", "1.00", "-", "7", ""));
  EXPECT_THAT(texts_of(text.rows[1]), ElementsAre("0.2", "-", "2.00", "7", ""));
}

TEST(PivotedTable, TakesTheFirstOrTheLastRowBesideTheGroups) {
  const Table table = table_with({{0.1, "q", "sup", 1.0, 7}, {0.1, "v", "sup", 2.0, 9}});
  EXPECT_EQ(text_table(table, pivot(Pivot::Of::first)).rows[0][3].text, "7");
  EXPECT_EQ(text_table(table, pivot(Pivot::Of::last)).rows[0][3].text, "9");
  EXPECT_EQ(text_table(table, pivot(Pivot::Of::each)).rows[0][3].text, "7, 9");
}

TEST(View, ChoosesColumnsAndRows) {
  View view{.key = "v",
            .caption = "",
            .table = "points",
            .columns = {"quantity", {"numbers", {"epsilon", "error"}}},
            .rows = with_values({{"norm", "l2"}})};
  const Table table = table_with({{0.1, "q", "sup", 1.0, 7}, {0.1, "q", "l2", 2.0, 7}});
  const TextTable text = text_table(table, view);
  EXPECT_THAT(text.headers, ElementsAre("quantity", "numbers"));
  ASSERT_EQ(text.rows.size(), 1u);
  EXPECT_THAT(texts_of(text.rows[0]), ElementsAre("q", "(0.1, 2.00)"));
  view.columns = {"colour"};
  EXPECT_THROW(text_table(table, view), std::out_of_range);
}

}  // namespace
}  // namespace rigidlimit
