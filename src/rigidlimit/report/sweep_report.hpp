// The report of a sweep from the reports of its points; [[least]]: the swept value with the least
// error, beside the error at another value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/report/reports.hpp"
#include "rigidlimit/report/series_tables.hpp"

namespace rigidlimit {

struct PointReport {
  SweepPoint values;
  std::optional<Report> report;  ///< empty: not begun, or failed with `complaint`
  std::string complaint;
  const std::vector<Series>* series = nullptr;  ///< of the report's numbers; must stay alive
  RowsOf kind = RowsOf::rolling;
};

/// The swept values as fields: `swept.contact_damping_ratio` for contact.damping_ratio. A number is
/// a number, a text has no quotes, any other value is as written.
std::string field_name(const SweptColumn& column);
Record swept(const SweepGrid& grid, const SweepPoint& values);

/// A table with a row for each point: the swept values, the summary of its report, the numbers of
/// held and of all claims, and the verdict. Each table of the points becomes one table, with the
/// swept values before each record; [[least]] adds a table. A remark of several points stands once.
/// `heading`: name, kind, question, text and whether the run was interrupted.
Report sweep_report(Report heading, const SweepGrid& grid, std::vector<PointReport> points);

Report report_of(const SweepResult& result);

/// The table "least": for each LeastSpec of the grid a record for every ε, quantity, norm, window,
/// law, pair of solvers and choice of the other swept values; empty without records. Adds to the
/// report one table for each norm and window, for people.
std::optional<DataTable> add_least(Report& report, const SweepGrid& grid,
                                   const std::vector<PointReport>& points);

}  // namespace rigidlimit
