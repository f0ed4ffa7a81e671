// Tests requests to stop, and messages about the lack of memory.
#include "rigidlimit/core/stop_request.hpp"

#include <gtest/gtest.h>

#include "rigidlimit/core/memory_message.hpp"

namespace rigidlimit {
namespace {

TEST(StopRequest, AsksAtEveryPeriodAndThrows) {
  int asked = 0;
  const std::function<bool()> third = [&] { return ++asked == 3; };
  StopRequest stop(third, 10);
  for (int k = 0; k < 29; ++k) EXPECT_NO_THROW(stop.check()) << k;
  EXPECT_EQ(asked, 2);
  EXPECT_THROW(stop.check(), Stopped);
  const std::function<bool()> none;
  StopRequest never(none, 1);
  EXPECT_NO_THROW(never.check());
}

TEST(MemoryMessage, NamesTheWorkAndNotTheClass) {
  EXPECT_EQ(message_of(std::bad_alloc(), "the table"), "not enough memory for the table");
  EXPECT_EQ(message_of(std::bad_array_new_length(), "x"), "not enough memory for x");
  EXPECT_EQ(message_of(std::runtime_error("disk full"), "x"), "disk full") << "negative control";
}

}  // namespace
}  // namespace rigidlimit
