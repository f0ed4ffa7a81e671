#include "rigidlimit/core/tape/recorded_elimination.hpp"

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

bool has_zero_block(const ExpressionMatrix& X) {
  const Index half = X.rows() / 2;
  return half > 0 && X.rows() % 2 == 0 &&
         is_zero(ExpressionMatrix(X.bottomRightCorner(half, half)));
}

ExpressionMatrix solved_definite(ExpressionMatrix X, ExpressionMatrix b) {
  const Index size = X.rows();
  if (has_zero_block(X)) {
    const Index half = size / 2;
    const ExpressionMatrix A = X.bottomLeftCorner(half, half), B = X.topLeftCorner(half, half);
    const ExpressionMatrix first = solved_definite(A, b.bottomRows(half));
    b.bottomRows(half) = solved_definite(A, b.topRows(half) - product_of_matrices(B, first));
    b.topRows(half) = first;
    return b;
  }
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

ExpressionMatrix solved_constrained(const ExpressionMatrix& M, const ExpressionMatrix& E,
                                    const ExpressionMatrix& b, const ExpressionMatrix& d) {
  const Index n = M.rows(), ne = E.rows(), count = b.cols();
  if (ne == 0) return solved_definite(M, b);
  if (has_zero_block(M)) {
    ExpressionMatrix whole = ExpressionMatrix::Zero(n + ne, n + ne), both(n + ne, count);
    whole.topLeftCorner(n, n) = M;
    whole.topRightCorner(n, ne) = E.transpose();
    whole.bottomLeftCorner(ne, n) = E;
    both << b, d;
    return solved_by_pivoting(whole, both);
  }
  Expression trace = 0.0, square = 0.0;
  for (Index i = 0; i < n; ++i) trace += M(i, i);
  for (const Expression& x : E.reshaped()) square += x * x;
  const ExpressionMatrix scaled = (trace / square) * E.transpose();  // s Eᵀ
  ExpressionMatrix right(n, ne + count);
  right << E.transpose(), b + product_of_matrices(scaled, d);
  const ExpressionMatrix y = solved_definite(M + product_of_matrices(scaled, E), right);
  const ExpressionMatrix of_kappa = y.leftCols(ne), free = y.rightCols(count);
  ExpressionMatrix solution(n + ne, count);
  solution.bottomRows(ne) =
      solved_definite(product_of_matrices(E, of_kappa), product_of_matrices(E, free) - d);
  solution.topRows(n) = free - product_of_matrices(of_kappa, solution.bottomRows(ne));
  return solution;
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

namespace {

/// Exchanges the rows i and k, from column `first` on, where the condition holds.
void exchange_rows(ExpressionMatrix& X, Index i, Index k, Index first, const Condition& condition) {
  for (Index j = first; j < X.cols(); ++j) {
    const Expression above = X(i, j), below = X(k, j);
    X(i, j) = select(condition, below, above);
    X(k, j) = select(condition, above, below);
  }
}

bool may_differ_from_zero(const Expression& x) {
  return !x.is_constant() || x.constant() != 0.0;
}

}  // namespace

ExpressionMatrix solved_by_pivoting(ExpressionMatrix X, ExpressionMatrix b) {
  const Index size = X.rows();
  for (Index k = 0; k < size; ++k) {
    for (Index i = k + 1; i < size; ++i) {
      if (!may_differ_from_zero(X(i, k))) continue;
      const Condition larger = may_differ_from_zero(X(k, k)) ? abs(X(i, k)) > abs(X(k, k)) : true;
      exchange_rows(X, k, i, k, larger);
      exchange_rows(b, k, i, 0, larger);
    }
    for (Index i = k + 1; i < size; ++i) {
      const Expression factor = X(i, k) / X(k, k);
      for (Index j = k + 1; j < size; ++j) X(i, j) -= factor * X(k, j);
      for (Index c = 0; c < b.cols(); ++c) b(i, c) -= factor * b(k, c);
    }
  }
  for (Index k = size - 1; k >= 0; --k)
    for (Index c = 0; c < b.cols(); ++c) {
      for (Index j = k + 1; j < size; ++j) b(k, c) -= X(k, j) * b(j, c);
      b(k, c) /= X(k, k);
    }
  return b;
}

ExpressionMatrix jacobian_of_solution(const ExpressionMatrix& X, const ExpressionVector& b,
                                      const ExpressionVector& inputs) {
  const ExpressionVector x = Recording::current().unknowns(b.size());
  const ExpressionMatrix R = jacobian_of(b - product(X, x), inputs);
  return solved_by_pivoting(X, substituted(R, x, solved_by_pivoting(X, b)));
}

}  // namespace rigidlimit
