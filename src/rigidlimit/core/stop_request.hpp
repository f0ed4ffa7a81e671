// A request to stop a computation, as Ctrl-C makes it.
#pragma once

#include <functional>
#include <stdexcept>

namespace rigidlimit {

/// A computation without a partial result was stopped on request.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("interrupted") {}
};

/// Calls `stop_requested` at every `period`-th call, so that a loop may ask in each of its passes,
/// and a loop of fewer passes ends without a question.
class StopRequest {
 public:
  explicit StopRequest(const std::function<bool()>& stop_requested, long period)
      : stop_requested_(stop_requested), period_(period), left_(period) {}

  /// Throws Stopped if a stop was requested; an empty function never requests one.
  void check() {
    if (--left_ > 0) return;
    left_ = period_;
    if (stop_requested_ && stop_requested_()) throw Stopped();
  }

 private:
  const std::function<bool()>& stop_requested_;
  long period_, left_;
};

}  // namespace rigidlimit
