// Jacobian of a Radau IIA solve, and its age.
#pragma once

#include <utility>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/solvers/radau/radau_newton_matrix.hpp"

namespace rigidlimit {

/// ∂f/∂y, reused from step to step while it is adequate.
template <class T>
class RadauJacobian {
 public:
  explicit RadauJacobian(const OdeProblemOf<T>& problem) : problem_(problem) {
    const auto n = problem.y0.size();
    full_.resize(n, n);
  }

  bool fresh() const { return fresh_; }  ///< evaluated for the present step
  bool stale() const { return stale_; }  ///< to be evaluated before the next step
  void mark_stale() { stale_ = true; }
  long evaluations() const { return evaluations_; }

  /// Evaluates at (t, y) and passes the matrix on; false if it is not finite.
  bool evaluate(double t, const Vector<T, Eigen::Dynamic>& y, RadauNewtonMatrix& matrix) {
    y_ = y.template cast<double>();
    ++evaluations_;
    problem_.jacobian(t, y_, full_);
    matrix.use(full_);
    fresh_ = true;
    stale_ = false;
    return full_.allFinite();
  }

  /// x (N) becomes J x with the current J.
  void apply(VectorXd& x) const { x = (full_ * x).eval(); }

  /// x (N) becomes |J| |x|.
  void apply_magnitudes(VectorXd& x) const { x = (full_.cwiseAbs() * x.cwiseAbs()).eval(); }

  /// The coordinates are now `change` times the old ones: P J P⁻¹ is the same Jacobian in them.
  void change_coordinates(const MatrixXd& change, RadauNewtonMatrix& matrix) {
    if (stale_) return;
    full_ = change * full_ * inverse_of(change);
    matrix.use(full_);
    moved_ = true;
  }
  /// Whether the matrix has changed without an evaluation since the last call.
  bool moved() { return std::exchange(moved_, false); }

  void step_accepted(bool keep) {
    fresh_ = false;
    stale_ = stale_ || !keep;
  }
  void iteration_failed() { stale_ = stale_ || !fresh_; }

 private:
  const OdeProblemOf<T>& problem_;
  bool fresh_ = false, stale_ = true, moved_ = false;
  long evaluations_ = 0;
  VectorXd y_;
  MatrixXd full_;
};

}  // namespace rigidlimit
