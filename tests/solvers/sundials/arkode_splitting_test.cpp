// Tests how the splitting of f decides the accuracy of additive methods on a stiff contact
// (solvers/sundials/arkode.hpp).
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "rigidlimit/solvers/catalogue.hpp"
#include "support/contact_ode.hpp"

namespace rigidlimit {
namespace {

constexpr const char* additive = "arkode_imex_ark324l2sa_4_2_3";
constexpr const char* implicit_half = "arkode_dirk_ark324l2sa_4_2_3";

/// The knife edge in (x, y, φ, u, ω, w, η). The stiff part is all of (w, η)', or with `force_only`
/// the contact force and η'.
OdeProblem split_contact(double eps, bool force_only) {
  OdeProblem p = test::contact_in_adapted_velocities<double>(eps);
  const auto load = [f = p.rhs](double t, VectorIn y) {
    VectorXd unloaded = y, dydt(7);
    unloaded(5) = unloaded(6) = 0.0;
    f(t, unloaded, dydt);
    return dydt(5);
  };
  auto parts = std::make_shared<Splitting>();
  parts->stiff = [=, f = p.rhs](double t, VectorIn y, VectorOut dydt) {
    f(t, y, dydt);
    dydt.head(5).setZero();
    if (force_only) dydt(5) -= load(t, y);
  };
  parts->rest = [=, f = p.rhs](double t, VectorIn y, VectorOut dydt) {
    f(t, y, dydt);
    dydt.tail(2).setZero();
    if (force_only) dydt(5) = load(t, y);
  };
  parts->stiff_jacobian = [eps](double, VectorIn, MatrixOut J) {
    J.setZero();
    J.bottomRightCorner(2, 2) << -2.0 / eps, -1.0, 1.0 / (eps * eps), 0.0;
  };
  p.splitting = std::move(parts);
  return p;
}

struct Errors {
  double q, sliding, lambda;
};

/// Errors at the end, with that number of fixed steps.
Errors errors(const char* method, double eps, bool force_only, int steps) {
  const OdeProblem problem = split_contact(eps, force_only);
  SolveOptions options;
  options.rtol = 1e-12;
  options.atol = 1e-14;
  const VectorXd exact =
      find_ode_method("radau_iia_7")->solve(problem, {test::contact_end}, options).states.col(0);
  options.rtol = 1e-11;
  options.atol = 1e-13;
  options.fixed_step = test::contact_end / steps;
  const Solution solution = find_ode_method(method)->solve(problem, {test::contact_end}, options);
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  const VectorXd error = solution.states.col(0) - exact;
  return {error.head(3).cwiseAbs().maxCoeff(), std::abs(error(5)),
          std::abs(error(6) + 2.0 / eps * error(5))};
}

double order(double coarse, double fine) {
  return std::log2(coarse / fine);
}

// 0.35: as in arkode_test.cpp. If only the implicit half of a pair is stiffly accurate, λ has one
// order less than q: it has the last stage's error.
TEST(SplittingOfTheContact, FastRowsKeepTheOrderAndTheErrorsOfTheLimit) {
  for (const double eps : {1e-3, 1e-4, 1e-5}) {
    const Errors coarse = errors(additive, eps, false, 20), fine = errors(additive, eps, false, 40);
    EXPECT_NEAR(order(coarse.q, fine.q), 3.0, 0.35) << eps;
    EXPECT_NEAR(order(coarse.lambda, fine.lambda), 2.0, 0.35) << eps;
    EXPECT_NEAR(fine.lambda, 1.7e-3, 2e-4) << eps;  // the same for all ε: 1.7e-3 measured
    EXPECT_LT(fine.sliding, eps * eps) << eps;
  }
}

TEST(SplittingOfTheContact, TheForceAloneLosesTheSlidingVelocityAndMultipliesTheForce) {
  const Errors coarse = errors(additive, 1e-5, true, 20), fine = errors(additive, 1e-5, true, 40);
  EXPECT_NEAR(order(coarse.q, fine.q), 3.0, 0.35);
  EXPECT_NEAR(order(coarse.sliding, fine.sliding), 2.0, 0.35);
  EXPECT_GT(fine.sliding, 1e-3);  // against ε² = 1e-10
  EXPECT_NEAR(order(errors(additive, 1e-4, true, 40).lambda, fine.lambda), -std::log2(10.0), 0.2);
  EXPECT_GT(fine.lambda, 100.0);
}

TEST(SplittingOfTheContact, CostsNoOrderInTheImplicitHalf) {
  const Errors coarse = errors(implicit_half, 1e-5, false, 20);
  const Errors fine = errors(implicit_half, 1e-5, false, 40);
  EXPECT_NEAR(order(coarse.q, fine.q), 3.0, 0.35);
  EXPECT_NEAR(order(coarse.lambda, fine.lambda), 3.0, 0.35);
  EXPECT_GT(errors(additive, 1e-5, false, 40).lambda, 1e3 * fine.lambda);
}

// With error control: only with the second splitting the number of steps grows with 1/ε.
TEST(SplittingOfTheContact, DecidesWhetherStepsGrowWithTheStiffness) {
  const auto steps = [](double eps, bool force_only) {
    SolveOptions options;
    options.rtol = 1e-6;
    options.atol = 1e-8;
    const Solution solution =
        find_ode_method("arkode_imex_ark437l2sa_7_3_4")
            ->solve(split_contact(eps, force_only), {test::contact_end}, options);
    EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
    return static_cast<double>(solution.work.steps);
  };
  EXPECT_LT(steps(1e-5, false), 1.5 * steps(1e-2, false));
  EXPECT_GT(steps(1e-4, true), 10.0 * steps(1e-2, true));
}

}  // namespace
}  // namespace rigidlimit
