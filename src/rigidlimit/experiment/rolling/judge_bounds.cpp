#include "rigidlimit/experiment/rolling/judge_bounds.hpp"

#include "rigidlimit/experiment/judge/judge_series.hpp"

namespace rigidlimit {

namespace {

BoundReport report_on(const BoundSpec& spec, const Series& series) {
  const bool of_solver = spec.subject == BoundSpec::Subject::solver_error;
  BoundReport report{.spec = spec,
                     .rigid_solver = series.rows.front().rigid_solver,
                     .compliant_solver = series.rows.front().compliant_solver,
                     .epsilons = {},
                     .judgement = {}};
  std::vector<SeriesPoint> points = points_of(series.rows);
  for (std::size_t k = 0; k < points.size(); ++k) {
    report.epsilons.push_back(points[k].epsilon);
    if (of_solver) {
      points[k].error = series.rows[k].solver_error;
      points[k].floor = 0.0;
    }
  }
  report.judgement = judge_bound(points, spec.bound, of_solver ? "solver error" : "error");
  // The status gives the outcome, or the error that limits the row.
  if (const auto worst = report.judgement.worst; worst && !report.held())
    if (const std::string& status = series.rows[*worst].status; status != "ok")
      report.judgement.reason += " [" + status + "]";
  return report;
}

}  // namespace

std::vector<BoundReport> judged_bounds(const RollingStudy& study,
                                       const std::vector<Series>& series) {
  std::vector<BoundReport> reports;
  for (const BoundSpec& spec : study.bounds)
    for (const Series& s : series) {
      if (s.rows.empty()) continue;
      const Row& row = s.rows.front();
      if (row.law.name == spec.law && row.measure == spec.measure)
        reports.push_back(report_on(spec, s));
    }
  return reports;
}

}  // namespace rigidlimit
