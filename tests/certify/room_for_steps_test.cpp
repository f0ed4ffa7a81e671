// Tests that a proof ends before it takes all memory.
#include "rigidlimit/certify/room_for_steps.hpp"

#include <gtest/gtest.h>

namespace rigidlimit {
namespace {

// 35 · steps · values · (order + 1) bytes: 1.99 GB are allowed, and 2.01 GB are not.
TEST(RoomForSteps, IsTwoGigabytes) {
  const auto steps = [](double bytes) {
    return static_cast<std::size_t>(bytes / (35.0 * 100 * 21));
  };
  EXPECT_NO_THROW(require_room(steps(1.99e9), 100, 20, 10.0, 1e9));
  EXPECT_THROW(require_room(steps(2.01e9), 100, 20, 10.0, 1e9), std::domain_error);
}

}  // namespace
}  // namespace rigidlimit
