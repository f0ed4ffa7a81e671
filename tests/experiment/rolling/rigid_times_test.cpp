// Tests the sample times of the rigid motion of an ensemble.
#include "rigidlimit/experiment/rolling/solves.hpp"

#include <gtest/gtest.h>

#include "rigidlimit/experiment/pair/rigid_side.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

RollingStudy knife_edges(int count) {
  return test::sample_study({"epsilon.count=" + std::to_string(count), "time.samples=101",
                             "time.layer_samples=21", "solvers.compliant=[\"radau_iia\"]"});
}

TEST(RigidTimes, AreTheUnionOfTheGridsForFewEpsilon) {
  const Solves solves = planned_solves(knife_edges(100));
  EXPECT_EQ(solves.times, union_of(solves.grids));
}

TEST(RigidTimes, InterpolateTheMotionOfAnEnsembleToTwelveDigits) {
  const RollingStudy study = knife_edges(101);
  const Solves solves = planned_solves(study);
  ASSERT_LT(20 * solves.times.size(), union_of(solves.grids).size());
  const auto exact_at = [&](const std::vector<double>& times) {
    return *study.model.closed_form(solves.rigid_start, times);
  };
  const auto apart = [&](const std::vector<double>& nodes) {
    double worst = 0.0;
    const Motion samples = exact_at(nodes);
    for (const auto& grid : solves.grids) {
      const Motion exact = exact_at(grid);
      const Motion told = interpolated(samples, Interpolation(nodes, grid), grid);
      for (const Quantity x : common_quantities)
        worst = std::max(worst, (values_of(told, x) - values_of(exact, x)).cwiseAbs().maxCoeff() /
                                    values_of(exact, x).cwiseAbs().maxCoeff());
    }
    return worst;
  };
  EXPECT_LT(apart(solves.times), 1e-12);
  std::vector<double> sparse;
  for (std::size_t k = 0; k < solves.times.size(); k += 20) sparse.push_back(solves.times[k]);
  EXPECT_GT(apart(sparse), 1e-12) << "the negative control";
}

TEST(RigidTimes, EnsembleErrorsEqualThoseOfSingleRuns) {
  const RollingResult all = run_rolling_study(knife_edges(101)),
                      few = run_rolling_study(knife_edges(5));
  int compared = 0;
  for (std::size_t k = 0; k < few.series.size(); ++k)
    for (const Row& alone : few.series[k].rows)
      for (const Row& row : all.series[k].rows) {
        if (std::abs(row.epsilon / alone.epsilon - 1.0) > 1e-12) continue;
        // Rigid motions have the solver error plus 1e-12 from interpolation, for entries up to 10.
        EXPECT_NEAR(row.model_error(), alone.model_error(),
                    row.solver_error() + row.reference_error() + alone.reference_error() + 1e-11);
        ++compared;
      }
  EXPECT_EQ(compared, 5 * static_cast<int>(few.series.size()));
}

}  // namespace
}  // namespace rigidlimit
