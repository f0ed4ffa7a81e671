// A map's result for programs: tidy CSV and JSON.
#pragma once

#include <string>

#include "rigidlimit/study/damping_map.hpp"

namespace rigidlimit {

/// One line for each number (cell, quantity, norm, window), with the header; 17 digits, "nan" where
/// there is none or where a column has no meaning for this kind of map:
///
///   orders  stiffness, damping and critical_damping are nan; order, order_se (standard error) and
///           coefficient are of the fit over all ε of the cell, and so is the verdict
///   plane   damping_exponent, epsilon and the fit are nan; damping_ratio is d/d_crit; verdict "-"
///
/// A cell that could not be run is one line with status "failed: could not run".
std::string map_csv(const MapResult& result);

/// The table of the best damping, one line for each (β, ε) or c, quantity, norm and window, with
/// the header. `best` is ζ; on the plane d/d_crit.
std::string best_damping_csv(const MapResult& result);

/// What the CSVs cannot say: failures, complaints, the resolved map and provenance.
std::string map_json(const MapResult& result);

}  // namespace rigidlimit
