// Linear systems of the size of one mechanical system, for right-hand sides.
#pragma once

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/mechanics/small_factors.hpp"

namespace rigidlimit {

/// X⁻¹ for a regular X (N × N), N known at run time; T double or Quad. Up to N = 4 by cofactors,
/// which costs a fifth of an LU and no branches; beyond by LU with partial pivoting. A singular X
/// gives values that are not finite, or as large as the rounding of its determinant makes them.
/// Allocates only where N changes.
template <class T>
class SmallInverse {
 public:
  template <class X>
  void compute(const Eigen::MatrixBase<X>& matrix) {
    by_cofactors_ = matrix.rows() <= 4;
    switch (matrix.rows()) {
      case 1: return invert<1>(matrix);
      case 2: return invert<2>(matrix);
      case 3: return invert<3>(matrix);
      case 4: return invert<4>(matrix);
      default: inverse_ = matrix, lu_.compute(inverse_);
    }
  }

  /// x = X⁻¹ b (N × K). b and x are different memory.
  template <class B, class Out>
  void solve(const Eigen::MatrixBase<B>& b, Out& x) const {
    if (by_cofactors_)
      x.noalias() = inverse_.lazyProduct(b);
    else
      x = b, lu_.solve_in_place(x);
  }

 private:
  template <int N, class X>
  void invert(const Eigen::MatrixBase<X>& matrix) {
    const Matrix<T, N, N> fixed = matrix;
    inverse_ = fixed.inverse();
  }

  bool by_cofactors_ = true;
  MatrixX<T> inverse_;  ///< of up to four rows; X itself beyond
  SmallLu<T> lu_;
};

}  // namespace rigidlimit
