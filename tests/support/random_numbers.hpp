// Random numbers that are the same on every platform and in every run.
#pragma once

#include <cstdint>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit::test {

/// The upper 53 bits of Knuth's 64-bit linear congruential generator (MMIX). The distributions of
/// <random> differ between standard libraries.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {
    for (int i = 0; i < 8; ++i) uniform();  // neighbouring seeds give similar first numbers
  }

  double uniform(double low = -1.0, double high = 1.0) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (static_cast<double>(state_ >> 11) * 0x1p-53);
  }

  template <int N>
  Vector<double, N> vector(double low = -1.0, double high = 1.0) {
    Vector<double, N> x;
    for (int i = 0; i < N; ++i) x(i) = uniform(low, high);
    return x;
  }

  /// I/4 + B Bᵀ: symmetric positive definite, eigenvalues between 1/4 and 1/4 + N².
  MatrixXd positive_definite(Index N) {
    MatrixXd B(N, N);
    for (Index i = 0; i < N; ++i)
      for (Index k = 0; k < N; ++k) B(i, k) = uniform();
    return 0.25 * MatrixXd::Identity(N, N) + B * B.transpose();
  }

 private:
  std::uint64_t state_;
};

}  // namespace rigidlimit::test
