// Tests of the comparison of two tables: found differences are those that were made.
#include "rigidlimit/result/table_difference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace rigidlimit {
namespace {

struct Line {
  std::string solver;
  double epsilon = 0.0, error = 0.0, bar = 0.0;
  std::vector<double> parts;
  std::string sentence;
  bool counts = true;
};

Table table(std::vector<Line> lines) {
  using C = ColumnOf<Line>;
  return table_of<Line>("lines",
                        {{"solver", "", &Line::solver},
                         {"epsilon", "ε", &Line::epsilon},
                         C("error", "", &Line::error).within({"bar"}),
                         {"bar", "", &Line::bar},
                         C("parts", "", [](const Line& l) { return Value(l.parts); }),
                         C("sentence", "", &Line::sentence).noted(),
                         {"counts", "", &Line::counts}},
                        std::move(lines), 2);
}

bool counts(const Table& of, std::size_t row) {
  return of.value(row, "counts") == Value(true);
}

TableDifference difference(const std::vector<Line>& then, const std::vector<Line>& now) {
  return difference_of(table(then), table(now), counts);
}

const ColumnDifference& column(const TableDifference& found, const std::string& name) {
  return *std::ranges::find(found.columns, name, &ColumnDifference::column);
}

std::vector<Line> random_lines(std::mt19937& random, std::size_t size) {
  std::uniform_real_distribution<double> unit(0.1, 1.0);
  std::vector<Line> lines;
  for (std::size_t k = 0; k < size; ++k)
    lines.push_back({k % 2 == 0 ? "a" : "b",
                     std::pow(0.5, static_cast<double>(k / 2)),
                     unit(random),
                     1e-3 * unit(random),
                     {unit(random), unit(random)},
                     "text",
                     unit(random) > 0.3});
  return lines;
}

// Each made difference of `far` bars is found in its column, in rows of any order; it is beyond the
// bars exactly if far > 3 and the row counts in both tables.
TEST(TableDifference, FindsWhatWasChangedAndNothingElse) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<Line> then = random_lines(random, 8);
    std::vector<Line> now = then;
    const std::size_t at = random() % now.size();
    const double far = trial % 2 == 0 ? 2.9 : 3.1;
    now[at].error += far * now[at].bar;
    now[(at + 1) % now.size()].sentence = "another";
    const bool is_evidence = then[at].counts;
    std::ranges::shuffle(now, random);
    const TableDifference found = difference(then, now);
    EXPECT_TRUE(found.missing.empty() && found.extra.empty());
    int differing = 0;
    for (const ColumnDifference& one : found.columns) differing += one.differing;
    EXPECT_EQ(differing, 1) << "sentences are not compared";
    const ColumnDifference& error = column(found, "error");
    EXPECT_NEAR(error.worst.bars, far, 1e-6);
    EXPECT_EQ(error.beyond, far > 3.0 && is_evidence ? 1 : 0);
    EXPECT_TRUE(error.has_bars);
    EXPECT_FALSE(column(found, "bar").has_bars);
  }
}

TEST(TableDifference, NamesRowsOfOneTableAlone) {
  std::mt19937 random(2);
  const std::vector<Line> then = random_lines(random, 4);
  std::vector<Line> now = then;
  now[3].epsilon = 0.25;
  const TableDifference found = difference(then, now);
  EXPECT_EQ(found.missing, std::vector<std::string>{"lines: b, epsilon = 0.5"});
  EXPECT_EQ(found.extra, std::vector<std::string>{"lines: b, epsilon = 0.25"});
  EXPECT_EQ(column(found, "error").cells, 3);
}

TEST(TableDifference, NumbersRowsWithEqualKeys) {
  std::mt19937 random(3);
  std::vector<Line> then = random_lines(random, 2);
  then[1].solver = then[0].solver;
  then[1].epsilon = then[0].epsilon;
  EXPECT_EQ(column(difference(then, then), "error").cells, 2);
  EXPECT_EQ(difference(then, {then[0]}).missing,
            std::vector<std::string>{"lines: a, epsilon = 1 #2"});
}

TEST(TableDifference, ComparesListsElementByElement) {
  std::mt19937 random(4);
  const std::vector<Line> then = random_lines(random, 2);
  std::vector<Line> now = then;
  now[1].parts[1] *= 1.0 + 1e-6;
  EXPECT_NEAR(column(difference(then, now), "parts").worst.relative, 1e-6, 1e-12);
  now[1].parts.pop_back();
  EXPECT_EQ(column(difference(then, now), "parts").differing, 1);
}

// JSON does not tell a list of no numbers from one of no texts.
TEST(TableDifference, EmptyListsAreEqual) {
  const auto lists = [](Value value) {
    return Table("lists", {{.name = "list", .value = [value](std::size_t) { return value; }}}, 1);
  };
  const Value none{Value::Numbers{}}, words{Value::Texts{}}, one{Value::Numbers{1.0}};
  const auto differing = [&](const Value& then, const Value& now) {
    return difference_of(lists(then), lists(now), [](const Table&, std::size_t) { return true; })
        .columns.front()
        .differing;
  };
  EXPECT_EQ(differing(words, none), 0);
  EXPECT_EQ(differing(one, none), 1);
}

TEST(TableDifference, ANumberThatIsNotFiniteDiffersFromOneThatIs) {
  std::mt19937 random(5);
  std::vector<Line> then = random_lines(random, 2);
  then[0].counts = true;
  std::vector<Line> now = then;
  now[0].error = std::nan("");
  EXPECT_EQ(column(difference(then, now), "error").beyond, 1);
  EXPECT_EQ(column(difference(now, now), "error").differing, 0);
}

}  // namespace
}  // namespace rigidlimit
