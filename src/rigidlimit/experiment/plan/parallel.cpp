#include "rigidlimit/experiment/plan/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace rigidlimit {

void run_tasks(int count, int jobs, const std::function<void(int)>& task) {
  std::atomic<int> next = 0;
  std::mutex guard;
  std::exception_ptr first_error;
  const auto work = [&] {
    for (int i = next++; i < count; i = next++) try {
        task(i);
      } catch (...) {
        const std::scoped_lock lock(guard);
        if (!first_error) first_error = std::current_exception();
        next = count;
      }
  };
  {
    std::vector<std::jthread> threads;
    for (int k = 1; k < std::min(jobs, count); ++k) threads.emplace_back(work);
    work();
  }
  if (first_error) std::rethrow_exception(first_error);
}

}  // namespace rigidlimit
