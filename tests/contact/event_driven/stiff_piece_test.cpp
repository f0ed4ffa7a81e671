// Tests that explicit and stiff methods give the same smooth pieces, and the onset of spatial slip.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/contact/event_driven/stiffness_watch.hpp"
#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/frictional_start.hpp"

namespace rigidlimit {
namespace {

using test::frictional_case;
using test::FrictionalCase;
using test::undragged;

std::vector<double> grid(double end, int intervals = 20) {
  std::vector<double> times;
  for (int k = 0; k <= intervals; ++k) times.push_back(end * k / intervals);
  return times;
}

/// Euler's disc with friction of steel on glass. It rolls until 0.1825 s; then the rim slips.
FrictionalCase slipping_disk() {
  return frictional_case("spinning_disk", {{"friction", 0.3}, {"contour_friction", 5e-5}});
}

/// Two kinds of method with different tolerances. Radau's tolerance is 1e-10 of velocities of
/// 16 rad/s; errors grow tenfold over 0.2 s: 1e-8.
TEST(StiffPieces, ExplicitAndImplicitMotionsAgree) {
  const FrictionalCase disk = slipping_disk();
  const std::vector<double> times = grid(0.2);
  const NonsmoothMotion both = event_driven_motion(disk.system, disk.start, times);
  const NonsmoothMotion implicit = event_driven_motion(
      disk.system, disk.start, times,
      {.method = "radau_iia_5", .stiff_method = "", .rtol = 1e-10, .atol = 1e-12});
  ASSERT_EQ(both.outcome, Outcome::success) << both.message;
  ASSERT_EQ(implicit.outcome, Outcome::success) << implicit.message;
  ASSERT_EQ(both.events.size(), 1U);
  ASSERT_EQ(implicit.events.size(), 1U);
  EXPECT_EQ(both.events[0].kind, EventKind::slip);
  EXPECT_NEAR(both.events[0].t, implicit.events[0].t, 1e-9);
  EXPECT_LT((both.motion.q - implicit.motion.q).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((both.motion.v - implicit.motion.v).cwiseAbs().maxCoeff(), 1e-8);
  // Measured: some 400. Explicit steps only would be more than ten thousand.
  EXPECT_LT(both.work.steps + both.work.rejected_steps, 2000);
}

/// Negative control: w/|w| relaxes at the rate μ p A/|w|, and stability limits an explicit pair.
TEST(StiffPieces, WithoutAStiffMethodTheOnsetOfSlipTakesThousandsOfSteps) {
  const FrictionalCase disk = slipping_disk();
  const NonsmoothMotion alone = event_driven_motion(disk.system, disk.start, grid(0.2),
                                                    {.stiff_method = "", .max_steps = 3000});
  EXPECT_EQ(alone.outcome, Outcome::max_steps);
  EXPECT_LT(alone.t_reached, 0.2);
}

/// Coulomb's law at the onset: w grows along its friction, w × λ = 0, up to the angle
/// |w| ω/(μ p A) and the rotation of the direction while w grows, ω t with ω about 80/s.
TEST(StiffPieces, SlipBeginsAlongItsFriction) {
  const FrictionalCase disk = slipping_disk();
  const double onset = event_driven_motion(disk.system, disk.start, {0.0, 0.1826}).events.at(0).t;
  std::vector<double> times = {0.0};
  for (const double later : {2e-6, 1e-5, 1e-4, 1e-3}) times.push_back(onset + later);
  const NonsmoothMotion motion = event_driven_motion(disk.system, disk.start, times);
  ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
  for (Index k = 1; k < 5; ++k) {
    const VectorXd w =
        sliding_velocity(disk.system.smooth, {motion.motion.q.col(k), motion.motion.v.col(k)});
    const VectorXd lambda = motion.motion.lambda.col(k).head(2);
    const double sine = (w(0) * lambda(1) - w(1) * lambda(0)) / (w.norm() * lambda.norm());
    EXPECT_LT(std::abs(sine), 80.0 * (times[static_cast<std::size_t>(k)] - onset)) << k;
    EXPECT_GT(w.dot(lambda), 0.0) << k;
    EXPECT_NEAR(lambda.norm(), 0.3 * motion.motion.lambda(2, k), 1e-12) << k;
  }
}

/// Closed-form histories, with a stiff method for all pieces. The outputs are values of a
/// polynomial under error control, 1e-12 a step of states of order 1 to 10.
TEST(StiffPieces, AStiffMethodReproducesKnownHistories) {
  for (const char* name : {"wheel", "wheel_euler", "sliding_sphere"}) {
    const FrictionalCase known = frictional_case(name, undragged(name));
    const std::vector<double> times = grid(1.5);
    const auto history = known.system.closed_history(known.start, times);
    ASSERT_TRUE(history);
    const NonsmoothMotion motion = event_driven_motion(
        known.system, known.start, times, {.method = "radau_iia_5", .stiff_method = ""});
    ASSERT_EQ(motion.outcome, Outcome::success) << name << motion.message;
    ASSERT_EQ(motion.events.size(), history->event_times.size()) << name;
    for (std::size_t k = 0; k < motion.events.size(); ++k)
      EXPECT_NEAR(motion.events[k].t, history->event_times[k], 1e-11) << name;
    EXPECT_LT((motion.motion.q - history->motion.q).cwiseAbs().maxCoeff(), 1e-9) << name;
    EXPECT_LT((motion.motion.v - history->motion.v).cwiseAbs().maxCoeff(), 1e-9) << name;
  }
}

/// y' = −L (y − cos t): h L reaches the stability bound, 3.3, or stays far below it.
bool found_stiff(double L) {
  OdeProblem problem;
  problem.name = "relaxation";
  problem.y0 = VectorXd::Constant(1, 0.5);
  problem.rhs = [L](double t, VectorIn y, VectorOut f) { f(0) = -L * (y(0) - std::cos(t)); };
  problem.jacobian = [L](double, VectorIn, MatrixOut J) { J(0, 0) = -L; };
  SolveOptions solve{.rtol = 1e-6, .atol = 1e-8};
  StiffnessWatch watch(problem, solve);
  const Solution solution = find_ode_method("dopri5")->solve(problem, {0.0, 50.0}, solve);
  EXPECT_EQ(solution.outcome, watch.stiff() ? Outcome::interrupted : Outcome::success);
  return watch.stiff();
}

TEST(StiffnessWatch, DistinguishesStabilityFromAccuracy) {
  EXPECT_TRUE(found_stiff(1e4));
  EXPECT_FALSE(found_stiff(1.0));
}

}  // namespace
}  // namespace rigidlimit
