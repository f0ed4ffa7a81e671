// Jacobian of a Radau IIA solve, and its age.
#pragma once

#include <algorithm>
#include <utility>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/solvers/radau/radau_newton_matrix.hpp"

namespace rigidlimit {

/// ∂f/∂y or the fast block with its coupling, reused from step to step while it is adequate. With
/// the fast block, an iteration that contracts too slowly although the block is fresh, or any two
/// consecutive failures, switch to the full matrix: for 20 steps, and each later time for twice as
/// long.
template <class T>
class RadauJacobian {
 public:
  RadauJacobian(const OdeProblemOf<T>& problem, bool fast_block)
      : problem_(problem),
        on_block_(fast_block && problem.fast != nullptr),
        may_use_block_(on_block_) {
    const auto n = problem.y0.size();
    const auto k = on_block_ ? static_cast<Index>(problem.fast->components.size()) : Index{0};
    y_.resize(n);
    block_.resize(k, k);
    if (on_block_ && problem.fast->coupling) {
      others_ = other_components(n, problem.fast->components);
      coupling_.resize(static_cast<Index>(others_.size()), k);
    }
    if (problem.jacobian) full_.resize(n, n);
  }

  bool on_block() const { return on_block_; }
  bool may_fall_back() const { return on_block_ && problem_.jacobian; }
  bool fresh() const { return fresh_; }  ///< evaluated for the present step
  bool stale() const { return stale_; }  ///< to be evaluated before the next step
  void mark_stale() { stale_ = true; }
  long evaluations() const { return evaluations_; }

  /// Evaluates at (t, y) and passes the matrix on; false if it is not finite.
  bool evaluate(double t, const Vector<T, Eigen::Dynamic>& y, RadauNewtonMatrix& matrix) {
    y_ = y.template cast<double>();
    ++evaluations_;
    if (on_block_) {
      problem_.fast->jacobian(y_, block_);
      if (problem_.fast->coupling) problem_.fast->coupling(y_, coupling_);
      matrix.use_block(problem_.fast->components, block_, others_, coupling_);
    } else {
      problem_.jacobian(t, y_, full_);
      matrix.use_full(full_);
    }
    fresh_ = true;
    stale_ = false;
    return on_block_ ? block_.allFinite() && coupling_.allFinite() : full_.allFinite();
  }

  /// x (N) becomes J x with the current J.
  void apply(VectorXd& x) const {
    if (!on_block_) {
      x = (full_ * x).eval();
      return;
    }
    const auto& components = problem_.fast->components;
    VectorXd in(block_.rows());
    for (Index i = 0; i < in.size(); ++i) in(i) = x(components[static_cast<std::size_t>(i)]);
    const VectorXd out = block_ * in;
    x.setZero();
    for (Index i = 0; i < in.size(); ++i) x(components[static_cast<std::size_t>(i)]) = out(i);
    for (Index i = 0; i < coupling_.rows(); ++i)
      x(others_[static_cast<std::size_t>(i)]) = coupling_.row(i).dot(in);
  }

  /// x (N) becomes |J| |x|.
  void apply_magnitudes(VectorXd& x) const {
    if (!on_block_) {
      x = (full_.cwiseAbs() * x.cwiseAbs()).eval();
      return;
    }
    const auto& components = problem_.fast->components;
    VectorXd in(block_.rows());
    for (Index i = 0; i < in.size(); ++i)
      in(i) = std::abs(x(components[static_cast<std::size_t>(i)]));
    const VectorXd out = block_.cwiseAbs() * in;
    x.setZero();
    for (Index i = 0; i < in.size(); ++i) x(components[static_cast<std::size_t>(i)]) = out(i);
    for (Index i = 0; i < coupling_.rows(); ++i)
      x(others_[static_cast<std::size_t>(i)]) = coupling_.row(i).cwiseAbs().dot(in);
  }

  /// The coordinates are now `change` times the old ones: P J P⁻¹ is the same Jacobian in them. The
  /// fast block must be evaluated again unless P leaves its components unchanged, its coupling
  /// unless P is the identity.
  void change_coordinates(const MatrixXd& change, RadauNewtonMatrix& matrix) {
    if (stale_) return;
    if (on_block_) {
      stale_ = !leaves_block_alone(change) || (coupling_.size() > 0 && !change.isIdentity(0.0));
      return;
    }
    full_ = change * full_ * inverse_of(change);
    matrix.use_full(full_);
    moved_ = true;
  }
  /// Whether the matrix has changed without an evaluation since the last call.
  bool moved() { return std::exchange(moved_, false); }

  void step_accepted(bool keep) {
    fresh_ = false;
    stale_ = stale_ || !keep;
    failures_ = 0;
    if (on_block_ || !may_use_block_ || --steps_on_full_ > 0) return;
    on_block_ = stale_ = true;
  }

  /// `at_once`: a fresh block that fails is not tried with another step. A slow iteration needs
  /// another matrix, not a step that resolves the slow motion better.
  void iteration_failed(bool at_once) {
    stale_ = stale_ || !fresh_;
    if (!may_fall_back()) return;
    if (++failures_ < 2 && !(at_once && fresh_)) return;
    on_block_ = false;
    stale_ = true;
    steps_on_full_ = pause_;
    pause_ = std::min(2 * pause_, 1L << 40);
  }

 private:
  bool leaves_block_alone(const MatrixXd& change) const {
    for (const Index i : problem_.fast->components)
      for (Index j = 0; j < change.rows(); ++j) {
        const double unit = i == j ? 1.0 : 0.0;
        if (change(i, j) != unit || change(j, i) != unit) return false;
      }
    return true;
  }

  const OdeProblemOf<T>& problem_;
  bool on_block_, may_use_block_;
  bool fresh_ = false, stale_ = true, moved_ = false;
  int failures_ = 0;
  long steps_on_full_ = 0, pause_ = 20, evaluations_ = 0;
  VectorXd y_;
  std::vector<Index> others_;  ///< the slow components, if coupled
  MatrixXd full_, block_, coupling_;
};

}  // namespace rigidlimit
