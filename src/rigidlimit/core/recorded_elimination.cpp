#include "rigidlimit/core/recorded_elimination.hpp"

namespace rigidlimit {

ExpressionVector product(const ExpressionMatrix& A, const ExpressionVector& x) {
  ExpressionVector y = ExpressionVector::Zero(A.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index k = 0; k < A.cols(); ++k) y(i) += A(i, k) * x(k);
  return y;
}

ExpressionMatrix product_of_matrices(const ExpressionMatrix& A, const ExpressionMatrix& B) {
  ExpressionMatrix C(A.rows(), B.cols());
  for (Index k = 0; k < B.cols(); ++k) C.col(k) = product(A, B.col(k));
  return C;
}

ExpressionMatrix solved_definite(ExpressionMatrix X, ExpressionMatrix b) {
  const Index size = X.rows();
  ExpressionVector inverse(size);  // of D
  for (Index j = 0; j < size; ++j) {
    inverse(j) = 1 / X(j, j);
    for (Index i = j + 1; i < size; ++i) {
      const Expression factor = X(i, j) * inverse(j);
      for (Index l = j + 1; l <= i; ++l) X(i, l) -= factor * X(l, j);
      for (Index c = 0; c < b.cols(); ++c) b(i, c) -= factor * b(j, c);
    }
  }
  for (Index j = size - 1; j >= 0; --j)  // column j of X holds L D
    for (Index c = 0; c < b.cols(); ++c) {
      for (Index i = j + 1; i < size; ++i) b(j, c) -= X(i, j) * b(i, c);
      b(j, c) *= inverse(j);
    }
  return b;
}

Eliminated eliminated(const ExpressionMatrix& X, const ExpressionMatrix& b,
                      std::span<const Index> order) {
  const Index size = X.rows();
  ExpressionMatrix Y(size, size), x(size, b.cols());
  ExpressionVector inverse(size), pivots(size);
  for (Index i = 0; i < size; ++i) {
    Y.row(i) = X.row(order[static_cast<std::size_t>(i)]);
    x.row(i) = b.row(order[static_cast<std::size_t>(i)]);
  }
  for (Index k = 0; k < size; ++k) {
    pivots(k) = Y(k, k);
    inverse(k) = 1 / Y(k, k);
    for (Index i = k + 1; i < size; ++i) {
      const Expression factor = Y(i, k) * inverse(k);
      for (Index j = k + 1; j < size; ++j) Y(i, j) -= factor * Y(k, j);
      for (Index c = 0; c < x.cols(); ++c) x(i, c) -= factor * x(k, c);
    }
  }
  for (Index k = size - 1; k >= 0; --k)
    for (Index c = 0; c < x.cols(); ++c) {
      for (Index j = k + 1; j < size; ++j) x(k, c) -= Y(k, j) * x(j, c);
      x(k, c) *= inverse(k);
    }
  return {x, pivots};
}

}  // namespace rigidlimit
