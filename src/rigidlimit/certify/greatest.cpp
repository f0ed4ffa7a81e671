#include "rigidlimit/certify/greatest.hpp"

#include <algorithm>
#include <limits>

namespace rigidlimit {
namespace {

struct BoundedPart {
  StepPart part;
  Ball bound;
};

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

}  // namespace

std::pair<Ball, Ball> greatest(const std::vector<StepPart>& parts, const ValuesInStep& values) {
  const auto bounded = [&](const StepPart& part) {
    return BoundedPart{part, largest(values(part.step, hull(part.begin, part.end)))};
  };
  const auto middle = [](const StepPart& part) { return (part.begin + part.end) * Ball(0.5); };
  std::vector<BoundedPart> open;
  for (const StepPart& part : parts) open.push_back(bounded(part));
  Ball low = 0, high = 0;
  constexpr int rounds = 60;
  constexpr std::size_t most_parts = 4000;
  constexpr double wanted = 1e-8, gain = 0.9;
  double width = std::numeric_limits<double>::infinity();
  for (int k = 0; k < rounds; ++k) {
    for (const BoundedPart& one : open)
      low = std::max(low, reached(values(one.part.step, middle(one.part).centre())));
    high = low;
    for (const BoundedPart& one : open) high = std::max(high, one.bound);
    const double last = std::exchange(width, high.upper() - low.lower());
    if (width <= wanted * low.upper() || width > gain * last || open.size() > most_parts) break;
    std::vector<BoundedPart> next;
    for (const BoundedPart& one : open) {
      if (one.bound <= low) continue;
      const auto& [step, begin, end] = one.part;
      next.push_back(bounded({step, begin, middle(one.part)}));
      next.push_back(bounded({step, middle(one.part), end}));
    }
    open = std::move(next);
  }
  return {low, high};
}

}  // namespace rigidlimit
