#include "rigidlimit/experiment/rolling/rigid_times.hpp"

#include <algorithm>

#include "rigidlimit/core/interpolation.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "rigidlimit/experiment/spec/uniform_grid.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

constexpr int most_nodes = 20'000;  // a rigid solve stops at each: at most a tenth of a second

std::vector<double> every_other(const std::vector<double>& times) {
  std::vector<double> kept;
  for (std::size_t k = 0; k < times.size(); k += 2) kept.push_back(times[k]);
  return kept;
}

/// Whether every second sample predicts the samples between: then all samples, with half the
/// distance, predict the motion between them within a 256th of that.
bool is_told_by_half(const MatrixXd& samples, const std::vector<double>& times) {
  constexpr double tolerance = 1e-12;
  const Interpolation from_half(every_other(times), times);
  const MatrixXd half = samples(Eigen::all, Eigen::seq(0, Eigen::last, 2));
  const double apart = (from_half(half) - samples).cwiseAbs().maxCoeff();
  return apart <= tolerance * samples.cwiseAbs().maxCoeff();
}

}  // namespace

std::vector<double> rigid_times(const RollingStudy& study, const InitialState& start,
                                const std::string& method,
                                const std::vector<std::vector<double>>& grids) {
  // A polynomial through samples cannot represent a jump.
  if (grids.size() < least_ensemble || study.time.end_only ||
      study.solvers.precision != Precision::binary64 || study.model.switches)
    return union_of(grids);
  double end = 0.0;
  for (const auto& grid : grids) end = std::max(end, grid.back());
  const auto rigid = rigid_eliminated(study.model, start);
  const Tolerance tight{study.solvers.reference_rtol, study.solvers.reference_atol};
  for (int count = 2 * (study.time.samples / 2) + 1; count <= most_nodes; count = 2 * count - 1) {
    std::vector<double> times = uniform_grid(end, count);
    const Solution solution =
        find_ode_method(method)->solve(rigid.problem, times, solve_options(study, tight, {}));
    if (solution.outcome != Outcome::success) break;
    const Motion motion = rigid.motion(solution);
    if (is_told_by_half(motion.q, times) && is_told_by_half(motion.v, times) &&
        is_told_by_half(motion.lambda, times))
      return times;
  }
  return union_of(grids);
}

}  // namespace rigidlimit
