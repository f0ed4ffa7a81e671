// The expansion of a compliant motion to any order in ε.
#pragma once

#include <vector>

#include "rigidlimit/asymptotics/layer_terms.hpp"
#include "rigidlimit/asymptotics/outer_path.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// Sizes of the terms of one order, in the maximum norm over the motion.
struct TermSizes {
  double q = 0.0, v = 0.0, lambda = 0.0;
};

/// q ~ Σ ε^k (q_k(t) + Q_k(τ)), τ = (t − t0)/ε, v and λ likewise, for one start and a law with β =
/// 1: outer terms q_k and layer terms Q_k up to k = order. One expansion serves all ε. T: double or
/// Quad.
template <class T>
class SeriesExpansion {
 public:
  /// From `start` (E v = 0; G v need not be 0) with the scaled deflection eta0 (m) to the time
  /// `end`. Throws InputError if β ≠ 1, if D is not positive definite, for forces with switches,
  /// and if the outer motion cannot be continued to `end`.
  SeriesExpansion(const System& system, const InitialStateOf<T>& start, const ViscoelasticLaw& law,
                  const VectorXd& eta0, int order, double end);

  int order() const { return path_.order(); }
  /// Whether λ begins with a term in 1/ε, because the start slides.
  bool slides() const { return slides_; }

  /// Σ ε^k (outer + layer), k = 0 … order, at `times` in [t0, end]: remainder O(ε^(order+1)) in the
  /// sup norm. ε > 0.
  MotionOf<T> composite(double epsilon, const std::vector<double>& times, int order) const;
  /// The same without the rigid motion q_0, v_0, Λ: it keeps its relative accuracy at small ε.
  MotionOf<T> deviation(double epsilon, const std::vector<double>& times, int order) const;
  /// ε^k (outer + layer) of order k ≥ 1 alone.
  MotionOf<T> term(double epsilon, const std::vector<double>& times, int k) const;

  /// max_t |x_k|, and max_τ |X_k|.
  TermSizes outer_size(int k) const { return outer_sizes_[static_cast<std::size_t>(k)]; }
  TermSizes layer_size(int k) const { return layer_sizes_[static_cast<std::size_t>(k)]; }
  /// A bound of the error of deviation(): 1e-13 of its terms in double and 1e-28 in Quad. Up to
  /// order 6, double has been observed to differ from Quad by 2e-14
  /// (tests/asymptotics/quad_series_test.cpp), and a grid of 40 nodes a panel from one of 47 by
  /// 1e-30, for damping ratios of 0.4 to 3.
  TermSizes rounding(double epsilon) const;
  /// The polynomials of the layer problem are the outer motion, expanded about t0. The largest
  /// difference of their coefficients of total order k, relative to the largest coefficient: a
  /// check of two independent computations.
  double matching_defect(int k) const;

 private:
  SeriesExpansion(const System& system, const EquationForms& forms,
                  const ActingContacts<T>& contacts, const InitialStateOf<T>& start,
                  const ViscoelasticLaw& law, const VectorXd& eta0, int order, double end);

  /// Outer terms of the orders from `outer` on and layer terms from `layer` on, up to `last`.
  MotionOf<T> sum(double epsilon, const std::vector<double>& times, int outer, int layer,
                  int last) const;

  Index nq_, n_, m_;
  double start_;
  bool slides_ = false;
  LayerTerms<T> layer_;
  OuterPath<T> path_;
  std::vector<TermSizes> outer_sizes_, layer_sizes_;
};

extern template class SeriesExpansion<double>;
extern template class SeriesExpansion<Quad>;

}  // namespace rigidlimit
