#include "rigidlimit/mechanics/decompositions.hpp"

namespace rigidlimit {

MatrixXd kernel_basis(const MatrixXd& R) {
  const MatrixXd Q = R.transpose().householderQr().householderQ();
  return Q.rightCols(R.cols() - R.rows());
}

MatrixXd least_squares(const MatrixXd& A, const MatrixXd& B) {
  return A.colPivHouseholderQr().solve(B);
}

VectorXd symmetric_eigenvalues(const MatrixXd& X) {
  return X.selfadjointView<Eigen::Lower>().eigenvalues();
}

}  // namespace rigidlimit
