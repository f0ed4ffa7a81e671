// NumPy arrays that own their numbers.
#pragma once

#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit::python {

template <class Number, std::size_t n>
using NumpyArray = nanobind::ndarray<nanobind::numpy, Number, nanobind::ndim<n>>;

/// The policy of a property with an array_of(): the default one is for parts of the object.
inline constexpr auto own_numbers = nanobind::rv_policy::automatic;

/// Arguments of one dimension, without a copy.
using Array1 =
    nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
inline Eigen::Map<const VectorXd> vector_of(const Array1& array) {
  return {array.data(), static_cast<Index>(array.shape(0))};
}
inline std::vector<double> numbers_of(const Array1& array) {
  return {array.data(), array.data() + array.shape(0)};
}

/// An array of the shape over numbers, column by column, that belong to `owner`.
template <class Number, std::size_t n>
NumpyArray<Number, n> array_over(Number* numbers, const std::size_t (&shape)[n],
                                 nanobind::handle owner) {
  std::int64_t strides[n];
  for (std::size_t k = 0; k < n; ++k)
    strides[k] = k == 0 ? 1 : strides[k - 1] * static_cast<std::int64_t>(shape[k - 1]);
  return NumpyArray<Number, n>(numbers, n, shape, owner, strides);
}

/// The same, over the numbers at data(kept); `kept` is moved into it.
template <class Kept, std::size_t n>
auto owned_array(Kept numbers, const std::size_t (&shape)[n]) {
  auto* kept = new Kept(std::move(numbers));
  const nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<Kept*>(p); });
  return array_over(kept->data(), shape, owner);
}

template <class Number>
NumpyArray<Number, 1> array_of(std::vector<Number> numbers) {
  const std::size_t size = numbers.size();
  return owned_array(std::move(numbers), {size});
}
inline NumpyArray<double, 1> array_of(VectorXd vector) {
  const auto size = static_cast<std::size_t>(vector.size());
  return owned_array(std::move(vector), {size});
}
inline NumpyArray<double, 2> array_of(MatrixXd matrix) {
  const auto rows = static_cast<std::size_t>(matrix.rows());
  const auto columns = static_cast<std::size_t>(matrix.cols());
  return owned_array(std::move(matrix), {rows, columns});
}
/// A matrix of the C++ object of `owner`.
inline NumpyArray<double, 2> array_within(nanobind::handle owner, MatrixXd& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.rows());
  const auto columns = static_cast<std::size_t>(matrix.cols());
  return array_over(matrix.data(), {rows, columns}, owner);
}

}  // namespace rigidlimit::python
