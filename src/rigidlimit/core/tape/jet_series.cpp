#include "rigidlimit/core/tape/jet_series.hpp"

#include <cmath>
#include <utility>

#include "rigidlimit/core/tape/step_value.hpp"

namespace rigidlimit {

template <class T>
JetSeries<T>::JetSeries(std::shared_ptr<const SeriesForm> form, int order, int degree)
    : form_(std::move(form)),
      rows_(static_cast<std::size_t>(order) + 1),
      columns_(static_cast<std::size_t>(degree) + 1),
      table_(form_->values() * rows_ * columns_, T(0)) {
  const std::vector<T>& constants = form_->constants_in<T>();
  for (std::size_t c = 0; c < constants.size(); ++c) at(c, 0, 0) = constants[c];
}

template <class T>
void JetSeries<T>::advance(int k, int i) {
  std::size_t y = form_->first_step();
  for (const SeriesForm::Step& step : form_->steps) {
    at(y, k, i) = k == 0 && i == 0 ? start_of(step) : next_of(step, y, k, i);
    ++y;
  }
}

template <class T>
T JetSeries<T>::start_of(const SeriesForm::Step& step) const {
  return step_value(step.operation, at(step.a, 0, 0), at(step.b, 0, 0), at(step.c, 0, 0));
}

template <class T>
T JetSeries<T>::next_of(const SeriesForm::Step& step, std::size_t y, int k, int i) const {
  const auto& [operation, a, b, c, slope_a, slope_b] = step;
  switch (operation) {
    case Operation::add: return at(a, k, i) + at(b, k, i);
    case Operation::subtract: return at(a, k, i) - at(b, k, i);
    case Operation::negate: return -at(a, k, i);
    case Operation::multiply: return product(a, b, k, i, true);
    case Operation::divide:
      return (at(a, k, i) - at(b, k, i) * at(y, 0, 0) - product(b, y, k, i, false)) / at(b, 0, 0);
    case Operation::sqrt: return (at(a, k, i) - product(y, y, k, i, false)) / (2 * at(y, 0, 0));
    case Operation::power: return power(step, y, k, i);
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal: return T(0);
    case Operation::select: return at(a, 0, 0) != T(0) ? at(b, k, i) : at(c, k, i);
    case Operation::atan2: return integral(a, slope_a, k, i) + integral(b, slope_b, k, i);
    default: return integral(a, slope_a, k, i);
  }
}

/// Σ a_{p,j} b_{k−p,i−j}; without the terms of the two factors (0, 0).
template <class T>
T JetSeries<T>::product(std::size_t a, std::size_t b, int k, int i, bool with_ends) const {
  T sum(0);
  for (int p = 0; p <= k; ++p) {
    const T *x = row(a, p), *z = row(b, k - p) + i;
    const int first = !with_ends && p == 0 ? 1 : 0, last = !with_ends && p == k ? i - 1 : i;
    for (int j = first; j <= last; ++j) sum += x[j] * z[-j];
  }
  return sum;
}

/// The coefficient (k, i) of y with y' = s a', ' by t, or by ε for i = 0.
template <class T>
T JetSeries<T>::integral(std::size_t a, std::size_t slope, int k, int i) const {
  T sum(0);
  if (i == 0) {
    for (int p = 1; p <= k; ++p) sum += p * at(a, p, 0) * at(slope, k - p, 0);
    return sum / k;
  }
  for (int p = 0; p <= k; ++p) {
    const T *x = row(a, p), *s = row(slope, k - p) + i;
    for (int j = 1; j <= i; ++j) sum += j * x[j] * s[-j];
  }
  return sum / i;
}

/// y = a^b with a constant b: a y' = b a' y.
template <class T>
T JetSeries<T>::power(const SeriesForm::Step& step, std::size_t y, int k, int i) const {
  const T exponent = at(step.b, 0, 0);
  const int order = i > 0 ? i : k;
  T sum(0);
  for (int p = 0; p <= k; ++p)
    for (int j = 0; j <= i; ++j) {
      const int weight = i > 0 ? j : p;
      sum += exponent * weight * at(step.a, p, j) * at(y, k - p, i - j);
      if (p != k || j != i) sum -= weight * at(y, p, j) * at(step.a, k - p, i - j);
    }
  return sum / (order * at(step.a, 0, 0));
}

template class JetSeries<double>;
template class JetSeries<Quad>;

}  // namespace rigidlimit
