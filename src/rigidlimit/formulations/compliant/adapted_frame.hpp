// Constraint-adapted velocities: the rows S beside E and G, and the map between v and (u, w).
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/formulations/compliant/adapted_options.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"

namespace rigidlimit {

/// The frame B(q) = [S; E(q); G_I(q)] (n × n) of u = S v, 0 = E v and w_I = G_I(q) v
/// (docs/theory.md, section 11), G_I the r independent contact rows at the start and w = H w_I all
/// m sliding velocities (mechanics/contact_basis.hpp).
///
/// S (n − ne − r rows) is the system's quasi_velocities(q), if it has them and its contacts are
/// independent. Otherwise S is a constant matrix chosen at a configuration q̄: with Z (n × (n −
/// ne)) an orthonormal basis of ker E(q̄),
///
///   S = N̂ᵀLᵀZᵀ,   L Lᵀ = ZᵀM(q̄)Z,   N̂: orthonormal basis of ker G_I(q̄) Z L⁻ᵀ.
///
/// With M⁻¹ the inverse on ker E (mechanics/inertia.hpp; M itself may be singular), S M⁻¹Sᵀ = I and
/// S M⁻¹G_Iᵀ = 0 at q̄: there the contact force does not act on u. (With an orthonormal basis of
/// ker [E; G] as S, the contact force and its large damping term act on u, unless M is a multiple
/// of the unit matrix.) Such an S is stored as R = B(q̄)⁻¹ rounded to doubles, whose inverse has
/// exactly the rows S in every type of number. For a tangent lift, whose M is indefinite
/// (mechanics/tangent_system.hpp), S = N̂ᵀZᵀ with N̂ an orthonormal basis of ker G_I M⁻¹Z: again
/// S M⁻¹G_Iᵀ = 0 at q̄.
///
/// The equations in (q, u, w_I) are the tapes of mechanics/adapted_tapes.hpp with the parameters R
/// and a valid row order of the elimination. The order of the start (natural) or of q̄ is used
/// wherever no pivot is less than a quarter of its value there; otherwise an order found at the
/// state.
class AdaptedFrame {
 public:
  AdaptedFrame(const System& system, const VectorXd& start, const AdaptedOptions& options);

  const System& system() const { return system_; }
  const ContactBasis& contacts() const { return contacts_; }
  Index free() const { return system_.n - system_.ne - contacts_.rank(); }
  Index rank() const { return contacts_.rank(); }
  bool natural() const { return natural_; }

  /// Resets S to that of the start.
  void reset();

  /// Chooses S for q̄ = q, constant frames only. Throws InputError if redundant contacts have
  /// another H than at the start: then w is not H w_I, and the formulation is invalid.
  void choose(const VectorXd& q);

  /// R, column by column; natural: empty.
  std::span<const double> parameters() const {
    return {R_.data(), static_cast<std::size_t>(R_.size())};
  }
  /// The tapes of the usual order, and whether it is valid where pivot number i is x.
  const AdaptedTapes& usual_tapes() const { return *usual_; }
  bool is_large(std::size_t i, double x) const { return std::abs(x) >= least_pivot_[i]; }
  /// Tapes valid at q: those of the usual order, or of an order found at q.
  const AdaptedTapes& tapes_at(const double* q) const;
  /// Tapes of an order found at q.
  const AdaptedTapes& ordered_tapes(const double* q) const;

  /// Calls use(tapes, rest), which evaluates a tape whose last outputs are the pivots and passes
  /// these to rest(i, x): first with the usual tapes, then, if these are not valid, with
  /// tapes_at(q).
  template <class T, class Use>
  void with_tapes(const T* q, const Use& use) const {
    bool large = true;
    use(usual_tapes(),
        [&](std::size_t i, const T& x) { large = large && is_large(i, static_cast<double>(x)); });
    if (large) return;
    VectorXd rounded(system_.nq);
    for (Index i = 0; i < system_.nq; ++i) rounded(i) = static_cast<double>(q[i]);
    use(ordered_tapes(rounded.data()), [](std::size_t, const T&) {});
  }

  /// (u, w_I) of v (n) at q; T double or Quad.
  template <class T>
  VectorX<T> adapted(VectorInOf<T> q, VectorInOf<T> v) const;
  /// v (n) of (u, w_I) at q, with E v = 0.
  template <class T>
  VectorX<T> velocity(VectorInOf<T> q, VectorInOf<T> adapted) const;
  /// v (n) of eight states (q, u, w_I) near each other.
  void write_velocities(std::span<const Pack> states, Pack* v) const;
  /// B(q), n × n.
  MatrixXd at(const VectorXd& q) const;

  /// The condition number of B(q) on ker E, ≥ 1, after S and G_I have each been made orthonormal in
  /// M⁻¹: sqrt((1 + σ)/(1 − σ)), σ the largest cosine between their row spaces. It does not depend
  /// on units, on the scaling of contacts, or on the separation of the contacts (which no choice of
  /// S could improve). 1 at q̄. For a tangent lift, which has no such inner product: the condition
  /// number of [I K; 0 I], K = S M⁻¹G_Iᵀ (G_I M⁻¹G_Iᵀ)⁻¹.
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
  /// [E; G_I] at q, below the rows S of B.
  MatrixXd with_held_rows(const MatrixXd& S, const VectorXd& q) const;
  void take_as_usual(const VectorXd& q);

  System system_;
  ContactBasis contacts_;
  VectorXd start_;
  bool natural_;
  MatrixXd rows_;  ///< S if constant
  MatrixXd R_;     ///< likewise
  const AdaptedTapes* usual_ = nullptr;
  std::vector<double> least_pivot_;
};

/// The frame for a start in the real numbers T.
template <class T>
std::shared_ptr<AdaptedFrame> frame_at(const System& system, VectorInOf<T> q,
                                       const AdaptedOptions& options);

/// Representation of the deflection in the state of a compliant problem: η = offset + H ζ.
struct DeflectionMap {
  VectorXd offset;       ///< m
  MatrixXd combination;  ///< H, m × r
};

/// The coordinates of a problem with y = (q, u) (rigid, w = 0) or y = (q, u, w_I, ζ) (compliant,
/// with a map of deflections). output = (q, v), for the compliant problem followed by η and w = H
/// w_I. T double or Quad.
///
/// `frame` is shared with the callbacks of the problem: only one solve at a time.
template <class T>
MovingCoordinatesOf<T> adapted_coordinates(const std::shared_ptr<AdaptedFrame>& frame,
                                           const std::optional<DeflectionMap>& deflection = {});

}  // namespace rigidlimit
