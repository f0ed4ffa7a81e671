#include "rigidlimit/cli/slow_start_notice.hpp"

#include <fmt/format.h>

#include <utility>

#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

SlowStartNotice::SlowStartNotice(std::function<void(double seconds)> say, Duration patience)
    : say_(std::move(say)), patience_(patience) {}

void SlowStartNotice::check() {
  if (said_.load(std::memory_order_relaxed)) return;
  const Duration waited = std::chrono::steady_clock::now() - start_;
  if (waited < patience_ || said_.exchange(true)) return;
  say_(waited.count());
}

std::function<void(double seconds)> print_slow_start(const std::string& name) {
  return [name](double seconds) {
    fmt::print(stderr,
               "{}: the first solves take more than {:.0f} s, and how long the rest takes is not "
               "known: is the end too late, or a value unusual? Each gives up after the most "
               "steps that the file allows; Ctrl-C stops\n",
               printable(name), seconds);
  };
}

}  // namespace rigidlimit
