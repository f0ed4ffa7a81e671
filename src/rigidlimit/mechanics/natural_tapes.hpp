// The compliant motion in the natural variables (q, v, η), from a recorded system.
#pragma once

#include <memory>

#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/pack_evaluator.hpp"
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

}  // namespace rigidlimit
