// Ranges of the results of a tape over intervals of its arguments.
#pragma once

#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/tape/tape.hpp"

namespace rigidlimit {

/// Intervals [low_i, high_i].
struct Ranges {
  VectorXd low, high;
};

/// Evaluates a tape in interval arithmetic: the results at all arguments in the box lie in the
/// ranges, up to rounding. A condition that the box leaves undecided has both values. A result
/// without a known bound, as 1/x around x = 0, has the range of all numbers. Immutable: threads may
/// share it.
class RangeEvaluator {
 public:
  explicit RangeEvaluator(Tape tape) : tape_(std::move(tape)) {}

  /// `box`: one interval for each input of the tape.
  Ranges operator()(const Ranges& box) const;

 private:
  Tape tape_;
};

}  // namespace rigidlimit
