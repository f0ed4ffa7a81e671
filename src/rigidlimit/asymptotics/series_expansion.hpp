// The expansion of a compliant motion to any order.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "rigidlimit/asymptotics/crossing_series.hpp"
#include "rigidlimit/asymptotics/layer_terms.hpp"
#include "rigidlimit/asymptotics/outer_path.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// Sizes of the terms of one order, in the maximum norm over the motion.
struct TermSizes {
  double q = 0.0, v = 0.0, lambda = 0.0, gap = 0.0;

  /// `act(size)` of each.
  template <class Act>
  static void each(const Act& act) {
    for (const auto size : {&TermSizes::q, &TermSizes::v, &TermSizes::lambda, &TermSizes::gap})
      act(size);
  }
};

/// The state of a compliant motion at some times, a column each.
template <class T>
struct CompliantStates {
  MatrixX<T> q, v;    ///< nq, n
  MatrixX<T> eta, w;  ///< m: the scaled deflection η, and G v
};

/// q ~ Σ μ^k (q_k(t) + Q_k(τ)), v, λ and the gap g of joints likewise, with the small parameter μ
/// of the law (small_parameter(): ε for β = 1, ε² for β = 2): outer terms q_k and layer terms Q_k
/// up to k = order. One expansion serves all μ.
///
/// Behind a switch of the force a new layer begins, at the time t*(μ) of the crossing, in τ =
/// (t − t*(μ))/μ, and with it new outer terms (docs/theory.md, section 14). T: double or Quad.
template <class T>
class SeriesExpansion {
 public:
  /// From `start` (E v = 0; G v need not be 0) with the scaled deflection eta0 (m) to the time
  /// `end`, across the switches that the rigid motion crosses. Without crossings, `system` must be
  /// smooth. Throws InputError of require_expandable(), if the outer motion cannot be continued to
  /// `end`, and if the motion behind a switch has no expansion: the rigid motion reaches it at zero
  /// speed, two that depend on the motion coincide, or the compliant motion crosses back in the
  /// layer. `stop_requested`: ends the computation with an InputError as well. `shift`: of the
  /// start, for β = 1 and orders up to 3 alone, as its terms of order ε⁴ are not known.
  SeriesExpansion(const System& system, const InitialStateOf<T>& start, const ViscoelasticLaw& law,
                  const VectorXd& eta0, int order, double end,
                  const std::vector<SwitchCrossing>& crossings = {},
                  const std::function<bool()>& stop_requested = {}, const StartShift& shift = {});

  int order() const { return order_; }
  /// Whether λ begins with a term in 1/μ, because the start slides.
  bool slides() const { return slides_; }
  /// The μ > 0 at which the slowest part of the first layer decays within the duration of the
  /// motion. There, terms of all orders have the unit of the motion.
  double natural_parameter() const;

  /// Σ μ^k (outer + layer), k = 0 … order, at `times` in [t0, end]: remainder O(μ^(order+1)) in the
  /// sup norm. μ > 0.
  MotionOf<T> composite(double mu, const std::vector<double>& times, int order) const;
  /// The same without the rigid motion q_0, v_0, Λ: it keeps its relative accuracy at small μ.
  MotionOf<T> deviation(double mu, const std::vector<double>& times, int order) const;
  /// μ^k (outer + layer) of order k ≥ −1 alone, without the rigid motion (k = 0), and without the
  /// layers that begin before `from`.
  MotionOf<T> term(double mu, const std::vector<double>& times, int k,
                   double from = std::numeric_limits<double>::lowest()) const;
  /// The terms of the orders `first` to `last` of the state: with first = 0, the composite.
  CompliantStates<T> states(double mu, const std::vector<double>& times, int first, int last) const;
  /// (q_k, v_k, λ_k, η_k) of the outer motion at t: nq + n + m + r.
  VectorX<T> outer(double t, int k) const { return rigid_piece(t).path.at(t, k); }
  /// g_k of the outer motion at t, np: ε² (η − η(0)) in the rows of joints, so that g_k = η_{k−2}
  /// (β = 1) or η_{k−1} (β = 2) but for η(0).
  VectorX<T> outer_gap(double t, int k) const { return outer_gap(rigid_piece(t), t, k); }
  /// The same of the first layer at τ.
  VectorX<T> layer_gap(const T& tau, int k) const { return layer_gap(pieces_.front(), tau, k); }
  /// (Q_k, V_k, Λ_k) of the first layer at τ, k ≥ −1: nq + n + m.
  VectorX<T> layer(const T& tau, int k) const { return layer_at(pieces_.front(), tau, k); }

  /// max_t |x_k| (k ≥ 0) from the time `from` on, and max_τ |X_k| (k ≥ −1) of the layers that begin
  /// there.
  TermSizes outer_size(int k, double from) const;
  TermSizes layer_size(int k, double from) const;
  /// The same of the whole motion, k ≥ 0.
  TermSizes outer_size(int k) const { return outer_sizes_[static_cast<std::size_t>(k)]; }
  TermSizes layer_size(int k) const { return layer_sizes_[static_cast<std::size_t>(k)]; }
  /// A bound of the error of deviation(): 1e-13 of its terms in double and 1e-28 in Quad. Up to
  /// order 6, double has been observed to differ from Quad by 2e-14
  /// (tests/asymptotics/quad_series_test.cpp), and a grid of 40 nodes a panel from one of 47 by
  /// 1e-30, for damping ratios of 0.4 to 3.
  TermSizes rounding(double mu) const;
  /// The polynomials of the first layer problem are the outer motion, expanded about t0. The
  /// largest difference of their coefficients of total order k, relative to the largest
  /// coefficient: a check of two independent computations.
  double matching_defect(int k) const;

 private:
  /// The motion from the start, or from a switch, to the next switch.
  struct Piece {
    double rigid_begin;    ///< of the rigid motion
    std::vector<T> begin;  ///< t*(μ)
    LayerTerms<T> layer;
    OuterPath<T> path;
  };
  Piece piece_from(const System& smooth, const StartSeries<T>& start, double rigid_begin,
                   double end, const std::function<bool()>& stop_requested) const;
  /// Throws InputError if the rate of a switch behind `crossing` changes its sign in the layer.
  void require_no_return(const Switches& switches, const SwitchCrossing& crossing,
                         const StartSeries<T>& start, const Piece& behind) const;

  VectorX<T> layer_at(const Piece& piece, const T& tau, int k) const;
  VectorX<T> outer_gap(const Piece& piece, double t, int k) const;
  VectorX<T> layer_gap(const Piece& piece, const T& tau, int k) const;
  /// max_τ |g_k| of the layer of a piece.
  double largest_gap(const Piece& piece, int k) const;
  /// H η_I of the rows of joints.
  VectorX<T> rows_of_joints(const VectorX<T>& acting) const {
    return contacts_.combination.bottomRows(np_) * acting;
  }
  /// The order of η that is of the order 0 in the gap.
  int order_of_deflection() const { return contacts_.slow_deflection ? -1 : -2; }
  /// Adds the difference of the rigid motions of two pieces, between the crossings of a switch by
  /// the compliant and the rigid motion.
  void add_rigid_difference(double mu, MotionOf<T>& motion) const;
  const Piece& rigid_piece(double t) const;
  const Piece& piece_at(double mu, double t) const;
  /// Outer terms of the orders from `outer` on and layer terms from `layer` on, up to `last`, of
  /// layers that begin at `layers_from` or later.
  MotionOf<T> sum(double mu, const std::vector<double>& times, int outer, int layer, int last,
                  double layers_from) const;

  Index nq_, n_, m_, np_;
  int order_;
  /// With switches one more: λ_0((t − t*)/μ) to the order K needs t* to the order K + 1.
  int piece_order_;
  bool slides_;
  double end_;
  ActingContacts<T> contacts_;
  VectorXd eta0_;
  VectorX<T> internal_;
  std::vector<Piece> pieces_;
  std::vector<TermSizes> outer_sizes_, layer_sizes_;
};

extern template class SeriesExpansion<double>;
extern template class SeriesExpansion<Quad>;

}  // namespace rigidlimit
