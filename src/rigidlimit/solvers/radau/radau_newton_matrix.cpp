#include "rigidlimit/solvers/radau/radau_newton_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rigidlimit/solvers/radau/complex_product.hpp"

namespace rigidlimit {
namespace {

using Complex = std::complex<double>;

}  // namespace

std::vector<Index> other_components(Index n, const std::vector<Index>& components) {
  std::vector<Index> others;
  for (Index i = 0; i < n; ++i)
    if (std::find(components.begin(), components.end(), i) == components.end()) others.push_back(i);
  return others;
}

void RadauNewtonMatrix::use_full(const MatrixXd& dfdy) {
  full_ = true;
  coupled_.clear();
  if (static_cast<Index>(components_.size()) != n_) {
    components_.resize(static_cast<std::size_t>(n_));
    std::iota(components_.begin(), components_.end(), Index{0});
  }
  J_ = dfdy;
  if (mass_ != nullptr)
    mass_block_ = *mass_;
  else
    mass_block_.setIdentity(n_, n_);
}

void RadauNewtonMatrix::use_block(const std::vector<Index>& components, const MatrixXd& dfdy,
                                  const std::vector<Index>& others, const MatrixXd& coupling) {
  full_ = false;
  components_ = components;
  J_ = dfdy;
  mass_block_.setIdentity(dfdy.rows(), dfdy.rows());
  coupling_ = coupling;
  coupled_.clear();
  for (Index row = 0; row < coupling.rows(); ++row)
    if ((coupling.row(row).array() != 0.0).any())
      coupled_.push_back({row, others[static_cast<std::size_t>(row)]});
}

void RadauNewtonMatrix::resize(Index k, Index stages) {
  if (gathered_.rows() == k && gathered_.cols() == stages) return;
  gathered_.resize(k, stages);
  modes_.resize(k, stages);
  complex_in_.resize(k);
  complex_out_.resize(k);
  real_in_.resize(k);
  real_out_.resize(k);
  felt_rate_.resize(stages);
  pairs_.resize(static_cast<std::size_t>(stages / 2));
}

bool RadauNewtonMatrix::factorise(const RadauTransform& transform, double h) {
  transform_ = &transform;
  resize(J_.rows(), transform.to_modes.rows());
  h_ = h;
  gamma_over_h_ = transform.gamma / h;
  real_matrix_ = gamma_over_h_ * mass_block_ - J_;
  real_lu_.compute(real_matrix_);
  bool good = real_lu_.regular();
  for (std::size_t m = 0; m < pairs_.size() && good; ++m) {
    Pair& pair = pairs_[m];
    const Complex mu = pair.lambda_over_h = transform.lambda[m] / h;
    complex_matrix_ = mu * mass_block_.cast<Complex>() - J_.cast<Complex>();
    if (J_.rows() != 2) {
      pair.lu.compute(complex_matrix_);
      good = pair.lu.regular();
      continue;
    }
    const Eigen::MatrixXcd& B = complex_matrix_;
    const Complex determinant = times(B(0, 0), B(1, 1)) - times(B(0, 1), B(1, 0));
    const Complex scale = -mu / determinant;
    pair.scaled_inverse << times(scale, B(1, 1)), -times(scale, B(0, 1)), -times(scale, B(1, 0)),
        times(scale, B(0, 0));
    good = std::isfinite(std::abs(scale));
  }
  return good;
}

void RadauNewtonMatrix::solve_pair(const Pair& pair, Index column) {
  const Index k = J_.rows();
  if (k == 2) {
    const Complex a(modes_(0, column), modes_(0, column + 1));
    const Complex b(modes_(1, column), modes_(1, column + 1));
    const auto& B = pair.scaled_inverse;
    for (Index i = 0; i < 2; ++i) {
      const Complex w = times(B(i, 0), a) + times(B(i, 1), b);
      modes_(i, column) = w.real();
      modes_(i, column + 1) = w.imag();
    }
    return;
  }
  for (Index i = 0; i < k; ++i)
    complex_in_(i) = -times(pair.lambda_over_h, Complex(modes_(i, column), modes_(i, column + 1)));
  pair.lu.solve(complex_in_, complex_out_);
  modes_.col(column) = complex_out_.real();
  modes_.col(column + 1) = complex_out_.imag();
}

/// h K Δ_f Aᵀ, Δ_f in gathered_.
void RadauNewtonMatrix::add_coupling(MatrixXd& correction) {
  const Index s = correction.cols();
  for (const Coupled& slow : coupled_) {
    felt_rate_.noalias() = coupling_.row(slow.row).lazyProduct(gathered_);
    for (Index i = 0; i < s; ++i) {
      double sum = 0.0;
      for (Index j = 0; j < s; ++j) sum += transform_->A(i, j) * felt_rate_(j);
      correction(slow.component, i) += h_ * sum;
    }
  }
}

void RadauNewtonMatrix::correct(MatrixXd& residual) {
  const Index s = residual.cols();
  const auto k = static_cast<Index>(components_.size());
  solves_ += (s + 1) / 2;  // one real system if s is odd, and the pairs
  for (Index j = 0; j < s; ++j)
    for (Index i = 0; i < k; ++i)
      gathered_(i, j) = residual(components_[static_cast<std::size_t>(i)], j);
  modes_.noalias() = gathered_.lazyProduct(transform_->to_modes.transpose());
  Index column = 0;
  if (transform_->has_real) {
    real_in_ = -gamma_over_h_ * modes_.col(0);
    real_lu_.solve(real_in_, real_out_);
    modes_.col(column++) = real_out_;
  }
  for (const Pair& pair : pairs_) {
    solve_pair(pair, column);
    column += 2;
  }
  gathered_.noalias() = modes_.lazyProduct(transform_->from_modes.transpose());
  if (!full_) residual = -residual;
  for (Index j = 0; j < s; ++j)
    for (Index i = 0; i < k; ++i)
      residual(components_[static_cast<std::size_t>(i)], j) = gathered_(i, j);
  add_coupling(residual);
}

void RadauNewtonMatrix::filter(VectorXd& x) const {
  const auto k = static_cast<Index>(components_.size());
  ++solves_;
  for (Index i = 0; i < k; ++i) real_in_(i) = x(components_[static_cast<std::size_t>(i)]);
  real_lu_.solve(real_in_, real_out_);
  for (const Coupled& slow : coupled_) x(slow.component) += coupling_.row(slow.row).dot(real_out_);
  if (!full_) x /= gamma_over_h_;
  for (Index i = 0; i < k; ++i) x(components_[static_cast<std::size_t>(i)]) = real_out_(i);
}

}  // namespace rigidlimit
