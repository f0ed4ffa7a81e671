// The report of a sweep from the reports of its points; [[least]]: the swept value with the least
// error, beside the error at another value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/report/reports.hpp"

namespace rigidlimit {

struct PointReport {
  SweepPoint values;
  std::optional<Report> report;  ///< empty: not begun, or failed with `complaint`
  std::string complaint;
};

/// The swept values as fields: `swept.contact_damping_ratio` for contact.damping_ratio. A number is
/// a number, a text has no quotes, any other value is as written.
std::string field_name(const SweptColumn& column);
Fields swept(const SweepGrid& grid, const SweepPoint& values);

/// Each table of the points becomes one table, with the swept values as first columns. "points" has
/// a row for each point: the swept values, the summary of its report, the numbers of held and of
/// all claims, and the verdict; [[least]] adds a table. A remark of several points stands once.
/// `heading`: name, kind, question, text and whether the run was interrupted.
Report sweep_report(Report heading, const SweepGrid& grid, const std::vector<PointReport>& points);

Report report_of(SweepResult result);

/// "least": for each LeastSpec of the grid a row for every ε, quantity, norm, window, law, pair of
/// solvers and choice of the other swept values, from the table "errors" of the sweep. Adds it with
/// a view for each norm and window; nothing without rows.
void add_least(Report& report, const SweepGrid& grid);

}  // namespace rigidlimit
