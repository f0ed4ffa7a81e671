// Patterns of large matrices: sorted, with the diagonal, and coloured so that no two columns of one
// colour meet in a row.
#include "rigidlimit/core/sparse_pattern.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <utility>

namespace rigidlimit {
namespace {

using testing::ElementsAre;

/// |i − k| ≤ width.
SparsePattern band(Index size, Index width) {
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(size));
  for (Index k = 0; k < size; ++k)
    for (Index i = std::max<Index>(0, k - width); i <= std::min(size - 1, k + width); ++i)
      rows[static_cast<std::size_t>(k)].push_back(i);
  return pattern_with_diagonal(std::move(rows));
}

bool separates(const SparsePattern& pattern, const std::vector<int>& colours) {
  std::set<std::pair<Index, int>> met;
  for (Index column = 0; column < pattern.size; ++column)
    for (Index k = pattern.start(column); k < pattern.start(column + 1); ++k)
      if (!met.insert({pattern.row(k), colours[static_cast<std::size_t>(column)]}).second)
        return false;
  return true;
}

TEST(SparsePattern, IsSortedWithoutRepetitionsAndHasTheDiagonal) {
  const SparsePattern pattern = pattern_with_diagonal({{2, 0, 2}, {}, {1}});
  EXPECT_EQ(pattern.size, 3);
  EXPECT_THAT(pattern.starts, ElementsAre(0, 2, 3, 5));
  EXPECT_THAT(pattern.rows, ElementsAre(0, 2, 1, 1, 2));
}

// A band of width b has 2 b + 1 columns in a row, and needs that many colours whatever its size.
TEST(ColumnColours, OfABandAreAsManyAsColumnsInARow) {
  for (const Index size : {20, 200, 2000})
    for (const Index width : {0, 1, 3}) {
      const SparsePattern pattern = band(size, width);
      const std::vector<int> colours = column_colours(pattern);
      EXPECT_TRUE(separates(pattern, colours));
      EXPECT_EQ(*std::max_element(colours.begin(), colours.end()), 2 * width);
      // Negative control: with one colour less two columns of one colour meet.
      std::vector<int> fewer = colours;
      for (int& colour : fewer)
        colour = std::min(colour, std::max(0, static_cast<int>(2 * width) - 1));
      EXPECT_EQ(separates(pattern, fewer), width == 0);
    }
}

TEST(ColumnColours, OfAFullRowAreAllDifferent) {
  std::vector<std::vector<Index>> rows(7, {0});  // an arrow
  const SparsePattern pattern = pattern_with_diagonal(std::move(rows));
  const std::vector<int> colours = column_colours(pattern);
  EXPECT_TRUE(separates(pattern, colours));
  EXPECT_EQ(std::set<int>(colours.begin(), colours.end()).size(), 7u);
}

}  // namespace
}  // namespace rigidlimit
