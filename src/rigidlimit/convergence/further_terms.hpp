// Eliminates terms of known order from a series.
#pragma once

#include <span>
#include <vector>

#include "rigidlimit/convergence/orders.hpp"

namespace rigidlimit {

/// For e = K ε^p + L ε^s + …: the combination that eliminates ε^s, for each s of `orders` in turn,
///
///   e'(ε_k) = (ρ^s e(ε_k) − e(ε_{k−1}))/(ρ^s − 1),   ρ = ε_{k−1}/ε_k,
///
/// It turns K ε^p into K ε^p (ρ^s − ρ^p)/(ρ^s − 1): the order is unchanged, and the term stays
/// positive for p < s. An s that occurs twice also eliminates ε^s log ε. Nothing is fitted, and p
/// is not used. Each s costs the row of the largest ε, and a floor grows by a factor of at most
/// (ρ^s + 1)/(ρ^s − 1). A row is not usable if one of its two rows is not, or if e' is not
/// positive. It failed (is_failed()) if one of them failed.
///
/// Throws std::invalid_argument for an invalid series, refinement ratios that are not equal (to
/// 1e-6), an s that is not positive and finite, or as many orders as rows or more.
std::vector<SeriesPoint> without_terms(std::span<const SeriesPoint> points,
                                       std::span<const double> orders);

}  // namespace rigidlimit
