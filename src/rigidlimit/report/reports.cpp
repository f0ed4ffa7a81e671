#include "rigidlimit/report/reports.hpp"

#include <utility>

#include "rigidlimit/report/sweep_report.hpp"

namespace rigidlimit {

JudgedExperiment judged_experiment(ExperimentResult result) {
  return std::visit(
      []<class Result>(Result& one) -> JudgedExperiment {
        std::vector<Curve> curves;
        if constexpr (std::is_same_v<Result, RollingResult>) curves = std::move(one.curves);
        const SolveCounts counts = one.counts;
        return {report_of(std::move(one)), counts, std::move(curves)};
      },
      result);
}

JudgedExperiment judged_experiment(const Experiment& experiment, const RunOptions& options) {
  return judged_experiment(result_of(experiment, options));
}

}  // namespace rigidlimit
