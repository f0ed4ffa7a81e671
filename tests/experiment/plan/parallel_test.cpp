// Tests that tasks run once, in parallel up to the number of jobs, and propagate exceptions.
#include "rigidlimit/experiment/plan/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace rigidlimit {
namespace {

TEST(RunTasks, RunsEachTaskOnceForAnyNumberOfJobs) {
  for (const int jobs : {-1, 0, 1, 2, 3, 8, 200})
    for (const int count : {0, 1, 2, 100}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
      run_tasks(count, jobs, [&](int i) { ++runs.at(static_cast<std::size_t>(i)); });
      for (const auto& n : runs) EXPECT_EQ(n, 1) << jobs << " jobs, " << count << " tasks";
    }
}

TEST(RunTasks, StartsTasksInOrderWithOneJob) {
  std::vector<int> order;
  run_tasks(10, 1, [&](int i) { order.push_back(i); });
  std::vector<int> wanted(10);
  std::iota(wanted.begin(), wanted.end(), 0);
  EXPECT_EQ(order, wanted);
}

TEST(RunTasks, RunsAsManyTasksAtATimeAsJobs) {
  // Each task waits until both are running. With the deadline a broken version fails, not hangs.
  std::atomic<int> present = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::atomic<bool> met = false;
  run_tasks(2, 2, [&](int) {
    ++present;
    while (present < 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    if (present == 2) met = true;
  });
  EXPECT_TRUE(met);
}

TEST(RunTasks, NeverRunsMoreTasksAtATimeThanJobs) {
  std::atomic<int> present = 0, most = 0;
  run_tasks(50, 3, [&](int) {
    const int now = ++present;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    --present;
  });
  EXPECT_LE(most, 3);
}

TEST(RunTasks, RethrowsTheFirstExceptionAndStartsNoFurtherTask) {
  for (const int jobs : {1, 2, 4}) {
    std::atomic<int> started = 0;
    try {
      run_tasks(1000, jobs, [&](int i) {
        ++started;
        if (i == 7) throw std::runtime_error("task 7");
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      });
      ADD_FAILURE() << "no exception with " << jobs << " jobs";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()), "task 7");
    }
    EXPECT_GE(started, 8);
    if (jobs == 1) {
      EXPECT_EQ(started, 8);
    }
    EXPECT_LT(started, 1000) << jobs << " jobs";
  }
}

TEST(RunTasks, RethrowsOneOfManyExceptions) {
  EXPECT_THROW(run_tasks(20, 4, [](int) { throw std::logic_error("all of them"); }),
               std::logic_error);
}

}  // namespace
}  // namespace rigidlimit
