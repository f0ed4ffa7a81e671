// NumPy arrays that own their numbers.
#pragma once

#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit::python {

/// An array of the shape over the numbers at data(kept), column by column; `kept` is moved into it.
template <class Kept, std::size_t n>
nanobind::object owned_array(Kept numbers, const std::size_t (&shape)[n]) {
  auto* kept = new Kept(std::move(numbers));
  const nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<Kept*>(p); });
  std::int64_t strides[n];
  for (std::size_t k = 0; k < n; ++k)
    strides[k] = k == 0 ? 1 : strides[k - 1] * static_cast<std::int64_t>(shape[k - 1]);
  using Number = std::remove_pointer_t<decltype(kept->data())>;
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, Number, nanobind::ndim<n>>(
      kept->data(), n, shape, owner, strides));
}

template <class Number>
nanobind::object array_of(std::vector<Number> numbers) {
  const std::size_t size = numbers.size();
  return owned_array(std::move(numbers), {size});
}
inline nanobind::object array_of(VectorXd vector) {
  const auto size = static_cast<std::size_t>(vector.size());
  return owned_array(std::move(vector), {size});
}
inline nanobind::object array_of(MatrixXd matrix) {
  const auto rows = static_cast<std::size_t>(matrix.rows());
  const auto columns = static_cast<std::size_t>(matrix.cols());
  return owned_array(std::move(matrix), {rows, columns});
}

}  // namespace rigidlimit::python
