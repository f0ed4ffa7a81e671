// Coefficients of a tape within a layer.
#pragma once

#include <memory>
#include <vector>

#include "rigidlimit/asymptotics/layer_grid.hpp"
#include "rigidlimit/core/tape/series_form.hpp"

namespace rigidlimit {

/// The results z = f(x) of a tape for x = Σ x_k(τ) ε^k, order by order, with the recurrences of
/// JetSeries (core/tape/jet_series.hpp) in k. Functions are applied to x_0(τ), whose polynomial
/// part must be a constant.
template <class T>
class LayerSeries {
 public:
  using Function = LayerFunction<T>;

  /// Orders 0 … `highest`. `form` and `grid` are shared.
  LayerSeries(std::shared_ptr<const SeriesForm> form, std::shared_ptr<const LayerGrid<T>> grid,
              int highest);

  /// The coefficient k of input number j. Set it before advance(k).
  void set_input(Index j, int k, const Function& x) { at(form_->first_input() + j, k) = x; }
  void advance(int k);
  const Function& output(Index j, int k) const {
    return at(form_->outputs[static_cast<std::size_t>(j)], k);
  }

 private:
  Function& at(std::size_t value, int k) {
    return table_[value * orders_ + static_cast<std::size_t>(k)];
  }
  const Function& at(std::size_t value, int k) const {
    return table_[value * orders_ + static_cast<std::size_t>(k)];
  }
  Function start_of(const SeriesForm::Step& step) const;
  Function next_of(const SeriesForm::Step& step, std::size_t y, int k) const;
  Function product(std::size_t a, std::size_t b, int k, bool with_ends) const;
  Function integral(std::size_t a, std::size_t slope, int k) const;
  Function power(const SeriesForm::Step& step, std::size_t y, int k) const;

  std::shared_ptr<const SeriesForm> form_;
  std::shared_ptr<const LayerGrid<T>> grid_;
  std::size_t orders_;
  std::vector<Function> table_;  ///< (value, k)
};

extern template class LayerSeries<double>;
extern template class LayerSeries<Quad>;

}  // namespace rigidlimit
