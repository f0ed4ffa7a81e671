// Prediction of the expansion for compliant minus rigid motion at a given ε.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/asymptotics/expansion.hpp"
#include "rigidlimit/core/interpolation.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// Powers of ε in the norms of the differences in q, v and λ.
struct LeadingOrders {
  double q;
  double v;
  double lambda;
};

/// Continues an expansion behind a switch of the equations at time t, from the outer state (q̂, v̂,
/// q₂, v₂) before it. Throws InputError if the expansion cannot be continued.
struct Continuation {
  double t = 0.0;
  std::function<Expansion(VectorIn outer)> begin;
};

/// The expansion (docs/theory.md, sections 3 and 4) evaluated on a time grid. The motions that it
/// returns hold differences compliant − rigid. With τ = t/ε, W = M⁻¹G_Iᵀ, x = (η̃, ω) the layer of
/// the r independent contacts and λ̃ = C H η̃ + D H ω, C_r and D_r as in Expansion (independent
/// contacts: r = m, H = I, C_r = C, D_r = D, μ = Λ):
///
///             start unloaded, or e₀ ≠ 0 at all       prepared, e₀ = 0
///   x(0)      (−e₀, 0)                               (C_r⁻¹D_r C_r⁻¹μ'(0), −C_r⁻¹μ'(0))
///   layer q   ε² T W A⁻¹ η̃                           0 (it is O(ε³))
///   layer v   ε W A⁻¹ ω                              ε² W A⁻¹ ω
///   layer λ   λ̃                                      ε λ̃
///
/// The outer terms and the layer have no overlap to subtract, because every layer term decays. A
/// new layer begins behind each switch of the equations (docs/theory.md, section 14), in τ from
/// there.
class Prediction {
 public:
  /// Solves expansion.outer on `times` (strictly increasing, times.front() ≥ 0), from switch to
  /// switch. A sample at a switch has the values behind it. A failed solve is an outcome, and so is
  /// a switch without a valid expansion behind it; unreached columns are NaN. Only the bound on
  /// steps and the callbacks of `limits` are used. Throws InputError for an invalid grid.
  Prediction(Expansion expansion, std::vector<double> times,
             const std::vector<Continuation>& switches = {}, SolveOptions limits = {});
  /// Restores a solved prediction from the values of its accessors.
  Prediction(Expansion expansion, const std::vector<Continuation>& switches, MatrixXd switch_states,
             Motion outer, MatrixXd lambda1, Outcome outcome, std::string message,
             const Work& work);

  Outcome outcome() const { return outcome_; }
  const std::string& message() const { return message_; }  ///< why it failed; empty on success
  const Work& work() const { return work_; }

  const Motion& outer_coefficients() const { return outer_; }  ///< (q₂, v₂, λ₂) on the whole grid
  const MatrixXd& lambda1() const { return lambda1_; }         ///< λ₁ likewise (m × K)
  /// (q̂, v̂, q₂, v₂) before each switch, a column each.
  const MatrixXd& switch_states() const { return switch_states_; }

  const std::vector<double>& times() const { return outer_.times; }

  /// The same at other times, so that one solve serves many ε, each with its own times. `between`
  /// interpolates from times() to these.
  Prediction at(const std::vector<double>& times, const Interpolation& between) const;

  /// Differences at `times`, each of which must be one of the grid (else InputError); ε > 0.
  ///
  /// The outer terms only, ε² (q₂, v₂, λ₂) and ε λ₁: all known terms outside the layer.
  Motion outer(double epsilon, const std::vector<double>& times) const;
  /// The leading terms on [from, T]: outer and layers if both have the leading order (q; if all
  /// layers are prepared, v and λ₁), only the layers if they are larger, only the outer terms if no
  /// layer begins there. Remainder in the sup norm: one order more.
  Motion leading(double epsilon, const std::vector<double>& times, double from = 0.0) const;
  /// All known terms of the layers, which decay.
  Motion layer(double epsilon, const std::vector<double>& times) const;
  /// All known terms, outer + layer. Remainder in the sup norm on [0, T]: q 3, v 2, λ 1; prepared q
  /// 3, v 3, λ 2; outside the layer 3, 3, 3.
  Motion composite(double epsilon, const std::vector<double>& times) const;

  LeadingOrders sup_orders(double from = 0.0) const;  ///< sup norm on [from, T]
  /// Root mean square on [from, T]; a layer term gains 1/2.
  LeadingOrders l2_orders(double from = 0.0) const;
  // General orders of the terms above. A coefficient may vanish: λ of a prepared spring with Λ'(0)
  // = 0, for instance.

 private:
  Prediction() = default;

  /// The layers that begin on [from, T]: none, all prepared, or with a missing load.
  enum class Layers { none, prepared, loaded };
  Layers layers_from(double from) const;
  std::vector<Index> columns(const std::vector<double>& times) const;
  /// The terms of the layer of one piece with their powers of ε.
  Motion layer(const Expansion& piece, double epsilon, const std::vector<double>& times) const;
  void add_layers(double epsilon, Motion& terms) const;
  /// Solves one piece into the columns [begin, end); the outer state at `limit` behind them.
  VectorXd solve_piece(double limit, Index begin, Index end, SolveOptions& limits);

  std::vector<Expansion> pieces_;  ///< the first at the start, the others behind switches
  Motion outer_;
  MatrixXd lambda1_;
  MatrixXd switch_states_;
  Outcome outcome_ = Outcome::not_run;
  std::string message_;
  Work work_;
};

}  // namespace rigidlimit
