// A map's result as tables.
#pragma once

#include <string>

#include "rigidlimit/experiment/rolling/damping_map.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// Kind orders: fitted orders ± standard errors of one quantity over (β down, ζ across), sup norm;
/// the verdict where it is not "settled".
TextTable order_map_table(const DampingMapResult& result, Quantity quantity, Window window);

/// The best damping for v, λ and q in each measure. Kind orders: one row a (quantity, measure, ε)
/// of one β. Kind plane: one row a (quantity, measure, c), at most nine c.
TextTable best_damping_table(const DampingMapResult& result, double exponent);

/// The β nearest to that of critical scaling, 1: the one whose best damping is printed. NaN for
/// kind plane.
double shown_exponent(const MapGrid& grid);

}  // namespace rigidlimit
