// Tests uniform grids. T k/n has two rounding errors, each at most half a unit of T.
#include "rigidlimit/experiment/spec/time_grid.hpp"

#include <gmock/gmock.h>

namespace rigidlimit {
namespace {

TEST(UniformGrid, EndsExactlyAtTheEnd) {
  int rounded_otherwise = 0;
  for (const double end : {2.0, 1.0, 0.1, 0.7, 3.3, 1e-3, 12345.678, 0.3})
    for (int count = 2; count <= 402; ++count) {
      const auto times = uniform_grid(end, count);
      ASSERT_EQ(times.size(), static_cast<std::size_t>(count));
      EXPECT_EQ(times.front(), 0.0);
      EXPECT_EQ(times.back(), end) << count;
      const double distance = end / (count - 1);
      for (std::size_t k = 1; k < times.size(); ++k)
        ASSERT_NEAR(times[k] - times[k - 1], distance, 4.0 * 0x1p-53 * end);
      if (end * (count - 1) / (count - 1) != end) ++rounded_otherwise;
    }
  EXPECT_GT(rounded_otherwise, 0) << "the negative control: T n/n is not always T";
}

}  // namespace
}  // namespace rigidlimit
