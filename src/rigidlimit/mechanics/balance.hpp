// The force balance at one state, and its derivatives.
#pragma once

#include <memory>

#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

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

}  // namespace rigidlimit
