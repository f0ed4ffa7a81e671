// The largest modulus of functions of time, in balls.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "rigidlimit/certify/ball.hpp"

namespace rigidlimit {

/// A part [begin, end] of a step, in the time of the step.
struct StepPart {
  std::size_t step;
  Ball begin, end;
};

/// Values at a time, or at all times in a ball, of a step.
using ValuesInStep = std::function<BallVector(std::size_t step, const Ball& s)>;

/// max |values| over the parts, their ends included, and all components, as [lower, upper], by
/// bisection: a part whose bound is below a value that is reached is dropped. Ends at a relative
/// width of 1e-8, at about the width of the values themselves, or if six bisections gain less than
/// a tenth; the number of parts is bounded.
std::pair<Ball, Ball> greatest(const std::vector<StepPart>& parts, const ValuesInStep& values);

}  // namespace rigidlimit
