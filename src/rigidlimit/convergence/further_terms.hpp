// A series without terms whose orders are known beforehand.
#pragma once

#include <span>
#include <vector>

#include "rigidlimit/convergence/orders.hpp"

namespace rigidlimit {

/// e = K ε^p + L ε^s + …: the combination in which ε^s is gone, for each s of `orders` in turn,
///
///   e'(ε_k) = (ρ^s e(ε_k) − e(ε_{k−1}))/(ρ^s − 1),   ρ = ε_{k−1}/ε_k,
///
/// in which K ε^p becomes K ε^p (ρ^s − ρ^p)/(ρ^s − 1): its order stays what it is, and it stays
/// positive for p < s. An s that occurs twice takes ε^s log ε away besides. Nothing is fitted: p
/// has no say. Each s costs the row of the largest ε, and a floor becomes at most (ρ^s + 1)/(ρ^s −
/// 1) times as large. A row is not usable where one of its two is not, or where e' is not positive.
///
/// Throws std::invalid_argument for a series that is not one, refinement ratios that are not one
/// ratio (to 1e-6), an s that is not positive and finite, or not fewer orders than rows.
std::vector<SeriesPoint> without_terms(std::span<const SeriesPoint> points,
                                       std::span<const double> orders);

}  // namespace rigidlimit
