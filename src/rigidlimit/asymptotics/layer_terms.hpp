// The motion within a layer, to any order.
#pragma once

#include <memory>
#include <vector>

#include "rigidlimit/asymptotics/contact_series.hpp"
#include "rigidlimit/asymptotics/layer_grid.hpp"

namespace rigidlimit {

/// The compliant motion near its start as series in μ (contact_series.hpp) with coefficients in the
/// fast time τ = (t − t0)/μ,
///
///   q = Σ_{k≥0} μ^k q_k(τ),  v likewise,  η = Σ_{k≥−1} μ^k η_k(τ),  λ likewise,
///
/// solved as an initial value problem, order by order (docs/theory.md, section 13). The polynomial
/// part of a coefficient is the outer motion, expanded about t0; the decaying part is the layer.
/// No matching is needed: the initial values of the outer motion are read from the polynomials.
/// λ, and for β = 1 η, begin with k = −1 if the start slides, G v ≠ 0. The time t0 may itself be a
/// series in μ.
template <class T>
struct LayerTerms {
  using Vector = std::vector<LayerFunction<T>>;

  std::shared_ptr<const LayerGrid<T>> grid;
  /// k = 0 … order + 1: nq, n; v_{order+1} only if the start has it.
  std::vector<Vector> q, v;
  std::vector<Vector> eta, lambda;  ///< k = −1 … order, at k + 1: r, m
  std::vector<Vector> sliding;      ///< w_{k+1} at k + 1: r

  /// p(0) of each component.
  static VectorX<T> limit(const Vector& x);
};

/// The terms up to λ_order. Throws InputError if the layer does not decay, or if equations are not
/// analytic along it.
template <class T>
LayerTerms<T> layer_terms(const EquationForms& forms, const ActingContacts<T>& contacts,
                          const StartSeries<T>& start, int order);

extern template struct LayerTerms<double>;
extern template struct LayerTerms<Quad>;

}  // namespace rigidlimit
