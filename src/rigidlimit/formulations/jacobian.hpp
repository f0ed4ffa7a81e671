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

/// Gives `ode` its ∂f/∂y, and its ∂f/∂t if F depends on t. A Rule differentiates f at one point:
///
///   void prepare(double t, VectorIn y)                                  the values there
///   Columns columns(const Directions& t, const VectorX<Directions>& y)  the derivatives of f
///
/// Each callback owns a copy of the rule, its workspace: one thread at a time.
template <class Ode, class Rule>
void give_derivatives(Ode& ode, bool explicit_time, Rule rule) {
  ode.jacobian = [rule](double t, VectorIn y, MatrixOut J) mutable {
    rule.prepare(t, y);
    const auto columns = [&](const VectorX<Directions>& moving) {
      return rule.columns(Directions(t), moving);
    };
    jacobian_by_columns(y, columns, J);
  };
  if (explicit_time)
    ode.time_derivative = [rule](double t, VectorIn y, VectorOut f) mutable {
      rule.prepare(t, y);
      f = rule.columns(time_direction(t), as_constants<Directions>(VectorXd(y))).col(0);
    };
}

}  // namespace rigidlimit
