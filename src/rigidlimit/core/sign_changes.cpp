#include "rigidlimit/core/sign_changes.hpp"

#include <map>

namespace rigidlimit {

std::vector<SignChange> sign_changes(Index count, const std::function<VectorXd(double)>& values,
                                     double from, double to) {
  constexpr int intervals = 100'000;
  if (count == 0) return {};
  std::map<double, std::vector<Index>> found;
  // The sign just after the start, independent of the sign at the start.
  VectorXd before = values(from + 1e-3 * (to - from) / intervals);
  double left = from;
  for (int i = 1; i <= intervals; ++i) {
    const double right = from + (to - from) * i / intervals;
    const VectorXd now = values(right);
    for (Index k = 0; k < count; ++k) {
      const bool was = before(k) >= 0.0;
      if ((now(k) >= 0.0) == was) continue;
      double low = left, high = right;
      for (double middle = low + 0.5 * (high - low); middle > low && middle < high;
           middle = low + 0.5 * (high - low))
        ((values(middle)(k) >= 0.0) == was ? low : high) = middle;
      if (high < to) found[high].push_back(k);
    }
    before = now;
    left = right;
  }
  std::vector<SignChange> all;
  for (auto& [t, which] : found) all.push_back({t, std::move(which)});
  return all;
}

}  // namespace rigidlimit
