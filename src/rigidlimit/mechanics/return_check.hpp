// Gaps and switches of a frictional system that may return to their sign within a time.
#pragma once

#include <vector>

#include "rigidlimit/core/tape/range_evaluator.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/mechanics/switches.hpp"

namespace rigidlimit {

/// The functions (g, σ) of (t, q, v): the gaps of the contacts, nc of them, and the switches, in
/// the order of Switches. Threads may share it.
class ReturnCheck {
 public:
  ReturnCheck(const RecordedSystem& system, const Switches* switches);

  /// Of each function whether it may vanish twice while (t, q, v) stays in a box and its rates in
  /// another: its range contains 0, and the range of its rate, too.
  std::vector<bool> operator()(const Ranges& at, const Ranges& rates) const;

 private:
  explicit ReturnCheck(const Tape& functions);

  RangeEvaluator values_, rates_;
};

}  // namespace rigidlimit
