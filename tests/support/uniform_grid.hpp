#pragma once

#include <vector>

namespace rigidlimit::test {

/// intervals + 1 times from `begin` to `end`, both included exactly.
inline std::vector<double> uniform_grid(double begin, double end, int intervals) {
  std::vector<double> times;
  for (int k = 0; k < intervals; ++k) times.push_back(begin + (end - begin) * k / intervals);
  times.push_back(end);
  return times;
}

}  // namespace rigidlimit::test
