// A rolling study's result as tables: its parts, selections of them, and the comparison of several
// laws.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/columns.hpp"
#include "rigidlimit/report/series_tables.hpp"
#include "rigidlimit/report/text_table.hpp"

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
Columns<EnclosureReport> enclosure_columns();

/// The rigid motions: distance to their reference, drift, energy error, steps.
Columns<RigidReport> rigid_columns();

/// Solves that did not reach the end.
Columns<Failure> failure_columns();

/// A claim for each (expectation, solver pair) and each (bound, solver pair).
std::vector<JunitCase> claims_of(const RollingResult& result);

/// Selection of parts of a result; an empty field selects everything.
struct TableChoice {
  std::string table = {};  ///< one of table_names()
  std::optional<Quantity> quantity = {};
  std::optional<Norm> norm = {};
  std::optional<Window> window = {};
  std::string law = {};
  std::string solver = {};  ///< compliant solver

  bool anything() const {
    return !table.empty() || quantity || norm || window || !law.empty() || !solver.empty();
  }
};

/// The names of a study's tables, in the order of its report:
///
///   rigid         the rigid motions: distance from their references, drift, energy
///   errors        model errors and orders, one row per ε; a table per (law, solvers, norm, window)
///   ratios        predicted coefficients and ratios to them, likewise
///   energy        the energy of the compliant motions
///   orders        fitted and expected orders and their verdicts
///   coefficients  the verdicts on measured over predicted coefficients
///   bounds        the bounds and the errors nearest to them
///   steps         steps of the first solves, if they are reported (RollingStudy::counts_steps)
///   growth        the claims on the growth of the steps
///   laws          comparison of the laws
const std::vector<std::string>& table_names();

/// The part of `result` that `choice` selects: series, bounds, steps, energies. A selected norm is
/// shown even without expectations.
RollingResult chosen(RollingResult result, const TableChoice& choice);

/// The selected tables that have rows. Without a selection, those of the whole report: the sup norm
/// in both windows, and all other measures with expectations.
std::vector<CaptionedTable> report_tables(const RollingResult& result,
                                          const TableChoice& choice = {});

/// For a terminal: the errors of the first law and pair of solvers over all t, and the orders; of
/// several laws their comparison; without errors, the steps.
std::vector<CaptionedTable> brief_tables(const RollingResult& result);

/// One row for each law and pair of solvers: the meaning of its small parameter, the fitted and
/// expected orders of q, v and λ (sup norm, all t), the errors and steps at the smallest ε, and
/// whether all demands of the study on the law held. No rows for a study with one law.
TextTable law_table(const RollingResult& result);

/// The verdict on one law and pair of solvers: "does not converge, as expected", "held", ….
std::string law_verdict(const RollingResult& result, const std::string& law,
                        const std::string& rigid_solver, const std::string& compliant_solver);

}  // namespace rigidlimit
