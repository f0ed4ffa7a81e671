// The layer of a contact with bounded friction after a start or a change of modes.
#pragma once

#include <vector>

#include "rigidlimit/contact/event_driven/fixed_modes.hpp"

namespace rigidlimit {

/// k rows of sliding of the elastic contacts, in the order of the contacts. With forces λ (k, N) on
/// them
///
///   v' = acceleration − response λ,   w' = sliding_rate − delassus λ,   p = normal + normal_slope
///   λ.
///
/// The normals of closed contacts are held, unless their force is given; a contact that is not
/// elastic and slips has the friction μ p along its sliding velocity.
struct ContactResponse {
  std::vector<Index> rows;  ///< k rows of W
  MatrixXd sliding;         ///< these rows of W, k × n
  VectorXd acceleration;    ///< n
  MatrixXd response;        ///< W̃, n × k
  VectorXd sliding_rate;    ///< k
  MatrixXd delassus;        ///< Ã = W W̃, k × k
  VectorXd normal;          ///< nc
  MatrixXd normal_slope;    ///< nc × k
};

/// `elastic[i]`: the force of contact i is given; `states`: the modes of the others.
ContactResponse contact_response(const FrictionalSystem& system, const ContactStates& states,
                                 const std::vector<bool>& elastic, const VectorXd& q,
                                 const VectorXd& v, double t);

/// An elastic contact of the layer: entries [first, first + components) of its k rows.
struct ElasticContact {
  Index which = 0;  ///< index in FrictionalSystem::contacts, for its normal force
  Index first = 0;
  Index components = 1;
  double friction = 0.0;  ///< μ
};

/// With τ = (t − t*)/ε, v = v̂ + ε V, y = ε² η and frozen coefficients (docs/theory.md,
/// section 10.8)
///
///   λ = proj_{|λ| ≤ μ|p(λ)|} (C η + D z),   z = ŵ' τ + W V
///   η' = D⁻¹(λ − C η),   V' = −W̃ (λ − Λ),   Q' = V
///
/// from C η(0) = `before`, V = Q = 0. Λ: the rigid force after t*; ŵ': the rigid sliding
/// acceleration, zero of a contact that sticks. Inside the disc this is the layer of section 4.
struct FrictionLayerData {
  ContactResponse at;
  std::vector<ElasticContact> contacts{};
  VectorXd stiffness{};      ///< C, k
  VectorXd damping{};        ///< D, k
  VectorXd before{};         ///< k
  VectorXd rigid{};          ///< Λ, k
  VectorXd sliding_drift{};  ///< ŵ', k
};

class FrictionLayer {
 public:
  /// Solves the layer up to the time at which it has settled. Throws InputError with the reason if
  /// it does not settle at the rigid force.
  explicit FrictionLayer(FrictionLayerData data);

  /// Column per τ: not decreasing, and strictly increasing from the first τ > 0; beyond
  /// `settled()`: the force Λ, V(∞) and Q(∞) + V(∞) τ.
  struct States {
    MatrixXd force;         ///< λ − Λ, k
    MatrixXd normal;        ///< p − p̂, nc
    MatrixXd velocity;      ///< V, n
    MatrixXd displacement;  ///< Q, n
  };
  States at(const std::vector<double>& taus) const;

  const FrictionLayerData& data() const { return data_; }
  double settled() const { return end_; }
  const VectorXd& velocity() const { return velocity_; }          ///< V(∞), n
  const VectorXd& displacement() const { return displacement_; }  ///< lim Q − V(∞) τ, n
  const VectorXd& force_moment() const { return moment_; }        ///< ∫ τ (λ − Λ) dτ, k
  /// Whether V(∞) is not zero: slipping keeps the impulse that was missing.
  bool leaves_velocity() const { return leaves_; }

 private:
  VectorXd pull(double tau, const VectorXd& y) const;  ///< C η + D z
  VectorXd force(double tau, const VectorXd& y) const;
  VectorXd margins(double tau, const VectorXd& y) const;
  VectorXd start() const;  ///< (η, V, Q, ∫ τ (λ − Λ) dτ) at τ = 0
  MatrixXd solve(const std::vector<double>& taus) const;

  FrictionLayerData data_;
  double end_ = 0.0;
  bool leaves_ = false;
  VectorXd velocity_, displacement_, moment_;
};

}  // namespace rigidlimit
