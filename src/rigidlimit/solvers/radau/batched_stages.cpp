#include "rigidlimit/solvers/radau/batched_stages.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/solvers/radau/complex_product.hpp"
#include "rigidlimit/solvers/radau/radau_coefficients.hpp"

namespace rigidlimit {
namespace {

constexpr int s = static_cast<int>(Pack::lanes);

using Complex = std::complex<double>;

Complex inverse_of(const Complex& a) {
  return std::conj(a) / (a.real() * a.real() + a.imag() * a.imag());
}

/// X⁻¹ of a tiny complex matrix into `inverse`, by Gauss-Jordan without pivoting: X is I plus
/// damping and stiffness terms, with eigenvalues far from zero.
void invert(Eigen::MatrixXcd& X, Eigen::MatrixXcd& inverse) {
  const Index m = X.rows();
  inverse.setIdentity();
  for (Index k = 0; k < m; ++k) {
    const Complex pivot = inverse_of(X(k, k));
    for (Index j = 0; j < m; ++j) {
      X(k, j) = times(X(k, j), pivot);
      inverse(k, j) = times(inverse(k, j), pivot);
    }
    for (Index i = 0; i < m; ++i) {
      if (i == k) continue;
      const Complex factor = X(i, k);
      for (Index j = 0; j < m; ++j) {
        X(i, j) -= times(factor, X(k, j));
        inverse(i, j) -= times(factor, inverse(k, j));
      }
    }
  }
}

BatchedTableau made_tableau() {
  const RadauTableau<double>& radau = radau_tableau<double>(s);
  BatchedTableau tableau;
  tableau.A = StageMatrix(radau.A);
  tableau.to_modes = StageMatrix(radau.transform.to_modes);
  tableau.from_modes = StageMatrix(radau.transform.from_modes);
  for (std::size_t k = 0; k < 4; ++k) tableau.eigenvalue[k] = 1.0 / radau.transform.lambda[k];
  tableau.c = Pack::load(radau.c.data());
  tableau.node[0] = 0.0;
  for (int j = 0; j < s; ++j) tableau.node[j + 1] = radau.c(j);
  for (int j = 0; j <= s; ++j) {
    tableau.barycentric[j] = radau.barycentric(j);
    tableau.defect[j] = radau.barycentric(j) / radau.barycentric(s);
  }
  return tableau;
}

}  // namespace

StageMatrix::StageMatrix(const MatrixXd& matrix) {
  for (int j = 0; j < s; ++j) column[j] = Pack::load(matrix.col(j).data());
}

Pack StageMatrix::times(const Pack& x) const {
  alignas(64) double value[s];
  x.store(value);
  Pack sum = column[0] * Pack(value[0]);
  for (int j = 1; j < s; ++j) sum += column[j] * Pack(value[j]);
  return sum;
}

const BatchedTableau& batched_tableau() {
  static const BatchedTableau tableau = made_tableau();
  return tableau;
}

double BatchedStep::at(double theta, std::size_t i) const {
  const BatchedTableau& tableau = batched_tableau();
  double above = 0.0, below = 0.0;
  for (int j = 0; j <= s; ++j) {
    const double value = j == 0 ? start[i] : stages[i][static_cast<std::size_t>(j - 1)];
    const double distance = theta - tableau.node[j];
    if (distance == 0.0) return value;
    above += tableau.barycentric[j] / distance * value;
    below += tableau.barycentric[j] / distance;
  }
  return above / below;
}

void BatchedStep::transform(const MatrixXd& change) {
  const BatchedStep old = *this;
  for (std::size_t i = 0; i < start.size(); ++i) {
    start[i] = 0.0;
    stages[i] = Pack(0.0);
    for (std::size_t j = 0; j < start.size(); ++j) {
      const double factor = change(static_cast<Index>(i), static_cast<Index>(j));
      if (factor == 0.0) continue;
      start[i] += factor * old.start[j];
      stages[i] += Pack(factor) * old.stages[j];
    }
  }
}

BatchedStages::BatchedStages(const BatchedRate& rate)
    : rate_(rate),
      tableau_(batched_tableau()),
      slow_(static_cast<std::size_t>(rate.slow)),
      fast_(static_cast<std::size_t>(rate.fast)),
      P_(rate.slow + rate.fast, rate.fast),
      middle_(slow_ + fast_),
      room_(rate.fast, rate.fast),
      lambda_(fast_),
      f_(slow_ + fast_),
      change_(fast_),
      push_(fast_),
      in_(fast_),
      out_(fast_) {
  inverse_.fill(Eigen::MatrixXcd(rate.fast, rate.fast));
}

/// Computes P at the middle of the predicted step, and the inverses of the m × m systems.
void BatchedStages::linearise(const BatchedStep& step) {
  constexpr std::size_t middle = 4;  // c₅ = 0.52
  for (std::size_t i = 0; i < slow_ + fast_; ++i) middle_[i] = step.stages[i][middle];
  chart_ = rate_.response(middle_.data(), P_);
  coupled_ = false;
  for (Index i = 0; i < rate_.slow; ++i)
    for (Index j = 0; j < rate_.fast; ++j) coupled_ = coupled_ || P_(i, j) != 0.0;
  const Index m = rate_.fast;
  for (std::size_t k = 0; k < inverse_.size(); ++k) {
    const Complex damper = step.h * tableau_.eigenvalue[k];
    const Complex spring = times(damper, damper) * rate_.deflection_rate;
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < m; ++j) {
        Complex sum = i == j ? 1.0 : 0.0;
        for (Index l = 0; l < m; ++l)
          sum += P_(rate_.slow + i, l) *
                 (damper * rate_.damping(l, j) + spring * rate_.stiffness(l, j));
        room_(i, j) = sum;
      }
    invert(room_, inverse_[k]);
  }
}

/// η = η₀ + h κ A w.
void BatchedStages::write_deflections(BatchedStep& step) const {
  const Pack factor(step.h * rate_.deflection_rate);
  for (std::size_t j = 0; j < fast_; ++j)
    step.stages[slow_ + fast_ + j] =
        Pack(step.start[slow_ + fast_ + j]) + factor * tableau_.A.times(step.stages[slow_ + j]);
}

/// (C η + D w)_i.
Pack BatchedStages::contact_force(std::size_t i, const Pack* eta, const Pack* w) const {
  Pack sum(0.0);
  for (std::size_t j = 0; j < fast_; ++j)
    sum += Pack(rate_.stiffness(static_cast<Index>(i), static_cast<Index>(j))) * eta[j] +
           Pack(rate_.damping(static_cast<Index>(i), static_cast<Index>(j))) * w[j];
  return sum;
}

void BatchedStages::evaluate(BatchedStep& step) {
  write_deflections(step);
  const Pack* w = step.stages.data() + slow_;
  const Pack* eta = w + fast_;
  for (std::size_t i = 0; i < fast_; ++i) lambda_[i] = contact_force(i, eta, w);
  const Pack t = Pack(step.t0) + Pack(step.h) * tableau_.c;
  rate_.rates(chart_, t, step.stages.data(), lambda_.data(), f_.data());
}

/// change_ (m residuals with the sign of the correction) becomes the correction of w.
void BatchedStages::solve_modes() {
  for (std::size_t j = 0; j < fast_; ++j) tableau_.to_modes.times(change_[j]).store(in_[j].data());
  for (std::size_t k = 0; k < inverse_.size(); ++k)
    for (std::size_t i = 0; i < fast_; ++i) {
      Complex sum = 0.0;
      for (std::size_t j = 0; j < fast_; ++j)
        sum += times(inverse_[k](static_cast<Index>(i), static_cast<Index>(j)),
                     Complex(in_[j][2 * k], in_[j][2 * k + 1]));
      out_[i][2 * k] = sum.real();
      out_[i][2 * k + 1] = sum.imag();
    }
  for (std::size_t j = 0; j < fast_; ++j)
    change_[j] = tableau_.from_modes.times(Pack::load(out_[j].data()));
}

void BatchedStages::correct_sliding(BatchedStep& step, const std::vector<double>& weight,
                                    Pack& squares) {
  const Pack h(step.h);
  Pack* w = step.stages.data() + slow_;
  for (std::size_t j = 0; j < fast_; ++j)
    change_[j] = Pack(step.start[slow_ + j]) + h * tableau_.A.times(f_[slow_ + j]) - w[j];
  solve_modes();
  for (std::size_t j = 0; j < fast_; ++j) {
    w[j] += change_[j];
    const Pack scaled = change_[j] * Pack(weight[slow_ + j]);
    squares += scaled * scaled;
  }
  if (!coupled_) return;
  // Effect of the changed λ on x: h A ⊗ P_x (C δη + D δw).
  const Pack deflection(step.h * rate_.deflection_rate);
  for (std::size_t j = 0; j < fast_; ++j) push_[j] = deflection * tableau_.A.times(change_[j]);
  for (std::size_t i = 0; i < fast_; ++i)
    lambda_[i] = h * tableau_.A.times(contact_force(i, push_.data(), change_.data()));
}

/// Corrects x and w once; returns the norm.
double BatchedStages::correct(BatchedStep& step, const std::vector<double>& weight) {
  Pack squares(0.0);
  if (fast_ > 0) correct_sliding(step, weight, squares);
  const Pack h(step.h);
  for (std::size_t i = 0; i < slow_; ++i) {
    Pack x = Pack(step.start[i]) + h * tableau_.A.times(f_[i]);
    if (coupled_)
      for (std::size_t j = 0; j < fast_; ++j)
        x -= Pack(P_(static_cast<Index>(i), static_cast<Index>(j))) * lambda_[j];
    const Pack scaled = (x - step.stages[i]) * Pack(weight[i]);
    squares += scaled * scaled;
    step.stages[i] = x;
  }
  return std::sqrt(sum(squares) / static_cast<double>(Pack::lanes * (slow_ + fast_)));
}

BatchedIteration BatchedStages::solve(BatchedStep& step, const std::vector<double>& weight,
                                      const BatchedGoal& goal, double expected_contraction) {
  BatchedIteration result;
  linearise(step);
  // 0.1: one correction is enough only if the prediction was almost exact.
  double theta = std::clamp(expected_contraction, 0.1, 0.9);
  double before = 0.0;
  while (result.batches < goal.most) {
    evaluate(step);
    const double norm = correct(step, weight);
    ++result.batches;
    if (!std::isfinite(norm)) {
      result.finite = false;
      return result;
    }
    if (result.batches > 1) {
      theta = norm / before;
      result.contraction = theta;
      // The first correction may spoil a good prediction of x by a bad one of λ, which the second
      // repairs. Its size then does not predict later ones.
      const bool settled = result.batches > 2;
      if (!goal.patient && norm > goal.error && theta >= (settled ? 0.9 : 10.0)) return result;
    }
    before = norm;
    if (norm <= goal.error * (1.0 / std::min(theta, 0.9) - 1.0)) {
      write_deflections(step);
      result.converged = true;
      return result;
    }
  }
  return result;
}

}  // namespace rigidlimit
