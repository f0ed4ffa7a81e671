// Tests rolling as a DAE of index 2 up to the limit of Coulomb friction.
#include "rigidlimit/formulations/frictional/friction_bounds.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/rigid/rigid.hpp"
#include "rigidlimit/formulations/rigid/rigid_semi_explicit.hpp"
#include "rigidlimit/mechanics/frictional_system_of.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

/// A wheel on an incline, q = (x, φ), W v = x' − r φ', driven by a torque τ sin νt about its axle;
/// `rows` equal contacts. Rolling with J = κ m r²: λ = (κ m s − τ sin νt/r)/(1 + κ), s = g sin α.
template <int rows>
struct DrivenWheel {
  static constexpr int nq = 2, n = 2, m = rows;
  double mass = 1.0, radius = 0.1, ratio = 0.5, slope = 0.3, gravity = 9.81, friction = 0.25;
  double torque = 0.8, frequency = 2.0;
  Normal normal = Normal::given;

  double pressing() const { return mass * gravity * std::cos(slope); }
  double multiplier(double t) const {
    return (ratio * mass * gravity * std::sin(slope) - torque * std::sin(frequency * t) / radius) /
           (1.0 + ratio);
  }
  double multiplier_rate(double t) const {
    return -torque * frequency * std::cos(frequency * t) / radius / (1.0 + ratio);
  }
  /// The first time of λ = −μ N.
  double slips_at() const {
    const double needed =
        radius * (ratio * mass * gravity * std::sin(slope) + (1.0 + ratio) * friction * pressing());
    return std::asin(needed / torque) / frequency;
  }

  template <class S>
  Matrix<S, 2, 2> mass_matrix(const Vector<S, 2>&) const {
    return Vector<S, 2>(S(mass), S(ratio * mass * radius * radius)).asDiagonal();
  }
  template <class S>
  Vector<S, 2> force(const Vector<S, 2>&, const Vector<S, 2>&, const S& t) const {
    using std::sin;
    return {S(mass * gravity * std::sin(slope)), torque * sin(frequency * t)};
  }
  template <class S>
  Matrix<S, rows, 2> constraint(const Vector<S, 2>&) const {
    return Eigen::RowVector2d(1.0, -radius).replicate(rows, 1).template cast<S>();
  }
  std::vector<ContactPoint> contacts() const {
    std::vector<ContactPoint> all;
    for (Index i = 0; i < rows; ++i)
      all.push_back({.name = "ground", .first = i, .normal = normal, .friction = friction});
    return all;
  }
  template <class S>
  Vector<S, rows> gap(const Vector<S, 2>&) const {
    return Vector<S, rows>::Zero();
  }
  template <class S>
  Vector<S, rows> normal_force(const Vector<S, 2>&, const Vector<S, 2>&, const S&) const {
    return Vector<S, rows>::Constant(S(pressing()));
  }
};

using Wheel1 = DrivenWheel<1>;

/// At rest.
InitialState at_rest() {
  return {.q = Eigen::Vector2d::Zero(), .v = Eigen::Vector2d::Zero()};
}

SolveOptions tight() {
  SolveOptions options;
  options.rtol = 1e-10;
  options.atol = 1e-12;
  return options;
}

/// Index 2 by IDA, with or without the bounds.
Solution roll(const Wheel1& wheel, double end, bool bounded = true) {
  const FrictionalSystem system = make_frictional_system(wheel);
  auto rolling = rigid_dae(system.smooth, at_rest(), MultiplierForm::index2);
  if (bounded)
    rolling.problem.roots =
        std::make_shared<const RootFunctions>(friction_bounds(system, at_rest()));
  return find_dae_method("ida")->solve(rolling.problem, {0.1, end}, tight());
}

// IDA's λ is the residual of its v'. With Σ|a_i| ≤ 17.1 of the BDF of order 5 (and 2 for unequal
// steps) a local error e of v is an error 17.1 · 2 e/h of v'. e ≤ √4 (rtol |y| + atol), four tested
// components, |y| ≤ 13 (φ' at the end), h the mean step. The error of the time is that over |λ'|.
TEST(FrictionBounds, EndRollingAtTheTimeOfTheFormula) {
  const Wheel1 wheel;
  const Solution solution = roll(wheel, 0.6);
  const double t = wheel.slips_at();
  ASSERT_EQ(solution.outcome, Outcome::stopped_at_root) << solution.message;
  ASSERT_EQ(solution.roots.size(), 1U);
  EXPECT_EQ(solution.roots[0].direction, -1);
  const double step = t / static_cast<double>(solution.work.steps);
  const double lambda_error = 17.1 * 2.0 * 2.0 * (13.0 * tight().rtol + tight().atol) / step;
  const double tolerance = lambda_error / std::abs(wheel.multiplier_rate(t));
  EXPECT_NEAR(solution.t_reached, t, tolerance);
  EXPECT_LT(tolerance, 1e-5);  // sharp
  ASSERT_EQ(solution.stopped_at.size(), 5);
  EXPECT_LT(std::abs(solution.stopped_at(2)), 13.0 * wheel.radius);
  EXPECT_LT(std::abs(solution.stopped_at(3)), 13.0);
  EXPECT_NEAR(solution.stopped_at(4), -wheel.friction * wheel.pressing(), lambda_error);
  // The column before the end is filled, the column beyond it is not.
  EXPECT_NEAR(solution.states(4, 0), wheel.multiplier(0.1), lambda_error);
  EXPECT_TRUE(std::isnan(solution.states(4, 1)));
  // Negative control: with friction larger by a thousandth it rolls visibly longer.
  Wheel1 rougher = wheel;
  rougher.friction *= 1.001;
  EXPECT_GT(std::abs(roll(rougher, 0.6).t_reached - t), 10.0 * tolerance);
}

// Without the bounds the DAE keeps rolling, with more friction than Coulomb's law allows.
TEST(FrictionBounds, AreNotEnforcedByTheEquations) {
  const Wheel1 wheel;
  const Solution solution = roll(wheel, 0.6, false);
  ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
  EXPECT_NEAR(solution.states(4, 1), wheel.multiplier(0.6), 1e-5);
  EXPECT_GT(std::abs(solution.states(4, 1)), 1.1 * wheel.friction * wheel.pressing());
}

TEST(FrictionBounds, AreNotReachedByARoughWheel) {
  Wheel1 wheel;
  wheel.friction = 0.6;  // (τ/r − κ m s)/(1 + κ) = 4.37 N < μ N = 5.62 N
  const Solution solution = roll(wheel, 2.0);
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  EXPECT_TRUE(solution.roots.empty());
}

// Radau IIA on the semi-explicit form. λ, of index 2, is tested with the weight of h: its error is
// below (rtol |λ| + atol)/h.
TEST(FrictionBounds, EndRollingInRadauToo) {
  const Wheel1 wheel;
  const FrictionalSystem system = make_frictional_system(wheel);
  auto rolling = rigid_semi_explicit<double>(system.smooth, at_rest());
  rolling.problem.roots = std::make_shared<const RootFunctions>(friction_bounds(system, at_rest()));
  const Solution solution = solve_radau_iia(rolling.problem, {0.6}, tight(), {.stages = 3});
  const double t = wheel.slips_at();
  ASSERT_EQ(solution.outcome, Outcome::stopped_at_root) << solution.message;
  const double step = t / static_cast<double>(solution.work.steps);
  EXPECT_NEAR(solution.t_reached, t,
              (3.0 * tight().rtol + tight().atol) / step / std::abs(wheel.multiplier_rate(t)));
  ASSERT_EQ(solution.stopped_at.size(), 5);
}

TEST(FrictionBounds, RequireKnownNormalForcesAndLoads) {
  const auto message = [](const auto& wheel) {
    try {
      friction_bounds(make_frictional_system(wheel), at_rest());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(Wheel1{}), "");
  EXPECT_THAT(message(Wheel1{.normal = Normal::unilateral}), HasSubstr("ground"));
  EXPECT_THAT(message(DrivenWheel<2>{}), HasSubstr("1 of 2 sliding directions"));
}

}  // namespace
}  // namespace rigidlimit
