// Tests the cost of a solve claimed in docs/theory.md, section 11, on catalogue systems. In adapted
// variables the number of steps hardly depends on ε. The fast block with its coupling takes as many
// steps as the full matrix.
#include "rigidlimit/experiment/rolling/step_counts.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/experiment/rolling/compliant_side.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

const std::string seven_decades = "epsilon={values=[1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8]}";

/// The shipped study of a system at rtol 1e-12. The limit of 400 steps is twice the number of any
/// adapted solve; natural solves reach it.
RollingStudy study_of(const std::string& system, std::vector<std::string> overrides) {
  overrides.insert(overrides.end(), {"solvers.rtol=1e-12", "solvers.atol=1e-14"});
  return read_rolling_study(test::in_repository("experiments/convergence/" + system + ".toml"),
                            overrides);
}

std::vector<StepCount> counts_of(const std::string& system, const std::string& solver,
                                 Formulation formulation, const std::string& epsilons) {
  const std::string one_solver = "solvers.compliant=[\"" + solver + "\"]";
  std::vector<StepCount> counts =
      count_steps(study_of(system, {one_solver, epsilons, "solvers.max_steps=400"}), {});
  std::erase_if(counts, [&](const StepCount& c) { return c.formulation != formulation; });
  return counts;
}

class StepCounts : public testing::TestWithParam<std::string> {};

TEST_P(StepCounts, AdaptedGrowByAtMostThreePerDecadeAndNaturalGrowFaster) {
  const auto adapted = counts_of(GetParam(), "radau_iia_7", Formulation::adapted, seven_decades);
  ASSERT_EQ(adapted.size(), 7u);
  for (const StepCount& count : adapted)
    EXPECT_EQ(count.outcome, Outcome::success) << count.epsilon << ": " << count.message;
  const auto growth = step_growth(adapted);
  ASSERT_EQ(growth.size(), 1u);
  EXPECT_LE(growth[0].per_decade, 3.0);
  EXPECT_LE(growth[0].rejected, 10);

  // Negative control: (q, v, η), where 400 steps may be too few (NaN).
  const auto natural = step_growth(counts_of(GetParam(), "radau_iia_7", Formulation::natural,
                                             "epsilon={values=[1e-2, 1e-3, 1e-4]}"));
  ASSERT_EQ(natural.size(), 1u);
  EXPECT_FALSE(natural[0].per_decade <= 3.0) << natural[0].per_decade;
  EXPECT_GT(natural[0].rejected, 10);
}

INSTANTIATE_TEST_SUITE_P(Systems, StepCounts,
                         testing::Values("knife_edge", "chaplygin_sleigh", "rolling_disk"),
                         [](const auto& suite) { return suite.param; });

// CVODE in natural variables needs a Jacobian for every matrix, or Newton stops at wrong points. In
// adapted variables both may be 10 steps old. At rtol 1e-12 the error test fails in a few per cent
// of the steps. A failed step needs at most two additional matrices.
TEST(CvodeJacobians, AreFrequentInNaturalVariablesOnly) {
  for (const std::string system : {"knife_edge", "rolling_disk"}) {
    SCOPED_TRACE(system);
    const auto counts =
        count_steps(study_of(system, {"solvers.compliant=[\"cvode_bdf\"]",
                                      "epsilon={values=[1e-2, 1e-3]}", "solvers.max_steps=20000"}),
                    {});
    ASSERT_EQ(counts.size(), 4u);
    for (const StepCount& c : counts) {
      ASSERT_EQ(c.outcome, Outcome::success) << c.message;
      const long seldom = c.work.steps / 10 + 2 * c.work.rejected_steps + 5;
      if (c.formulation == Formulation::adapted) {
        EXPECT_LE(c.work.jacobian_evaluations, seldom) << c.epsilon;
      } else {
        // More than 1.5 times that limit. Failed steps need additional matrices.
        EXPECT_GT(2 * c.work.jacobian_evaluations, 3 * seldom) << "the negative control";
        EXPECT_GE(c.work.jacobian_evaluations, c.work.factorisations - c.work.rejected_steps);
      }
    }
  }
}

}  // namespace
}  // namespace rigidlimit
