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
    fmt::print(
        stderr,
        "{}: no solve has finished after {:.0f} s, so the remaining time is not known. Check "
        "time.end and unusual values. Each solve stops after solvers.max_steps; Ctrl-C "
        "stops the run\n",
        printable(name), seconds);
  };
}

}  // namespace rigidlimit
