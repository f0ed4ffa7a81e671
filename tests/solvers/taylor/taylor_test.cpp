// Tests the Taylor series method: order, dense output, fast parts, integrals, failures, refusals.
#include "rigidlimit/solvers/taylor/taylor.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "rigidlimit/core/batched_rate.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/core/tape/jet_evaluator.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using test::uniform_grid;

using Rates = std::function<ExpressionVector(const ExpressionVector& state,
                                             const ExpressionVector& lambda, const Expression& t)>;

/// Recorded rates with a load on λ; packs are not used here.
class Recorded final : public BatchedRate {
 public:
  Recorded(Index slow, const Rates& rates, const MatrixXd& C = MatrixXd(0, 0),
           const MatrixXd& D = MatrixXd(0, 0), double kappa = 0.0, std::vector<double> load = {})
      : BatchedRate(slow, C, D, kappa),
        load_(std::move(load)),
        jets_(tape_of([&](const ExpressionVector& state, const ExpressionVector& lambda,
                          const ExpressionVector& t) { return rates(state, lambda, t(0)); },
                      slow + fast, fast, 1),
              slow + 2 * fast + 1, slow + fast) {}
  void rates(Chart, const Pack&, const Pack*, const Pack*, Pack*) const override {}
  Chart response(const double*, MatrixOut) const override { return {}; }
  RecordedRate recorded(const double*) const override { return {&jets_, load_, {}}; }

 private:
  std::vector<double> load_;
  JetEvaluator jets_;
};

/// Jacobi's elliptic functions (sn, cn, dn) with k² = ½: x' = y z, y' = −x z, z' = −x y/2.
OdeProblem elliptic() {
  OdeProblem p;
  p.name = "elliptic functions";
  p.y0 = Eigen::Vector3d(0.0, 1.0, 1.0);
  p.rhs = [](double, VectorIn y, VectorOut f) {
    f << y(1) * y(2), -y(0) * y(2), -0.5 * y(0) * y(1);
  };
  p.batched = std::make_shared<const Recorded>(
      3, [](const ExpressionVector& y, const ExpressionVector&, const Expression&) {
        ExpressionVector f(3);
        f << y(1) * y(2), -(y(0) * y(2)), -0.5 * (y(0) * y(1));
        return f;
      });
  return p;
}

/// sn, cn, dn by the descending Landen transformation (Abramowitz & Stegun 16.4).
Eigen::Vector3d elliptic_at(double u) {
  double a[10] = {1.0}, c[10] = {M_SQRT1_2}, b = M_SQRT1_2;
  int n = 0;
  for (; n < 9 && std::abs(c[n]) > 1e-17; ++n) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
  }
  double phi = std::ldexp(a[n] * u, n);
  for (int i = n; i > 0; --i) phi = 0.5 * (phi + std::asin(c[i] / a[i] * std::sin(phi)));
  const double s = std::sin(phi);
  return {s, std::cos(phi), std::sqrt(1.0 - 0.5 * s * s)};
}

SolveOptions tolerance(double rtol) {
  SolveOptions options;
  options.rtol = options.atol = rtol;
  return options;
}

double fixed_step_error(double rtol, double h) {
  SolveOptions options = tolerance(rtol);
  options.fixed_step = h;
  const Solution s = solve_taylor(elliptic(), {6.0}, options);
  EXPECT_EQ(s.outcome, Outcome::success) << s.message;
  EXPECT_EQ(s.work.steps, std::lround(6.0 / h));
  return (s.states.col(0) - elliptic_at(6.0)).cwiseAbs().maxCoeff();
}

// rtol = e^(−2 (p − 1)) asks for order p. The ratio of the errors at h and h/2 approaches 2^p from
// h well inside the radius of convergence (1.85). ±0.4 excludes the neighbouring orders.
TEST(Taylor, HasTheOrderThatTheToleranceAsksFor) {
  for (const int p : {4, 5, 6, 8}) {
    const double rtol = std::exp(-2.0 * (p - 1) + 0.5);
    const double coarse = fixed_step_error(rtol, 0.2), fine = fixed_step_error(rtol, 0.1);
    EXPECT_NEAR(std::log2(coarse / fine), p, 0.4) << coarse << " " << fine;
  }
}

// At every tolerance the errors at 200 output times, most of them between two steps, are below a
// hundred times the tolerance. Negative control: order 4 with the steps of the tight tolerance.
TEST(Taylor, KeepsTheToleranceAtAllOutputTimes) {
  for (int k = 4; k <= 13; ++k) {
    const double rtol = std::pow(10.0, -k);
    const Solution s = solve_taylor(elliptic(), uniform_grid(0.0, 12.0, 200), tolerance(rtol));
    ASSERT_EQ(s.outcome, Outcome::success) << s.message;
    double largest = 0.0;
    for (std::size_t i = 0; i < s.times.size(); ++i)
      largest = std::max(
          largest,
          (s.states.col(static_cast<Index>(i)) - elliptic_at(s.times[i])).cwiseAbs().maxCoeff());
    EXPECT_LE(largest, 100.0 * rtol) << rtol;
    EXPECT_LE(s.work.steps, 60);
    EXPECT_EQ(s.work.rejected_steps, 0);
  }
  EXPECT_GT(fixed_step_error(1e-2, 12.0 / 60), 100.0 * 1e-8);
}

// x' = x cos t, x = exp(sin t): the rates depend on t. Few output times change no step.
TEST(Taylor, ExpandsRatesInTime) {
  OdeProblem p;
  p.name = "x' = x cos t";
  p.t0 = 0.5;
  p.y0 = VectorXd::Constant(1, std::exp(std::sin(0.5)));
  p.rhs = [](double t, VectorIn y, VectorOut f) { f = y * std::cos(t); };
  p.batched = std::make_shared<const Recorded>(
      1, [](const ExpressionVector& y, const ExpressionVector&, const Expression& t) {
        return ExpressionVector::Constant(1, y(0) * cos(t));
      });
  const Solution s = solve_taylor(p, {1.0, 4.0}, tolerance(1e-11));
  ASSERT_EQ(s.outcome, Outcome::success) << s.message;
  EXPECT_NEAR(s.states(0, 0), std::exp(std::sin(1.0)), 1e-10);
  EXPECT_NEAR(s.states(0, 1), std::exp(std::sin(4.0)), 1e-10);
}

/// x'' = −x + 0.1 cos w − ½ λ, w' = cos x₁ − (2 + sin x₂) λ, η' = w/ε², λ = load + 1.5 η + 2/ε w,
/// and the integral of x₁² behind.
OdeProblem slow_fast(double epsilon, bool integral) {
  constexpr double load = 0.25;
  const auto rates = [](const auto& y, const auto& lambda, auto& f) {
    using std::cos, std::sin;
    f(0) = y(1);
    f(1) = -y(0) + 0.1 * cos(y(2)) - 0.5 * lambda;
    f(2) = cos(y(0)) - (2.0 + sin(y(1))) * lambda;
  };
  OdeProblem p;
  p.name = "slow-fast";
  p.y0 = VectorXd::Zero(integral ? 5 : 4);
  p.y0.head(2) << 0.3, 1.0;
  p.rhs = [=](double, VectorIn y, VectorOut f) {
    rates(y, load + 1.5 * y(3) + 2.0 / epsilon * y(2), f);
    f(3) = y(2) / (epsilon * epsilon);
    if (integral) f(4) = y(0) * y(0);
  };
  p.jacobian = [=](double, VectorIn y, MatrixOut J) {
    const double D = 2.0 / epsilon, lambda = load + 1.5 * y(3) + D * y(2);
    const double A = 2.0 + std::sin(y(1));
    J.setZero();
    J.topLeftCorner(4, 4) << 0.0, 1.0, 0.0, 0.0,                      //
        -1.0, 0.0, -0.1 * std::sin(y(2)) - 0.5 * D, -0.75,            //
        -std::sin(y(0)), -std::cos(y(1)) * lambda, -A * D, -1.5 * A,  //
        0.0, 0.0, 1.0 / (epsilon * epsilon), 0.0;
    if (integral) J(4, 0) = 2.0 * y(0);
  };
  p.batched = std::make_shared<const Recorded>(
      2,
      [rates](const ExpressionVector& y, const ExpressionVector& lambda, const Expression&) {
        ExpressionVector f(3);
        rates(y, lambda(0), f);
        return f;
      },
      MatrixXd::Constant(1, 1, 1.5), MatrixXd::Constant(1, 1, 2.0 / epsilon),
      1.0 / (epsilon * epsilon), std::vector<double>{load});
  return p;
}

// The fast part, its load and an integral agree with seven stages of Radau IIA at rtol 1e-13, at
// times between the steps. The motion is bit-identical to that without the integral.
TEST(Taylor, ComputesFastPartsAndIntegrals) {
  for (const double epsilon : {0.5, 0.05}) {
    const OdeProblem problem = slow_fast(epsilon, true);
    const std::vector<double> times{0.013, 0.5, 3.0};
    const Solution reference = solve_radau_iia_7(problem, times, tolerance(1e-13));
    const Solution found = solve_taylor(problem, times, tolerance(1e-10));
    ASSERT_EQ(reference.outcome, Outcome::success) << reference.message;
    ASSERT_EQ(found.outcome, Outcome::success) << found.message;
    EXPECT_LE((found.states - reference.states).cwiseAbs().maxCoeff(), 1e-9);
    const Solution alone = solve_taylor(slow_fast(epsilon, false), times, tolerance(1e-10));
    EXPECT_EQ(alone.states, found.states.topRows(4));
  }
}

// At a stiffness of 1/ε the steps are bounded by stability: their number grows as 1/ε.
TEST(Taylor, IsExplicit) {
  const auto steps = [](double epsilon) {
    const Solution s = solve_taylor(slow_fast(epsilon, false), {3.0}, tolerance(1e-6));
    EXPECT_EQ(s.outcome, Outcome::success);
    EXPECT_LE(std::abs(s.states(2, 0)), epsilon);
    return static_cast<double>(s.work.steps);
  };
  EXPECT_NEAR(steps(1e-4) / steps(1e-3), 10.0, 1.5);
}

OdeProblem square() {
  OdeProblem p;
  p.name = "pole";
  p.y0 = VectorXd::Ones(1);
  p.rhs = [](double, VectorIn y, VectorOut f) { f(0) = y(0) * y(0); };
  p.batched = std::make_shared<const Recorded>(
      1, [](const ExpressionVector& y, const ExpressionVector&, const Expression&) {
        return ExpressionVector::Constant(1, y(0) * y(0));
      });
  return p;
}

// y = 1/(1 − t): every step covers the same share of the way to the pole.
TEST(Taylor, DoesNotPassAPole) {
  SolveOptions options = tolerance(1e-8);
  options.max_steps = 2000;
  const Solution s = solve_taylor(square(), {0.5, 2.0}, options);
  EXPECT_NE(s.outcome, Outcome::success);
  EXPECT_FALSE(s.message.empty());
  EXPECT_NEAR(s.t_reached, 1.0, 1e-6);
  EXPECT_NEAR(s.states(0, 0), 2.0, 1e-6);
  EXPECT_TRUE(std::isnan(s.states(0, 1)));
}

// x' = √(1 − t) x has no value beyond t = 1.
TEST(Taylor, EndsWhereRatesAreNotFinite) {
  OdeProblem p = square();
  p.batched = std::make_shared<const Recorded>(
      1, [](const ExpressionVector& y, const ExpressionVector&, const Expression& t) {
        return ExpressionVector::Constant(1, y(0) * sqrt(1.0 - t));
      });
  const Solution s = solve_taylor(p, {0.5, 2.0}, tolerance(1e-8));
  EXPECT_THAT(s.outcome, testing::AnyOf(Outcome::not_finite, Outcome::step_underflow));
  EXPECT_FALSE(s.message.empty());
  EXPECT_LE(s.t_reached, 1.0);
  EXPECT_GT(s.t_reached, 0.9);
  p.batched = std::make_shared<const Recorded>(
      1, [](const ExpressionVector& y, const ExpressionVector&, const Expression&) {
        return ExpressionVector::Constant(1, log(y(0) - 2.0));
      });
  const Solution at_start = solve_taylor(p, {0.5}, tolerance(1e-8));
  EXPECT_EQ(at_start.outcome, Outcome::not_finite);
  EXPECT_EQ(at_start.t_reached, 0.0);
  EXPECT_TRUE(std::isnan(at_start.states(0, 0)));
}

// x' = t⁴⁰: all coefficients of the first step are 0 up to order 20, so that only the check of the
// rate at its end can reject it.
TEST(Taylor, RejectsAStepWhoseEndContradictsIt) {
  OdeProblem p = square();
  p.y0(0) = 0.0;
  p.batched = std::make_shared<const Recorded>(
      1, [](const ExpressionVector&, const ExpressionVector&, const Expression& t) {
        Expression power = t * t * t * t * t;  // t⁵
        power = power * power;
        power = power * power;
        return ExpressionVector::Constant(1, power * power);
      });
  const Solution s = solve_taylor(p, {1.5}, tolerance(1e-9));
  ASSERT_EQ(s.outcome, Outcome::success) << s.message;
  EXPECT_GT(s.work.rejected_steps, 0);
  EXPECT_NEAR(s.states(0, 0) / (std::pow(1.5, 41) / 41.0), 1.0, 1e-7);
}

TEST(Taylor, ObeysTheOptionsOfASolve) {
  SolveOptions options = tolerance(1e-8);
  options.max_steps = 3;
  EXPECT_EQ(solve_taylor(elliptic(), {100.0}, options).outcome, Outcome::max_steps);
  options = tolerance(1e-8);
  options.max_step = 0.01;
  EXPECT_GE(solve_taylor(elliptic(), {1.0}, options).work.steps, 100);
  options = tolerance(1e-8);
  options.initial_step = 1e-3;
  const Solution small = solve_taylor(elliptic(), {1.0}, options);
  EXPECT_EQ(small.work.steps, 1 + solve_taylor(elliptic(), {1.0}, tolerance(1e-8)).work.steps);
  int polls = 0;
  options.stop_requested = [&] { return ++polls == 4; };
  const Solution stopped = solve_taylor(elliptic(), {100.0}, options);
  EXPECT_EQ(stopped.outcome, Outcome::interrupted);
  EXPECT_EQ(stopped.work.steps, 3);
  // A loose tolerance of one component loosens nothing else; of all, it takes fewer steps.
  options = tolerance(1e-10);
  options.atol_of = {1e-2, 1e-10, 1e-10};
  const Solution mixed = solve_taylor(elliptic(), {6.0}, options);
  EXPECT_LE(std::abs(mixed.states(1, 0) - elliptic_at(6.0)(1)), 1e-8);
  options.atol_of = {1e-2, 1e-2, 1e-2};
  EXPECT_LT(solve_taylor(elliptic(), {6.0}, options).work.steps, mixed.work.steps);
  options.atol_of = {1e-2};
  EXPECT_THROW(solve_taylor(elliptic(), {6.0}, options), InputError);
}

TEST(Taylor, RefusesEquationsWithoutRecurrences) {
  const OdeMethod& method = *find_ode_method("taylor");
  OdeProblem p = square();
  EXPECT_EQ(refusal_of(method, p), "");
  EXPECT_TRUE(needs_a_form(method));
  p.batched = std::make_shared<const Recorded>(
      1, [](const ExpressionVector& y, const ExpressionVector&, const Expression&) {
        return ExpressionVector::Constant(1, tanh(y(0)));
      });
  EXPECT_THAT(refusal_of(method, p), testing::HasSubstr("tanh"));
  p.batched = nullptr;
  EXPECT_THAT(refusal_of(method, p), testing::HasSubstr("recorded equations"));
  // As for every method with a form, another method of its kind then computes the solution.
  EXPECT_NEAR(solve_taylor(p, {0.5}, tolerance(1e-8)).states(0, 0), 2.0, 1e-6);
}

}  // namespace
}  // namespace rigidlimit
