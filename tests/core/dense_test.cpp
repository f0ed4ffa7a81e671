// Tests each decomposition on matrices with exactly known answers.
#include "rigidlimit/core/dense.hpp"

#include <gmock/gmock.h>

#include <Eigen/Eigenvalues>

#include <cmath>
#include <complex>
#include <limits>

#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2.0;

/// tridiag(−1, 2, −1), N × N: eigenvalues 4 sin²(kπ/(2(N + 1))), condition below 0.5 (N + 1)².
MatrixXd second_difference(Index N) {
  MatrixXd X = MatrixXd::Zero(N, N);
  X.diagonal().setConstant(2.0);
  X.diagonal(1).setConstant(-1.0);
  X.diagonal(-1).setConstant(-1.0);
  return X;
}

/// 1, 2, … N.
VectorXd counted(Index N) {
  return VectorXd::LinSpaced(N, 1.0, static_cast<double>(N));
}

// Backward stable solvers: |x − x₀| <= c N κ u |x₀|, here with c = 4.
double solve_tolerance(Index N) {
  const auto n = static_cast<double>(N);
  return 4.0 * n * 0.5 * (n + 1.0) * (n + 1.0) * unit_roundoff * counted(N).norm();
}

TEST(Dense, SolversRecoverTheMultipliedVector) {
  for (const Index N : {1, 2, 3, 8, 40}) {
    const MatrixXd X = second_difference(N);
    const VectorXd x = counted(N), b = X * x;
    const double tolerance = solve_tolerance(N);
    EXPECT_LE((LuFactors<double>(X).solve(b) - x).norm(), tolerance) << N;
    EXPECT_LE((LuFactors<double>(X).solve(MatrixXd(b)) - x).norm(), tolerance) << N;
    EXPECT_LE((inverse_of(X) * b - x).norm(), tolerance) << N;
    EXPECT_LE((cholesky_solve(X, b) - x).norm(), tolerance) << N;
    EXPECT_LE((symmetric_solve(X, b) - x).norm(), tolerance) << N;
    EXPECT_LE((symmetric_solve(X, MatrixXd(b)) - x).norm(), tolerance) << N;
    EXPECT_LE((least_squares(X, b) - x).norm(), tolerance) << N;
    const AllSolutions all = all_solutions(X, b, 1e-12);
    EXPECT_LE((all.particular - x).norm(), tolerance) << N;
    EXPECT_EQ(all.kernel.cols(), 0) << N;
    const MatrixXd L = cholesky_factor(X);
    EXPECT_LE((L * lower_solve(L, b) - b).norm(), tolerance) << N;
    EXPECT_TRUE(L.isLowerTriangular(0.0));
    // Negative control: another matrix's solution violates the tolerance.
    const MatrixXd other = X + 1e-3 * MatrixXd::Identity(N, N);
    EXPECT_GT((LuFactors<double>(other).solve(b) - x).norm(), tolerance) << N;
  }
}

// [B X; X 0] of a tangent lift, also with round-off in place of the 0: pivots on the diagonal fail.
TEST(Dense, SymmetricSolveFindsThePivotsOfAnIndefiniteMatrix) {
  const Index N = 5;
  const MatrixXd X = second_difference(N);
  MatrixXd lift = MatrixXd::Zero(2 * N, 2 * N);
  lift.topRightCorner(N, N) = lift.bottomLeftCorner(N, N) = X;
  const VectorXd x = counted(2 * N);
  for (const double noise : {0.0, 1e-17, -1e-17}) {
    MatrixXd spoilt = lift;
    spoilt.diagonal().setConstant(noise);
    EXPECT_LE((symmetric_solve(spoilt, VectorXd(lift * x)) - x).norm(), solve_tolerance(2 * N))
        << noise;
  }
  // A semidefinite matrix keeps its solution: the null vector is not amplified.
  MatrixXd semidefinite = MatrixXd::Zero(3, 3);
  semidefinite.topLeftCorner(2, 2) << 2.0, 1.0, 1.0, 2.0;
  const VectorXd y = symmetric_solve(semidefinite, VectorXd(Eigen::Vector3d(3.0, 3.0, 0.0)));
  EXPECT_LE((y - Eigen::Vector3d(1.0, 1.0, 0.0)).norm(), 8.0 * unit_roundoff);
}

TEST(Dense, ComplexFactorsSolveAndReportSingularMatrices) {
  using Complex = std::complex<double>;
  const Index N = 6;
  const MatrixX<Complex> X = Complex(0.0, 1.0) * second_difference(N).cast<Complex>();
  const VectorX<Complex> x = counted(N).cast<Complex>() * Complex(1.0, -2.0);
  LuFactors<Complex> lu(X);
  EXPECT_TRUE(lu.regular());
  VectorX<Complex> found;
  lu.solve(X * x, found);
  EXPECT_LE((found - x).norm(), 8.0 * solve_tolerance(N));
  lu.compute(MatrixX<Complex>::Zero(N, N));
  EXPECT_FALSE(lu.regular());
  MatrixXd undefined = second_difference(N);
  undefined(2, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(LuFactors<double>(undefined).regular());
  EXPECT_TRUE(LuFactors<double>(second_difference(N)).regular());
}

// Rows (1, 1, 0, …), (0, 1, 1, …) and their sum: rank 2 of 3.
TEST(Dense, RankAndKernelOfDependentRowsAreExact) {
  MatrixXd R = MatrixXd::Zero(3, 5);
  R.row(0) << 1, 1, 0, 0, 0;
  R.row(1) << 0, 1, 1, 0, 0;
  R.row(2) = R.row(0) + R.row(1);
  const MatrixXd Z = kernel_basis(R.topRows(2)), W = numerical_kernel(R, 1e-10);
  for (const MatrixXd* basis : {&Z, &W}) {
    ASSERT_EQ(basis->cols(), 3);
    EXPECT_LE((R * *basis).norm(), 50.0 * unit_roundoff);
    EXPECT_LE((basis->transpose() * *basis - MatrixXd::Identity(3, 3)).norm(), 50 * unit_roundoff);
  }
  EXPECT_THAT(independent_columns(R.transpose(), 1e-9), testing::SizeIs(2));
  // The rows are independent once one is moved by more than the threshold.
  R(2, 4) = 1e-3;
  EXPECT_EQ(numerical_kernel(R, 1e-10).cols(), 2);
  EXPECT_THAT(independent_columns(R.transpose(), 1e-9), testing::SizeIs(3));
}

// K = (1 1; 1 1), right = (2, 2): x + y = 2.
TEST(Dense, SingularMatrixHasLeastAndAllSolutions) {
  const MatrixXd K = MatrixXd::Ones(2, 2);
  const VectorXd right = VectorXd::Constant(2, 2.0);
  const LeastSolution solution(K, 1e-11);
  EXPECT_TRUE(solution.redundant());
  EXPECT_LE((solution.of(MatrixXd(right)) - MatrixXd::Ones(2, 1)).norm(), 20.0 * unit_roundoff);
  // Least x² + 3 y² on the line: x = 3/2, y = 1/2.
  const VectorXd weighted = solution.of(right, (VectorXd(2) << 1.0, 3.0).finished());
  EXPECT_LE((weighted - (VectorXd(2) << 1.5, 0.5).finished()).norm(), 40.0 * unit_roundoff);
  EXPECT_FALSE(LeastSolution(MatrixXd::Identity(2, 2), 1e-11).redundant());
  const AllSolutions all = all_solutions(K, right, 1e-12);
  ASSERT_EQ(all.kernel.cols(), 1);
  EXPECT_EQ(all.particular.sum(), 2.0);
  EXPECT_EQ(all.kernel.col(0).sum(), 0.0);
}

TEST(Dense, EigenvaluesOfTheSecondDifferenceMatch) {
  const double pi = std::acos(-1.0);
  const Index N = 9;
  const MatrixXd X = second_difference(N);
  const VectorXd found = symmetric_eigenvalues(X);
  for (Index k = 0; k < N; ++k) {
    const double half = std::sin(static_cast<double>(k + 1) * pi / (2.0 * (N + 1)));
    EXPECT_NEAR(found(k), 4.0 * half * half, 4.0 * N * unit_roundoff * 4.0) << k;
  }
  // (a −b; b a) has a ± ib.
  const Eigen::VectorXcd pair = eigenvalues_of((MatrixXd(2, 2) << 3, -2, 2, 3).finished()).value();
  EXPECT_NEAR(pair(0).real(), 3.0, 20.0 * unit_roundoff);
  EXPECT_NEAR(std::abs(pair(0).imag()), 2.0, 20.0 * unit_roundoff);
  EXPECT_EQ(pair(0), std::conj(pair(1)));
  const auto [root, inverse_root] = symmetric_roots(X);
  // Eigenvalues and eigenvectors to N u of |X| each, the latter twice; doubled for safety.
  EXPECT_LE((root * root - X).norm(), 8.0 * N * unit_roundoff * X.norm());
  // Condition of the root: below 0.71 (N + 1).
  EXPECT_LE((root * inverse_root - MatrixXd::Identity(N, N)).norm(), 16.0 * N * N * unit_roundoff);
}

// The eigenvalues of [0 I; −A C, −A D] at critical damping are double. Their sum is the trace to N
// u of |X|, times 10 for the transformations; Eigen's iteration alone fails for some of these.
TEST(Dense, EigenvaluesOfCriticalLayersConverge) {
  test::RandomNumbers random(5);
  constexpr int cases = 100'000;
  int missed = 0;
  for (int k = 0; k < cases; ++k) {
    const Index m = 2 + k % 3;
    const MatrixXd A = random.positive_definite(m), C = random.positive_definite(m);
    const auto [root, inverse_root] = symmetric_roots(A);
    const MatrixXd D = 2.0 * inverse_root * symmetric_roots(root * C * root).root * inverse_root;
    MatrixXd X = MatrixXd::Zero(2 * m, 2 * m);
    X.topRightCorner(m, m).setIdentity();
    X.bottomLeftCorner(m, m) = -A * C;
    X.bottomRightCorner(m, m) = -A * D;
    const auto values = eigenvalues_of(X);
    ASSERT_TRUE(values.has_value()) << k;
    const double tolerance = 20.0 * static_cast<double>(2 * m) * unit_roundoff * X.norm();
    ASSERT_NEAR(values->sum().real(), X.trace(), tolerance) << k;
    ASSERT_LT(values->real().maxCoeff(), 0.0) << k;
    if (Eigen::EigenSolver<MatrixXd>(X, false).info() != Eigen::Success) ++missed;
  }
  // Negative control: without the reflections, which is Eigen's solver, the first assertion fails.
  EXPECT_GT(missed, 0);
  RecordProperty("missed", missed);
}

TEST(Dense, EigenvaluesOfWhatIsNotFiniteAreNotFound) {
  for (const double wrong : {std::nan(""), HUGE_VAL}) {
    MatrixXd X = second_difference(3);
    X(2, 1) = wrong;
    EXPECT_FALSE(eigenvalues_of(X).has_value());
    EXPECT_TRUE(symmetric_eigenvalues(X).array().isNaN().all());
    EXPECT_TRUE(symmetric_roots(X).root.array().isNaN().all());
  }
}

// A matrix without rows or columns has the inverse, factors and eigenvalues without entries. Its
// kernel is the whole space.
TEST(Dense, MatricesWithoutEntriesHaveDecompositions) {
  const MatrixXd none(0, 0);
  const VectorXd empty(0);
  const LuFactors<double> lu(none);
  EXPECT_TRUE(lu.regular());
  EXPECT_EQ(lu.solve(empty).size(), 0);
  EXPECT_EQ(inverse_of(none).size(), 0);
  EXPECT_EQ(cholesky_factor(none).size(), 0);
  EXPECT_EQ(symmetric_solve(none, empty).size(), 0);
  EXPECT_EQ(symmetric_eigenvalues(none).size(), 0);
  EXPECT_EQ(symmetric_modes(none).vectors.size(), 0);
  EXPECT_EQ(symmetric_roots(none).inverse_root.size(), 0);
  EXPECT_EQ(eigenvalues_of(none).value().size(), 0);
  EXPECT_EQ(exponential_of(none).size(), 0);
  EXPECT_EQ(all_solutions(none, empty, 1e-9).kernel.cols(), 0);
  EXPECT_FALSE(LeastSolution(none, 1e-9).redundant());
  EXPECT_EQ(LeastSolution(none, 1e-9).of(empty, empty).size(), 0);
  for (const Index n : {0, 1, 3}) {
    const MatrixXd flat(0, n), tall(n, 0);
    EXPECT_EQ(lower_solve(none, flat).cols(), n);
    EXPECT_EQ(cholesky_solve(none, flat).cols(), n);
    EXPECT_EQ(symmetric_solve(none, flat).cols(), n);
    EXPECT_EQ(lu.solve(flat).cols(), n);
    EXPECT_EQ(LeastSolution(none, 1e-9).of(flat).cols(), n);
    EXPECT_EQ(congruent(none, flat), MatrixXd::Zero(n, n));
    EXPECT_EQ(kernel_basis(flat), MatrixXd::Identity(n, n));
    EXPECT_EQ(numerical_kernel(flat, 1e-9), MatrixXd::Identity(n, n));
    EXPECT_EQ(numerical_kernel(tall, 1e-9).size(), 0);
    EXPECT_EQ(kernel_basis(MatrixXd::Identity(n, n)).cols(), 0);
    EXPECT_EQ(least_squares(tall, MatrixXd::Ones(n, 2)).cols(), 2);
    EXPECT_EQ(least_squares(MatrixXd::Identity(n, n), tall).size(), 0);
    EXPECT_TRUE(independent_columns(flat, 1e-9).empty());
    EXPECT_TRUE(independent_columns(tall, 1e-9).empty());
    EXPECT_EQ(column_pivots(flat).order.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(column_pivots(flat).lengths, VectorXd::Zero(n));
    EXPECT_TRUE(column_pivots(tall).order.empty());
    const LeastSolution all_idle(flat, 1e-9);
    EXPECT_EQ(all_idle.of(MatrixXd(0, 1)), MatrixXd::Zero(n, 1));
    EXPECT_EQ(all_idle.redundant(), n > 0);
    EXPECT_EQ(symmetric_solve(MatrixXd::Identity(n, n), tall).size(), 0);
  }
}

// exp(t (0 −1; 1 0)) turns by t.
TEST(Dense, ExponentialOfARotationIsTheRotation) {
  const MatrixXd J = (MatrixXd(2, 2) << 0, -1, 1, 0).finished();
  for (const double t : {0.0, 1e-3, 0.7, 30.0}) {
    const double c = std::cos(t), s = std::sin(t);
    const MatrixXd turn = (MatrixXd(2, 2) << c, -s, s, c).finished();
    // Each of log2(t) squarings doubles the error.
    EXPECT_LE((exponential_of(t * J) - turn).norm(), 40.0 * (1.0 + t) * unit_roundoff) << t;
    EXPECT_GT((exponential_of((t + 1e-9) * J) - turn).norm(), 1e-10) << t;
  }
}

}  // namespace
}  // namespace rigidlimit
