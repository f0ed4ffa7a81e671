// A damping map's result as tables.
#pragma once

#include <string>

#include "rigidlimit/experiment/rolling/damping_map.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// Kind orders: fitted orders ± standard errors of one quantity in the sup norm, β in rows, ζ in
/// columns; with the verdict if it is not "settled".
TextTable order_map_table(const DampingMapResult& result, Quantity quantity, Window window);

/// The best damping for v, λ and q in each measure. Kind orders: one row per (quantity, measure, ε)
/// of one β. Kind plane: one row per (quantity, measure, c), at most nine c.
TextTable best_damping_table(const DampingMapResult& result, double exponent);

/// The β nearest to that of critical scaling, 1, for the table of the best damping. NaN for kind
/// plane.
double shown_exponent(const MapGrid& grid);

}  // namespace rigidlimit
