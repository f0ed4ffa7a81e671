#include "rigidlimit/certify/slow_fast.hpp"

#include <limits>

namespace rigidlimit {
namespace {

BallMatrix centres(const BallMatrix& X) {
  return X.unaryExpr([](const Ball& x) { return x.centre(); });
}

/// −1, then cos(2π (K − k)/(2K − 1)) for k = 1, …, K = degree, of which the last is 1.
BallVector nodes(Index degree) {
  const Ball pi = Ball(4) * atan(Ball(1));
  BallVector x(degree + 1);
  x(0) = Ball(-1);
  for (Index k = 1; k <= degree; ++k)
    x(k) = cos(pi * Ball(2 * (degree - k)) / Ball(2 * degree - 1));
  return centres(x);
}

}  // namespace

Collocation::Collocation(const SlowFastEquation& equation)
    : equation_(equation), rates_(equation.rates), slopes_(equation.slopes, Machine::interpreter) {
  const BallVector x = nodes(degree);
  BallMatrix powers(degree + 1, degree + 1), slopes(degree, degree + 1);
  for (Index i = 0; i <= degree; ++i) {
    Ball power = 1;
    for (Index k = 0; k <= degree; ++k) {
      powers(i, k) = power;
      if (i > 0 && k < degree) slopes(i - 1, k + 1) = power * Ball(k + 1);
      power *= x(i);
    }
    if (i > 0) slopes(i - 1, 0) = Ball(0);
  }
  coefficients_ = centres(inverse(powers));
  derivative_ = centres(slopes * coefficients_);
  derivative_in_double_ = middles(derivative_);
}

/// b F − e dz/d(s/b) at the nodes but the first.
std::optional<BallMatrix> Collocation::residual(const BallMatrix& values, const Ball& half) const {
  const Index size = equation_.size();
  const BallVector epsilon = BallVector::Constant(1, Ball(equation_.epsilon));
  const BallMatrix slopes = values * derivative_.transpose();
  BallMatrix rest(size, degree);
  BallVector rates(size);
  for (Index k = 0; k < degree; ++k) {
    const BallVector z = values.col(k + 1);
    rates_(into(rates), z, epsilon);
    for (Index i = 0; i < size; ++i)
      rest(i, k) = (half * rates(i) - equation_.scale(i) * slopes(i, k)).centre();
  }
  for (const Ball& x : rest.reshaped())
    if (!x.is_finite()) return std::nullopt;
  return rest;
}

bool Collocation::factorise(const BallMatrix& values, double half,
                            LuFactors<double>& factors) const {
  const Index size = equation_.size();
  const VectorXd epsilon = VectorXd::Constant(1, equation_.epsilon);
  MatrixXd all = MatrixXd::Zero(size * degree, size * degree), J(size, size);
  for (Index k = 0; k < degree; ++k) {
    const VectorXd z = middles(values.col(k + 1)).col(0);
    slopes_(into(J), z, epsilon);
    all.block(size * k, size * k, size, size) = -half * J;
    for (Index j = 0; j < degree; ++j)
      for (Index i = 0; i < size; ++i)
        all(size * k + i, size * j + i) +=
            derivative_in_double_(k, j + 1) * (i < equation_.slow ? 1.0 : equation_.epsilon);
  }
  if (!all.allFinite()) return false;
  factors.compute(all);
  return factors.regular();
}

std::optional<BallMatrix> Collocation::polynomial(const BallVector& start, const Ball& half) const {
  BallMatrix values(equation_.size(), degree + 1);
  for (Index k = 0; k <= degree; ++k) values.col(k) = centres(start);
  LuFactors<double> factors;
  constexpr int iterations = 12, with_new_slopes = 4;
  constexpr double converged = 1e-26, enough = 1e-12;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < iterations; ++k) {
    const auto rest = residual(values, half);
    if (!rest) return std::nullopt;
    if (k < with_new_slopes && last > enough && !factorise(values, half.middle(), factors))
      return std::nullopt;
    const VectorXd right = middles(*rest).reshaped();
    const VectorXd correction = factors.solve(right);
    if (!correction.allFinite()) return std::nullopt;
    for (Index j = 0; j < degree; ++j)
      for (Index i = 0; i < equation_.size(); ++i)
        values(i, j + 1) = (values(i, j + 1) + Ball(correction(j * equation_.size() + i))).centre();
    last = correction.cwiseAbs().maxCoeff();
    if (last <= converged) break;
  }
  if (!(last <= enough)) return std::nullopt;
  BallMatrix powers = centres(values * coefficients_.transpose());
  Ball scale = 1;
  for (Index k = 0; k <= degree; ++k) {
    for (Index i = 0; i < powers.rows(); ++i) powers(i, k) = (powers(i, k) / scale).centre();
    scale *= half;
  }
  return powers;
}

}  // namespace rigidlimit
