// The equations of motion in constraint-adapted velocities, from what was recorded of a system.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "rigidlimit/core/evaluator.hpp"
#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/core/pack_evaluator.hpp"
#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// Which velocities stand in the state (formulations/adapted_frame.hpp), and in which order the
/// elimination for v takes the rows.
struct AdaptedForm {
  std::vector<Index> contacts;  ///< I: the r independent contact rows
  bool natural = true;          ///< S is the system's quasi_velocities, else constant
  /// Natural: of the n rows of B = [S; E; G_I]. Constant: of the ne + r rows [E; G_I].
  std::vector<Index> order;

  auto operator<=>(const AdaptedForm&) const = default;
};

/// The two motions: sliding, with a contact force given, and rolling, with the one that keeps w =
/// 0.
enum class AdaptedMotion { compliant, rolling };

/// The equations of docs/theory.md, section 11, as one tape each, which computes nothing twice:
///
///   v = B(q)⁻¹ (u, 0, w),   B = [S; E; G_I],   q' = T v + what draws back to the invariants,
///   (u, w)' = [S; G_I] a + (∂q [S; G_I][q']) v,
///   M a = F − Eᵀκ − G_Iᵀ μ,   E a = −(∂q E[q']) v;
///
/// rolling: w = 0, and μ such that w' = 0. No multiplier is computed: with N the columns of B⁻¹
/// that belong to what is free to move, E N = 0, and where the rest of a is known Nᵀ M N is left,
/// symmetric and positive definite wherever M is so on ker E.
///
/// Where S is constant it is given by R (n × n), numbers near B⁻¹ at one configuration, as
/// v = R (u, y): the tape takes them as arguments, so that one tape serves all S. Only
/// [E; G_I] R, near [0 I], is eliminated.
///
/// Arguments, one after the other: the state (q, u, w) (rolling: (q, u)), μ (r; rolling: none), t,
/// R column by column (natural: none). Tapes are made when they are first asked for.
class AdaptedTapes {
 public:
  AdaptedTapes(std::shared_ptr<const RecordedSystem> system, AdaptedForm form);

  const AdaptedForm& form() const { return form_; }
  Index rank() const { return static_cast<Index>(form_.contacts.size()); }
  Index free() const { return system_->n - system_->ne - rank(); }
  Index state_size(AdaptedMotion motion) const;
  Index force_size(AdaptedMotion motion) const;

  /// The rates of the state, then the pivots that the elimination divides by: they must not become
  /// small. T double or Quad.
  template <class T>
  const Evaluator<T>& rates(AdaptedMotion motion) const;
  /// The rates of eight states.
  const PackEvaluator& packs(AdaptedMotion motion) const;
  /// ∂ rates/∂ state, and ∂ rates/∂t, μ fixed.
  const Evaluator<double>& jacobian(AdaptedMotion motion) const;
  const Evaluator<double>& time_derivative(AdaptedMotion motion) const;

  /// Of the arguments (q, u, w, R): v, then the pivots.
  template <class T>
  const Evaluator<T>& velocity() const;
  /// Of (q, R): P = −∂(u, w)'/∂μ, (free + r) × r.
  const Evaluator<double>& response() const;
  /// Of (q, R): the pivots.
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
};

/// The tapes of a system by form, each made once. Threads may share it.
class AdaptedLibrary {
 public:
  explicit AdaptedLibrary(std::shared_ptr<const RecordedSystem> system)
      : system_(std::move(system)) {}

  const AdaptedTapes& tapes(const AdaptedForm& form) const;

 private:
  std::shared_ptr<const RecordedSystem> system_;
  mutable std::mutex guard_;
  mutable std::map<AdaptedForm, std::unique_ptr<const AdaptedTapes>> made_;
};

/// The order in which elimination with partial pivoting takes the rows of X (N × N).
std::vector<Index> pivoted_order(MatrixXd X);

/// Additions and multiplications of a tape; a sine or another function counts as twenty.
Index operations_of(const Tape& tape);

}  // namespace rigidlimit
