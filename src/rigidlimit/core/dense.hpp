// Decompositions of dense matrices of doubles. Each takes a compiler five to twenty seconds
// wherever it is instantiated: dense.cpp alone does, everybody else calls functions
// (tests/core/decompositions_test.cpp).
#pragma once

#include <complex>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// P A = L U with row exchange, of a square A in T: double or std::complex<double>. Its memory is
/// kept from one A to the next of the same size.
template <class T>
class LuFactors {
 public:
  LuFactors() = default;
  explicit LuFactors(const MatrixX<T>& A) { compute(A); }

  void compute(const MatrixX<T>& A);
  Index rows() const { return factors_.rows(); }
  /// No pivot is zero or not finite.
  bool regular() const;
  /// x = A⁻¹ b; x is another vector than b.
  void solve(const VectorX<T>& b, VectorX<T>& x) const;
  VectorX<T> solve(const VectorX<T>& b) const;
  MatrixX<T> solve(const MatrixX<T>& B) const;

 private:
  Eigen::PartialPivLU<MatrixX<T>> factors_;
};
extern template class LuFactors<double>;
extern template class LuFactors<std::complex<double>>;

/// Bᵀ X B, small matrices: a blocked product would cost every file that names it a second or two of
/// compiler, as `*` of matrices whose sizes are not known does, and lazyProduct does not.
template <class T>
MatrixX<T> congruent(const MatrixX<T>& X, const MatrixX<T>& B) {
  const MatrixX<T> XB = X.lazyProduct(B);
  return B.transpose().lazyProduct(XB);
}

/// A⁻¹, by LU with row exchange; not finite where A is singular.
MatrixXd inverse_of(const MatrixXd& A);

/// L of X = L Lᵀ, X symmetric positive definite (its lower triangle is read).
MatrixXd cholesky_factor(const MatrixXd& X);

/// L⁻¹ B of a lower triangular L.
MatrixXd lower_solve(const MatrixXd& L, const MatrixXd& B);

/// X⁻¹ B by Cholesky's factor.
MatrixXd cholesky_solve(const MatrixXd& X, const MatrixXd& B);

/// X⁻¹ b by X = Pᵀ L D Lᵀ P, X symmetric and semidefinite (its lower triangle is read), b in its
/// range; also for several columns.
VectorXd symmetric_solve(const MatrixXd& X, const VectorXd& b);
MatrixXd symmetric_solve(const MatrixXd& X, const MatrixXd& B);

/// An orthonormal basis of ker R, n × (n − r): R r × n of full rank r ≤ n. By Householder's QR of
/// Rᵀ, which never loses orthogonality; rows that depend on each other give some basis of a part.
MatrixXd kernel_basis(const MatrixXd& R);

/// An orthonormal basis of the z with A z = 0 up to `threshold` times the largest singular value.
MatrixXd numerical_kernel(const MatrixXd& A, double threshold);

/// The X of least squares of A X = B, A N × K with K ≤ N and full rank, B N × L. By QR with column
/// pivoting.
MatrixXd least_squares(const MatrixXd& A, const MatrixXd& B);

/// As many columns of A as its rank has, in the order in which QR with column pivoting takes them;
/// what is left of a column below `threshold` times the longest one depends on those before.
std::vector<Index> independent_columns(const MatrixXd& A, double threshold);

/// All solutions particular + kernel z of A x = b, A square of any rank, or of none: the caller
/// looks at A x − b. By LU with exchange of rows and columns.
struct AllSolutions {
  VectorXd particular;
  MatrixXd kernel;  ///< no columns where A is regular
};
AllSolutions all_solutions(const MatrixXd& A, const VectorXd& b, double threshold);

/// The solutions of K x = right, or those nearest to one, by complete orthogonal decomposition.
class LeastSolution {
 public:
  /// Pivots below `threshold` times the largest are zero.
  LeastSolution(const MatrixXd& K, double threshold);

  bool redundant() const { return kernel_.cols() > 0; }
  /// Those of least |x|; `right` has one column or more.
  MatrixXd of(const MatrixXd& right) const;
  /// The one of least xᵀ D x, D ≥ 0 diagonal, of those where D leaves several that of least |x|.
  VectorXd of(const VectorXd& right, const VectorXd& D) const;

 private:
  double threshold_;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors_;
  MatrixXd kernel_;  ///< what K does not see
};

/// The eigenvalues of X = Xᵀ (its lower triangle is read), increasing.
VectorXd symmetric_eigenvalues(const MatrixXd& X);

/// X^(1/2) and X^(−1/2) of X = Xᵀ > 0, both symmetric.
struct SymmetricRoots {
  MatrixXd root, inverse_root;
};
SymmetricRoots symmetric_roots(const MatrixXd& X);

/// The eigenvalues of a square A, in no particular order.
Eigen::VectorXcd eigenvalues_of(const MatrixXd& A);

/// exp(A), by scaling, squaring and Padé's approximants.
MatrixXd exponential_of(const MatrixXd& A);

}  // namespace rigidlimit
