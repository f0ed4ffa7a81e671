// Tests that the stated solver errors of event times cover the true ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "support/shipped_studies.hpp"

namespace rigidlimit {
namespace {

FrictionResult stuck_and_slipped(const char* rtol, const char* atol) {
  const std::string tolerances[] = {std::string("solvers.rtol=") + rtol,
                                    std::string("solvers.atol=") + atol};
  return run_friction_study(read_friction_study(
      test::in_repository("experiments/friction/belt_stick_slip.toml"),
      {tolerances[0], tolerances[1], "time.samples=10", "time.layer_per_decade=1"}));
}

// Times of a stick-slip cycle at six ε against solves at tolerances a hundredth as large, whose own
// errors are added. Negative control: half the stated error is that of two solves at one ε, the
// error without its factor, and does not cover all.
TEST(EventTimeErrors, CoverTheTimesOfTighterSolves) {
  const FrictionResult result = stuck_and_slipped("1e-11", "1e-13"),
                       tight = stuck_and_slipped("1e-13", "1e-15");
  ASSERT_EQ(result.matches.size(), tight.matches.size());
  ASSERT_GE(result.matches.size(), 12U);
  double worst = 0.0;
  for (std::size_t k = 0; k < result.matches.size(); ++k) {
    const EventMatch &one = result.matches[k], &other = tight.matches[k];
    EXPECT_LE(std::abs(one.t - other.t), one.solver_error + other.solver_error)
        << "event " << one.event << ", ε = " << one.epsilon;
    worst = std::max(worst, std::abs(one.t - other.t) / one.solver_error);
  }
  EXPECT_GT(worst, 0.5);
}

}  // namespace
}  // namespace rigidlimit
