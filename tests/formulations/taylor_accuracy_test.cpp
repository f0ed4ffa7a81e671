// Tests the Taylor series method on recorded motions: error at the end over the tolerances.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "rigidlimit/solvers/taylor/taylor.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {
namespace {

using Problem = MotionProblem<OdeProblem>;

/// The motion from the default start; ε = 0: rigid, otherwise with C = I and D = 1.5 I.
Problem problem_of(const std::string& name, double epsilon) {
  const SystemEntry& entry = *find_system(builtin_systems(), name);
  const System model = entry.make(entry.default_values());
  const InitialState start = entry.start(entry.default_values());
  const MatrixXd I = MatrixXd::Identity(model.m, model.m);
  if (epsilon == 0.0) return rigid_reduced<double>(model, start);
  return compliant_adapted(model, start, ViscoelasticLaw{.stiffness = I, .damping = 1.5 * I},
                           epsilon, VectorXd::Zero(model.m));
}

struct Tested {
  const char* name;
  double epsilon;
};

class TaylorAccuracy : public testing::TestWithParam<Tested> {};

// Errors of (q, v) after 1 s and 2 s, where the first time lies inside a step, are below a hundred
// times rtol for rtol = 1e-4, 10^-4.5, …, 1e-12, atol = rtol/100. The reference is seven stages of
// Radau IIA at rtol 1e-13.
TEST_P(TaylorAccuracy, ErrorIsBelowAHundredTolerances) {
  const Problem p = problem_of(GetParam().name, GetParam().epsilon);
  ASSERT_EQ(taylor_refusal(p.problem), "");
  const std::vector<double> times{1.0, 2.0};
  const Motion reference =
      p.motion(solve_radau_iia_7(p.problem, times, {.rtol = 1e-13, .atol = 1e-15}));
  for (int k = 0; k < 17; ++k) {
    const double rtol = std::pow(10.0, -4.0 - 0.5 * k);
    const Solution found = solve_taylor(p.problem, times, {.rtol = rtol, .atol = 0.01 * rtol});
    ASSERT_EQ(found.outcome, Outcome::success) << found.message;
    const Motion motion = p.motion(found);
    EXPECT_LE((motion.q - reference.q).cwiseAbs().maxCoeff(), 100.0 * rtol) << rtol;
    EXPECT_LE((motion.v - reference.v).cwiseAbs().maxCoeff(), 100.0 * rtol) << rtol;
  }
}

INSTANTIATE_TEST_SUITE_P(Motions, TaylorAccuracy,
                         testing::Values(Tested{"knife_edge", 0.0}, Tested{"rolling_disk", 0.0},
                                         Tested{"two_blade_dumbbell", 0.0},
                                         Tested{"knife_edge", 1e-1}, Tested{"knife_edge", 1e-2},
                                         Tested{"rolling_disk", 1e-1},
                                         Tested{"rolling_disk", 1e-2}),
                         [](const auto& tested) {
                           return std::string(tested.param.name) + "_" +
                                  std::to_string(static_cast<int>(1e3 * tested.param.epsilon));
                         });

// Negative control of the bound: with a tolerance a thousand times as large the error exceeds it.
TEST(TaylorAccuracyBound, IsExceededAtALooserTolerance) {
  const Problem p = problem_of("rolling_disk", 0.0);
  const auto end = [&](double rtol) -> VectorXd {
    return solve_taylor(p.problem, {2.0}, {.rtol = rtol, .atol = 0.01 * rtol}).states.col(0);
  };
  EXPECT_GT((end(1e-3) - end(1e-13)).cwiseAbs().maxCoeff(), 100.0 * 1e-9);
}

// Every system of the catalogue has a Taylor series, or the method says which operation has none.
TEST(TaylorRefusal, NamesTheOperation) {
  const OdeMethod& method = *find_ode_method("taylor");
  for (const SystemEntry& entry : builtin_systems()) {
    if (!entry.rolls()) continue;
    const std::string refusal = refusal_of(method, problem_of(entry.info.name, 0.0).problem);
    EXPECT_THAT(refusal, testing::AnyOf("", testing::HasSubstr("recurrence"))) << entry.info.name;
    RecordProperty(entry.info.name, refusal);
  }
}

}  // namespace
}  // namespace rigidlimit
