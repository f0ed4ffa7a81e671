// Tests the terms of a prediction on a one-dimensional contact with a known solution.
#include "rigidlimit/asymptotics/prediction.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {
namespace {

constexpr double stiffness = 2.0, damping = 1.5;

/// A unit mass held by a contact against the force F(t) = 1 + sin t: q = η ε², G = 1, Λ = F.
/// By hand v₂ = C⁻¹F', q₂ = p₀ + C⁻¹(F − F(0)), λ₂ = −v₂' = −C⁻¹F''.
Expansion held_mass(double missing_load) {
  const auto number = [](double x) { return MatrixXd(MatrixXd::Constant(1, 1, x)); };
  Expansion e;
  e.coordinates = e.velocities = e.contacts = 1;
  e.delassus = e.velocity_of_impulse = e.coordinate_of_impulse = number(1.0);
  e.stiffness = e.force_of_deflection = number(stiffness);
  e.damping = e.force_of_sliding = number(damping);
  e.multiplier = number(1.0);
  e.multiplier_rate = number(1.0);
  e.missing_load = number(missing_load);
  e.outer.y0 = Eigen::Vector4d(0.0, 0.0, missing_load, 1.0 / stiffness);
  e.outer.rhs = [](double t, VectorIn y, VectorOut f) {
    f << 0.0, 0.0, y(3), -std::sin(t) / stiffness;
  };
  e.lambda2 = [](double t, VectorIn) -> VectorXd {
    return VectorXd::Constant(1, std::sin(t) / stiffness);
  };
  return e;
}

/// x'' + D x' + C x = 0 from (x, x')(0) = start, underdamped: (x, x').
Eigen::Vector2d layer(const Eigen::Vector2d& start, double tau) {
  const double a = 0.5 * damping, w = std::sqrt(stiffness - a * a);
  const double c = std::cos(w * tau), s = std::sin(w * tau) / w;
  const double x = start(0), dx = start(1);
  return std::exp(-a * tau) *
         Eigen::Vector2d(x * c + (dx + a * x) * s, dx * c - (stiffness * x + a * dx) * s);
}

const std::vector<double> grid{0.0, 0.01, 0.1, 0.5, 1.0, 2.0};
constexpr double epsilon = 0.125;

// Solver at rtol 1e-12; all terms are below 2.
constexpr double tolerance = 1e-11;

TEST(Prediction, AddsTheTermsOfAnUnloadedSpring) {
  const double e0 = 0.5;
  const Prediction p(held_mass(e0), grid);
  ASSERT_EQ(p.outcome(), Outcome::success) << p.message();
  EXPECT_EQ(p.message(), "");
  EXPECT_GT(p.work().steps, 0);
  const std::vector<double> times{0.0, 0.1, 2.0};
  const Motion outer = p.outer(epsilon, times), leading = p.leading(epsilon, times),
               composite = p.composite(epsilon, times);
  EXPECT_EQ(composite.times, times);
  const double e2 = epsilon * epsilon;
  for (Index k = 0; k < 3; ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    const double q2 = e2 * (e0 + std::sin(t) / stiffness), v2 = e2 * std::cos(t) / stiffness,
                 lambda2 = e2 * std::sin(t) / stiffness;
    const Eigen::Vector2d x = layer({-e0, 0.0}, t / epsilon);
    const double jump = stiffness * x(0) + damping * x(1);
    EXPECT_NEAR(outer.q(0, k), q2, tolerance);
    EXPECT_NEAR(outer.v(0, k), v2, tolerance);
    EXPECT_NEAR(outer.lambda(0, k), lambda2, tolerance);
    EXPECT_NEAR(leading.q(0, k), q2 + e2 * x(0), tolerance);
    EXPECT_NEAR(leading.v(0, k), epsilon * x(1), tolerance);
    EXPECT_NEAR(leading.lambda(0, k), jump, tolerance);
    EXPECT_NEAR(composite.q(0, k), q2 + e2 * x(0), tolerance);
    EXPECT_NEAR(composite.v(0, k), v2 + epsilon * x(1), tolerance);
    EXPECT_NEAR(composite.lambda(0, k), lambda2 + jump, tolerance);
  }
}

TEST(Prediction, LayerIsTheCompositeWithoutItsOuterTerms) {
  for (const double e0 : {0.5, 0.0}) {
    const Prediction p(held_mass(e0), grid);
    const Motion outer = p.outer(epsilon, grid), layer = p.layer(epsilon, grid),
                 composite = p.composite(epsilon, grid);
    EXPECT_EQ(MatrixXd(outer.q + layer.q), composite.q);
    EXPECT_EQ(MatrixXd(outer.v + layer.v), composite.v);
    EXPECT_EQ(MatrixXd(outer.lambda + layer.lambda), composite.lambda);
    EXPECT_GT(std::abs(layer.lambda(0, 1)), 1e-3) << "not negligible inside";
    EXPECT_LT(std::abs(layer.lambda(0, 5)), 1e-4) << "decayed at T";
  }
}

TEST(Prediction, AddsTheTermsOfAPreparedSpring) {
  const Prediction p(held_mass(0.0), grid);
  const Motion leading = p.leading(epsilon, grid), composite = p.composite(epsilon, grid);
  const double e2 = epsilon * epsilon;
  for (Index k = 0; k < 6; ++k) {
    const double t = grid[static_cast<std::size_t>(k)];
    const Eigen::Vector2d x =
        layer({damping / (stiffness * stiffness), -1.0 / stiffness}, t / epsilon);
    const double jump = epsilon * (stiffness * x(0) + damping * x(1));
    EXPECT_NEAR(leading.q(0, k), e2 * std::sin(t) / stiffness, tolerance);
    EXPECT_NEAR(leading.v(0, k), e2 * (std::cos(t) / stiffness + x(1)), tolerance);
    EXPECT_NEAR(leading.lambda(0, k), jump, tolerance);
    EXPECT_NEAR(composite.q(0, k), leading.q(0, k), tolerance);
    EXPECT_NEAR(composite.v(0, k), leading.v(0, k), tolerance);
    EXPECT_NEAR(composite.lambda(0, k), jump + e2 * std::sin(t) / stiffness, tolerance);
  }
  // The motions agree at the start: λ(0) = Cη₀ = Λ(0).
  EXPECT_NEAR(leading.v(0, 0), 0.0, 1e-16);
  EXPECT_NEAR(leading.lambda(0, 0), 0.0, 1e-16);
}

// docs/theory.md, section 2; a term of size ε^k in a layer of width ε has a mean square ε^(2k+1).
TEST(Prediction, HasTheOrdersOfTheTheory) {
  const auto numbers = [](const LeadingOrders& o) { return std::vector{o.q, o.v, o.lambda}; };
  const Prediction unloaded(held_mass(0.5), grid), prepared(held_mass(0.0), grid);
  EXPECT_THAT(numbers(unloaded.sup_orders()), testing::ElementsAre(2.0, 1.0, 0.0));
  EXPECT_THAT(numbers(unloaded.l2_orders()), testing::ElementsAre(2.0, 1.5, 0.5));
  EXPECT_THAT(numbers(prepared.sup_orders()), testing::ElementsAre(2.0, 2.0, 1.0));
  EXPECT_THAT(numbers(prepared.l2_orders()), testing::ElementsAre(2.0, 2.0, 1.5));
  EXPECT_THAT(numbers(unloaded.sup_orders(0.1)), testing::ElementsAre(2.0, 2.0, 2.0));
}

TEST(Prediction, FailedSolveIsReportedAsOutcome) {
  Expansion e = held_mass(0.5);
  e.outer.rhs = [](double t, VectorIn, VectorOut f) {
    f.setConstant(t < 0.3 ? 0.0 : std::numeric_limits<double>::quiet_NaN());
  };
  const Prediction p(std::move(e), grid);
  EXPECT_NE(p.outcome(), Outcome::success);
  EXPECT_NE(p.message(), "");
  const Motion outer = p.outer(epsilon, {0.1, 1.0});
  EXPECT_NEAR(outer.q(0, 0), epsilon * epsilon * 0.5, tolerance);
  EXPECT_TRUE(std::isnan(outer.q(0, 1)));
  EXPECT_TRUE(std::isnan(p.composite(epsilon, {1.0}).v(0, 0)));
}

// The solve stops at the bound on its steps: here an explicit method is stable only with steps of
// about 1e-6.
TEST(Prediction, ObeysTheBoundOnItsSteps) {
  Expansion e = held_mass(0.5);
  e.outer.rhs = [](double, VectorIn y, VectorOut f) { f = -1e6 * y; };
  EXPECT_EQ(Prediction(e, grid, {}, {.max_steps = 50}).outcome(), Outcome::max_steps);
  EXPECT_EQ(Prediction(held_mass(0.5), grid, {}, {.max_steps = 1'000}).outcome(), Outcome::success);
}

TEST(Prediction, RefusesTimesOffItsGridAndInvalidEpsilon) {
  const Prediction p(held_mass(0.5), grid);
  EXPECT_THROW(p.outer(epsilon, {0.0, 0.02}), InputError);
  EXPECT_THROW(p.leading(epsilon, {3.0}), InputError);
  EXPECT_THROW(Prediction(held_mass(0.5), {}), InputError);
  EXPECT_TRUE(p.composite(epsilon, {}).times.empty());
  for (const double none : {0.0, -0.1, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_THROW(p.outer(none, grid), InputError);
    EXPECT_THROW(p.leading(none, grid), InputError);
    EXPECT_THROW(p.composite(none, grid), InputError);
  }
  EXPECT_THROW(Prediction(held_mass(0.5), {1.0, 0.5}), InputError);
}

}  // namespace
}  // namespace rigidlimit
