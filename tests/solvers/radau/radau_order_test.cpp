// Tests orders of Radau IIA methods with fixed steps, on smooth, stiff and differential-algebraic
// problems. Every bound is two-sided: too high an order would mean a degenerate problem.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "support/model_ode.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

/// y' = −2 t y², y = 1/(1 + t²), on [0, 2], in any real numbers.
template <class T>
OdeProblemOf<T> witch() {
  OdeProblemOf<T> p;
  p.name = "witch";
  p.y0 = Vector<T, Eigen::Dynamic>::Constant(1, T(1));
  p.rhs = [](const T& t, VectorInOf<T> y, VectorOutOf<T> f) { f(0) = T(-2) * t * y(0) * y(0); };
  p.jacobian = [](double t, VectorIn y, MatrixOut J) { J(0, 0) = -4.0 * t * y(0); };
  return p;
}

template <class T>
double error_at_end(const OdeProblemOf<T>& problem, double end, const T& exact, int stages,
                    int steps) {
  SolveOptions options;
  options.fixed_step = end / steps;
  const auto solution = solve_radau_iia(problem, {end}, options, RadauOptions{.stages = stages});
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  EXPECT_EQ(solution.work.steps, steps);
  using std::abs;
  return static_cast<double>(abs(T(solution.states(0, 0) - exact)));
}

// Order 2s − 1 (Hairer & Wanner II, theorem IV.5.3). 0.25: the next term of the expansion.
TEST(RadauOrder, IsTwiceTheStagesLessOne) {
  const auto p = witch<double>();
  for (const auto& [s, steps] : {std::pair{1, 640}, std::pair{2, 40}, std::pair{3, 16}}) {
    const double order =
        std::log2(error_at_end(p, 2.0, 0.2, s, steps) / error_at_end(p, 2.0, 0.2, s, 2 * steps));
    EXPECT_NEAR(order, 2 * s - 1, 0.25) << s;
  }
}

// In 113 bits errors of 1e-20 still show the order; corrections in double lose no accuracy. The
// problem is y' = −y³/2, y = 1/sqrt(1 + t). On Riccati's y' = −y² or −2ty² many stages gain three
// orders (measured: 12 and 16 for s = 5 and 7).
TEST(RadauOrder, IsMeasuredInQuadForManyStages) {
  OdeProblemOf<Quad> p;
  p.name = "inverse_root";
  p.y0 = Vector<Quad, Eigen::Dynamic>::Constant(1, Quad(1));
  p.rhs = [](const Quad&, VectorInOf<Quad> y, VectorOutOf<Quad> f) {
    f(0) = -y(0) * y(0) * y(0) / Quad(2);
  };
  p.jacobian = [](double, VectorIn y, MatrixOut J) { J(0, 0) = -1.5 * y(0) * y(0); };
  const Quad exact = Quad(1) / sqrt(Quad(2));
  for (const auto& [s, steps] : {std::pair{5, 8}, std::pair{7, 6}}) {
    const double fine = error_at_end(p, 1.0, exact, s, 2 * steps);
    EXPECT_LT(fine, 1e-14);
    EXPECT_GT(fine, 1e-31);  // above round-off
    EXPECT_NEAR(std::log2(error_at_end(p, 1.0, exact, s, steps) / fine), 2 * s - 1, 0.5) << s;
  }
}

/// Prothero & Robinson's y' = −k (y − g) + g' from y(0) = g(0) + off, in double.
double prothero_robinson_error(double k, double off, int stages, int steps) {
  test::OdeModel model = test::prothero_robinson(k);
  model.problem.y0(0) += off;
  return error_at_end(model.problem, model.end, model.exact(model.end)(0), stages, steps);
}

// For h k → ∞ the error is a stage's defect hˢ⁺¹ g^(s+1) divided by h k: O(hˢ⁺¹ / (h k)) = O(hˢ /
// k) at the end. The order is s (Hairer & Wanner II, IV.15, table 15.1; stiffly accurate) instead
// of 2s − 1.
TEST(RadauOrder, FallsToTheStageOrderOnAStiffProblem) {
  for (const int s : {2, 3}) {
    const double k = 1e6;
    const double order =
        std::log2(prothero_robinson_error(k, 0.0, s, 10) / prothero_robinson_error(k, 0.0, s, 20));
    EXPECT_NEAR(order, s, 0.5) << s;
    const double smooth = std::log2(prothero_robinson_error(1.0, 0.0, s, 10) /
                                    prothero_robinson_error(1.0, 0.0, s, 20));
    EXPECT_NEAR(smooth, 2 * s - 1, 0.5) << s;  // the negative control: not stiff
  }
}

// R(∞) = 0: one step of h k = 1e8 damps a deviation of 1 from the slow motion to |R(z)| ≤ K_s /
// |z|. K_s = |ratio of the leading coefficients| = s for the (s−1, s) Padé approximation.
TEST(RadauOrder, AStiffTransientIsDampedInOneStep) {
  for (const int s : {1, 2, 3, 5}) {
    const double left =
        std::abs(prothero_robinson_error(1e9, 1.0, s, 1) - prothero_robinson_error(1e9, 0.0, s, 1));
    EXPECT_LE(left, 1.5 * s / 2e9) << s;
  }
}

/// Index 2: y₁' = y₂ z, y₂' = −y₁ z, 0 = y₁ − cos(g(t)) with g = t + t²/4. On the circle
/// y = (cos g, −sin g); the constraint differentiated, y₂ z = −sin(g) g', gives z = g' = 1 + t/2
/// where y₂ ≠ 0, as on [0.5, 1.5].
MassProblemOf<double> circle_index2() {
  MassProblemOf<double> p;
  p.name = "circle_index2";
  p.t0 = 0.5;
  const auto g = [](double t) { return t + 0.25 * t * t; };
  p.y0 = Eigen::Vector3d(std::cos(g(0.5)), -std::sin(g(0.5)), 1.25);
  p.rhs = [g](double t, VectorIn y, VectorOut f) {
    f << y(1) * y(2), -y(0) * y(2), y(0) - std::cos(g(t));
  };
  p.jacobian = [](double, VectorIn y, MatrixOut J) {
    J << 0.0, y(2), y(1), -y(2), 0.0, -y(0), 1.0, 0.0, 0.0;
  };
  p.mass = Eigen::Vector3d(1.0, 1.0, 0.0).asDiagonal();
  p.index = {0, 0, 2};
  return p;
}
Eigen::Vector3d circle_exact(double t) {
  const double g = t + 0.25 * t * t;
  return {std::cos(g), -std::sin(g), 1.0 + 0.5 * t};
}

/// Errors of the differential and of the algebraic components at t = 1.5.
Eigen::Vector2d index2_errors(int stages, int steps) {
  SolveOptions options;
  options.fixed_step = 1.0 / steps;
  const Solution solution =
      solve_radau_iia(circle_index2(), {1.5}, options, RadauOptions{.stages = stages});
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  const Eigen::Vector3d error = (solution.states.col(0) - circle_exact(1.5)).cwiseAbs();
  return {error.head<2>().maxCoeff(), error(2)};
}

// Hairer, Lubich & Roche (1989), theorem 5.9 and table 2.3; Hairer & Wanner II, VII.4, table 4.1:
// 2s − 1 for the differential components, s for the algebraic one.
TEST(RadauOrder, OnIndexTwoIs2sMinus1AndS) {
  for (const int s : {2, 3}) {
    const Eigen::Vector2d coarse = index2_errors(s, 10), fine = index2_errors(s, 20);
    EXPECT_NEAR(std::log2(coarse(0) / fine(0)), 2 * s - 1, 0.4) << s;
    EXPECT_NEAR(std::log2(coarse(1) / fine(1)), s, 0.4) << s;
  }
}

/// Index 1: y' = −z³/2, 0 = z³ + z − y³ − y, that is z = y = 1/sqrt(1 + t).
template <class T>
MassProblemOf<T> inverse_root_index1() {
  MassProblemOf<T> p;
  p.name = "inverse_root_index1";
  p.y0 = Vector<T, Eigen::Dynamic>::Constant(2, T(1));
  p.rhs = [](const T&, VectorInOf<T> y, VectorOutOf<T> f) {
    f(0) = T(-0.5) * y(1) * y(1) * y(1);
    f(1) = y(1) * y(1) * y(1) + y(1) - y(0) * y(0) * y(0) - y(0);
  };
  p.jacobian = [](double, VectorIn y, MatrixOut J) {
    J << 0.0, -1.5 * y(1) * y(1), -3.0 * y(0) * y(0) - 1.0, 3.0 * y(1) * y(1) + 1.0;
  };
  p.mass = Eigen::Vector2d(1.0, 0.0).asDiagonal();
  p.index = {0, 1};
  return p;
}

/// Error of component i at t = 1.
template <class T>
double index1_error(int stages, int steps, Index i) {
  SolveOptions options;
  options.fixed_step = 1.0 / steps;
  const auto solution =
      solve_radau_iia(inverse_root_index1<T>(), {1.0}, options, RadauOptions{.stages = stages});
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  using std::abs, std::sqrt;
  return static_cast<double>(abs(T(solution.states(i, 0) - T(1) / sqrt(T(2)))));
}

// Index 1 keeps the order of the ODE in every component: a stiffly accurate method satisfies the
// algebraic equation at the end of the step (Hairer & Wanner II, theorem VI.1.1).
TEST(RadauOrder, OnIndexOneIs2sMinus1InEveryComponent) {
  for (const Index i : {0, 1}) {
    for (const auto& [s, steps] : {std::pair{2, 20}, std::pair{3, 8}})
      EXPECT_NEAR(
          std::log2(index1_error<double>(s, steps, i) / index1_error<double>(s, 2 * steps, i)),
          2 * s - 1, 0.4)
          << s;
    EXPECT_NEAR(std::log2(index1_error<Quad>(5, 8, i) / index1_error<Quad>(5, 16, i)), 9.0, 0.5);
  }
}

// With error control the errors stay within the tolerance times the number of steps. The multiplier
// is worse by one power of h (its estimate is multiplied by h).
TEST(RadauIndexTwo, AdaptiveStepsKeepTheTolerance) {
  for (const double rtol : {1e-5, 1e-8}) {
    SolveOptions options;
    options.rtol = options.atol = rtol;
    const auto times = test::uniform_grid(0.5, 1.5, 7);
    const Solution solution =
        solve_radau_iia(circle_index2(), times, options, RadauOptions{.stages = 3});
    ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
    const double steps = static_cast<double>(solution.work.steps);
    EXPECT_LE(steps, 400.0);
    for (std::size_t k = 0; k < times.size(); ++k) {
      const Eigen::Vector3d error =
          (solution.states.col(static_cast<Index>(k)) - circle_exact(times[k])).cwiseAbs();
      EXPECT_LE(error.head<2>().maxCoeff(), 4.0 * steps * rtol);
      EXPECT_LE(error(2), 4.0 * steps * steps * rtol);
    }
  }
}

TEST(RadauIndexTwo, InconsistentInputIsRefused) {
  auto p = circle_index2();
  p.mass.resize(2, 2);
  EXPECT_THROW(solve_radau_iia(p, {1.0}, {}, {}), InputError);
  p = circle_index2();
  p.index = {0, 0};
  EXPECT_THROW(solve_radau_iia(p, {1.0}, {}, {}), InputError);
  p = circle_index2();
  p.coordinates = std::make_shared<MovingCoordinatesOf<double>>();
  EXPECT_THROW(solve_radau_iia(p, {1.0}, {}, {}), InputError);
}

}  // namespace
}  // namespace rigidlimit
