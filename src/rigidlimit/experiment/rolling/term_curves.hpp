// The terms of an expansion as functions of time.
#pragma once

#include <vector>

#include "rigidlimit/asymptotics/series_expansion.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"

namespace rigidlimit {

/// The term of one order k: x_k(t), or X_k(τ) with τ = t/ε.
struct TermCurve {
  int order = 0;
  bool in_layer = false;
  Motion term;  ///< its times are t, s, or τ, s
};

/// For each order the outer term at the `samples` times of the grid on [0, end], then the first
/// layer's term at its `layer_samples` values of τ on [0, layer_width]. If the start slides, the
/// layer term of order −1 comes first: it has only λ, and q = v = 0.
std::vector<TermCurve> term_curves(const System& system, const SeriesExpansion<double>& expansion,
                                   const TimeGrid& grid);

}  // namespace rigidlimit
