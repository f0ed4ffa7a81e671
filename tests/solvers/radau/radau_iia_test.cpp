// Tests the Radau IIA solver with step control: precision, output, moving coordinates,
// and the numbers of steps stated in docs/theory.md, section 11.
#include "rigidlimit/solvers/radau/radau_iia.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/pack.hpp"
#include "support/contact_ode.hpp"
#include "support/model_ode.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using test::uniform_grid;

SolveOptions tolerance(double rtol, double atol) {
  SolveOptions options;
  options.rtol = rtol;
  options.atol = atol;
  return options;
}

/// y₁' = y₂, y₂' = −y₁: (cos t, −sin t).
OdeProblemOf<Quad> quad_oscillator() {
  OdeProblemOf<Quad> p;
  p.name = "quad_oscillator";
  p.y0 = Vector<Quad, 2>(Quad(1), Quad(0));
  p.rhs = [](const Quad&, VectorInOf<Quad> y, VectorOutOf<Quad> f) {
    f(0) = y(1);
    f(1) = -y(0);
  };
  p.jacobian = [](double, VectorIn, MatrixOut J) { J << 0.0, 1.0, -1.0, 0.0; };
  return p;
}

// 1e-28 is a thousand times the square of double's rounding. The local errors add up to
// steps · rtol, and the solution has a higher order than its estimate.
TEST(RadauInQuad, Keeps28Digits) {
  const auto solution =
      solve_radau_iia(quad_oscillator(), {1.0, 3.0}, tolerance(1e-29, 1e-29), RadauOptions{});
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  const Quad error = abs(Quad(solution.states(0, 1) - cos(Quad(3))));
  EXPECT_LT(static_cast<double>(error), 1e-28);
  EXPECT_LT(solution.work.steps, 2000);
}

// Negative control: in double the error cannot fall below round-off, and a tolerance below it gives
// an outcome.
TEST(RadauInDouble, ToleranceBelowRoundOffIsAnOutcome) {
  const auto p = test::oscillator().problem;
  for (const double rtol : {1e-18, 1e-29}) {
    const Solution solution = solve_radau_iia(p, {1.0}, tolerance(rtol, rtol), RadauOptions{});
    EXPECT_EQ(solution.outcome, Outcome::accuracy_limit);
    EXPECT_FALSE(solution.message.empty());
  }
  const Solution solution = solve_radau_iia(p, {6.0}, tolerance(1e-14, 1e-14), RadauOptions{});
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  // One rounding of the state, 1.1e-16, a step, and the tolerance.
  EXPECT_LE(std::abs(solution.states(0, 0) - std::cos(6.0)),
            static_cast<double>(solution.work.steps) * (1e-14 + 1.2e-16) * 2.0);
}

// The collocation polynomial gives the output between steps. More output times change no step and
// no digit. The error between steps stays within the tolerance times the number of steps.
TEST(RadauOutput, IsDenseAndLeavesTheStepsAlone) {
  const test::OdeModel model = test::oscillator();
  const auto solve = [&](int intervals) {
    return solve_radau_iia(model.problem, uniform_grid(0.0, 6.0, intervals), tolerance(1e-8, 1e-8),
                           RadauOptions{.stages = 5});
  };
  const Solution few = solve(2), many = solve(2000);
  EXPECT_EQ(few.work.steps, many.work.steps);
  EXPECT_EQ(few.work.rhs_evaluations, many.work.rhs_evaluations);
  EXPECT_LT(many.work.steps, 100);
  EXPECT_EQ(few.states.col(1), many.states.col(1000));
  EXPECT_EQ(few.states.col(2), many.states.col(2000));
  double largest = 0.0;
  for (std::size_t k = 0; k < many.times.size(); ++k)
    largest =
        std::max(largest, (many.states.col(static_cast<Index>(k)) - model.exact(many.times[k]))
                              .cwiseAbs()
                              .maxCoeff());
  EXPECT_LE(largest, 2.0 * static_cast<double>(many.work.steps) * 2e-8);
}

class RadauContact : public testing::Test {
 protected:
  static Solution solve(double eps, double rtol) {
    return solve_radau_iia(test::contact_in_adapted_velocities<double>(eps), {test::contact_end},
                           tolerance(rtol, 1e-2 * rtol), RadauOptions{.stages = 7});
  }
};

// docs/theory.md, section 11: in adapted variables the number of steps hardly depends on ε.
TEST_F(RadauContact, StepsGrowByAtMostThreeADecadeOfEpsilon) {
  for (const double rtol : {1e-6, 1e-12}) {
    long before = 0;
    for (const double eps : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
      const Solution solution = solve(eps, rtol);
      ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
      EXPECT_LE(solution.work.rejected_steps, 2) << eps;
      // From 1e-2 to 1e-3 the layer appears: at 1e-2 it is hardly faster than the motion.
      if (eps < 1e-3) {
        EXPECT_LE(solution.work.steps, before + 3) << eps << ", rtol " << rtol;
      }
      before = solution.work.steps;
      EXPECT_LE(solution.work.steps, rtol > 1e-7 ? 23 : 72) << eps;
    }
  }
}

// The limit is the knife edge in closed form (docs/theory.md, section 8). Its distance is ε² |q₂|,
// |q₂| = 17.7 at T (section 9): at ε = 1e-8 only the solver's error remains.
TEST_F(RadauContact, TendsToIdealRolling) {
  const double w = 1.3, u0 = 0.7, s = 9.81 * std::sin(0.3), t = test::contact_end;
  const double x = u0 / w * std::sin(w * t) + s * std::pow(std::sin(w * t), 2) / (2 * w * w);
  const double y = u0 / w * (1 - std::cos(w * t)) + s / w * (t / 2 - std::sin(2 * w * t) / (4 * w));
  const Solution loose = solve(1e-8, 1e-6), tight = solve(1e-8, 1e-12);
  EXPECT_NEAR(loose.states(0, 0), x, 1e-8);
  EXPECT_NEAR(loose.states(1, 0), y, 1e-8);
  EXPECT_NEAR(tight.states(0, 0), x, 1e-12);
  EXPECT_NEAR(tight.states(1, 0), y, 1e-12);
  // Negative control, and section 9's figure: at ε = 1e-2 the difference is 17.7e-4 up to O(ε³).
  const Solution soft = solve(1e-2, 1e-12);
  const double gap = std::max(std::abs(soft.states(0, 0) - x), std::abs(soft.states(1, 0) - y));
  EXPECT_NEAR(gap / 1e-4, 17.675, 1.0);
}

/// x' = B x, B = [[−1, 40], [−40, −3]], in coordinates z = Q x that are rotated by a further
/// `angle` after every step.
struct TurningLinear {
  Eigen::Matrix2d B, Q = Eigen::Matrix2d::Identity();
  int turns = 0, resets = 0;

  OdeProblem problem(double angle) {
    B << -1.0, 40.0, -40.0, -3.0;
    OdeProblem p;
    p.name = "turning_linear";
    p.y0 = Eigen::Vector2d(1.0, 0.5);
    p.rhs = [this](double, VectorIn z, VectorOut f) { f = Q * B * Q.transpose() * z; };
    p.jacobian = [this](double, VectorIn, MatrixOut J) { J = Q * B * Q.transpose(); };
    auto moving = std::make_shared<MovingCoordinatesOf<double>>();
    moving->output_size = 3;
    moving->reset = [this] {
      Q.setIdentity();
      ++resets;
    };
    moving->output = [this](const double&, VectorIn z, VectorOut x) {
      x.head<2>() = Q.transpose() * z;
      x(2) = x(0) + x(1);
    };
    moving->rechoose = [this, angle](double bound, MatrixOut z, MatrixOut change) {
      EXPECT_EQ(bound, 0.0);
      const Eigen::Matrix2d P = Eigen::Rotation2Dd(angle).toRotationMatrix();
      Q = P * Q;
      z = (P * z).eval();
      change = P;
      ++turns;
      return true;
    };
    p.coordinates = moving;
    return p;
  }
};

// A linear change of coordinates commutes with a Runge-Kutta method. The solution equals that in
// fixed coordinates, with fixed steps up to the rounding of 40 steps, otherwise up to the
// tolerance. Predictor and Jacobian are transformed too: no more iterations or Jacobians.
TEST(RadauMovingCoordinates, GiveTheSolutionOfFixedCoordinates) {
  TurningLinear turning, fixed;
  const OdeProblem moved = turning.problem(0.7), still = fixed.problem(0.0);
  const auto times = uniform_grid(0.0, 1.0, 33);
  const auto differ = [&](const SolveOptions& options) {
    const Solution a = solve_radau_iia(moved, times, options, RadauOptions{.stages = 3});
    const Solution b = solve_radau_iia(still, times, options, RadauOptions{.stages = 3});
    EXPECT_EQ(a.outcome, Outcome::success);
    EXPECT_EQ(a.states.rows(), 3);
    EXPECT_LE(a.work.jacobian_evaluations, b.work.jacobian_evaluations + 2);
    EXPECT_LE(a.work.newton_iterations, 1.2 * static_cast<double>(b.work.newton_iterations));
    return (a.states - b.states).cwiseAbs().maxCoeff();
  };
  SolveOptions steps;
  steps.fixed_step = 0.025;
  EXPECT_LE(differ(steps), 40 * 3 * 1e-15);
  EXPECT_LE(differ(tolerance(1e-8, 1e-8)), 200 * 1e-8);
  EXPECT_EQ(turning.resets, 2);
  EXPECT_GT(turning.turns, 60);
}

/// Van der Pol's oscillator, μ = 100, in T = double or Pack.
template <class T>
void van_der_pol(const T* y, T* f) {
  f[0] = y[1];
  f[1] = T(100.0) * ((T(1.0) - y[0] * y[0]) * y[1] - y[0]);
}

/// With f of eight states, or without.
OdeProblem van_der_pol_problem(bool eight, double mu = 100.0) {
  OdeProblem p;
  p.name = "van_der_pol";
  p.y0 = Eigen::Vector2d(2.0, -0.6);
  const auto one = [](double, VectorIn y, VectorOut f) { van_der_pol(y.data(), f.data()); };
  p.rhs = one;
  if (eight) p.rhs = {one, [](const Pack&, const Pack* y, Pack* f) { van_der_pol(y, f); }};
  p.jacobian = [mu](double, VectorIn y, MatrixOut J) {
    J << 0.0, 1.0, mu * (-2.0 * y(0) * y(1) - 1.0), mu * (1.0 - y(0) * y(0));
  };
  return p;
}

// f is a sequence of the same additions and multiplications in double and in packs: the solutions
// are bit-identical. Negative control: with another Jacobian the iteration rounds differently.
TEST(RadauStages, OfEightStatesAtOnceAreThoseOfSingleStates) {
  MassProblemOf<double> with_mass[2];
  for (const bool eight : {false, true}) {
    static_cast<OdeProblem&>(with_mass[eight]) = van_der_pol_problem(eight);
    with_mass[eight].mass = Eigen::Matrix2d::Identity();
    with_mass[eight].index = {0, 0};
  }
  const auto times = uniform_grid(0.0, 1.0, 11);
  for (const int s : {0, 3, 7, 12}) {
    const RadauOptions radau{.stages = s};
    const SolveOptions options = tolerance(1e-8, 1e-10);
    const Solution one = solve_radau_iia(van_der_pol_problem(false), times, options, radau);
    const Solution all = solve_radau_iia(van_der_pol_problem(true), times, options, radau);
    ASSERT_EQ(one.outcome, Outcome::success) << s;
    EXPECT_EQ(one.states, all.states) << s;
    EXPECT_EQ(one.work.rhs_evaluations, all.work.rhs_evaluations) << s;
    EXPECT_EQ(solve_radau_iia(with_mass[0], times, options, radau).states,
              solve_radau_iia(with_mass[1], times, options, radau).states)
        << s;
    const Solution other = solve_radau_iia(van_der_pol_problem(true, 99.0), times, options, radau);
    EXPECT_NE(one.states, other.states) << "negative control";
  }
}

TEST(RadauOptionsTest, StagesOutOfRangeAreRefused) {
  const auto p = test::linear_decay().problem;
  EXPECT_THROW(solve_radau_iia(p, {1.0}, {}, RadauOptions{.stages = -1}), InputError);
  EXPECT_THROW(solve_radau_iia(p, {1.0}, {}, RadauOptions{.stages = 21}), InputError);
  for (const int s : {1, 2, 4, 6, 20}) {  // even numbers, without a real eigenvalue, are valid
    const Solution solution =
        solve_radau_iia(p, {1.0}, tolerance(1e-4, 1e-4), RadauOptions{.stages = s});
    EXPECT_EQ(solution.outcome, Outcome::success) << s;
    EXPECT_NEAR(solution.states(0, 0), std::exp(-1.0),
                1e-4 * static_cast<double>(solution.work.steps))
        << s;
  }
}

}  // namespace
}  // namespace rigidlimit
