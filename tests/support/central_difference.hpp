// Derivatives by differences, with a bound on their error.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit::test {

inline constexpr double unit_roundoff = 0x1p-53;

/// A derivative and a bound on the error of each of its entries.
struct NumericalDerivative {
  MatrixXd value;
  double bound = 0.0;
};

/// f'(x), f: number -> vector, by the sixth-order central difference
///
///   h f' = 3/4 δ₁ − 3/20 δ₂ + 1/60 δ₃,   δ_k = f(x + kh) − f(x − kh).
///
/// Bound. Truncation: e(h) = −h⁶ f⁽⁷⁾/140 + O(h⁸), so that the difference between steps 2h and h
/// is 63 e(h) (1 + O(h²)); the bound is twice a 63rd of it. Round-off: each of the six values has
/// `roundings` errors u |f| and the error u |x| |f'| of a rounded argument. The weights add up to
/// 2 (3/4 + 3/20 + 1/60) < 1.84.
NumericalDerivative central_difference(const std::function<VectorXd(double)>& f, double x, double h,
                                       double roundings = 64.0);

/// ∂f/∂y, f: vector -> vector, column by column.
NumericalDerivative central_jacobian(const std::function<VectorXd(const VectorXd&)>& f,
                                     const VectorXd& y, double h, double roundings = 64.0);

}  // namespace rigidlimit::test
