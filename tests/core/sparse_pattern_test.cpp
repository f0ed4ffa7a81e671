// Tests that patterns of large matrices are sorted and contain the diagonal.
#include "rigidlimit/core/sparse_pattern.hpp"

#include <gmock/gmock.h>

namespace rigidlimit {
namespace {

using testing::ElementsAre;

TEST(SparsePattern, IsSortedWithoutRepetitionsAndHasTheDiagonal) {
  const SparsePattern pattern = pattern_with_diagonal({{2, 0, 2}, {}, {1}});
  EXPECT_EQ(pattern.size, 3);
  EXPECT_THAT(pattern.starts, ElementsAre(0, 2, 3, 5));
  EXPECT_THAT(pattern.rows, ElementsAre(0, 2, 1, 1, 2));
}

}  // namespace
}  // namespace rigidlimit
