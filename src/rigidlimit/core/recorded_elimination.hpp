// Linear systems with recorded entries: elimination without looking at values.
#pragma once

#include <span>

#include "rigidlimit/core/expression.hpp"

namespace rigidlimit {

/// One after the other, matrices column by column.
template <class... Part>
ExpressionVector joined(const Part&... parts) {
  ExpressionVector all((Index{0} + ... + parts.size()));
  Index next = 0;
  ((all.segment(next, parts.size()) = parts.reshaped(), next += parts.size()), ...);
  return all;
}

/// A x, summed from the first column on; what is zero is left out.
ExpressionVector product(const ExpressionMatrix& A, const ExpressionVector& x);
/// A B.
ExpressionMatrix product_of_matrices(const ExpressionMatrix& A, const ExpressionMatrix& B);

/// X⁻¹ b for all columns of b, X symmetric positive definite, by L D Lᵀ: nothing to pivot.
ExpressionMatrix solved_definite(ExpressionMatrix X, ExpressionMatrix b);

/// X⁻¹ b for all columns of b by Gauss' elimination, the rows of X taken in this order; the pivots
/// (k) that it divides by, which must not become small.
struct Eliminated {
  ExpressionMatrix x;
  ExpressionVector pivots;
};
Eliminated eliminated(const ExpressionMatrix& X, const ExpressionMatrix& b,
                      std::span<const Index> order);

/// X⁻¹ b for all columns of b by Gauss' elimination with row pivoting, for an X of which every
/// order of the rows meets a pivot 0 somewhere. Each exchange of two rows is a `select` of all
/// their entries: some three times the operations of `eliminated`.
ExpressionMatrix solved_by_pivoting(ExpressionMatrix X, ExpressionMatrix b);

/// ∂x/∂inputs of the solution X x = b, by row pivoting: X⁻¹ times the derivative of b − X x, x
/// fixed. The elimination itself is not differentiated, which would take many times as long.
ExpressionMatrix jacobian_of_solution(const ExpressionMatrix& X, const ExpressionVector& b,
                                      const ExpressionVector& inputs);

}  // namespace rigidlimit
