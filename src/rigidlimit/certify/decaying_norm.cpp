#include "rigidlimit/certify/decaying_norm.hpp"

#include <algorithm>
#include <stdexcept>

#include "rigidlimit/certify/lyapunov.hpp"
#include "rigidlimit/core/dense.hpp"

namespace rigidlimit {
namespace {

/// The symmetric part of X.
BallMatrix symmetric(const BallMatrix& X) {
  return (X + X.transpose().eval()) * Ball(0.5);
}

}  // namespace

DecayingNorm::DecayingNorm(const MatrixXd& J, const MatrixXd& energy) {
  constexpr double part = 0.7;
  const Index size = J.rows();
  const std::optional<Eigen::VectorXcd> roots = eigenvalues_of(J);
  if (!roots) throw std::domain_error("the eigenvalues of the layer did not converge");
  const double rate = -roots->real().maxCoeff();
  if (!(rate > 0.0)) throw std::domain_error("the layer does not decay");
  const MatrixXd shifted = J + part * rate * MatrixXd::Identity(size, size);
  const LuFactors<double> factors(lyapunov_operator(shifted));
  const VectorXd right = -energy.reshaped();
  const MatrixXd P = factors.solve(right).reshaped(size, size);
  const MatrixXd form = 0.5 * (P + P.transpose());
  if (!(symmetric_eigenvalues(form).minCoeff() > 0.0))
    throw std::domain_error("the layer does not decay");
  // |g|² = gᵀ L Lᵀ g: V⁻¹ = Lᵀ.
  inverse_ = balls(cholesky_factor(form).transpose());
  V_ = inverse(inverse_);
}

Ball DecayingNorm::decay(const BallMatrix& J) const {
  const BallMatrix S = symmetric(BallMatrix(inverse_ * J * V_));
  double kappa = -symmetric_eigenvalues(middles(S)).maxCoeff();
  constexpr int tries = 40;
  constexpr double smaller = 0.95;
  for (int k = 0; k < tries && kappa > 0.0; ++k) {
    kappa *= smaller;
    if (is_positive_definite(-S - BallMatrix::Identity(S.rows(), S.cols()) * Ball(kappa)))
      return Ball(kappa);
  }
  return Ball(0);
}

Ball DecayingNorm::size(const BallVector& g) const {
  const BallVector x = magnitudes(BallMatrix(inverse_ * g));
  return sqrt(x.squaredNorm()).magnitude();
}

Ball DecayingNorm::norm_of(const BallMatrix& X) const {
  return norm_bound(BallMatrix(inverse_ * X * V_));
}

Ball DecayingNorm::relative_to(const DecayingNorm& W) const {
  return norm_bound(BallMatrix(inverse_ * W.V_));
}

DecayingNorm DecayingNorm::not_above(const DecayingNorm& W) const {
  const Ball factor = relative_to(W);
  DecayingNorm result = *this;
  result.inverse_ /= factor;
  result.V_ *= factor;
  return result;
}

BallVector DecayingNorm::components() const {
  BallVector c(V_.rows());
  for (Index i = 0; i < c.size(); ++i) c(i) = sqrt(V_.row(i).squaredNorm()).magnitude();
  return c;
}

}  // namespace rigidlimit
