#include "rigidlimit/mechanics/contact_pencil.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"

namespace rigidlimit {
namespace {

constexpr double roundoff = std::numeric_limits<double>::epsilon();

MatrixXd symmetric(const MatrixXd& X) {
  return 0.5 * (X + X.transpose());
}

/// S with A = S Sᵀ, one column for each eigenvalue of A, with units in which its diagonal is 1,
/// above rounding.
MatrixXd factor_of(const MatrixXd& A) {
  const VectorXd units = (A.diagonal().array() > 0.0).select(A.diagonal().cwiseSqrt(), 1.0);
  const VectorXd inverse = units.cwiseInverse();
  const SymmetricModes of =
      symmetric_modes(symmetric(inverse.asDiagonal() * A * inverse.asDiagonal()));
  const Index r = A.rows();
  const double rounding = 4.0 * static_cast<double>(r) * roundoff;
  const Index idle = (of.values.array() <= rounding).count();
  return units.asDiagonal() * of.vectors.rightCols(r - idle) *
         of.values.tail(r - idle).cwiseSqrt().asDiagonal();
}

bool are_finite(const MatrixXd& A, const MatrixXd& X) {
  return A.allFinite() && X.allFinite();
}

/// The roots of μ² + d μ + ω² = 0, ω ≥ 0, d ≥ 0, without cancellation.
std::pair<std::complex<double>, std::complex<double>> roots_of_mode(double omega, double d) {
  const double half = 0.5 * d, gap = (half - omega) * (half + omega);
  if (gap < 0.0) return {{-half, std::sqrt(-gap)}, {-half, -std::sqrt(-gap)}};
  const double fast = half + std::sqrt(gap);
  return {-fast, fast > 0.0 ? -omega * (omega / fast) : 0.0};
}

Eigen::VectorXcd rates_of_modes(const VectorXd& omega, const VectorXd& d) {
  Eigen::VectorXcd rates(2 * omega.size());
  for (Index i = 0; i < omega.size(); ++i)
    std::tie(rates(2 * i), rates(2 * i + 1)) = roots_of_mode(omega(i), std::max(d(i), 0.0));
  return rates;
}

Eigen::VectorXcd rates_of_coupled_modes(const VectorXd& omega, const MatrixXd& D) {
  const Index r = omega.size();
  const VectorXd d = symmetric_eigenvalues(D).cwiseMax(0.0);
  const double size = std::max(omega.maxCoeff(), d.maxCoeff());
  MatrixXd J = MatrixXd::Zero(2 * r, 2 * r);
  J.topRightCorner(r, r) = (omega / size).asDiagonal();
  J.bottomLeftCorner(r, r) = -J.topRightCorner(r, r);
  J.bottomRightCorner(r, r) = -D / size;
  std::optional<Eigen::VectorXcd> rates = eigenvalues_of(J);
  if (!rates) throw InputError("the iteration for the rates of a contact did not converge");
  *rates *= size;
  const double least = omega.minCoeff(),
               slowest = std::min(0.5 * d.minCoeff(), least * (least / d.maxCoeff()));
  for (std::complex<double>& rate : *rates) rate.real(std::clamp(rate.real(), -size, -slowest));
  return *rates;
}

/// The rates without the structure: A of a tangent lift is indefinite.
Eigen::VectorXcd rates_of_any(const MatrixXd& A, const MatrixXd& C, const MatrixXd& D) {
  const Index r = A.rows();
  MatrixXd J = MatrixXd::Zero(2 * r, 2 * r);
  J.topRightCorner(r, r).setIdentity();
  J.bottomLeftCorner(r, r) = -A * C;
  J.bottomRightCorner(r, r) = -A * D;
  const std::optional<Eigen::VectorXcd> rates = eigenvalues_of(J);
  if (!rates) throw InputError("the iteration for the rates of a contact did not converge");
  return *rates;
}

bool is_semidefinite(const MatrixXd& A) {
  if (A.size() == 0) return true;
  const VectorXd values = symmetric_eigenvalues(symmetric(A));
  const double size = values.cwiseAbs().maxCoeff();
  return symmetric(A).isApprox(A, 1e-9) && values(0) >= -1e-9 * size;
}

}  // namespace

Eigen::VectorXcd contact_pencil_rates(const MatrixXd& A, const MatrixXd& C, const MatrixXd& D) {
  if (!are_finite(A, C) || !are_finite(A, D))
    return Eigen::VectorXcd::Constant(2 * A.rows(), std::nan(""));
  if (!is_semidefinite(A)) return rates_of_any(A, C, D);
  const MatrixXd S = factor_of(A);
  const Index r = S.cols();
  Eigen::VectorXcd rates = Eigen::VectorXcd::Zero(2 * A.rows());
  if (r == 0) return rates;
  const SymmetricModes modes = symmetric_modes(symmetric(congruent(C, S)));
  const VectorXd omega = modes.values.cwiseMax(0.0).cwiseSqrt();
  const MatrixXd damping = symmetric(congruent(D, MatrixXd(S.lazyProduct(modes.vectors))));
  const MatrixXd coupling = damping - MatrixXd(damping.diagonal().asDiagonal());
  const double rounding = 16.0 * static_cast<double>(r) * roundoff * damping.norm();
  rates.head(2 * r) = coupling.norm() <= rounding ? rates_of_modes(omega, damping.diagonal())
                                                  : rates_of_coupled_modes(omega, damping);
  return rates;
}

VectorXd damper_rates(const MatrixXd& A, const MatrixXd& D) {
  if (!are_finite(A, D)) return VectorXd::Constant(A.rows(), std::nan(""));
  const VectorXd d = symmetric_eigenvalues(symmetric(congruent(D, factor_of(A))));
  VectorXd rates = VectorXd::Zero(A.rows());
  rates.head(d.size()) = -d.cwiseMax(0.0).reverse();
  return rates;
}

}  // namespace rigidlimit
