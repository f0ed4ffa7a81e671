// The tables of a study's result, and which of them a reader wants.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// What is left out of a result before it is shown; what is not given stays.
struct TableChoice {
  std::string table = {};  ///< one of table_names()
  std::optional<Quantity> quantity = {};
  std::optional<Norm> norm = {};
  std::optional<Window> window = {};
  std::string law = {};
  std::string solver = {};  ///< of the compliant side

  bool anything() const {
    return !table.empty() || quantity || norm || window || !law.empty() || !solver.empty();
  }
};

/// The names of a study's tables, in the order of its report:
///
///   rigid         the rigid motions: distance from their references, drift, energy
///   errors        model errors and orders, one row an ε; one table a (law, solvers, norm, window)
///   ratios        predicted coefficients and measured over predicted, likewise
///   energy        the energy of the compliant motions
///   orders        fitted and expected orders and their verdicts
///   coefficients  the verdicts on measured over predicted
///   bounds        the bounds and what came nearest to them
///   laws          the laws side by side
const std::vector<std::string>& table_names();

/// The part of `result` that `choice` is about: series, bounds, energies. A norm that is asked for
/// is shown though nothing is expected of it.
RollingResult chosen(RollingResult result, const TableChoice& choice);

/// The tables that fit the choice and have rows. Without any choice those of the whole report: norm
/// sup in both windows, and every other in which something is expected.
std::vector<CaptionedTable> report_tables(const RollingResult& result,
                                          const TableChoice& choice = {});

}  // namespace rigidlimit
