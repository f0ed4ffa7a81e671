#include "rigidlimit/study/judge_bounds.hpp"

namespace rigidlimit {

namespace {

BoundReport report_on(const BoundSpec& spec, const Series& series) {
  const bool of_solver = spec.subject == BoundSpec::Subject::solver_error;
  BoundReport report{.spec = spec,
                     .rigid_solver = series.rows.front().rigid_solver,
                     .compliant_solver = series.rows.front().compliant_solver,
                     .epsilons = {},
                     .judgement = {}};
  std::vector<SeriesPoint> points;
  for (const Row& row : series.rows) {
    report.epsilons.push_back(row.epsilon);
    points.push_back({.epsilon = row.epsilon,
                      .error = of_solver ? row.solver_error : row.model_error,
                      .floor = of_solver ? 0.0 : row.floor(),
                      .usable = !row.status.starts_with("failed")});
  }
  report.judgement = judge_bound(points, spec.bound, of_solver ? "solver error" : "error");
  // The status says what no bound can: which outcome, or which of the errors limits the row.
  if (const auto worst = report.judgement.worst; worst && !report.held())
    if (const std::string& status = series.rows[*worst].status; status != "ok")
      report.judgement.reason += " [" + status + "]";
  return report;
}

}  // namespace

std::vector<BoundReport> judged_bounds(const Study& study, const std::vector<Series>& series) {
  std::vector<BoundReport> reports;
  for (const BoundSpec& spec : study.bounds)
    for (const Series& s : series) {
      if (s.rows.empty()) continue;
      const Row& row = s.rows.front();
      if (row.law == spec.law && row.quantity == spec.quantity && row.norm == spec.norm &&
          row.window == spec.window)
        reports.push_back(report_on(spec, s));
    }
  return reports;
}

}  // namespace rigidlimit
