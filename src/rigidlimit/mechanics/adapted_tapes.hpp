// The equations of motion in constraint-adapted velocities, from a recorded system.
#pragma once

#include <compare>
#include <memory>
#include <vector>

#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/pack_evaluator.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// Choice of the velocities in the state (formulations/compliant/adapted_frame.hpp) and of the row
/// order in the elimination for v.
struct AdaptedForm {
  std::vector<Index> contacts;  ///< I: the r independent contact rows
  bool natural = true;          ///< S is the system's quasi_velocities, else constant
  /// Natural: of the n rows of B = [S; E; G_I]. Constant: of the ne + r rows [E; G_I].
  std::vector<Index> order;

  auto operator<=>(const AdaptedForm&) const = default;
};

/// The two motions: sliding with a given contact force, and rolling with the force that keeps w =
/// 0.
enum class AdaptedMotion { compliant, rolling };

/// The equations of docs/theory.md, section 11, as one tape each, without common subexpressions:
///
///   v = B(q)⁻¹ (u, e, w),   B = [S; E; G_I],   q' = T v + restoring rate of the invariants,
///   (u, w)' = [S; G_I] a + (∂q [S; G_I][q']) v,
///   M a = F − Eᵀκ − G_Iᵀ μ,   E a = −(∂q E[q']) v;
///
/// For rolling, w = 0, and μ is such that w' = 0. No multiplier is computed. N denotes the columns
/// of B⁻¹ of the free components, E N = 0. Where the rest of a is known, Nᵀ M N remains, symmetric
/// and positive definite wherever M is so on ker E.
///
/// A constant S is given by R (n × n), numbers near B⁻¹ at one configuration, as v = R (u, y). The
/// tape takes R as arguments, so that one tape serves all S. Only [E; G_I] R, near [0 I], is
/// eliminated.
///
/// Arguments, one after the other: the state (q, u, w) (rolling: (q, u)), μ (r; rolling: none), t,
/// R column by column (natural: none). Tapes are made on first use.
class AdaptedTapes {
 public:
  AdaptedTapes(std::shared_ptr<const RecordedSystem> system, AdaptedForm form);

  const AdaptedForm& form() const { return form_; }
  Index rank() const { return static_cast<Index>(form_.contacts.size()); }
  Index free() const { return system_->n - system_->ne - rank(); }
  Index state_size(AdaptedMotion motion) const;
  Index force_size(AdaptedMotion motion) const;

  /// The rates of the state, then the pivots of the elimination, which must not become small. T
  /// double or Quad.
  template <class T>
  const Evaluator<T>& rates(AdaptedMotion motion) const;
  /// The rates of eight states.
  const PackEvaluator& packs(AdaptedMotion motion) const;
  /// ∂ rates/∂ state, and ∂ rates/∂t, μ fixed.
  const Evaluator<double>& jacobian(AdaptedMotion motion) const;
  const Evaluator<double>& time_derivative(AdaptedMotion motion) const;

  /// v, then the pivots, as functions of (q, u, w, R).
  template <class T>
  const Evaluator<T>& velocity() const;
  /// The same for eight states.
  const PackEvaluator& velocity_packs() const;
  /// P = −∂(u, w)'/∂μ, (free + r) × r, as a function of (q, R).
  const Evaluator<double>& response() const;
  /// The same for eight states.
  const PackEvaluator& response_packs() const;
  /// The pivots as functions of (q, R).
  const Evaluator<double>& pivots() const;

 private:
  struct OfMotion {
    Lazy<Evaluator<double>> rates, jacobian, time_derivative;
    Lazy<Evaluator<Quad>> quad_rates;
    Lazy<PackEvaluator> packs;
  };
  const OfMotion& of(AdaptedMotion motion) const {
    return motion == AdaptedMotion::compliant ? compliant_ : rolling_;
  }
  template <class Function>
  Tape tape(AdaptedMotion motion, const Function& outputs) const;
  Tape rate_tape(AdaptedMotion motion, bool with_pivots) const;

  std::shared_ptr<const RecordedSystem> system_;
  AdaptedForm form_;
  OfMotion compliant_, rolling_;
  Lazy<Evaluator<double>> velocity_, response_, pivots_;
  Lazy<Evaluator<Quad>> quad_velocity_;
  Lazy<PackEvaluator> velocity_packs_, response_packs_;
};

/// Row order of X (N × N) in an elimination with partial pivoting.
std::vector<Index> pivoted_order(MatrixXd X);

/// Number of additions and multiplications of a tape; a function such as sine counts as twenty.
Index operations_of(const Tape& tape);

}  // namespace rigidlimit
