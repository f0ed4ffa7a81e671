#include "rigidlimit/mechanics/contact_law.hpp"

#include <fmt/format.h>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

MatrixXd critical_damping(const MatrixXd& delassus, const MatrixXd& stiffness) {
  const auto [root, inverse_root] = symmetric_roots(delassus);
  const MatrixXd inner = root * stiffness * root;
  const MatrixXd middle = symmetric_roots(0.5 * (inner + inner.transpose())).root;
  const MatrixXd D = 2.0 * inverse_root * middle * inverse_root;
  return 0.5 * (D + D.transpose());
}

void require_positive(const MatrixXd& X, const char* what, bool strictly) {
  if (X.rows() != X.cols())
    throw InputError(fmt::format("{} must be square, not {} x {}", what, X.rows(), X.cols()));
  if (!X.allFinite())  // Eigen's maxCoeff and eigenvalues may ignore a NaN
    throw InputError(fmt::format("{} must be finite; the sum of its entries is {}", what, X.sum()));
  const double asymmetry = (X - X.transpose()).cwiseAbs().maxCoeff();
  if (!(asymmetry <= 1e-14 * X.cwiseAbs().maxCoeff()))
    throw InputError(fmt::format("{} must be symmetric; |X - X^T| is {:.3g}", what, asymmetry));
  const double least = symmetric_eigenvalues(X).minCoeff();
  if (strictly ? !(least > 0.0) : !(least >= -1e-14 * X.cwiseAbs().maxCoeff()))
    throw InputError(fmt::format("{} must be positive {}; its smallest eigenvalue is {:.6g}", what,
                                 strictly ? "definite" : "semidefinite", least));
}

}  // namespace rigidlimit
