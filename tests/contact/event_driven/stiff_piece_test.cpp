// Smooth pieces by explicit and by stiff methods: the same motions, and the onset of slip in space.
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

/// Euler's disc with the friction of steel on glass: it rolls until 0.1825 s, then its rim slips.
FrictionalCase slipping_disk() {
  return frictional_case("spinning_disk", {{"friction", 0.3}, {"contour_friction", 5e-5}});
}

/// Two methods of different kind and different tolerances. Those of Radau's pieces, 1e-10 of
/// velocities of 16 rad/s over 0.2 s in which errors grow tenfold: 1e-8.
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
  // measured: some 400, where explicit steps alone would be ten thousand and more
  EXPECT_LT(both.work.steps + both.work.rejected_steps, 2000);
}

/// Negative control: where w/|w| relaxes at μ p A/|w| an explicit pair alone is held by stability.
TEST(StiffPieces, WithoutAStiffMethodTheOnsetOfSlipTakesThousandsOfSteps) {
  const FrictionalCase disk = slipping_disk();
  const NonsmoothMotion alone = event_driven_motion(disk.system, disk.start, grid(0.2),
                                                    {.stiff_method = "", .max_steps = 3000});
  EXPECT_EQ(alone.outcome, Outcome::max_steps);
  EXPECT_LT(alone.t_reached, 0.2);
}

/// Coulomb's law at the onset: w grows along the friction that it meets, w × λ = 0, up to the
/// angle |w| ω/(μ p A) and that by which the direction turns while w grows, ω t with ω some 80/s.
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

/// Histories by formula, all pieces by a stiff method: its outputs are those of a polynomial whose
/// error is kept with the rest, 1e-12 of states of order 1 to 10 a step.
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

/// y' = −L (y − cos t): h L reaches the bound of stability, 3.3, or stays far below it.
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

TEST(StiffnessWatch, TellsStabilityFromAccuracy) {
  EXPECT_TRUE(found_stiff(1e4));
  EXPECT_FALSE(found_stiff(1.0));
}

}  // namespace
}  // namespace rigidlimit
