// Tapes shared by formulations, derived from a recorded system.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/pack_evaluator.hpp"
#include "rigidlimit/mechanics/adapted_tapes.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// The equations of compliant_ode() (formulations/compliant/compliant.hpp) as one tape each,
/// without common subexpressions:
///
///   q' = T v + restoring rate of the invariants,   w = G v,   λ = C η + D w,
///   M v' = F − Eᵀκ − Gᵀλ,   E v' = −(∂q E[T v]) v − γ E v.
///
/// Arguments, one after the other: q, v, η, t, C and D (m × m, column by column). Tapes are made on
/// first use. Threads may share it.
class NaturalTapes {
 public:
  explicit NaturalTapes(std::shared_ptr<const RecordedSystem> system)
      : system_(std::move(system)) {}

  /// (q', v', w), nq + n + m. T double or Quad.
  template <class T>
  const Evaluator<T>& rates() const;
  /// The same for eight states.
  const PackEvaluator& packs() const;
  /// ∂(q', v', w)/∂(q, v, η), and ∂(q', v', w)/∂t.
  const Evaluator<double>& jacobian() const;
  const Evaluator<double>& time_derivative() const;

  /// (q', v', w) of the contact force alone: q' = 0, M v' = −Eᵀκ − Gᵀλ, E v' = 0; and its Jacobian.
  const Evaluator<double>& contact_rates() const;
  const Evaluator<double>& contact_jacobian() const;

  /// λ (m).
  template <class T>
  const Evaluator<T>& contact_force() const;

 private:
  template <class Function>
  Tape tape(const Function& outputs) const;

  std::shared_ptr<const RecordedSystem> system_;
  Lazy<Evaluator<double>> rates_, jacobian_, time_derivative_, contact_rates_, contact_jacobian_;
  Lazy<Evaluator<double>> contact_force_;
  Lazy<Evaluator<Quad>> quad_rates_, quad_contact_force_;
  Lazy<PackEvaluator> packs_;
};

/// Choice of the rows X: exact rows and sliding velocities, X = [E; G], or also the normals of
/// contacts that may slip and open, X = [E; W; N] (mechanics/frictional_system.hpp).
enum class BalanceRows { sliding, contacts };

/// All terms of the equations of motion in (q, v) at one state, with h rows X.
class BalanceTerms {
 public:
  using Part = Eigen::Map<const VectorXd>;
  using MatrixPart = Eigen::Map<const MatrixXd>;

  Part coordinate_rate() const { return part(0, nq_); }            ///< T v + restoring rate, nq
  MatrixPart mass() const { return {all_.data() + nq_, n_, n_}; }  ///< M, n × n
  Part force() const { return part(nq_ + n_ * n_, n_); }           ///< F, n
  MatrixPart rows() const { return {all_.data() + nq_ + n_ * n_ + n_, h_, n_}; }  ///< X, h × n
  Part velocity() const { return part(behind(), h_); }                            ///< X v, h
  Part drift() const { return part(behind() + h_, h_); }     ///< (∂q X[T v]) v, h
  Part gap() const { return part(behind() + 2 * h_, nc_); }  ///< g, nc; empty for `sliding`
  Part normal_force() const { return part(behind() + 2 * h_ + nc_, nc_); }  ///< given p, nc

 private:
  friend class Balance;
  Index behind() const { return nq_ + (n_ + 1 + h_) * n_; }
  Part part(Index first, Index size) const { return {all_.data() + first, size}; }

  Index nq_ = 0, n_ = 0, h_ = 0, nc_ = 0;
  VectorXd all_;
};

/// Derivatives of these terms in K directions, at a fixed acceleration a (n) and fixed forces p
/// (h).
struct BalanceDerivatives {
  MatrixXd coordinate_rate;  ///< of q' = T v + restoring rate, nq rows
  MatrixXd velocity;         ///< of X v, h rows
  MatrixXd force;            ///< of F, n rows
  MatrixXd load;             ///< of M a + Xᵀ p, n rows
  MatrixXd drift;            ///< of (∂q X[T v]) v, h rows
  MatrixXd acceleration;     ///< of X a, h rows
  MatrixXd gap;              ///< of g, nc rows; empty for `sliding`
  MatrixXd normal_force;     ///< of given normal forces, nc rows; empty for `sliding`
};

/// One tape per function, made on first use. Threads may share it.
class Balance {
 public:
  Balance(std::shared_ptr<const RecordedSystem> system, BalanceRows rows)
      : system_(std::move(system)), rows_(rows) {}

  void terms(double t, VectorIn q, VectorIn v, BalanceTerms& terms) const;
  /// With respect to (q, v): nq + n columns.
  BalanceDerivatives derivatives(double t, VectorIn q, VectorIn v, VectorIn a, VectorIn p) const;
  /// With respect to t: one column.
  BalanceDerivatives time_derivatives(double t, VectorIn q, VectorIn v) const;
  /// ∂/∂q of zᵀ(M z + Xᵀ p) at fixed z (n) and p (h): nq.
  VectorXd load_gradient(VectorIn q, VectorIn z, VectorIn p) const;

 private:
  struct Recorded;
  Recorded recorded() const;
  BalanceDerivatives split(const MatrixXd& all) const;

  std::shared_ptr<const RecordedSystem> system_;
  BalanceRows rows_;
  Lazy<Evaluator<double>> terms_, derivatives_, in_time_, gradient_;
};

/// Each is made once on first use, by any copy of the system. Threads may share it.
class MotionTapes {
 public:
  explicit MotionTapes(const std::shared_ptr<const RecordedSystem>& system)
      : system_(system),
        balance_(system, BalanceRows::sliding),
        contact_balance_(system, BalanceRows::contacts),
        natural_(system) {}

  const Balance& balance() const { return balance_; }
  const Balance& contact_balance() const { return contact_balance_; }
  const NaturalTapes& natural() const { return natural_; }
  const AdaptedTapes& adapted(const AdaptedForm& form) const;

  /// dP and d(M v | v fixed) along dq (1 + n).
  VectorXd energy_change(VectorIn q, VectorIn v, VectorIn dq) const;

 private:
  std::shared_ptr<const RecordedSystem> system_;
  Balance balance_, contact_balance_;
  NaturalTapes natural_;
  Lazy<Evaluator<double>> energy_change_;
  mutable std::mutex guard_;
  mutable std::map<AdaptedForm, std::unique_ptr<const AdaptedTapes>> adapted_;
};

}  // namespace rigidlimit
