// Tests ARKODE's methods: order and stability of every table, two-sided, and invalid input.
#include "rigidlimit/solvers/sundials/arkode.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/model_splitting.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using test::OdeModel;

class Arkode : public testing::TestWithParam<OdeMethod> {
 protected:
  static bool is_explicit() { return std::string(GetParam().name).starts_with("arkode_erk"); }

  /// Tolerances that make Newton's error negligible.
  static SolveOptions fixed_steps(double h) {
    SolveOptions options;
    options.rtol = 1e-13;
    options.atol = 1e-14;
    options.fixed_step = h;
    return options;
  }

  static double error_at_end(const OdeProblem& problem, const OdeModel& model, int steps) {
    const Solution solution =
        GetParam().solve(problem, {model.end}, fixed_steps(model.end / steps));
    EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
    EXPECT_EQ(solution.work.steps, steps);
    EXPECT_EQ(solution.work.rejected_steps, 0);
    return (solution.states.col(0) - model.exact(model.end)).cwiseAbs().maxCoeff();
  }

  static double measured_order(const OdeProblem& problem, const OdeModel& model, int steps) {
    return std::log2(error_at_end(problem, model, steps) / error_at_end(problem, model, 2 * steps));
  }

  /// |R(z)| of one step of size 1 for y' = z y in real variables.
  static double amplification(double real, double imaginary) {
    OdeProblem p;
    p.name = "linear";
    p.y0 = Eigen::Vector2d(1.0, 0.0);
    Eigen::Matrix2d A;
    A << real, -imaginary, imaginary, real;
    p.rhs = [=](double, VectorIn y, VectorOut f) { f = A * y; };
    p.jacobian = [=](double, VectorIn, MatrixOut J) { J = A; };
    p.splitting = std::make_shared<const Splitting>(
        Splitting{p.rhs, [](double, VectorIn, VectorOut f) { f.setZero(); }, p.jacobian});
    const Solution solution = GetParam().solve(p, {1.0}, fixed_steps(1.0));
    EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
    return solution.states.col(0).norm();
  }
};

INSTANTIATE_TEST_SUITE_P(Tables, Arkode,
                         testing::ValuesIn(arkode_methods().begin(), arkode_methods().end()),
                         [](const auto& suite) { return std::string(suite.param.name); });

// At these steps the error is above round-off, and the next term of its expansion changes the order
// by less than 0.35.
TEST_P(Arkode, OrderIsThatOfTheCatalogue) {
  const OdeModel model = test::split_witch();
  const int order = GetParam().order;
  const int steps = order >= 8 ? 6 : order >= 6 ? 20 : 40;
  EXPECT_NEAR(measured_order(model.problem, model, steps), order, 0.35);
}

// Negative control: a right-hand side with a time lag of h/10 causes an error of order 1.
TEST_P(Arkode, OrderIsLostWhereTheStagesHaveTheWrongTimes) {
  const OdeModel model = test::split_witch();
  const auto lagging = [&](double h) {
    OdeProblem problem = model.problem;
    const auto late = [=](auto f) -> decltype(problem.rhs) {
      return [=](double t, VectorIn y, VectorOut dydt) { f(t - 0.1 * h, y, dydt); };
    };
    problem.rhs = late(problem.rhs);
    problem.splitting = std::make_shared<const Splitting>(
        Splitting{late(model.problem.splitting->stiff), late(model.problem.splitting->rest),
                  model.problem.splitting->stiff_jacobian});
    return problem;
  };
  const double coarse = error_at_end(lagging(model.end / 40), model, 40);
  const double fine = error_at_end(lagging(model.end / 80), model, 80);
  EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.35);
}

// A method is A-stable if |R(iy)| ≤ 1 on the imaginary axis, without poles to its left. It is also
// L-stable if R(−∞) = 0: at −1e8 the next term is some 1e-8 times some tens. 1e-9: Newton's error
// on a linear problem. The method listed as only A-stable is a negative control.
TEST_P(Arkode, StabilityIsThatOfTheCatalogue) {
  const std::string stability = GetParam().stability;
  if (is_explicit()) {
    EXPECT_EQ(stability, "explicit");
    EXPECT_GT(amplification(-100.0, 0.0), 1.0);
    return;
  }
  for (double y = 1e-2; y < 1e7; y *= 1.5)
    EXPECT_LE(amplification(0.0, y), 1.0 + 1e-9) << stability << " at i " << y;
  const double far = amplification(-1e8, 0.0);
  if (stability.starts_with("L-stable"))
    EXPECT_LT(far, 1e-5);
  else
    EXPECT_THAT(far, testing::AllOf(testing::Gt(0.1), testing::Lt(1.0))) << stability;
}

// f is not finite beyond t = 1/2. An explicit stage with such a value shortens the step and does
// not end the solve.
TEST_P(Arkode, StepsShrinkTowardsATimeBeyondWhichFIsNotFinite) {
  OdeProblem broken = test::linear_decay().problem;
  broken.rhs = [f = broken.rhs](double t, VectorIn y, VectorOut dydt) {
    f(t, y, dydt);
    if (t > 0.5) dydt(0) = std::nan("");
  };
  const Solution solution = GetParam().solve(test::split_for(GetParam(), broken), {1.0}, {});
  EXPECT_THAT(solution.outcome, testing::AnyOf(Outcome::not_finite, Outcome::step_underflow))
      << solution.message;
  EXPECT_GT(solution.t_reached, 0.5 - 1e-9);
  EXPECT_LE(solution.t_reached, 0.5);
}

// Each tolerance applies to its own component: with loose tolerances of the fast components the
// solve needs less than half of the steps.
TEST_P(Arkode, ObeysATolerancePerComponent) {
  const OdeModel model = test::oscillator();
  OdeProblem pair = model.problem;  // a slow and a fast oscillator
  pair.y0 = Eigen::Vector4d(1.0, 0.0, 1.0, 0.0);
  pair.rhs = [](double, VectorIn y, VectorOut f) { f << y(1), -y(0), 9.0 * y(3), -9.0 * y(2); };
  pair.jacobian = [](double, VectorIn, MatrixOut J) {
    J.setZero();
    J(0, 1) = 1.0;
    J(1, 0) = -1.0;
    J(2, 3) = 9.0;
    J(3, 2) = -9.0;
  };
  SolveOptions options;
  options.rtol = 1e-12;
  options.atol_of = {1e-6, 1e-6, 1e-6, 1e-6};
  const OdeProblem problem = test::split_for(GetParam(), pair);
  const long all = GetParam().solve(problem, {3.0}, options).work.steps;
  options.atol_of = {1e-6, 1e-6, 1e3, 1e3};
  const Solution solution = GetParam().solve(problem, {3.0}, options);
  EXPECT_EQ(solution.outcome, Outcome::success);
  EXPECT_LT(2 * solution.work.steps, all);
  EXPECT_NEAR(solution.states(0, 0), std::cos(3.0), 1e-6 * static_cast<double>(all));
}

// Times of two grids may differ by rounding; over an ulp the state changes by less than 1e-12.
TEST_P(Arkode, LandsOnTimesThatAreAnUlpApart) {
  const OdeModel model = test::oscillator();
  const double after = std::nextafter(0.5, 1.0);
  const Solution solution =
      GetParam().solve(test::split_for(GetParam(), model.problem),
                       {0.0, 1e-18, 0.5, after, std::nextafter(after, 1.0), 1.0}, {});
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  EXPECT_EQ(solution.t_reached, 1.0);
  EXPECT_LE((solution.states.col(3) - solution.states.col(2)).norm(), 1e-12);
  EXPECT_LE((solution.states.col(5) - model.exact(1.0)).norm(),
            1e-8 * static_cast<double>(solution.work.steps));
}

TEST(ArkodeRefuses, AProblemWithoutASplittingOrAPartOfIt) {
  const OdeModel model = test::split_witch();
  const auto solve = find_ode_method("arkode_imex_ark324l2sa_4_2_3")->function;
  EXPECT_EQ(solve(model.problem, {1.0}, {}).outcome, Outcome::success);
  const auto refuses = [&](auto remove) {
    OdeProblem problem = model.problem;
    Splitting parts = *problem.splitting;
    remove(parts);
    problem.splitting = std::make_shared<const Splitting>(parts);
    EXPECT_THROW(solve(problem, {1.0}, {}), InputError);
  };
  refuses([](Splitting& parts) { parts.stiff = nullptr; });
  refuses([](Splitting& parts) { parts.rest = nullptr; });
  refuses([](Splitting& parts) { parts.stiff_jacobian = nullptr; });
  OdeProblem whole = model.problem;
  whole.splitting = nullptr;
  EXPECT_THROW(solve(whole, {1.0}, {}), InputError);
}

}  // namespace
}  // namespace rigidlimit
