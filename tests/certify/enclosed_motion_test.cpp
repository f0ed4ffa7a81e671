// Tests enclosures of linear slow-fast equations, whose solutions are exponentials of matrices.
#include "rigidlimit/certify/enclosed_motion.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "rigidlimit/core/tape/recorded_elimination.hpp"

namespace rigidlimit {
namespace {

using testing::Ge, testing::Gt, testing::Le, testing::Lt;

constexpr double epsilon = 0.02, stiffness = 3.0, damping = 2.0;

/// e z' = M(ε) z with z = (y₁, y₂, f, η): y' = Y y + ε b f, ε f' = c·y − C η − D f, ε η' = f.
MatrixXd linear() {
  MatrixXd M = MatrixXd::Zero(4, 4);
  M << -0.5, 2.0, 0.6 * epsilon, 0.0,   //
      -2.0, 0.1, -0.8 * epsilon, 0.0,   //
      1.0, -0.7, -damping, -stiffness,  //
      0.0, 0.0, 1.0, 0.0;
  return M;
}

SlowFastEquation equation() {
  const MatrixXd M = linear();
  const auto constant = [&] { return M.unaryExpr([](double x) { return Expression(x); }).eval(); };
  SlowFastEquation result{.slow = 2, .contacts = 1, .rates = {}, .slopes = {}};
  result.rates = tape_of(
      [&](const ExpressionVector& z, const ExpressionVector&) -> ExpressionMatrix {
        return product(ExpressionMatrix(constant()), z);
      },
      4, 1);
  result.slopes = tape_of([&](const ExpressionVector&,
                              const ExpressionVector&) -> ExpressionMatrix { return constant(); },
                          4, 1);
  result.stiffness = MatrixXd::Constant(1, 1, stiffness);
  result.epsilon = epsilon;
  return result;
}

BallVector start() {
  BallVector z(4);
  z << Ball(1), Ball(0.5), Ball(0), Ball(0);
  return z;
}

BallVector exact(const Ball& t) {
  BallMatrix X = balls(linear()) * t;
  X.bottomRows(2) /= Ball(epsilon);
  return exponential(X) * start();
}

struct Sample {
  BallVector found, exact;
};

/// The solution at the ends of the steps up to t = 1.5.
std::vector<Sample> samples(double tolerance) {
  EnclosedMotion motion(equation(), start(), tolerance);
  std::vector<Sample> result;
  Ball time = 0;
  for (double length = 0.01; time.upper() < 1.5;) {
    double next = 0.0;
    const auto step = motion.step(length, next);
    if (!step) {
      length = next;
      continue;
    }
    time += Ball(length);
    BallVector found(4);
    for (Index i = 0; i < 4; ++i)
      found(i) = step->values[static_cast<std::size_t>(i)].at(Ball(step->half));
    result.push_back({found, exact(time)});
    motion.accept(*step);
    length = next;
  }
  return result;
}

/// |exact − midpoint| of the largest ratio to the radius.
double largest_share(const std::vector<Sample>& all) {
  double share = 0.0;
  for (const auto& [found, exact] : all)
    for (Index i = 0; i < found.size(); ++i)
      share = std::max(share, abs(exact(i) - found(i).centre()).lower() / found(i).radius());
  return share;
}

// Coarse steps, so that errors of the polynomials and not of rounding are bounded: the solution
// lies inside, and the bound is at most 3000 times the error, though all bounds take moduli.
TEST(EnclosedMotion, EnclosesTheSolutionOfALinearEquationWithCoarseSteps) {
  for (const double tolerance : {1e-3, 1e-6, 1e-10, 1e-16}) {
    const std::vector<Sample> all = samples(tolerance);
    const double share = largest_share(all);
    EXPECT_THAT(share, Le(1.0)) << tolerance;
    EXPECT_THAT(share, Gt(1.0 / 3000.0)) << tolerance;
    EXPECT_THAT(all.back().found(0).radius(), Le(1e3 * tolerance));
  }
}

// A tolerance that is larger by 1000 gives fewer steps.
TEST(EnclosedMotion, TakesStepsOfItsTolerance) {
  EXPECT_THAT(samples(1e-16).size(), Gt(samples(1e-6).size()));
  EXPECT_THAT(samples(1e-6).size(), Ge(3U));
}

// A step that is too long for its tolerance has no bound.
TEST(EnclosedMotion, RefusesAStepOfTooLargeDefect) {
  const EnclosedMotion motion(equation(), start(), 1e-12);
  double next = 0.0;
  EXPECT_FALSE(motion.step(1.0, next).has_value());
  EXPECT_THAT(next, Lt(1.0));
  EXPECT_TRUE(motion.step(0.005, next).has_value());
}

}  // namespace
}  // namespace rigidlimit
