// Constraint-adapted velocities: the rows S that stand beside G, and the way between v and (u, w).
#pragma once

#include <cmath>
#include <limits>
#include <memory>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/formulations/adapted_options.hpp"
#include "rigidlimit/formulations/small_solve.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

/// The frame B(q) = [S; G(q)] (n × n) of u = S v and w = G(q) v (theory.md, section 11).
///
/// S is the system's quasi_velocities(q), or else a constant matrix chosen at a configuration q̄,
///
///   S = N̂ᵀLᵀ,   L Lᵀ = M(q̄),   N̂: orthonormal basis of ker G(q̄) L⁻ᵀ,
///
/// for which S M⁻¹ Sᵀ = I and S M⁻¹ Gᵀ = 0 at q̄: there the contact force does not act on u at all.
/// (With an orthonormal basis of ker G for S it does wherever M is not a multiple of the unit
/// matrix, and with it the large damping term.) The entries of S are doubles, whatever number the
/// problem is solved in.
template <MechanicalSystem Sys>
class AdaptedFrame {
 public:
  static constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, free = n - m;
  static_assert(free > 0, "the constraints leave no velocity free");

  AdaptedFrame(const Sys& sys, const Coordinates<Sys>& start, const AdaptedOptions& options)
      : sys_(sys), start_(start), natural_(options.natural && HasQuasiVelocities<Sys>) {
    reset();
  }

  bool natural() const { return natural_; }

  /// Back to the S of the start.
  void reset() {
    if (!natural_) choose(start_);
  }

  /// S for q̄ = q, constant frames only.
  void choose(const Coordinates<Sys>& q) {
    const Matrix<double, n, n> L = mass_matrix(sys_, q).llt().matrixL();
    const Matrix<double, n, m> contacts =
        L.template triangularView<Eigen::Lower>().solve(constraint(sys_, q).transpose());
    const Matrix<double, n, n> Q = contacts.householderQr().householderQ();
    rows_ = Q.template rightCols<free>().transpose() * L.transpose();
  }

  /// B(q), n × n.
  template <class S>
  Matrix<S, n, n> at(const Vector<S, nq>& q) const {
    Matrix<S, n, n> B;
    B.template bottomRows<m>() = constraint(sys_, q);
    if constexpr (HasQuasiVelocities<Sys>)
      if (natural_) {
        B.template topRows<free>() = sys_.quasi_velocities(q);
        return B;
      }
    for (int i = 0; i < free; ++i)
      for (int k = 0; k < n; ++k) B(i, k) = S(rows_(i, k));
    return B;
  }

  /// (∂q B[q_rate]) v, n: the part of d(u, w)/dt that does not come from v'.
  template <class S>
  Vector<S, n> drift(const Vector<S, nq>& q, const Vector<S, nq>& q_rate,
                     const Vector<S, n>& v) const {
    using D = Dual<S, 1>;
    const Vector<D, nq> moving = along(q, q_rate);
    Vector<S, n> change = Vector<S, n>::Zero();
    change.template tail<m>() = rate_of<m>(Matrix<D, m, n>(constraint(sys_, moving))) * v;
    if constexpr (HasQuasiVelocities<Sys>)
      if (natural_)
        change.template head<free>() =
            rate_of<free>(Matrix<D, free, n>(sys_.quasi_velocities(moving))) * v;
    return change;
  }

  /// The condition number of B(q), ≥ 1, after S and G have been made orthonormal in M⁻¹ each for
  /// itself: sqrt((1 + σ)/(1 − σ)), σ the largest cosine between their row spaces. It does not
  /// depend on units, on the scaling of contacts, or on how well separated the contacts are (which
  /// no choice of S could mend). 1 at q̄.
  double condition(const Coordinates<Sys>& q) const {
    const Matrix<double, n, n> B = at<double>(q);
    const Matrix<double, n, n> Bt = B.transpose();
    const Matrix<double, n, n> gram = B * solve_positive(mass_matrix(sys_, q), Bt);
    const Matrix<double, free, free> own = gram.template topLeftCorner<free, free>();
    const Matrix<double, free, m> coupling = gram.template topRightCorner<free, m>();
    const Matrix<double, m, m> delassus = gram.template bottomRightCorner<m, m>();
    const Matrix<double, m, m> inner = coupling.transpose() * own.llt().solve(coupling);
    const Matrix<double, m, m> L = delassus.llt().matrixL();
    const auto half = L.template triangularView<Eigen::Lower>();
    const Matrix<double, m, m> left = half.solve(inner);
    const Matrix<double, m, m> squares = half.solve(Matrix<double, m, m>(left.transpose()));
    const double sigma = std::sqrt(std::max(0.0, largest_eigenvalue(squares)));
    if (!(sigma < 1.0)) return std::numeric_limits<double>::infinity();
    return std::sqrt((1.0 + sigma) / (1.0 - sigma));
  }

 private:
  template <int Rows, class S>
  static Matrix<S, Rows, n> rate_of(const Matrix<Dual<S, 1>, Rows, n>& moving) {
    Matrix<S, Rows, n> rate;
    for (int i = 0; i < Rows; ++i)
      for (int k = 0; k < n; ++k) rate(i, k) = moving(i, k).derivative[0];
    return rate;
  }

  static double largest_eigenvalue(const Matrix<double, m, m>& X) {
    if constexpr (m == 1)
      return X(0, 0);
    else
      return Eigen::SelfAdjointEigenSolver<Matrix<double, m, m>>(X, Eigen::EigenvaluesOnly)
          .eigenvalues()
          .maxCoeff();
  }

  Sys sys_;
  Coordinates<Sys> start_;
  bool natural_;
  Matrix<double, free, n> rows_ = Matrix<double, free, n>::Zero();  ///< S where it is constant
};

/// The frame of a start in the real numbers T.
template <MechanicalSystem Sys, class T>
std::shared_ptr<AdaptedFrame<Sys>> frame_at(const Sys& sys, const Vector<T, Sys::nq>& q,
                                            const AdaptedOptions& options) {
  Coordinates<Sys> rounded;
  for (int i = 0; i < Sys::nq; ++i) rounded(i) = static_cast<double>(q(i));
  return std::make_shared<AdaptedFrame<Sys>>(sys, rounded, options);
}

/// The coordinates of a problem with y = (q, u, w_and_more): `blocks` says whether w stands in y
/// (compliant) or is zero (rigid). output = (q, v) followed by what stands in y after w, and by w.
///
/// `frame` is shared with the callbacks of the problem: one solve at a time.
template <class T, MechanicalSystem Sys>
MovingCoordinatesOf<T> adapted_coordinates(std::shared_ptr<AdaptedFrame<Sys>> frame,
                                           bool sliding_in_state) {
  using Frame = AdaptedFrame<Sys>;
  constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, free = Frame::free;
  const auto velocity_of = [frame, sliding_in_state](VectorInOf<T> y) {
    const Vector<T, nq> q = y.template head<nq>();
    Vector<T, n> uw = Vector<T, n>::Zero();
    if (sliding_in_state)
      uw = y.template segment<n>(nq);
    else
      uw.template head<free>() = y.template segment<free>(nq);
    return solve_small(frame->template at<T>(q), uw);
  };

  MovingCoordinatesOf<T> coordinates;
  coordinates.reset = [frame] { frame->reset(); };
  coordinates.output_size = nq + n + (sliding_in_state ? 2 * m : 0);
  coordinates.output = [velocity_of, sliding_in_state](const T&, VectorInOf<T> y,
                                                       VectorOutOf<T> output) {
    output.template head<nq>() = y.template head<nq>();
    output.template segment<n>(nq) = velocity_of(y);
    if (!sliding_in_state) return;
    output.template segment<m>(nq + n) = y.template tail<m>();
    output.template tail<m>() = y.template segment<m>(nq + free);
  };
  coordinates.rechoose = [frame, velocity_of, sliding_in_state](
                             double condition_bound, VectorOutOf<T> y, MatrixOut change) {
    if (frame->natural()) return false;
    Coordinates<Sys> q;
    for (int i = 0; i < nq; ++i) q(i) = static_cast<double>(y(i));
    if (condition_bound > 0.0 && frame->condition(q) <= condition_bound) return false;
    const Vector<T, n> v = velocity_of(y);
    const Matrix<double, n, n> before = frame->template at<double>(q);
    frame->choose(q);
    const Vector<T, nq> q_exact = y.template head<nq>();
    y.template segment<free>(nq) = frame->template at<T>(q_exact).template topRows<free>() * v;
    const Matrix<double, n, n> unit = Matrix<double, n, n>::Identity();
    const Matrix<double, free, n> S = frame->template at<double>(q).template topRows<free>();
    const Matrix<double, free, n> turn = S * solve_small(before, unit);
    change.setIdentity();
    if (sliding_in_state)
      change.template block<free, n>(nq, nq) = turn;
    else
      change.template block<free, free>(nq, nq) = turn.template leftCols<free>();
    return true;
  };
  return coordinates;
}

}  // namespace rigidlimit
