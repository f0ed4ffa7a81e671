// Tests the kernels of eight stages: the same bits for all instruction sets, and the right values.
#include "rigidlimit/solvers/radau/stage_kernels.hpp"

#include <gmock/gmock.h>

#include <complex>
#include <cstring>
#include <limits>

#include "rigidlimit/core/dense.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

constexpr double unit_roundoff = 0.5 * std::numeric_limits<double>::epsilon();
constexpr VectorInstructions all_sets[] = {VectorInstructions::sse2, VectorInstructions::avx2,
                                           VectorInstructions::avx512};

class Kernels : public testing::Test {
 protected:
  std::vector<double> numbers(std::size_t count) {
    std::vector<double> x(count);
    for (double& each : x) each = random_.uniform(-1.0, 1.0);
    return x;
  }
  std::vector<Pack> packs(std::size_t count) {
    std::vector<Pack> x(count);
    for (Pack& each : x) each = Pack::load(numbers(Pack::lanes).data());
    return x;
  }
  MatrixXd matrix(Index size) {
    MatrixXd X(size, size);
    for (double& each : X.reshaped()) each = random_.uniform(-1.0, 1.0);
    return X;
  }

 private:
  test::RandomNumbers random_{97};
};

bool same_bits(const std::vector<Pack>& a, const std::vector<Pack>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(Pack)) == 0;
}

/// Entry (i, j) of mode k of a matrix N × N by rows.
std::complex<double> entry(const std::vector<Pack>& X, std::size_t place, std::size_t k) {
  return {X[place][k], X[place][k + 4]};
}

// A product of eight terms errs by at most eight roundings of Σ |M| |x| ≤ 8.
TEST_F(Kernels, CombineIsAMatrixProductForAllInstructionSets) {
  constexpr std::size_t rows = 5;
  const MatrixXd M = matrix(8);
  const StageMatrix columns(M);
  const auto x = packs(rows), factors = packs(2);
  const auto start = numbers(rows);
  std::vector<Pack> first(rows);
  for (const VectorInstructions set : all_sets) {
    std::vector<Pack> y(rows);
    stage_kernels(set).combine(columns, factors[0], start.data(), factors[1], x.data(), y.data(),
                               rows);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < 8; ++k) {
        double sum = 0.0;
        for (std::size_t j = 0; j < 8; ++j)
          sum += M(static_cast<Index>(k), static_cast<Index>(j)) * x[i][j];
        EXPECT_NEAR(y[i][k], factors[0][k] * start[i] + factors[1][k] * sum, 100 * unit_roundoff);
      }
    if (set == VectorInstructions::sse2) first = y;
    EXPECT_TRUE(same_bits(first, y));
  }
  // Negative control: the columns in another order give other values.
  std::vector<Pack> y(rows);
  stage_kernels().combine(StageMatrix(M.rowwise().reverse()), factors[0], start.data(), factors[1],
                          x.data(), y.data(), rows);
  EXPECT_FALSE(same_bits(first, y));
}

// The inverse of X = I + d B + d² κ K in each mode: ‖X X⁻¹ − I‖ ≤ 100 u ‖X‖ ‖X⁻¹‖.
TEST_F(Kernels, InvertGivesTheInverseInEachMode) {
  constexpr std::size_t m = 3;
  const MatrixXd B = matrix(m), K = matrix(m);
  const Pack damper = packs(1)[0];
  const double kappa = 0.7;
  std::vector<Pack> first;
  for (const VectorInstructions set : all_sets) {
    std::vector<Pack> X(m * m), inverse(m * m);
    stage_kernels(set).invert(B.data(), K.data(), damper, kappa, X.data(), inverse.data(), m);
    for (std::size_t k = 0; k < 4; ++k) {
      const std::complex<double> d(damper[k], damper[k + 4]);
      const Eigen::MatrixXcd matrix = Eigen::MatrixXcd::Identity(m, m) + d * B + d * d * kappa * K;
      Eigen::MatrixXcd found(m, m);
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j)
          found(static_cast<Index>(i), static_cast<Index>(j)) = entry(inverse, i * m + j, k);
      const double tolerance = 100 * unit_roundoff * matrix.norm() * found.norm();
      EXPECT_LE((matrix * found - Eigen::MatrixXcd::Identity(m, m)).norm(), tolerance);
      EXPECT_GT((matrix.conjugate() * found - Eigen::MatrixXcd::Identity(m, m)).norm(),
                1e3 * tolerance)
          << "negative control";
    }
    if (first.empty()) first = inverse;
    EXPECT_TRUE(same_bits(first, inverse));
  }
}

// X x = b in each mode, with a first pivot of 0 in every mode: rows must be exchanged. The residual
// of a solve with a growth factor below 2⁶ is 64 · 7 u ‖X‖ ‖x‖.
TEST_F(Kernels, FactorsSolveTheSystemOfEachMode) {
  constexpr std::size_t N = 7;
  std::vector<Pack> X = packs(N * N);
  X[0] = Pack(0.0);
  const std::vector<Pack> b = packs(N);
  std::vector<Pack> first;
  for (const VectorInstructions set : all_sets) {
    std::vector<Pack> factors = X, x = b;
    std::vector<std::uint32_t> order(N);
    ASSERT_TRUE(stage_kernels(set).factorise(factors.data(), N, order.data()));
    EXPECT_NE(order[0], 0u);
    stage_kernels(set).solve(factors.data(), N, order.data(), x.data());
    for (std::size_t k = 0; k < 4; ++k) {
      double size = 0.0, residual = 0.0;
      for (std::size_t i = 0; i < N; ++i) {
        std::complex<double> sum = -entry(b, i, k);
        for (std::size_t j = 0; j < N; ++j) sum += entry(X, i * N + j, k) * entry(x, j, k);
        residual = std::max(residual, std::abs(sum));
        size = std::max(size, std::abs(entry(x, i, k)));
      }
      EXPECT_LE(residual, 64.0 * 7.0 * unit_roundoff * 10.0 * size);
      EXPECT_GT(size, 1e-3);
    }
    if (first.empty()) first = x;
    EXPECT_TRUE(same_bits(first, x));
  }
  // A mode with two equal rows is singular, in any lane.
  for (const std::size_t lane : {0, 3}) {
    std::vector<Pack> singular = X;
    for (std::size_t j = 0; j < N; ++j)
      for (const std::size_t part : {lane, lane + 4}) singular[j].set(part, 0.0);
    std::vector<std::uint32_t> order(N);
    EXPECT_FALSE(stage_kernels().factorise(singular.data(), N, order.data()));
  }
}

// Σ over rows and stages; the other kernels against sums in another order: 1e3 roundings.
TEST_F(Kernels, SumsAndForcesAgreeForAllInstructionSets) {
  constexpr std::size_t m = 3;
  const MatrixXd C = matrix(m), D = matrix(m);
  const auto x = packs(m), z = packs(m), y0 = packs(m);
  const auto weight = numbers(m), start = numbers(m);
  const Pack d = packs(1)[0];
  double update0 = 0.0, defect0 = 0.0;
  std::vector<Pack> first;
  for (const VectorInstructions set : all_sets) {
    const StageKernels& kernels = stage_kernels(set);
    std::vector<Pack> y(m);
    kernels.force(C.data(), D.data(), x.data(), z.data(), y.data(), m);
    kernels.subtract(C.data(), m, z.data(), y.data(), m, m);
    std::vector<Pack> moved = y0;
    const double update = kernels.update(y.data(), weight.data(), moved.data(), m);
    const double defect = kernels.defect(0.3, d, start.data(), x.data(), weight.data(), m);
    EXPECT_TRUE(same_bits(moved, y));
    double squares = 0.0, defects = 0.0;
    for (std::size_t i = 0; i < m; ++i) {
      double sum = 0.3 * start[i];
      for (std::size_t k = 0; k < 8; ++k) {
        double force = 0.0;
        for (std::size_t j = 0; j < m; ++j) {
          const auto row = static_cast<Index>(i), column = static_cast<Index>(j);
          force += C(row, column) * (x[j][k] - z[j][k]) + D(row, column) * z[j][k];
        }
        EXPECT_NEAR(y[i][k], force, 100 * unit_roundoff);
        squares += std::pow((y[i][k] - y0[i][k]) * weight[i], 2);
        sum += d[k] * x[i][k];
      }
      defects += std::pow(sum * weight[i], 2);
    }
    EXPECT_NEAR(update, squares, 1e3 * unit_roundoff * squares);
    EXPECT_NEAR(defect, defects, 1e3 * unit_roundoff * (1.0 + defects));
    if (first.empty()) first = y, update0 = update, defect0 = defect;
    EXPECT_TRUE(same_bits(first, y));
    EXPECT_EQ(update, update0);
    EXPECT_EQ(defect, defect0);
  }
  EXPECT_GT(update0, 0.0);
}

}  // namespace
}  // namespace rigidlimit
