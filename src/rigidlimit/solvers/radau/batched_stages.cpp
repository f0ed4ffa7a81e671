#include "rigidlimit/solvers/radau/batched_stages.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "rigidlimit/solvers/radau/radau_coefficients.hpp"

namespace rigidlimit {
namespace {

constexpr int s = static_cast<int>(Pack::lanes);

/// Rows of a transform with the real parts of the four pairs before the imaginary ones.
MatrixXd parted(const MatrixXd& rows) {
  MatrixXd result(s, s);
  for (Index k = 0; k < s / 2; ++k) {
    result.row(k) = rows.row(2 * k);
    result.row(s / 2 + k) = rows.row(2 * k + 1);
  }
  return result;
}

BatchedTableau made_tableau() {
  const RadauTableau<double>& radau = radau_tableau<double>(s);
  BatchedTableau tableau;
  tableau.A = StageMatrix(radau.A);
  tableau.to_modes = StageMatrix(parted(radau.transform.to_modes));
  tableau.from_modes = StageMatrix(parted(radau.transform.from_modes.transpose()).transpose());
  std::array<double, s> eigenvalue, defect;
  for (std::size_t k = 0; k < s / 2; ++k) {
    const std::complex<double> value = 1.0 / radau.transform.lambda[k];
    eigenvalue[k] = value.real();
    eigenvalue[s / 2 + k] = value.imag();
  }
  tableau.eigenvalue = Pack::load(eigenvalue.data());
  tableau.c = Pack::load(radau.c.data());
  tableau.node[0] = 0.0;
  for (int j = 0; j < s; ++j) tableau.node[j + 1] = radau.c(j);
  for (int j = 0; j <= s; ++j) tableau.barycentric[j] = radau.barycentric(j);
  for (int j = 0; j < s; ++j) defect[j] = radau.barycentric(j + 1) / radau.barycentric(s);
  tableau.defect_of_start = radau.barycentric(0) / radau.barycentric(s);
  tableau.defect_of_stages = Pack::load(defect.data());
  return tableau;
}

}  // namespace

const BatchedTableau& batched_tableau() {
  static const BatchedTableau tableau = made_tableau();
  return tableau;
}

void BatchedStep::at(const Pack& theta, std::size_t rows, Pack* values) const {
  const std::array<Pack, s + 1> basis = lagrange_basis(theta);
  StageMatrix of_stages;
  for (std::size_t j = 0; j < s; ++j) of_stages.column[j] = basis[j + 1];
  stage_kernels().combine(of_stages, basis[0], start.data(), Pack(1.0), stages.data(), values,
                          rows);
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
      kernels_(stage_kernels()),
      slow_(static_cast<std::size_t>(rate.slow)),
      fast_(static_cast<std::size_t>(rate.fast)),
      P_(rate.slow + rate.fast, rate.fast),
      response_to_damping_(rate.fast, rate.fast),
      response_to_stiffness_(rate.fast, rate.fast),
      middle_(slow_ + fast_),
      f_(slow_ + fast_),
      updated_(slow_ + fast_),
      lambda_(fast_),
      change_(fast_),
      push_(fast_) {
  matrices_.fill(std::vector<Pack>(fast_ * fast_));
}

/// Computes P at the middle of the predicted step, and the inverses of I + h a P_w D + h² a² κ P_w
/// C for the eigenvalues a of A.
void BatchedStages::linearise(const BatchedStep& step) {
  constexpr std::size_t middle = 4;  // c₅ = 0.52
  for (std::size_t i = 0; i < slow_ + fast_; ++i) middle_[i] = step.stages[i][middle];
  chart_ = rate_.response(middle_.data(), P_);
  if (fast_ == 0) return;
  coupled_ = (P_.topRows(rate_.slow).array() != 0.0).any();
  const auto P_w = P_.bottomRows(rate_.fast);
  response_to_damping_.noalias() = P_w.lazyProduct(rate_.damping);
  response_to_stiffness_.noalias() = P_w.lazyProduct(rate_.stiffness);
  kernels_.invert(response_to_damping_.data(), response_to_stiffness_.data(),
                  Pack(step.h) * tableau_.eigenvalue, rate_.deflection_rate, matrices_[0].data(),
                  matrices_[1].data(), fast_);
}

/// Writes η = η₀ + h κ A w (m).
void BatchedStages::write_deflections(const BatchedStep& step, Pack* eta) const {
  kernels_.combine(tableau_.A, Pack(1.0), step.start.data() + slow_ + fast_,
                   Pack(step.h * rate_.deflection_rate), step.stages.data() + slow_, eta, fast_);
}

void BatchedStages::evaluate(BatchedStep& step) {
  const Pack* const w = step.stages.data() + slow_;
  kernels_.force(rate_.stiffness.data(), rate_.damping.data(), w + fast_, w, lambda_.data(), fast_);
  const Pack t = Pack(step.t0) + Pack(step.h) * tableau_.c;
  rate_.rates(chart_, t, step.stages.data(), lambda_.data(), f_.data());
}

/// Corrects w and η. Then lambda_ is the effect of the changed λ,
/// h A (C δη + D δw).
BatchedStages::Squares BatchedStages::correct_sliding(BatchedStep& step,
                                                      const std::vector<double>& weight) {
  const Pack h(step.h);
  Pack* const w = step.stages.data() + slow_;
  kernels_.combine(tableau_.A, Pack(1.0), step.start.data() + slow_, h, f_.data() + slow_,
                   change_.data(), fast_);
  for (std::size_t j = 0; j < fast_; ++j) change_[j] -= w[j];
  kernels_.multiply(tableau_.to_modes, change_.data(), push_.data(), fast_);
  kernels_.apply(matrices_[1].data(), push_.data(), lambda_.data(), fast_);
  kernels_.multiply(tableau_.from_modes, lambda_.data(), change_.data(), fast_);
  for (std::size_t j = 0; j < fast_; ++j) push_[j] = w[j] + change_[j];
  Squares squares;
  squares.velocities = kernels_.update(push_.data(), weight.data() + slow_, w, fast_);
  write_deflections(step, push_.data());
  squares.deflections =
      kernels_.update(push_.data(), weight.data() + slow_ + fast_, w + fast_, fast_);
  if (!coupled_) return squares;
  kernels_.multiply(tableau_.A, change_.data(), push_.data(), fast_);
  for (std::size_t j = 0; j < fast_; ++j) push_[j] *= Pack(step.h * rate_.deflection_rate);
  kernels_.force(rate_.stiffness.data(), rate_.damping.data(), push_.data(), change_.data(),
                 lambda_.data(), fast_);
  kernels_.multiply(tableau_.A, lambda_.data(), push_.data(), fast_);
  for (std::size_t j = 0; j < fast_; ++j) lambda_[j] = h * push_[j];
  return squares;
}

/// Corrects the stages once.
BatchedStages::Squares BatchedStages::correct(BatchedStep& step,
                                              const std::vector<double>& weight) {
  Squares squares = fast_ > 0 ? correct_sliding(step, weight) : Squares();
  kernels_.combine(tableau_.A, Pack(1.0), step.start.data(), Pack(step.h), f_.data(),
                   updated_.data(), slow_);
  if (coupled_)
    kernels_.subtract(P_.data(), slow_ + fast_, lambda_.data(), updated_.data(), slow_, fast_);
  squares.velocities += kernels_.update(updated_.data(), weight.data(), step.stages.data(), slow_);
  return squares;
}

BatchedIteration BatchedStages::solve(BatchedStep& step, const std::vector<double>& weight,
                                      const BatchedGoal& goal, double expected_contraction) {
  BatchedIteration result;
  linearise(step);
  write_deflections(step, step.stages.data() + slow_ + fast_);
  // 0.1: one correction is enough only if the prediction was almost exact.
  double theta = std::clamp(expected_contraction, 0.1, 0.9);
  const auto count = static_cast<double>(Pack::lanes * (slow_ + 2 * fast_));
  Squares before;
  while (result.batches < goal.most) {
    evaluate(step);
    const Squares squares = correct(step, weight);
    const double norm = std::sqrt((squares.velocities + squares.deflections) / count);
    ++result.batches;
    if (!std::isfinite(norm)) {
      result.finite = false;
      return result;
    }
    if (result.batches > 1) {
      // A bad prediction of η is repaired at once: it must not hide how slowly x converges. Nor
      // must the rounding errors of an η that has converged.
      const bool counts = before.deflections > goal.error * goal.error * count;
      theta = std::sqrt(std::max(squares.velocities / before.velocities,
                                 counts ? squares.deflections / before.deflections : 0.0));
      result.contraction = theta;
      // The first correction may spoil a good prediction of x by a bad one of λ, which the second
      // repairs. Its size then does not predict later ones.
      const bool settled = result.batches > 2;
      if (!goal.patient && norm > goal.error && theta >= (settled ? 0.9 : 10.0)) return result;
    }
    before = squares;
    if (norm <= goal.error * (1.0 / std::min(theta, 0.9) - 1.0)) {
      result.converged = true;
      return result;
    }
  }
  return result;
}

}  // namespace rigidlimit
