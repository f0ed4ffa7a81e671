#include "rigidlimit/solvers/one_stage/implicit_stage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rigidlimit {

bool ImplicitFormula::linearise_at(double t, const VectorXd& y) {
  factorised_g_ = 0.0;
  ++work_.jacobian_evaluations;
  dfdy_.resize(n_, n_);
  problem_.jacobian(t, y, dfdy_);
  return dfdy_.allFinite();
}

bool ImplicitFormula::factorise(double g) {
  if (g == factorised_g_) return true;
  ++work_.factorisations;
  matrix_ = -g * dfdy_;
  matrix_.diagonal().array() += 1.0;
  lu_.compute(matrix_);
  const bool good = lu_.regular();
  factorised_g_ = good ? g : 0.0;
  return good;
}

StepFailure ImplicitFormula::solve_stage(const StepTask& task, const Stage& stage, VectorXd& x) {
  f_.resize(n_);
  if (!std::exchange(linearised_, true) && !linearise_at(task.t, task.y)) {
    linearised_ = false;
    return StepFailure::not_finite;
  }
  return iterate(task, stage, x);
}

StepFailure ImplicitFormula::iterate(const StepTask& task, const Stage& stage, VectorXd& x) {
  constexpr double share = 0.01;  // of the tolerance
  constexpr double slow = 0.3;    // ratio of corrections above which the Jacobian is updated at x
  constexpr int most_jacobians = 4;
  double before = 0.0, largest = 0.0;
  int jacobians = 0, since_jacobian = 0;
  for (int iteration = 0; iteration < 30; ++iteration) {
    if (!factorise(stage.g)) return StepFailure::singular;
    if (!rate(stage.tau, x, f_)) return StepFailure::not_finite;
    correction_ = stage.c + stage.g * f_ - x;
    correction_ = lu_.solve(correction_);
    ++work_.newton_iterations;
    ++work_.linear_solves;
    x += correction_;
    const double norm =
        correction_.cwiseProduct(task.weight).norm() / std::sqrt(static_cast<double>(n_));
    if (!std::isfinite(norm)) return StepFailure::not_finite;
    const double round_off =
        std::numeric_limits<double>::epsilon() * x.cwiseProduct(task.weight).cwiseAbs().maxCoeff();
    largest = std::max(largest, norm);
    if (norm <= round_off) return StepFailure::none;
    if (before > 0.0) {
      const double ratio = norm / before;
      if (task.estimate && ratio < 1.0 && ratio / (1.0 - ratio) * norm <= share)
        return StepFailure::none;
      const bool settled = norm <= 1e-3 * largest || norm <= 1e3 * round_off;
      if (ratio > slow && since_jacobian >= 2) {
        // A Jacobian near x contracts no better: the rest is round-off.
        if (jacobians > 0 && settled) return StepFailure::none;
        if (jacobians == most_jacobians) return StepFailure::iteration;
        ++jacobians;
        since_jacobian = 0;
        if (!linearise_at(stage.tau, x)) return StepFailure::not_finite;
      }
    }
    ++since_jacobian;
    before = norm;
  }
  return StepFailure::iteration;
}

}  // namespace rigidlimit
