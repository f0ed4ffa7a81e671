// The entries of a sparse Jacobian by Directions, as many columns at once as share no row.
#pragma once

#include <algorithm>

#include "rigidlimit/core/derivative.hpp"
#include "rigidlimit/core/sparse_pattern.hpp"
#include "rigidlimit/formulations/jacobian.hpp"

namespace rigidlimit {

/// ∂f/∂y in the order of a pattern. With k colours it costs ⌈k/8⌉ evaluations of f in Directions,
/// whatever the size.
class ColouredJacobian {
 public:
  explicit ColouredJacobian(const SparsePattern& pattern)
      : pattern_(pattern), colours_(column_colours(pattern)), rates_(pattern.size) {}

  int colours() const { return 1 + *std::max_element(colours_.begin(), colours_.end()); }

  /// `f(y, f_y)` writes the rate f_y of y, both VectorX<Directions>. An entry outside the pattern
  /// is lost, or counted to another column of its colour.
  template <class F>
  void write(VectorIn y, const F& f, VectorOut values) {
    for (int first = 0; first < colours(); first += directions) {
      VectorX<Directions> y_var = as_constants<Directions>(VectorXd(y));
      for (Index column = 0; column < y.size(); ++column)
        if (const int d = direction(column, first); in_pass(d))
          y_var(column).derivative[static_cast<std::size_t>(d)] = 1.0;
      f(y_var, rates_);
      for (Index column = 0; column < y.size(); ++column)
        if (const int d = direction(column, first); in_pass(d))
          for (Index k = pattern_.start(column); k < pattern_.start(column + 1); ++k)
            values(k) = rates_(pattern_.row(k)).derivative[static_cast<std::size_t>(d)];
    }
  }

 private:
  int direction(Index column, int first) const {
    return colours_[static_cast<std::size_t>(column)] - first;
  }
  static bool in_pass(int d) { return 0 <= d && d < directions; }

  SparsePattern pattern_;
  std::vector<int> colours_;
  VectorX<Directions> rates_;
};

}  // namespace rigidlimit
