// Tests that a run prints one notice if its first solve takes long.
#include "rigidlimit/cli/slow_start_notice.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>
#include <vector>

namespace rigidlimit {
namespace {

constexpr std::chrono::milliseconds patience{50};

TEST(SlowStartNotice, IsPrintedOnceAfterTheDelay) {
  int words = 0;
  SlowStartNotice word(
      [&](double seconds) {
        ++words;
        EXPECT_GE(seconds, 0.05);
      },
      patience);
  word.check();
  EXPECT_EQ(words, 0);
  std::this_thread::sleep_for(2 * patience);
  std::vector<std::jthread> solvers;
  for (int k = 0; k < 4; ++k)
    solvers.emplace_back([&] {
      for (int step = 0; step < 1000; ++step) word.check();
    });
  solvers.clear();
  EXPECT_EQ(words, 1);
}

TEST(SlowStartNotice, IsNotPrintedAfterTheFirstSolve) {
  int words = 0;
  SlowStartNotice word([&](double) { ++words; }, patience);
  word.cancel();
  std::this_thread::sleep_for(2 * patience);
  word.check();
  EXPECT_EQ(words, 0);
}

TEST(SlowStartNotice, NamesTheRunAndTheTime) {
  testing::internal::CaptureStderr();
  print_slow_start(
      "a\x1b"
      "b")(21.2);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(testing::StartsWith("a b: "), testing::HasSubstr(" 21 s"),
                             testing::HasSubstr("Ctrl-C")));
}

}  // namespace
}  // namespace rigidlimit
