#include "support/central_difference.hpp"

#include <algorithm>
#include <cmath>

namespace rigidlimit::test {

NumericalDerivative central_difference(const std::function<VectorXd(double)>& f, double x, double h,
                                       double roundings) {
  double largest = 0.0;
  const auto at = [&](double point) {
    const VectorXd y = f(point);
    largest = std::max(largest, y.cwiseAbs().maxCoeff());
    return y;
  };
  const auto difference = [&](double step) -> VectorXd {
    const VectorXd d1 = at(x + step) - at(x - step);
    const VectorXd d2 = at(x + 2.0 * step) - at(x - 2.0 * step);
    const VectorXd d3 = at(x + 3.0 * step) - at(x - 3.0 * step);
    return (0.75 * d1 - 0.15 * d2 + d3 / 60.0) / step;
  };
  const VectorXd fine = difference(h);
  const VectorXd coarse = difference(2.0 * h);
  const double truncation = 2.0 / 63.0 * (coarse - fine).cwiseAbs().maxCoeff();
  const double argument = (std::abs(x) + 6.0 * h) * fine.cwiseAbs().maxCoeff();
  const double rounding = 1.84 / h * unit_roundoff * (roundings * largest + argument);
  return {fine, truncation + rounding};
}

NumericalDerivative central_jacobian(const std::function<VectorXd(const VectorXd&)>& f,
                                     const VectorXd& y, double h, double roundings) {
  NumericalDerivative jacobian;
  for (Index k = 0; k < y.size(); ++k) {
    const auto along_k = [&](double x) -> VectorXd {
      VectorXd moved = y;
      moved(k) = x;
      return f(moved);
    };
    const NumericalDerivative column = central_difference(along_k, y(k), h, roundings);
    if (k == 0) jacobian.value.resize(column.value.rows(), y.size());
    jacobian.value.col(k) = column.value;
    jacobian.bound = std::max(jacobian.bound, column.bound);
  }
  return jacobian;
}

}  // namespace rigidlimit::test
