// Linear systems with recorded entries: elimination without looking at values, so that an order of
// the rows has to be given.
#pragma once

#include <span>

#include "rigidlimit/core/expression.hpp"

namespace rigidlimit {

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

}  // namespace rigidlimit
