// The order between two errors.
#pragma once

#include "rigidlimit/convergence/orders.hpp"

namespace rigidlimit {

/// p = log(e_a/e_b) / log(ε_a/ε_b): what neighbour_orders() says of each row and the one before it,
/// with the same refusals, for those who have pairs and no series; NaN also where ε_a = ε_b or one
/// of them is not > 0 and finite.
double neighbour_order(const SeriesPoint& a, const SeriesPoint& b);

}  // namespace rigidlimit
