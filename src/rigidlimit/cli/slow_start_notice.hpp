// A word about a run whose first solve takes long.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>

namespace rigidlimit {

/// Before its first solve ends nothing is known of how long a run takes, and nothing is shown: this
/// says so once, after `patience`. check() may be called from every thread, and often: solvers ask
/// once a step whether to stop.
class SlowStartNotice {
 public:
  using Duration = std::chrono::duration<double>;

  explicit SlowStartNotice(std::function<void(double seconds)> say,
                           Duration patience = std::chrono::seconds(30));

  /// Says it, if it is time and nobody has said anything.
  void check();
  /// Something was said: a solve has ended, or an estimate was made.
  void cancel() { said_ = true; }

 private:
  std::function<void(double seconds)> say_;
  Duration patience_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<bool> said_ = false;
};

/// A word on standard error for the run of `name`.
std::function<void(double seconds)> print_slow_start(const std::string& name);

}  // namespace rigidlimit
