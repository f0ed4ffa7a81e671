// Tests CVODE with a sparse Jacobian: the same steps as with the dense one, and invalid input.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/sundials/cvode.hpp"

namespace rigidlimit {
namespace {

/// Heat conduction with a reaction in a rod, y_i' = N² (y_{i−1} − 2 y_i + y_{i+1}) + y_i (1 − y_i),
/// with both ends at 0. Stiff, nonlinear, tridiagonal.
struct Rod {
  Index N = 40;

  OdeProblem problem() const {
    OdeProblem p;
    p.name = "rod";
    p.y0 = VectorXd::LinSpaced(N, 0.1, 0.9);
    const double k = static_cast<double>(N * N);
    p.rhs = [k, n = N](double, VectorIn y, VectorOut f) {
      for (Index i = 0; i < n; ++i) {
        const double left = i > 0 ? y(i - 1) : 0.0, right = i + 1 < n ? y(i + 1) : 0.0;
        f(i) = k * (left - 2.0 * y(i) + right) + y(i) * (1.0 - y(i));
      }
    };
    return p;
  }
  double entry(Index row, Index column, VectorIn y) const {
    const double k = static_cast<double>(N * N);
    if (row == column) return -2.0 * k + 1.0 - 2.0 * y(row);
    return std::abs(row - column) == 1 ? k : 0.0;
  }
  OdeProblem dense() const {
    OdeProblem p = problem();
    p.jacobian = [*this](double, VectorIn y, MatrixOut J) {
      for (Index k = 0; k < N; ++k)
        for (Index i = 0; i < N; ++i) J(i, k) = entry(i, k, y);
    };
    return p;
  }
  /// width 1: the Jacobian; 0: its diagonal only.
  OdeProblem sparse(Index width = 1) const {
    OdeProblem p = problem();
    std::vector<std::vector<Index>> rows(static_cast<std::size_t>(N));
    for (Index k = 0; k < N; ++k)
      for (Index i = std::max<Index>(0, k - width); i <= std::min(N - 1, k + width); ++i)
        rows[static_cast<std::size_t>(k)].push_back(i);
    SparseJacobian jacobian{.pattern = pattern_with_diagonal(std::move(rows)), .values = {}};
    jacobian.values = [*this, pattern = jacobian.pattern](double, VectorIn y, VectorOut values) {
      for (Index column = 0; column < N; ++column)
        for (Index k = pattern.start(column); k < pattern.start(column + 1); ++k)
          values(k) = entry(pattern.row(k), column, y);
    };
    p.sparse_jacobian = std::make_shared<const SparseJacobian>(std::move(jacobian));
    return p;
  }
};

const SolveOptions options{.rtol = 1e-8, .atol = 1e-10, .stop_requested = {}};
const std::vector<double> times{0.0, 0.01, 0.1, 1.0};

// KLU and dense LU round differently. Accepted Newton iterates are far below the limit of their
// test, so the steps are the same and the states differ by less than the tolerance of one step.
TEST(SparseJacobian, GivesTheStepsOfTheDenseOne) {
  const Rod rod;
  const Solution sparse = solve_cvode_bdf(rod.sparse(), times, options);
  const Solution dense = solve_cvode_bdf(rod.dense(), times, options);
  ASSERT_EQ(sparse.outcome, Outcome::success) << sparse.message;
  ASSERT_EQ(dense.outcome, Outcome::success) << dense.message;
  EXPECT_NEAR(static_cast<double>(sparse.work.steps), static_cast<double>(dense.work.steps), 3.0);
  EXPECT_LE((sparse.states - dense.states).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_GT(sparse.work.jacobian_evaluations, 0);
  // Negative control: with only the diagonal the iteration contracts only for short steps.
  const Solution diagonal = solve_cvode_bdf(rod.sparse(0), times, options);
  EXPECT_GT(diagonal.work.steps + diagonal.work.rejected_steps, 3 * sparse.work.steps);
}

// Pivoting adds at most one diagonal to U, and KLU's ordering two to L and U: the factors of a
// tridiagonal matrix are linear in N, while dense factors have N² entries.
TEST(SparseJacobian, FactorsOfATridiagonalMatrixGrowLinearly) {
  const auto factor_nonzeros = [](Index N) {
    return solve_cvode_bdf(Rod{.N = N}.sparse(), times, options).work.factor_nonzeros;
  };
  EXPECT_LE(factor_nonzeros(40), 6 * 40);
  EXPECT_LE(factor_nonzeros(400), 6 * 400);
  EXPECT_GE(factor_nonzeros(400), 3 * 400 - 2);  // those of the matrix itself
  EXPECT_EQ(solve_cvode_bdf(Rod{}.dense(), times, options).work.factor_nonzeros, 0);
}

template <class Spoil>
void expect_refused(const Spoil& spoil, const char* word) {
  OdeProblem problem = Rod{}.sparse();
  SparseJacobian jacobian = *problem.sparse_jacobian;
  spoil(jacobian);
  problem.sparse_jacobian = std::make_shared<const SparseJacobian>(jacobian);
  try {
    solve_cvode_bdf(problem, times, options);
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(word));
  }
}

TEST(SparseJacobian, WithoutValuesOrWithAPatternOfNoMatrixIsRefused) {
  expect_refused([](SparseJacobian& J) { J.values = {}; }, "no values");
  expect_refused([](SparseJacobian& J) { J.pattern.size = 39; }, "40 x 40");
  expect_refused([](SparseJacobian& J) { J.pattern.rows.back() = 40; }, "row 40");
  expect_refused([](SparseJacobian& J) { std::swap(J.pattern.rows[0], J.pattern.rows[1]); },
                 "follows");
  expect_refused([](SparseJacobian& J) { J.pattern.rows[0] = 1, J.pattern.rows[1] = 2; },
                 "diagonal of column 0");
  expect_refused([](SparseJacobian& J) { J.pattern.starts[5] = 1000; }, "ends before");
}

// No other method supports a sparse Jacobian; methods that need a Jacobian report it as missing.
TEST(SparseJacobian, AloneIsRefusedByMethodsThatNeedADenseOne) {
  const OdeProblem problem = Rod{}.sparse();
  for (const char* name : {"rosenbrock4", "radau_iia"})
    EXPECT_THROW(find_ode_method(name)->solve(problem, times, options), InputError) << name;
}

}  // namespace
}  // namespace rigidlimit
