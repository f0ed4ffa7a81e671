// Linear systems with recorded entries: elimination without looking at values.
#pragma once

#include <span>

#include "rigidlimit/core/tape/expression.hpp"

namespace rigidlimit {

/// Concatenates the parts, matrices column by column.
template <class... Part>
ExpressionVector joined(const Part&... parts) {
  ExpressionVector all((Index{0} + ... + parts.size()));
  Index next = 0;
  ((all.segment(next, parts.size()) = parts.reshaped(), next += parts.size()), ...);
  return all;
}

/// A x, summed from the first column on; zeros are omitted.
ExpressionVector product(const ExpressionMatrix& A, const ExpressionVector& x);
/// A B.
ExpressionMatrix product_of_matrices(const ExpressionMatrix& A, const ExpressionMatrix& B);

/// Whether the lower right quarter of X is the constant 0, as in [B A; A 0].
bool has_zero_block(const ExpressionMatrix& X);

/// X⁻¹ b for all columns of b, X symmetric positive definite, by L D Lᵀ without pivoting. Or X =
/// [B A; A 0] with the constant 0, as in a tangent lift (mechanics/tangent_system.hpp), B and A
/// symmetric, A positive definite: by two solutions with A.
ExpressionMatrix solved_definite(ExpressionMatrix X, ExpressionMatrix b);

/// (a; κ) with M a + Eᵀκ = b and E a = d for all columns of (b; d), where M (n × n) is positive
/// definite on ker E and E (ne × n) has full rank. M + s EᵀE, s = tr M/tr EEᵀ, gives the same a and
/// is positive definite, so that no elimination needs pivoting. Without rows E: M⁻¹ b. An M with a
/// zero block: by row pivoting of the whole matrix.
ExpressionMatrix solved_constrained(const ExpressionMatrix& M, const ExpressionMatrix& E,
                                    const ExpressionMatrix& b, const ExpressionMatrix& d);

/// X⁻¹ b for all columns of b by Gaussian elimination with the rows of X in this order, and its
/// pivots (k), which must not become small.
struct Eliminated {
  ExpressionMatrix x;
  ExpressionVector pivots;
};
Eliminated eliminated(const ExpressionMatrix& X, const ExpressionMatrix& b,
                      std::span<const Index> order);

/// X⁻¹ b for all columns of b by Gaussian elimination with row pivoting, for an X with a zero pivot
/// somewhere in every order of the rows. Each exchange of two rows is a `select` of all their
/// entries: about three times the operations of `eliminated`.
ExpressionMatrix solved_by_pivoting(ExpressionMatrix X, ExpressionMatrix b);

/// ∂x/∂inputs of the solution of X x = b, by row pivoting: X⁻¹ times the derivative of b − X x at
/// fixed x. Differentiating the elimination itself would be many times as expensive.
ExpressionMatrix jacobian_of_solution(const ExpressionMatrix& X, const ExpressionVector& b,
                                      const ExpressionVector& inputs);

}  // namespace rigidlimit
