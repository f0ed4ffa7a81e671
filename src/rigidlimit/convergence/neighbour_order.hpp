// The order between two errors.
#pragma once

#include "rigidlimit/convergence/orders.hpp"

namespace rigidlimit {

/// p = log(e_a/e_b) / log(ε_a/ε_b) as in neighbour_orders(), for a pair instead of a series. NaN in
/// the same cases, and also where ε_a = ε_b or one of them is not > 0 and finite.
double neighbour_order(const SeriesPoint& a, const SeriesPoint& b);

}  // namespace rigidlimit
