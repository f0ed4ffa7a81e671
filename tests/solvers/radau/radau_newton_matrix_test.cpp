// Tests the Newton matrix of a Radau IIA step: a block with its coupling equals the full matrix.
#include "rigidlimit/solvers/radau/radau_newton_matrix.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "rigidlimit/solvers/radau/radau_jacobian.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

constexpr double unit_roundoff = 0.5 * std::numeric_limits<double>::epsilon();

/// N = 6 with a Jacobian that has entries, as large as 1/ε² = 1e4, in k columns only. The fast rows
/// have no particular order.
struct CoupledBlock {
  static constexpr Index n = 6;
  std::vector<Index> components, others;
  MatrixXd full = MatrixXd::Zero(n, n), block, coupling;

  explicit CoupledBlock(std::vector<Index> of)
      : components(std::move(of)), others(other_components(n, components)) {
    test::RandomNumbers random{157};
    const auto k = static_cast<Index>(components.size());
    block.resize(k, k);
    coupling.resize(n - k, k);
    for (Index j = 0; j < k; ++j) {
      for (Index i = 0; i < k; ++i) block(i, j) = random.uniform(-1.0, 1.0);
      block(j, j) -= 3.0;
      for (Index i = 0; i < n - k; ++i) coupling(i, j) = random.uniform(-1.0, 1.0);
    }
    coupling.row(0).setZero();  // a slow component without coupling, such as q
    block *= 1e4;
    coupling *= 1e4;
    for (Index j = 0; j < k; ++j) {
      for (Index i = 0; i < k; ++i) full(at(components, i), at(components, j)) = block(i, j);
      for (Index i = 0; i < n - k; ++i) full(at(others, i), at(components, j)) = coupling(i, j);
    }
  }

  static Index at(const std::vector<Index>& list, Index i) {
    return list[static_cast<std::size_t>(i)];
  }
};

MatrixXd residuals(Index stages) {
  test::RandomNumbers random{211};
  MatrixXd R(CoupledBlock::n, stages);
  for (Index j = 0; j < stages; ++j)
    for (Index i = 0; i < R.rows(); ++i) R(i, j) = random.uniform(-1.0, 1.0);
  return R;
}

class RadauNewtonMatrixBlock : public testing::TestWithParam<std::vector<Index>> {};

TEST(RadauNewtonMatrixBlock, OthersAreTheComponentsOutsideTheBlock) {
  EXPECT_EQ(other_components(6, {4, 1}), (std::vector<Index>{0, 2, 3, 5}));
  EXPECT_TRUE(other_components(2, {1, 0}).empty());
}

// The correction Δ satisfies (I ⊗ I − h A ⊗ J) Δ = −R up to rounding. The transform has a condition
// number below 1e4 for s ≤ 7, and h |J| ≤ 1e4 / 10.
TEST_P(RadauNewtonMatrixBlock, CorrectionSolvesTheSystemWithTheCoupling) {
  const CoupledBlock of(GetParam());
  const double h = 0.1;
  for (const int stages : {1, 3, 4, 7}) {
    const auto& tableau = radau_tableau<double>(stages);
    const MatrixXd R = residuals(stages);
    const auto left_over = [&](const MatrixXd& coupling) -> double {
      RadauNewtonMatrix matrix(CoupledBlock::n, nullptr);
      matrix.use_block(of.components, of.block, of.others, coupling);
      EXPECT_TRUE(matrix.factorise(tableau.transform, h));
      MatrixXd delta = R;
      matrix.correct(delta);
      const MatrixXd left = delta - h * of.full * delta * tableau.A.transpose();
      return (left + R).cwiseAbs().maxCoeff();
    };
    const double tolerance = 100.0 * unit_roundoff * 1e4 * h * of.full.cwiseAbs().maxCoeff();
    EXPECT_LE(left_over(of.coupling), tolerance) << stages;
    // Negative control: without the coupling Δ does not solve the system.
    EXPECT_GT(left_over(MatrixXd()), 1e3 * tolerance) << stages;
  }
}

// ((γ/h) I − J) x = r likewise.
TEST_P(RadauNewtonMatrixBlock, FilterSolvesTheRealSystemWithTheCoupling) {
  const CoupledBlock of(GetParam());
  const double h = 0.1;
  const auto& transform = radau_tableau<double>(3).transform;
  const VectorXd r = residuals(1);
  const auto left_over = [&](const MatrixXd& coupling) -> double {
    RadauNewtonMatrix matrix(CoupledBlock::n, nullptr);
    matrix.use_block(of.components, of.block, of.others, coupling);
    EXPECT_TRUE(matrix.factorise(transform, h));
    VectorXd x = r;
    matrix.filter(x);
    return (transform.gamma / h * x - of.full * x - r).cwiseAbs().maxCoeff();
  };
  const double tolerance = 100.0 * unit_roundoff * of.full.cwiseAbs().maxCoeff();
  EXPECT_LE(left_over(of.coupling), tolerance);
  EXPECT_GT(left_over(MatrixXd()), 1e3 * tolerance);
}

// Size 2 uses a closed form, the others do not.
INSTANTIATE_TEST_SUITE_P(Sizes, RadauNewtonMatrixBlock,
                         testing::Values(std::vector<Index>{2}, std::vector<Index>{5, 1},
                                         std::vector<Index>{4, 0, 3},
                                         std::vector<Index>{5, 4, 3, 2}),
                         [](const auto& suite) {
                           return "block_of_" + std::to_string(suite.param.size());
                         });

// Rotated slow coordinates change the rows of the coupling, but not the block.
TEST(RadauJacobianOfABlock, IsStaleAfterARotationOfSlowCoordinatesIffCoupled) {
  for (const bool coupled : {false, true}) {
    const CoupledBlock of({5, 1});
    OdeProblem problem;
    problem.y0 = VectorXd::Zero(CoupledBlock::n);
    FastBlock fast;
    fast.components = of.components;
    fast.jacobian = [&](VectorIn, MatrixOut J) { J = of.block; };
    if (coupled) fast.coupling = [&](VectorIn, MatrixOut J) { J = of.coupling; };
    problem.fast = std::make_shared<const FastBlock>(fast);
    RadauNewtonMatrix matrix(CoupledBlock::n, nullptr);
    RadauJacobian<double> jacobian(problem, true);
    ASSERT_TRUE(jacobian.evaluate(0.0, problem.y0, matrix));
    VectorXd x = residuals(1);
    const VectorXd product = of.full * x;
    jacobian.apply(x);
    // Two products and a sum of numbers up to 4e4.
    EXPECT_EQ((x - product).norm() <= 10.0 * unit_roundoff * 4e4, coupled);

    MatrixXd change = MatrixXd::Identity(CoupledBlock::n, CoupledBlock::n);
    jacobian.change_coordinates(change, matrix);
    EXPECT_FALSE(jacobian.stale());
    change(0, 2) = 0.5;  // neither is fast
    jacobian.change_coordinates(change, matrix);
    EXPECT_EQ(jacobian.stale(), coupled);
  }
}

// Non-finite values are detected before the factorisation.
TEST(RadauJacobianOfABlock, ThatIsNotFiniteIsRefused) {
  const CoupledBlock of({5, 1});
  OdeProblem problem;
  problem.y0 = VectorXd::Zero(CoupledBlock::n);
  FastBlock fast;
  fast.components = of.components;
  fast.jacobian = [&](VectorIn, MatrixOut J) { J = of.block; };
  fast.coupling = [](VectorIn, MatrixOut J) { J.setConstant(std::nan("")); };
  problem.fast = std::make_shared<const FastBlock>(fast);
  RadauNewtonMatrix matrix(CoupledBlock::n, nullptr);
  EXPECT_FALSE(RadauJacobian<double>(problem, true).evaluate(0.0, problem.y0, matrix));
}

}  // namespace
}  // namespace rigidlimit
