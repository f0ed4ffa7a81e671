// A notice about a run whose first solve is slow.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>

namespace rigidlimit {

/// Calls `say` once if no solve has ended after `patience`: until then there is neither progress
/// nor an estimate. check() is thread-safe and cheap: solvers call it once per step with the stop
/// request.
class SlowStartNotice {
 public:
  using Duration = std::chrono::duration<double>;

  explicit SlowStartNotice(std::function<void(double seconds)> say,
                           Duration patience = std::chrono::seconds(30));

  /// Calls `say` if it is due.
  void check();
  /// Cancels the notice, after a solve has ended or an estimate was printed.
  void cancel() { said_ = true; }

 private:
  std::function<void(double seconds)> say_;
  Duration patience_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<bool> said_ = false;
};

/// Prints the notice to standard error for the run of `name`.
std::function<void(double seconds)> print_slow_start(const std::string& name);

}  // namespace rigidlimit
