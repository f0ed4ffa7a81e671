#include "rigidlimit/certify/enclosed_step.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace rigidlimit {

BallVector EnclosedStep::at(const Ball& s) const {
  const TaylorModel::Domain domain(order, length);
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

/// The Taylor polynomials with one coefficient more, that of s^p. Each iteration of Picard gains
/// one power of s.
std::vector<TaylorModel> polynomials(const ModelFunction& function, const BallVector& y,
                                     Index order) {
  std::vector<TaylorModel> models(y.begin(), y.end());
  for (Index k = 1; k <= order; ++k) {
    const TaylorModel::Domain domain(k, Ball(0));
    const std::vector<TaylorModel> rates = function(models);
    for (std::size_t i = 0; i < models.size(); ++i)
      models[i].set_coefficient(k, rates[i].coefficient(k - 1) / Ball(k));
  }
  return models;
}

/// The remainder must enclose its image. Its image is tried next, twice as wide about the
/// coefficient p.
std::optional<EnclosedStep> enclosed(const ModelFunction& function,
                                     const std::vector<TaylorModel>& polynomials, Index order,
                                     const Ball& length) {
  const TaylorModel::Domain domain(order, length);
  std::vector<TaylorModel> y = polynomials;
  for (TaylorModel& x : y) {
    x.set_remainder(x.coefficient(order));
    x.set_coefficient(order, Ball(0));
  }
  constexpr int tries = 6;
  for (int k = 0; k < tries; ++k) {
    const std::vector<TaylorModel> rates = function(y);
    bool inside = true;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const Ball image = rates[i].integral(y[i].coefficient(0)).remainder();
      if (!image.is_finite()) return std::nullopt;
      if (y[i].remainder().contains(image)) continue;
      inside = false;
      const Ball middle = polynomials[i].coefficient(order);
      y[i].set_remainder(middle + Ball::around_zero(Ball(2) * (image - middle)));
    }
    if (!inside) continue;
    EnclosedStep step{.order = order, .length = length, .values = std::move(y)};
    step.values.insert(step.values.end(), rates.begin() + std::ssize(polynomials), rates.end());
    return step;
  }
  return std::nullopt;
}

}  // namespace

EnclosedStep enclosed_step(const ModelFunction& function, const BallVector& y, const Ball& longest,
                           Index order, double tolerance) {
  const std::vector<TaylorModel> models = polynomials(function, y, order);
  const double root = 1.0 / static_cast<double>(order);
  /// h of |r| h^p = tolerance × the size of the component.
  const auto length_of = [&](const TaylorModel& x, const Ball& remainder) {
    const double size = std::max(1.0, x.coefficient(0).magnitude().upper());
    return std::pow(tolerance * size / remainder.magnitude().upper(), root);
  };
  double length = longest.lower();
  for (const TaylorModel& x : models) length = std::min(length, length_of(x, x.coefficient(order)));
  constexpr int tries = 30;
  for (int k = 0; k < tries; ++k) {
    std::optional<EnclosedStep> step;
    try {
      step = enclosed(function, models, order, length < longest.lower() ? Ball(length) : longest);
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
      allowed = std::min(allowed, length_of(x, x.remainder()));
    }
    if (allowed >= length) return *step;
    length = 0.98 * allowed;
  }
  throw std::domain_error("no step encloses the rigid motion");
}

}  // namespace rigidlimit
