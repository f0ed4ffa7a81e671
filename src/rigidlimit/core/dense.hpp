// Decompositions of dense matrices of doubles. Instantiating one takes a compiler five to twenty
// seconds, so that only dense.cpp does; other files call functions
// (tests/core/decompositions_test.cpp).
//
// Every function is defined for matrices without rows or columns, for which Eigen's decompositions
// fail an assertion.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// P A = L U with row exchange, of a square A in T: double or std::complex<double>. Memory is
/// reused for the next A of the same size.
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

/// Bᵀ X B for small matrices, by lazyProduct. A blocked product, which `*` of dynamic matrices
/// instantiates, costs a second or two of compile time in every file.
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

/// X⁻¹ B by Cholesky factorisation.
MatrixXd cholesky_solve(const MatrixXd& X, const MatrixXd& B);

/// X⁻¹ b by X = Pᵀ L D Lᵀ P, X symmetric and semidefinite (its lower triangle is read), b in its
/// range; also for several columns. A regular indefinite X is solved by LU.
VectorXd symmetric_solve(const MatrixXd& X, const VectorXd& b);
MatrixXd symmetric_solve(const MatrixXd& X, const MatrixXd& B);

/// An orthonormal basis of ker R, n × (n − r): R r × n of full rank r ≤ n. By Householder QR of Rᵀ,
/// which never loses orthogonality; dependent rows give a basis of a subspace.
MatrixXd kernel_basis(const MatrixXd& R);

/// An orthonormal basis of the z with A z = 0 up to `threshold` times the largest singular value.
MatrixXd numerical_kernel(const MatrixXd& A, double threshold);

/// The least-squares solution X of A X = B by QR with column pivoting. A is N × K with K ≤ N and
/// full rank, B is N × L.
MatrixXd least_squares(const MatrixXd& A, const MatrixXd& B);

/// Indices of rank(A) independent columns of A, in the order of QR with column pivoting. A column
/// counts as dependent on the earlier ones if its remainder is below `threshold` times the longest
/// column.
std::vector<Index> independent_columns(const MatrixXd& A, double threshold);

/// The columns of A in the order of QR with column pivoting, each with the length of its part that
/// is orthogonal to the columns before it.
struct ColumnPivots {
  std::vector<Index> order;
  VectorXd lengths;  ///< one for each column; 0 beyond the number of rows
};
ColumnPivots column_pivots(const MatrixXd& A);

/// All solutions particular + kernel z of A x = b for a square A of any rank, by LU with complete
/// pivoting. The system may have no solution: the caller checks A x − b.
struct AllSolutions {
  VectorXd particular;
  MatrixXd kernel;  ///< no columns where A is regular
};
AllSolutions all_solutions(const MatrixXd& A, const VectorXd& b, double threshold);

/// Solutions of K x = right, or least-squares solutions, by complete orthogonal decomposition.
class LeastSolution {
 public:
  /// Pivots below `threshold` times the largest are zero.
  LeastSolution(const MatrixXd& K, double threshold);

  bool redundant() const { return kernel_.cols() > 0; }
  /// The solutions of least |x|; `right` has one column or more.
  MatrixXd of(const MatrixXd& right) const;
  /// The solution of least xᵀ D x, D ≥ 0 diagonal; if D leaves several, the one of least |x|.
  VectorXd of(const VectorXd& right, const VectorXd& D) const;

 private:
  double threshold_;
  Index unknowns_;
  bool is_empty_;  ///< K has no entries: Eigen decomposes no such matrix
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors_;
  MatrixXd kernel_;  ///< basis of ker K
};

/// The eigenvalues of X = Xᵀ (its lower triangle is read), increasing; all NaN if X is not finite
/// or the iteration does not converge.
VectorXd symmetric_eigenvalues(const MatrixXd& X);

/// X = V diag(values) Vᵀ, V orthogonal; all NaN as above.
struct SymmetricModes {
  VectorXd values;   ///< increasing
  MatrixXd vectors;  ///< V
};
SymmetricModes symmetric_modes(const MatrixXd& X);

/// X^(1/2) and X^(−1/2) of X = Xᵀ > 0, both symmetric; all NaN as above.
struct SymmetricRoots {
  MatrixXd root, inverse_root;
};
SymmetricRoots symmetric_roots(const MatrixXd& X);

/// The eigenvalues of a square A, in no particular order; none if A is not finite or the iteration
/// does not converge. Eigen's iteration gives up now and then where eigenvalues are double, as at
/// critical damping. It then works on H A H with a reflection H, which has the same eigenvalues.
std::optional<Eigen::VectorXcd> eigenvalues_of(const MatrixXd& A);

/// exp(A), by scaling, squaring and Padé approximants.
MatrixXd exponential_of(const MatrixXd& A);

}  // namespace rigidlimit
