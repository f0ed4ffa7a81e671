// Constraint-adapted velocities: the rows S that stand beside E and G, and the way between v and
// (u, w).
#pragma once

#include <memory>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/formulations/adapted_options.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"

namespace rigidlimit {

/// The frame B(q) = [S; E(q); G_I(q)] (n × n) of u = S v, 0 = E v and w_I = G_I(q) v
/// (docs/theory.md, section 11), G_I the r independent contact rows at the start and w = H w_I all
/// m sliding velocities (mechanics/contact_basis.hpp).
///
/// S (n − ne − r rows) is the system's quasi_velocities(q), where it has them and its contacts are
/// independent; or else a constant matrix chosen at a configuration q̄: with Z (n × (n − ne)) an
/// orthonormal basis of ker E(q̄),
///
///   S = N̂ᵀLᵀZᵀ,   L Lᵀ = ZᵀM(q̄)Z,   N̂: orthonormal basis of ker G_I(q̄) Z L⁻ᵀ.
///
/// With M⁻¹ the inverse on ker E (mechanics/inertia.hpp; M itself may be singular) S M⁻¹Sᵀ = I and
/// S M⁻¹G_Iᵀ = 0 at q̄: there the contact force does not act on u at all. (With an orthonormal
/// basis of ker [E; G] for S it does wherever M is not a multiple of the unit matrix, and with it
/// the large damping term.) The entries of S are doubles, whatever number the problem is solved in.
class AdaptedFrame {
 public:
  AdaptedFrame(const System& system, const VectorXd& start, const AdaptedOptions& options);

  const System& system() const { return system_; }
  const ContactBasis& contacts() const { return contacts_; }
  Index free() const { return system_.n - system_.ne - contacts_.rank(); }
  Index rank() const { return contacts_.rank(); }
  bool natural() const { return natural_; }

  /// Back to the S of the start.
  void reset();

  /// S for q̄ = q, constant frames only. Throws InputError where redundant contacts have another H
  /// than at the start: then w is not H w_I, and the formulation does not hold.
  void choose(const VectorXd& q);

  /// Rows that write() and drift() need room for, n + m − r: the dependent contact rows stand, in
  /// no order, behind the n of the frame.
  Index rows() const { return system_.n + system_.m - contacts_.rank(); }
  /// B(q) in the first n rows of B (rows() × n); S double, Quad or Directions.
  template <class S>
  void write(VectorInOf<S> q, MatrixOutOf<S> B) const;
  /// (∂q B[q_rate]) v in the first n entries of `change` (rows()): the part of d(u, 0, w_I)/dt that
  /// does not come from v'.
  template <class S>
  void drift(VectorInOf<S> q, VectorInOf<S> q_rate, VectorInOf<S> v, VectorOutOf<S> change) const;
  /// B(q), n × n.
  template <class S>
  MatrixX<S> at(VectorInOf<S> q) const;

  /// The condition number of B(q) on ker E, ≥ 1, after S and G_I have been made orthonormal in M⁻¹
  /// each for itself: sqrt((1 + σ)/(1 − σ)), σ the largest cosine between their row spaces. It does
  /// not depend on units, on the scaling of contacts, or on how well separated the contacts are
  /// (which no choice of S could mend). 1 at q̄.
  double condition(const VectorXd& q) const;

 private:
  /// M and [E; G] on ker E(q).
  struct Held {
    MatrixXd Z;         ///< orthonormal basis of ker E, n × (n − ne)
    MatrixXd inertia;   ///< ZᵀMZ
    MatrixXd contacts;  ///< G Z, m × (n − ne)
  };
  Held held_at(const VectorXd& q) const;
  void require_same_combination(const MatrixXd& contacts) const;

  System system_;
  ContactBasis contacts_;
  VectorXd start_;
  bool natural_;
  MatrixXd rows_;  ///< S where it is constant
};

/// The frame of a start in the real numbers T.
template <class T>
std::shared_ptr<AdaptedFrame> frame_at(const System& system, VectorInOf<T> q,
                                       const AdaptedOptions& options);

/// The coordinates of a problem with y = (q, u) (rigid, w = 0) or y = (q, u, w_I, η) (compliant,
/// `sliding_in_state`). output = (q, v), followed for the compliant one by η and w = H w_I. T
/// double or Quad.
///
/// `frame` is shared with the callbacks of the problem: one solve at a time.
template <class T>
MovingCoordinatesOf<T> adapted_coordinates(std::shared_ptr<AdaptedFrame> frame,
                                           bool sliding_in_state);

}  // namespace rigidlimit
