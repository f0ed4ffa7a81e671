// A rolling study's result as tables, without the layout of a report.
#pragma once

#include <string>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/columns.hpp"
#include "rigidlimit/report/series_tables.hpp"

namespace rigidlimit {

SeriesNames names_of(const RollingStudy& study);

/// The bounds: one row per (bound, solver pair), with the row of the study that is nearest to the
/// limit or exceeds it most.
Columns<BoundReport> bound_columns(const RollingStudy& study);

/// "q sup all t ≤ 10 ε^2.5 for ε ≤ 0.01", "solver error of q sup all t ≤ 1e-08".
std::string claim_text(const RollingStudy& study, const BoundSpec& spec);

/// "bound CLAIM broken at ε = 0.001 (cvode_bdf / ida): error … is 55.8 times the limit 3.162e-07".
std::string bound_line(const RollingStudy& study, const BoundReport& report);

/// The energy balance of the compliant motions, with the unaccounted rest.
Columns<EnergyReport> energy_columns(const RollingStudy& study);

/// The rigid motions: distance to their reference, drift, energy error, steps.
Columns<RigidReport> rigid_columns();

/// Solves that did not reach the end.
Columns<Failure> failure_columns();

/// A claim for each (expectation, solver pair) and each (bound, solver pair).
std::vector<JunitCase> claims_of(const RollingResult& result);

}  // namespace rigidlimit
