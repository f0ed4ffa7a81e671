// The nonlinear equations of a Radau IIA step, and its polynomial.
#pragma once

#include <cmath>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/pack.hpp"
#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/solvers/radau/radau_coefficients.hpp"
#include "rigidlimit/solvers/radau/radau_newton_matrix.hpp"

namespace rigidlimit {

/// u(t₀ + θ h) − y₀ of the collocation polynomial u whose values at the nodes are y₀ + Z.
template <class T>
struct RadauCollocation {
  using MatrixT = Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  using VectorT = Vector<T, Eigen::Dynamic>;

  const RadauTableau<T>* tableau = nullptr;
  MatrixT Z;  ///< N × s
  VectorT y0;
  double t0 = 0.0;
  T h{};

  /// Writes u(t₀ + θ h) − y₀; `basis` is workspace for s numbers. Uses Lagrange's formula with
  /// barycentric weights in its first form. It is stable outside [0, 1] too, where a step's
  /// polynomial predicts the next one.
  template <class Out>
  void increment(const T& theta, VectorT& basis, Out&& out) const {
    const Index s = tableau->stages;
    T product = theta;
    for (Index j = 0; j < s; ++j) {
      const T distance = theta - tableau->c(j);
      if (distance == T(0)) {
        out = Z.col(j);
        return;
      }
      product *= distance;
      basis(j) = tableau->barycentric(j + 1) / distance;
    }
    out.setZero();
    for (Index j = 0; j < s; ++j) {
      const T weight = basis(j) * product;
      for (Index n = 0; n < Z.rows(); ++n) out(n) += weight * Z(n, j);
    }
  }
};

/// M Z = h (A ⊗ I) F(y₀ + Z). Residuals in T, corrections in double: each one adds its digits, for
/// any precision of T.
template <class T>
class StageEquations {
 public:
  using MatrixT = Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  using VectorT = Vector<T, Eigen::Dynamic>;

  /// `mass`: M, N × N, or nullptr for I.
  StageEquations(const OdeProblemOf<T>& problem, const MatrixXd* mass)
      : problem_(problem), n_(problem.y0.size()), y_stage_(n_), room_(n_) {
    if (mass != nullptr) mass_ = mass->template cast<T>();
  }

  void resize(Index stages) {
    F_.resize(n_, stages);
    R_.resize(n_, stages);
    correction_.resize(n_, stages);
  }

  /// Before the first iteration from step.Z, and after the last one, which leaves the stages there.
  void begin(const RadauCollocation<T>& /*step*/) {}
  void finish(RadauCollocation<T>& /*step*/) const {}

  /// F_i = f(t₀ + c_i h, y₀ + Z_i); false, and incomplete, if that is not finite.
  bool evaluate(const RadauCollocation<T>& step);
  /// Z += Δ, the correction by the Newton matrix. Returns the root mean square of Δ over stages and
  /// components, times `weight` (N).
  double correct(RadauCollocation<T>& step, RadauNewtonMatrix& matrix, const VectorXd& weight);

  /// Right-hand sides evaluated so far.
  long evaluations() const { return evaluations_; }

 private:
  void write_residual(const RadauCollocation<T>& step);

  const OdeProblemOf<T>& problem_;
  Index n_;
  MatrixT mass_;  ///< 0 × 0: I
  MatrixT F_, R_;
  MatrixXd correction_;
  VectorT y_stage_, room_;
  long evaluations_ = 0;
};

/// In double the stages of a component are the lanes of packs: those of stages 8 p, …, 8 p + 7 are
/// rows p N, …, p N + N − 1. Lanes beyond the last stage stay zero.
template <>
class StageEquations<double> {
 public:
  StageEquations(const OdeProblem& problem, const MatrixXd* mass);

  void resize(Index stages);
  void begin(const RadauCollocation<double>& step);
  void finish(RadauCollocation<double>& step) const;
  bool evaluate(const RadauCollocation<double>& step);
  double correct(RadauCollocation<double>& step, RadauNewtonMatrix& matrix, const VectorXd& weight);
  long evaluations() const { return evaluations_; }

 private:
  void write_residual(double h);

  const OdeProblem& problem_;
  const StageKernels& kernels_;
  std::size_t n_, parts_ = 0;
  MatrixXd mass_;                    ///< 0 × 0: I
  std::vector<StageMatrix> A_;       ///< its 8 × 8 blocks, row by row
  std::vector<Pack> c_;              ///< nodes
  std::vector<Pack> Z_, F_, R_;      ///< parts N
  std::vector<Pack> states_, room_;  ///< N
  MatrixXd rates_;                   ///< N × s: of a right-hand side without eight states
  VectorXd y_stage_;
  long evaluations_ = 0;
};

template <class T>
bool StageEquations<T>::evaluate(const RadauCollocation<T>& step) {
  using std::isfinite;
  for (Index i = 0; i < F_.cols(); ++i) {
    y_stage_ = step.y0 + step.Z.col(i);
    ++evaluations_;
    problem_.rhs(T(step.t0) + step.tableau->c(i) * step.h, y_stage_, F_.col(i));
    T sum(0);  // not finite if any term is not: one test for all
    for (Index n = 0; n < n_; ++n) sum += F_(n, i) * T(0);
    if (!isfinite(sum)) return false;
  }
  return true;
}

/// R = M Z − h F Aᵀ.
template <class T>
void StageEquations<T>::write_residual(const RadauCollocation<T>& step) {
  const Index s = F_.cols();
  for (Index i = 0; i < s; ++i) {
    T* r = R_.data() + i * n_;
    const T* z = step.Z.data() + i * n_;
    for (Index n = 0; n < n_; ++n) r[n] = T(0);
    for (Index j = 0; j < s; ++j) {
      const T a = step.tableau->A(i, j);
      const T* f = F_.data() + j * n_;
      for (Index n = 0; n < n_; ++n) r[n] += a * f[n];
    }
    if (mass_.size() == 0) {
      for (Index n = 0; n < n_; ++n) r[n] = z[n] - step.h * r[n];
    } else {
      for (Index n = 0; n < n_; ++n) {
        T sum = -step.h * r[n];
        for (Index k = 0; k < n_; ++k) sum += mass_(n, k) * z[k];
        room_(n) = sum;
      }
      R_.col(i) = room_;
    }
  }
  correction_ = R_.template cast<double>();
}

template <class T>
double StageEquations<T>::correct(RadauCollocation<T>& step, RadauNewtonMatrix& matrix,
                                  const VectorXd& weight) {
  write_residual(step);
  matrix.correct(correction_);
  double sum = 0.0;
  for (Index i = 0; i < correction_.cols(); ++i)
    for (Index n = 0; n < n_; ++n) {
      const double delta = correction_(n, i);
      const double scaled = delta * weight(n);
      sum += scaled * scaled;
      step.Z(n, i) += T(delta);
    }
  return std::sqrt(sum / static_cast<double>(correction_.size()));
}

}  // namespace rigidlimit
