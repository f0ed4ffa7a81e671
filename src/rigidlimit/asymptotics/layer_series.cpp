#include "rigidlimit/asymptotics/layer_series.hpp"

#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/step_value.hpp"

namespace rigidlimit {

template <class T>
LayerSeries<T>::LayerSeries(std::shared_ptr<const SeriesForm> form,
                            std::shared_ptr<const LayerGrid<T>> grid, int highest)
    : form_(std::move(form)),
      grid_(std::move(grid)),
      orders_(static_cast<std::size_t>(highest) + 1),
      table_(form_->values() * orders_) {
  for (std::size_t c = 0; c < form_->constants.size(); ++c)
    at(c, 0) = Function(T(form_->constants[c]));
}

template <class T>
void LayerSeries<T>::advance(int k) {
  std::size_t y = form_->first_step();
  for (const SeriesForm::Step& step : form_->steps) {
    at(y, k) = k == 0 ? start_of(step) : next_of(step, y, k);
    ++y;
  }
}

/// f(a + d) with the limit f(a): the decaying part is f(a + d) − f(a). Where this has a form
/// without cancellation, it keeps its relative accuracy as d decays; the powers of τ in front of
/// later terms would amplify an absolute error.
template <class T>
LayerFunction<T> LayerSeries<T>::start_of(const SeriesForm::Step& step) const {
  const Function &a = at(step.a, 0), &b = at(step.b, 0), &c = at(step.c, 0);
  for (const Function* x : {&a, &b, &c})
    if (x->polynomial.size() > 1)
      throw InputError("an argument changes with the fast time at the leading order");
  switch (step.operation) {
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::negate: return T(-1) * a;
    case Operation::multiply: return grid_->product(a, b);
    case Operation::divide: return grid_->quotient(a, b);
    default: break;
  }
  const T at_a = a.coefficient(0), at_b = b.coefficient(0), at_c = c.coefficient(0);
  Function y(step_value(step.operation, at_a, at_b, at_c));
  if (a.decaying.size() + b.decaying.size() + c.decaying.size() == 0) return y;
  const auto value = [](const Function& x, const T& limit, Index i) {
    return x.decaying.size() > 0 ? T(limit + x.decaying(i)) : limit;
  };
  const T limit = y.coefficient(0);
  y.decaying.resize(grid_->nodes().size());
  for (Index i = 0; i < y.decaying.size(); ++i)
    y.decaying(i) =
        step_value(step.operation, value(a, at_a, i), value(b, at_b, i), value(c, at_c, i)) - limit;
  return y;
}

template <class T>
LayerFunction<T> LayerSeries<T>::next_of(const SeriesForm::Step& step, std::size_t y, int k) const {
  const auto& [operation, a, b, c, slope_a, slope_b] = step;
  switch (operation) {
    case Operation::add: return at(a, k) + at(b, k);
    case Operation::subtract: return at(a, k) - at(b, k);
    case Operation::negate: return T(-1) * at(a, k);
    case Operation::multiply: return product(a, b, k, true);
    case Operation::divide:
      return grid_->quotient(
          at(a, k) - grid_->product(at(b, k), at(y, 0)) - product(b, y, k, false), at(b, 0));
    case Operation::sqrt:
      return grid_->quotient(T(0.5) * (at(a, k) - product(y, y, k, false)), at(y, 0));
    case Operation::power: return power(step, y, k);
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal: return {};
    case Operation::select:
      if (at(a, 0).decaying.size() > 0 && at(a, 0).decaying.cwiseAbs().maxCoeff() > T(0))
        throw InputError("a switch of the force is crossed within the layer");
      return at(a, 0).coefficient(0) != T(0) ? at(b, k) : at(c, k);
    case Operation::atan2: return integral(a, slope_a, k) + integral(b, slope_b, k);
    default: return integral(a, slope_a, k);
  }
}

/// Σ a_p b_{k−p}; without the terms of a_0 and b_0.
template <class T>
LayerFunction<T> LayerSeries<T>::product(std::size_t a, std::size_t b, int k,
                                         bool with_ends) const {
  Function sum;
  for (int p = with_ends ? 0 : 1; p <= (with_ends ? k : k - 1); ++p)
    sum += grid_->product(at(a, p), at(b, k - p));
  return sum;
}

/// The coefficient k of y with dy/dε = s da/dε.
template <class T>
LayerFunction<T> LayerSeries<T>::integral(std::size_t a, std::size_t slope, int k) const {
  Function sum;
  for (int p = 1; p <= k; ++p) sum += T(T(p) / k) * grid_->product(at(a, p), at(slope, k - p));
  return sum;
}

/// y = a^b with a constant b: a dy/dε = b da/dε y.
template <class T>
LayerFunction<T> LayerSeries<T>::power(const SeriesForm::Step& step, std::size_t y, int k) const {
  const T exponent = at(step.b, 0).coefficient(0);
  Function sum;
  for (int p = 1; p <= k; ++p) {
    sum += T(exponent * p / k) * grid_->product(at(step.a, p), at(y, k - p));
    if (p < k) sum -= T(T(p) / k) * grid_->product(at(y, p), at(step.a, k - p));
  }
  return grid_->quotient(sum, at(step.a, 0));
}

template class LayerSeries<double>;
template class LayerSeries<Quad>;

}  // namespace rigidlimit
