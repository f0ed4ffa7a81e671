#include "rigidlimit/experiment/spec/uniform_grid.hpp"

namespace rigidlimit {

std::vector<double> uniform_grid(double end, int count) {
  std::vector<double> times;
  for (int i = 0; i + 1 < count; ++i) times.push_back(end * i / (count - 1));
  times.push_back(end);  // not end * n / n, which may round to its neighbour
  return times;
}

}  // namespace rigidlimit
