#include "rigidlimit/certify/greatest.hpp"

#include <algorithm>

namespace rigidlimit {
namespace {

Ball largest(const BallVector& values) {
  Ball result = 0;
  for (const Ball& x : values) result = std::max(result, x.magnitude());
  return result;
}

Ball reached(const BallVector& values) {
  double result = 0.0;
  for (const Ball& x : values) result = std::max(result, abs(x).lower());
  return Ball(result);
}

/// A part and its bound, a value that is reached in its middle, and the width of that value.
struct BoundedPart {
  BoundedPart(const StepPart& of, const ValuesInStep& values)
      : part(of),
        middle((of.begin + of.end) * Ball(0.5)),
        bound(largest(values(of.step, hull(of.begin, of.end)))) {
    const BallVector at = values(of.step, middle.centre());
    value = reached(at);
    width = (largest(at) - value).upper();
  }

  StepPart part;
  Ball middle, bound, value = 0;
  double width = 0.0;
};

}  // namespace

std::pair<Ball, Ball> greatest(const std::vector<StepPart>& parts, const ValuesInStep& values) {
  constexpr int rounds = 60, patience = 6;
  constexpr std::size_t most_parts = 4000;
  constexpr double wanted = 1e-8, gain = 0.9, of_balls = 1.1;
  std::vector<BoundedPart> open;
  Ball low = 0, high = 0;
  for (const StepPart& part : parts) {
    open.emplace_back(part, values);
    for (const Ball* end : {&part.begin, &part.end})
      low = std::max(low, reached(values(part.step, *end)));
  }
  std::vector<double> widths;  // of all rounds
  for (int k = 0; k < rounds; ++k) {
    for (const BoundedPart& one : open) low = std::max(low, one.value);
    high = low;
    double own = 0.0;  // width of the balls where the bound is largest
    for (const BoundedPart& one : open) {
      if (one.bound <= high) continue;
      high = one.bound;
      own = one.width;
    }
    const double width = high.upper() - low.lower();
    const bool stagnates =
        k >= patience && width > gain * widths[static_cast<std::size_t>(k - patience)];
    widths.push_back(width);
    if (width <= wanted * low.upper() || width <= of_balls * own || stagnates ||
        open.size() > most_parts)
      break;
    std::vector<BoundedPart> next;
    for (const BoundedPart& one : open) {
      if (one.bound <= low) continue;
      const auto& [step, begin, end] = one.part;
      next.emplace_back(StepPart{step, begin, one.middle}, values);
      next.emplace_back(StepPart{step, one.middle, end}, values);
    }
    open = std::move(next);
  }
  return {low, high};
}

}  // namespace rigidlimit
