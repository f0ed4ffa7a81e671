// Tests the Newton matrix of a Radau IIA step.
#include "rigidlimit/solvers/radau/radau_newton_matrix.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "rigidlimit/solvers/radau/radau_jacobian.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

constexpr double unit_roundoff = 0.5 * std::numeric_limits<double>::epsilon();
constexpr Index n = 6;

MatrixXd random_matrix(Index rows, Index columns, std::uint64_t seed) {
  test::RandomNumbers random{seed};
  MatrixXd X(rows, columns);
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) X(i, j) = random.uniform(-1.0, 1.0);
  return X;
}

/// Entries as large as 1/ε² = 1e4 in two columns, as in a contact problem.
MatrixXd stiff_jacobian() {
  MatrixXd J = random_matrix(n, n, 157);
  J.col(5) *= 1e4;
  J.col(1) *= 1e4;
  J(5, 5) -= 3e4;
  J(1, 1) -= 3e4;
  return J;
}

// The correction Δ satisfies (I ⊗ M − h A ⊗ J) Δ = −R up to rounding. The transform has a condition
// number below 1e4 for s ≤ 8, 1e8 for s = 15, and h |J| ≤ 4e3. Eight stages fill one pack and leave
// no lane for the real mode; fifteen need two packs.
TEST(RadauNewtonMatrix, CorrectionSolvesTheSystemOfAllStages) {
  const MatrixXd J = stiff_jacobian();
  MatrixXd mass = MatrixXd::Identity(n, n) + 0.1 * random_matrix(n, n, 158);
  mass.row(2).setZero();
  const double h = 0.1;
  for (const MatrixXd* M :
       {static_cast<const MatrixXd*>(nullptr), static_cast<const MatrixXd*>(&mass)}) {
    const MatrixXd M_full = M != nullptr ? *M : MatrixXd::Identity(n, n);
    for (const int stages : {1, 2, 3, 4, 7, 8, 15}) {
      const auto& tableau = radau_tableau<double>(stages);
      const MatrixXd R = random_matrix(n, stages, 211);
      const auto left_over = [&](const MatrixXd& used) -> double {
        RadauNewtonMatrix matrix(n, M);
        matrix.use(used);
        EXPECT_TRUE(matrix.factorise(tableau.transform, h));
        MatrixXd delta = R;
        matrix.correct(delta);
        const MatrixXd left = M_full * delta - h * J * delta * tableau.A.transpose();
        return (left + R).cwiseAbs().maxCoeff();
      };
      const double condition = stages < 9 ? 1e4 : 1e8;
      const double tolerance = 100.0 * unit_roundoff * condition * h * J.cwiseAbs().maxCoeff();
      EXPECT_LE(left_over(J), tolerance) << stages;
      // Negative control: with another matrix Δ does not solve the system.
      MatrixXd other = J;
      other(0, 1) = 0.0;
      EXPECT_GT(left_over(other), stages < 9 ? 1e3 * tolerance : tolerance) << stages;
    }
  }
}

// ((γ/h) I − J) x = r likewise.
TEST(RadauNewtonMatrix, FilterSolvesTheRealSystem) {
  const MatrixXd J = stiff_jacobian();
  const double h = 0.1;
  for (const int stages : {3, 8}) {
    const auto& transform = radau_tableau<double>(stages).transform;
    const VectorXd r = random_matrix(n, 1, 211);
    const auto left_over = [&](double step) -> double {
      RadauNewtonMatrix matrix(n, nullptr);
      matrix.use(J);
      EXPECT_TRUE(matrix.factorise(transform, step));
      VectorXd x = r;
      matrix.filter(x);
      return (transform.gamma / h * x - J * x - r).cwiseAbs().maxCoeff();
    };
    const double tolerance = 100.0 * unit_roundoff * J.cwiseAbs().maxCoeff();
    EXPECT_LE(left_over(h), tolerance);
    EXPECT_GT(left_over(1.1 * h), 1e3 * tolerance);
  }
}

// M = 0 and J = 0: every mode is singular.
TEST(RadauNewtonMatrix, ThatIsSingularOrNotFiniteIsRefused) {
  const MatrixXd zero = MatrixXd::Zero(n, n);
  RadauNewtonMatrix matrix(n, &zero);
  const auto& transform = radau_tableau<double>(3).transform;
  matrix.use(zero);
  EXPECT_FALSE(matrix.factorise(transform, 0.1));
  matrix.use(stiff_jacobian());
  EXPECT_TRUE(matrix.factorise(transform, 0.1));
  matrix.use(MatrixXd::Constant(n, n, std::nan("")));
  EXPECT_FALSE(matrix.factorise(transform, 0.1));
}

// P J P⁻¹ in coordinates changed by P, without an evaluation.
TEST(RadauJacobian, FollowsAChangeOfCoordinates) {
  OdeProblem problem;
  problem.y0 = VectorXd::Zero(n);
  const MatrixXd J = stiff_jacobian();
  problem.jacobian = [&](double, VectorIn, MatrixOut out) { out = J; };
  RadauNewtonMatrix matrix(n, nullptr);
  RadauJacobian<double> jacobian(problem);
  ASSERT_TRUE(jacobian.evaluate(0.0, problem.y0, matrix));
  MatrixXd change = MatrixXd::Identity(n, n);
  change(0, 1) = 0.5;
  jacobian.change_coordinates(change, matrix);
  EXPECT_FALSE(jacobian.stale());
  EXPECT_EQ(jacobian.evaluations(), 1);
  const VectorXd x = random_matrix(n, 1, 3);
  VectorXd image = change * x;
  jacobian.apply(image);
  const double tolerance = 100.0 * unit_roundoff * J.cwiseAbs().maxCoeff();
  EXPECT_LE((image - change * (J * x)).norm(), tolerance);
  EXPECT_GT((image - J * x).norm(), 1e3 * tolerance);  // negative control
}

}  // namespace
}  // namespace rigidlimit
