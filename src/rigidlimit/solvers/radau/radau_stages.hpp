// The nonlinear equations of a Radau IIA step, Newton's iteration for its stages, and its
// polynomial.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
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

/// Result of Newton's iteration for the stages.
struct RadauIteration {
  enum class End {
    converged,
    slow,        ///< diverges, or would not converge within the iterations allowed
    stagnant,    ///< round-off keeps the corrections above the goal
    not_finite,  ///< f, or a stage, is not finite
  };
  End end = End::slow;
  int iterations = 0;
  double contraction = 0.0;  ///< θ, the geometric mean of the last two ratios of corrections
  double shrink = 0.5;       ///< factor for the step if it failed
};

/// Goal of the iteration.
struct RadauNewtonGoal {
  int most_iterations = 10;
  double error = 1e-3;  ///< κ: bound on θ/(1 − θ) ‖Δ‖, in units of the tolerance
  /// Number of corrections that may grow before the iteration contracts, at least 1. A stiff force
  /// of strength k whose direction turns by δ within the step puts h k δ times a stiff correction
  /// into the slow components once, and the next correction removes it. (A joint of 1e8 N m in a
  /// skate, three corrections: 48 + 5 instead of 653 + 288 steps.)
  int transient = 3;
  double round_off = 0.0;  ///< norm of the round-off of the state, in the same units
  double floor = 0.0;      ///< norm that round-off in f gives to a correction, in the same units
};

/// Convergence test of an iteration, from its corrections.
class RadauConvergence {
 public:
  /// `expected_contraction` is that of the step before, 1 if unknown.
  RadauConvergence(const RadauNewtonGoal& goal, double expected_contraction)
      // 0.1: one correction is enough only if the prediction was almost exact. Trusting a ratio of
      // 1e-6 from the step before left errors of 20 tolerances (knife edge, rtol 1e-6, ε ≤ 1e-6).
      : goal_(goal), guess_(std::clamp(std::pow(expected_contraction, 0.8), 0.1, 1.0)) {}

  /// Whether the iteration ends with the correction number `result.iterations`, of this norm. If
  /// so, sets `result`; its contraction is always updated.
  bool ends_with(double norm, RadauIteration& result) {
    using End = RadauIteration::End;
    result.end = End::converged;
    if (norm <= goal_.round_off) return true;
    double share = guess_ / (1.0 - std::min(guess_, 0.99));
    if (result.iterations > 1) {
      const double ratio = norm / before_;
      const double theta = ratio_before_ > 0.0 ? std::sqrt(ratio * ratio_before_) : ratio;
      ratio_before_ = ratio;
      const bool at_floor = norm <= 100.0 * goal_.floor;
      if (at_floor && ratio > 0.5 && ratio > 4.0 * best_ratio_) {
        result.end = norm <= 0.1 ? End::converged : End::stagnant;
        return true;
      }
      best_ratio_ = std::min(best_ratio_, ratio);
      result.contraction = theta;
      const bool diverges = theta >= 0.99;
      share = diverges ? std::numeric_limits<double>::infinity() : theta / (1.0 - theta);
      if (result.iterations > goal_.transient &&
          (diverges || too_slow(theta, share, norm, result))) {
        result.end = End::slow;
        return true;
      }
    }
    before_ = norm;
    return share * norm <= goal_.error;
  }

 private:
  /// Whether the error would exceed the goal after the last allowed iteration. If so, sets the
  /// factor by which the step must shrink.
  bool too_slow(double theta, double share, double norm, RadauIteration& result) const {
    const int left = goal_.most_iterations - result.iterations;
    const double at_last = std::pow(theta, left) * share * norm / goal_.error;
    if (!(at_last > 1.0)) return false;
    result.shrink = 0.8 * std::pow(std::clamp(at_last, 1e-4, 20.0), -1.0 / (4.0 + left));
    return true;
  }

  const RadauNewtonGoal& goal_;
  double guess_, before_ = 0.0, ratio_before_ = 0.0, best_ratio_ = 1.0;
};

/// Iterates from the prediction in step.Z with the equations of this step; stores the solution
/// there. `weight` (N) scales the norm; `expected_contraction` is that of the step before, 1 if
/// unknown.
template <class T>
RadauIteration solve_stages(StageEquations<T>& equations, RadauCollocation<T>& step,
                            RadauNewtonMatrix& matrix, const VectorXd& weight,
                            const RadauNewtonGoal& goal, double expected_contraction) {
  RadauIteration result;
  RadauConvergence convergence(goal, expected_contraction);
  equations.begin(step);
  bool ended = false;
  while (!ended && result.iterations < goal.most_iterations) {
    result.end = RadauIteration::End::not_finite;
    if (!equations.evaluate(step)) return result;
    const double norm = equations.correct(step, matrix, weight);
    if (!std::isfinite(norm)) return result;
    ++result.iterations;
    ended = convergence.ends_with(norm, result);
  }
  if (!ended) result.end = RadauIteration::End::slow;
  equations.finish(step);
  return result;
}

}  // namespace rigidlimit
