// Coefficients of a tape along a curve that depends on a parameter.
#pragma once

#include <memory>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/core/tape/series_form.hpp"

namespace rigidlimit {

/// The results z = f(x) of a tape for x(t; ε) = Σ x_{k,i} ε^k t^i, coefficient by coefficient. Each
/// needs the coefficients of x up to its own index: z_{k,i} depends on x_{p,j} with p ≤ k, j ≤ i,
/// so that a differential equation for x can be solved in step with them.
///
///   c = a b          c_{k,i} = Σ a_{p,j} b_{k−p,i−j}
///   c = a / b        c_{k,i} = (a_{k,i} − Σ' b_{p,j} c_{k−p,i−j}) / b_{0,0}
///   c = √a           c_{k,i} = (a_{k,i} − Σ' c_{p,j} c_{k−p,i−j}) / (2 c_{0,0})
///   y = f(a), s = f' i y_{k,i} = Σ j a_{p,j} s_{k−p,i−j}, for i = 0 likewise in k and p
///
/// A comparison has the value at (0, 0): the series is that of one side of its switch. T: double or
/// Quad.
template <class T>
class JetSeries {
 public:
  /// Orders k = 0 … `order`, i = 0 … `degree`. `form` is shared.
  JetSeries(std::shared_ptr<const SeriesForm> form, int order, int degree);

  /// The coefficient (k, i) of input number j. Set it before advance(k, i).
  T& input(Index j, int k, int i) { return at(form_->first_input() + j, k, i); }
  /// Computes (k, i) of all results; all (p, j) with p ≤ k, j ≤ i must have been computed.
  void advance(int k, int i);
  T output(Index j, int k, int i) const {
    return at(form_->outputs[static_cast<std::size_t>(j)], k, i);
  }

 private:
  /// The coefficients (k, 0), (k, 1), … of a value.
  const T* row(std::size_t value, int k) const {
    return table_.data() + (value * rows_ + static_cast<std::size_t>(k)) * columns_;
  }
  T at(std::size_t value, int k, int i) const { return row(value, k)[i]; }
  T& at(std::size_t value, int k, int i) {
    return table_[(value * rows_ + static_cast<std::size_t>(k)) * columns_ +
                  static_cast<std::size_t>(i)];
  }
  T start_of(const SeriesForm::Step& step) const;
  T next_of(const SeriesForm::Step& step, std::size_t y, int k, int i) const;
  T product(std::size_t a, std::size_t b, int k, int i, bool with_ends) const;
  T integral(std::size_t a, std::size_t slope, int k, int i) const;
  T power(const SeriesForm::Step& step, std::size_t y, int k, int i) const;

  std::shared_ptr<const SeriesForm> form_;
  std::size_t rows_, columns_;
  std::vector<T> table_;  ///< (value, k, i)
};

extern template class JetSeries<double>;
extern template class JetSeries<Quad>;

}  // namespace rigidlimit
