#include "rigidlimit/core/dense.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unsupported/Eigen/MatrixFunctions>

namespace rigidlimit {

template <class T>
void LuFactors<T>::compute(const MatrixX<T>& A) {
  factors_.compute(A);
}

template <class T>
bool LuFactors<T>::regular() const {
  for (Index i = 0; i < factors_.rows(); ++i) {
    const double pivot = std::abs(factors_.matrixLU()(i, i));
    if (!(pivot > 0.0) || !std::isfinite(pivot)) return false;
  }
  return true;
}

template <class T>
void LuFactors<T>::solve(const VectorX<T>& b, VectorX<T>& x) const {
  x = factors_.solve(b);
}

template <class T>
VectorX<T> LuFactors<T>::solve(const VectorX<T>& b) const {
  return factors_.solve(b);
}

template <class T>
MatrixX<T> LuFactors<T>::solve(const MatrixX<T>& B) const {
  return factors_.solve(B);
}

template class LuFactors<double>;
template class LuFactors<std::complex<double>>;

MatrixXd inverse_of(const MatrixXd& A) {
  return A.inverse();
}

MatrixXd cholesky_factor(const MatrixXd& X) {
  return X.llt().matrixL();
}

MatrixXd lower_solve(const MatrixXd& L, const MatrixXd& B) {
  return L.triangularView<Eigen::Lower>().solve(B);
}

MatrixXd cholesky_solve(const MatrixXd& X, const MatrixXd& B) {
  return X.llt().solve(B);
}

namespace {

/// Eigen's L D Lᵀ exchanges diagonal entries only, and may find no good pivot in an indefinite X,
/// such as [0 C; C 0]. The residual shows it; a semidefinite X has a small one.
template <class Right>
Right symmetric_solution(const MatrixXd& X, const Right& right) {
  constexpr double wrong = 1e-6;
  Right x = X.ldlt().solve(right);
  const MatrixXd whole = X.selfadjointView<Eigen::Lower>();
  const double residual = (whole * x - right).norm();
  if (residual <= wrong * right.norm()) return x;
  Right other = whole.partialPivLu().solve(right);
  return (whole * other - right).norm() < (std::isfinite(residual) ? residual : HUGE_VAL) ? other
                                                                                          : x;
}

}  // namespace

VectorXd symmetric_solve(const MatrixXd& X, const VectorXd& b) {
  return symmetric_solution(X, b);
}

MatrixXd symmetric_solve(const MatrixXd& X, const MatrixXd& B) {
  if (B.cols() == 0) return B;  // otherwise Eigen references its first entry
  return symmetric_solution(X, B);
}

MatrixXd kernel_basis(const MatrixXd& R) {
  const MatrixXd Q = R.transpose().householderQr().householderQ();
  return Q.rightCols(R.cols() - R.rows());
}

MatrixXd numerical_kernel(const MatrixXd& A, double threshold) {
  if (A.size() == 0) return MatrixXd::Identity(A.cols(), A.cols());
  Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullV);
  svd.setThreshold(threshold);
  return svd.matrixV().rightCols(A.cols() - svd.rank());
}

MatrixXd least_squares(const MatrixXd& A, const MatrixXd& B) {
  if (A.size() == 0 || B.size() == 0) return MatrixXd::Zero(A.cols(), B.cols());
  return A.colPivHouseholderQr().solve(B);
}

std::vector<Index> independent_columns(const MatrixXd& A, double threshold) {
  if (A.size() == 0) return {};
  Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  qr.setThreshold(threshold);
  const auto& order = qr.colsPermutation().indices();
  return {order.begin(), order.begin() + qr.rank()};
}

ColumnPivots column_pivots(const MatrixXd& A) {
  ColumnPivots pivots{.order = std::vector<Index>(static_cast<std::size_t>(A.cols())),
                      .lengths = VectorXd::Zero(A.cols())};
  std::iota(pivots.order.begin(), pivots.order.end(), Index{0});
  if (A.size() == 0) return pivots;
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  std::ranges::copy(qr.colsPermutation().indices(), pivots.order.begin());
  const Index count = std::min(A.rows(), A.cols());
  pivots.lengths.head(count) = qr.matrixQR().diagonal().cwiseAbs();
  return pivots;
}

AllSolutions all_solutions(const MatrixXd& A, const VectorXd& b, double threshold) {
  if (A.size() == 0) return {.particular = VectorXd(0), .kernel = MatrixXd(0, 0)};
  Eigen::FullPivLU<MatrixXd> lu(A);
  lu.setThreshold(threshold);
  AllSolutions all{.particular = lu.solve(b), .kernel = MatrixXd(A.cols(), 0)};
  if (lu.rank() < A.cols()) all.kernel = lu.kernel();  // Eigen returns 0 for a regular A
  return all;
}

LeastSolution::LeastSolution(const MatrixXd& K, double threshold)
    : threshold_(threshold), unknowns_(K.cols()), is_empty_(K.size() == 0) {
  factors_.setThreshold(threshold);
  if (is_empty_) {
    kernel_.setIdentity(K.cols(), K.cols());
    return;
  }
  factors_.compute(K);
  // K P = Q [T 0; 0 0] Z: the last rows of Z, permuted, span ker K.
  const Index idle = K.cols() - factors_.rank();
  kernel_.resize(K.cols(), idle);
  if (idle > 0)
    kernel_ =
        factors_.colsPermutation() * MatrixXd(factors_.matrixZ().bottomRows(idle).transpose());
}

MatrixXd LeastSolution::of(const MatrixXd& right) const {
  if (is_empty_) return MatrixXd::Zero(unknowns_, right.cols());
  return factors_.solve(right);
}

VectorXd LeastSolution::of(const VectorXd& right, const VectorXd& D) const {
  if (is_empty_) return VectorXd::Zero(unknowns_);
  VectorXd x = factors_.solve(right);
  if (!redundant() || D.size() == 0 || !(D.maxCoeff() > 0.0)) return x;
  const MatrixXd& B = kernel_;
  // The x ⊥ B has least |x|. The shortest y keeps this property where D does not distinguish
  // solutions.
  const VectorXd root = (D / D.maxCoeff()).cwiseSqrt();
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> measured;
  measured.setThreshold(threshold_);
  measured.compute(root.asDiagonal() * B);
  return x - B * measured.solve(root.cwiseProduct(x));
}

namespace {

/// Eigenvalues, and eigenvectors if wanted, of a matrix with entries.
SymmetricModes modes_of(const MatrixXd& X, Eigen::DecompositionOptions wanted) {
  const Index N = X.rows();
  SymmetricModes modes{.values = VectorXd(N), .vectors = MatrixXd(N, N)};
  if (N == 0) return modes;
  Eigen::SelfAdjointEigenSolver<MatrixXd> of(N);
  if (X.allFinite()) of.compute(X, wanted);
  if (!X.allFinite() || of.info() != Eigen::Success) {
    modes.values.setConstant(std::nan(""));
    modes.vectors.setConstant(std::nan(""));
    return modes;
  }
  modes.values = of.eigenvalues();
  if (wanted == Eigen::ComputeEigenvectors) modes.vectors = of.eigenvectors();
  return modes;
}

/// I − 2 h hᵀ with a unit vector h that has no special direction.
MatrixXd reflection(Index N, int number) {
  VectorXd h(N);
  for (Index i = 0; i < N; ++i) h(i) = std::cos(1.0 + 1.7 * static_cast<double>(i) + number);
  h.normalize();
  return MatrixXd::Identity(N, N) - 2.0 * h * h.transpose();
}

}  // namespace

VectorXd symmetric_eigenvalues(const MatrixXd& X) {
  return modes_of(X, Eigen::EigenvaluesOnly).values;
}

SymmetricModes symmetric_modes(const MatrixXd& X) {
  return modes_of(X, Eigen::ComputeEigenvectors);
}

SymmetricRoots symmetric_roots(const MatrixXd& X) {
  const auto [values, V] = symmetric_modes(X);
  return {.root = V * values.cwiseSqrt().asDiagonal() * V.transpose(),
          .inverse_root = V * values.cwiseInverse().cwiseSqrt().asDiagonal() * V.transpose()};
}

std::optional<Eigen::VectorXcd> eigenvalues_of(const MatrixXd& A) {
  if (A.rows() == 0) return Eigen::VectorXcd(0);
  if (!A.allFinite()) return std::nullopt;
  constexpr int reflections = 5;
  Eigen::EigenSolver<MatrixXd> of(A, false);
  for (int k = 0; k < reflections && of.info() != Eigen::Success; ++k) {
    const MatrixXd H = reflection(A.rows(), k);
    of.compute(H * A * H, false);
  }
  if (of.info() != Eigen::Success) return std::nullopt;
  return of.eigenvalues();
}

MatrixXd exponential_of(const MatrixXd& A) {
  if (A.size() == 0) return A;
  // A matrix on the stack: a layer needs hundreds of exponentials of small matrices.
  constexpr Index small = 12;
  if (A.rows() > small) return A.exp();
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, small, small>;
  return Small(A).exp();
}

}  // namespace rigidlimit
