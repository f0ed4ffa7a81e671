#include "rigidlimit/certify/enclosed_step.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace rigidlimit {

BallVector EnclosedStep::at(const Ball& s) const {
  BallVector result(std::ssize(values));
  for (Index i = 0; i < result.size(); ++i) result(i) = values[static_cast<std::size_t>(i)].at(s);
  return result;
}

ModelFunction function_of(Tape tape) {
  return [evaluator = Evaluator<TaylorModel>(std::move(tape))](const std::vector<TaylorModel>& y) {
    std::vector<TaylorModel> results(evaluator.tape().outputs.size());
    evaluator([&results](std::size_t i, const TaylorModel& x) { results[i] = x; }, y);
    return results;
  };
}

namespace {

std::vector<TaylorModel> models_of(const TaylorModel::Domain& domain,
                                   const BallMatrix& coefficients) {
  std::vector<TaylorModel> models;
  for (Index i = 0; i < coefficients.rows(); ++i)
    models.push_back(TaylorModel::polynomial(domain, coefficients.row(i).transpose()));
  return models;
}

/// The coefficients of the Taylor polynomials, a row each, up to that of s^p. Each iteration of
/// Picard gains one power of s.
BallMatrix coefficients(const ModelFunction& function, const BallVector& y, Index order) {
  BallMatrix all(y.size(), order + 1);
  all.col(0) = y;
  for (Index k = 1; k <= order; ++k) {
    const std::vector<TaylorModel> rates =
        function(models_of({k, Ball(0)}, BallMatrix(all.leftCols(k))));
    for (Index i = 0; i < y.size(); ++i)
      all(i, k) = rates[static_cast<std::size_t>(i)].coefficient(k - 1) / Ball(k);
  }
  return all;
}

/// The remainder must enclose its image. Its image is tried next, twice as wide about the
/// coefficient p.
std::optional<EnclosedStep> enclosed(const ModelFunction& function, const BallMatrix& coefficients,
                                     const Ball& length) {
  const Index order = coefficients.cols() - 1;
  const TaylorModel::Domain domain(order, length);
  std::vector<TaylorModel> y = models_of(domain, BallMatrix(coefficients.leftCols(order)));
  const std::size_t size = y.size();
  const BallVector middles = coefficients.col(order);
  for (std::size_t i = 0; i < size; ++i) y[i].set_remainder(middles(static_cast<Index>(i)));
  constexpr int tries = 6;
  for (int k = 0; k < tries; ++k) {
    const std::vector<TaylorModel> rates = function(y);
    bool inside = true;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const Ball image = rates[i].on(domain).integral(y[i].coefficient(0)).remainder();
      if (!image.is_finite()) return std::nullopt;
      if (y[i].remainder().contains(image)) continue;
      inside = false;
      const Ball& middle = middles(static_cast<Index>(i));
      y[i].set_remainder(middle + Ball::around_zero(Ball(2) * (image - middle)));
    }
    if (!inside) continue;
    EnclosedStep step{.length = length, .values = std::move(y)};
    step.values.insert(step.values.end(), rates.begin() + static_cast<std::ptrdiff_t>(size),
                       rates.end());
    return step;
  }
  return std::nullopt;
}

}  // namespace

EnclosedStep enclosed_step(const ModelFunction& function, const BallVector& y, const Ball& longest,
                           Index order, double tolerance) {
  const BallMatrix polynomials = coefficients(function, y, order);
  const double root = 1.0 / static_cast<double>(order);
  /// h of |r| h^p = tolerance × the size of the component.
  const auto length_of = [&](const Ball& value, const Ball& remainder) {
    const double size = std::max(1.0, value.magnitude().upper());
    return std::pow(tolerance * size / remainder.magnitude().upper(), root);
  };
  double length = longest.lower();
  for (Index i = 0; i < y.size(); ++i)
    length = std::min(length, length_of(y(i), polynomials(i, order)));
  constexpr int tries = 30;
  for (int k = 0; k < tries; ++k) {
    std::optional<EnclosedStep> step;
    try {
      step = enclosed(function, polynomials, length < longest.lower() ? Ball(length) : longest);
    } catch (const std::domain_error&) {  // a pole or a kink in reach
      if (k + 1 == tries) throw;
    }
    if (!step) {
      length *= 0.5;
      continue;
    }
    double allowed = length;
    for (Index i = 0; i < y.size(); ++i) {
      const TaylorModel& x = step->values[static_cast<std::size_t>(i)];
      allowed = std::min(allowed, length_of(x.coefficient(0), x.remainder()));
    }
    if (allowed >= length) return *step;
    length = 0.98 * allowed;
  }
  throw std::domain_error("no step encloses the rigid motion");
}

}  // namespace rigidlimit
