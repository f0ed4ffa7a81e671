// Tests the choice of a few positions among many.
#include "rigidlimit/core/evenly_spaced.hpp"

#include <gmock/gmock.h>

namespace rigidlimit {
namespace {

using testing::ElementsAre;

TEST(EvenlySpaced, HasBothEndsAndNoMoreThanAskedFor) {
  EXPECT_THAT(evenly_spaced(10, 4), ElementsAre(0, 3, 6, 9));
  EXPECT_THAT(evenly_spaced(3, 8), ElementsAre(0, 1, 2));
  EXPECT_THAT(evenly_spaced(5, 1), ElementsAre(0));
  EXPECT_TRUE(evenly_spaced(0, 4).empty());
}

}  // namespace
}  // namespace rigidlimit
