// Jacobians of any size by Directions, eight columns at a time.
#pragma once

#include <algorithm>

#include "rigidlimit/core/derivative.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// The width of Directions.
inline constexpr int directions = 8;

/// Eight columns of a Jacobian: row i holds the derivatives of y_i.
using Columns = Matrix<double, Eigen::Dynamic, directions>;

/// J = ∂f/∂y at y, where `f` maps y as VectorX<Directions> to the Columns of its derivatives. J has
/// y.size() columns and is written whole.
template <class F>
void jacobian_by_columns(VectorIn y, const F& f, MatrixOut J) {
  VectorX<Directions> y_var = as_constants<Directions>(VectorXd(y));
  for (Index first = 0; first < y.size(); first += directions) {
    const Index count = std::min<Index>(directions, y.size() - first);
    const auto seed = [&](double value) {
      for (Index k = 0; k < count; ++k)
        y_var(first + k).derivative[static_cast<std::size_t>(k)] = value;
    };
    seed(1.0);
    J.middleCols(first, count) = f(y_var).leftCols(count);
    seed(0.0);
  }
}

/// t as the first direction, for ∂f/∂t: what stands in the first column.
inline Directions time_direction(double t) {
  return Directions::variable(t, 0);
}

}  // namespace rigidlimit
