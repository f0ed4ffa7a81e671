// Tests the kernels of eight problems side by side: the same bits for all instruction sets, and the
// right values.
#include "rigidlimit/solvers/radau/lane_kernels.hpp"

#include <gmock/gmock.h>

#include <array>
#include <complex>
#include <cstring>
#include <vector>

#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

constexpr VectorInstructions sets_of_lanes[] = {VectorInstructions::sse2, VectorInstructions::avx2,
                                                VectorInstructions::avx512};
constexpr std::size_t m = 3, rows = 4, stride = 5, stages_of_lanes = 8;

class LaneArithmetic : public testing::Test {
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
  test::RandomNumbers random_{41};
  std::vector<double> M = numbers(64);
  std::vector<Pack> x = packs(stages_of_lanes * stride), start = packs(rows), h = packs(1);
  std::vector<Pack> B = packs(m * m), K = packs(m * m);
  std::vector<double> damper = numbers(stages_of_lanes);
};

/// All results of the kernels, one after the other.
std::vector<Pack> all_results(const LaneKernels& kernels, const std::vector<double>& M,
                              const std::vector<Pack>& x, const std::vector<Pack>& start,
                              const Pack& h, const std::vector<Pack>& B, const std::vector<Pack>& K,
                              const std::vector<double>& damper) {
  std::vector<Pack> all;
  const auto keep = [&](const std::vector<Pack>& y) { all.insert(all.end(), y.begin(), y.end()); };
  std::vector<Pack> y(stages_of_lanes * stride);
  kernels.mix(M.data(), {x.data(), stride}, {y.data(), stride}, rows);
  keep(y);
  kernels.integrate(M.data(), start.data(), h, {x.data(), stride}, {y.data(), stride}, rows);
  keep(y);
  std::vector<Pack> X(2 * m * m), inverse(8 * m * m), forces(m), squares(1);
  kernels.invert(B.data(), K.data(), damper.data(), h, X.data(), inverse.data(), m);
  keep(inverse);
  kernels.apply(inverse.data(), {x.data(), stride}, {y.data(), stride}, m);
  keep(y);
  kernels.force(B.data(), K.data(), x.data(), x.data() + m, forces.data(), m);
  kernels.subtract(B.data(), m, x.data(), forces.data(), m, m);
  keep(forces);
  kernels.update({x.data(), stride}, start.data(), {y.data(), stride}, rows, squares[0]);
  keep(y);
  keep(squares);
  kernels.weigh(M.data(), stages_of_lanes, {x.data(), stride}, forces.data(), m);
  keep(forces);
  return all;
}

TEST_F(LaneArithmetic, HasTheSameBitsForAllInstructions) {
  const auto results = [&](VectorInstructions set) {
    return all_results(lane_kernels(set), M, x, start, h[0], B, K, damper);
  };
  const std::vector<Pack> first = results(sets_of_lanes[0]);
  for (const VectorInstructions set : sets_of_lanes) {
    const std::vector<Pack> other = results(set);
    EXPECT_EQ(std::memcmp(first.data(), other.data(), first.size() * sizeof(Pack)), 0);
  }
  M[3] += 1e-15;
  const std::vector<Pack> changed = results(sets_of_lanes[0]);
  EXPECT_NE(std::memcmp(first.data(), changed.data(), first.size() * sizeof(Pack)), 0)
      << "negative control";
}

/// A sum of eight products of numbers below 1 has rounding errors of at most 8 · 8 u.
TEST_F(LaneArithmetic, IntegrateIsStartPlusHTimesTheMatrix) {
  std::vector<Pack> y(stages_of_lanes * stride);
  lane_kernels().integrate(M.data(), start.data(), h[0], {x.data(), stride}, {y.data(), stride},
                           rows);
  for (std::size_t lane = 0; lane < Pack::lanes; ++lane)
    for (std::size_t j = 0; j < stages_of_lanes; ++j)
      for (std::size_t i = 0; i < rows; ++i) {
        double sum = 0.0;
        for (std::size_t k = 0; k < stages_of_lanes; ++k)
          sum += M[8 * j + k] * x[k * stride + i][lane];
        EXPECT_NEAR(y[j * stride + i][lane], start[i][lane] + h[0][lane] * sum, 1e-14);
      }
}

/// Entries of X = I + d B + d² κ K are below 3, and a random 3 × 3 inverse has entries below 1e3 in
/// these draws: X · inverse = I up to 1e3 · 3 · 9 roundings, 1e-11.
TEST_F(LaneArithmetic, InvertGivesTheInverseInEachModeAndLane) {
  std::vector<Pack> X(2 * m * m), inverse(8 * m * m);
  lane_kernels().invert(B.data(), K.data(), damper.data(), h[0], X.data(), inverse.data(), m);
  double farthest = 0.0, farthest_of_other = 0.0;
  for (std::size_t mode = 0; mode < 4; ++mode)
    for (std::size_t lane = 0; lane < Pack::lanes; ++lane)
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j) {
          std::complex<double> sum = 0.0, of_other = 0.0;
          const std::complex<double> d(damper[mode], damper[4 + mode]);
          for (std::size_t k = 0; k < m; ++k) {
            const auto entry = [&](std::size_t of_mode) {
              const Pack* const at = &inverse[2 * (of_mode * m * m + k * m + j)];
              return std::complex<double>(at[0][lane], at[1][lane]);
            };
            const std::complex<double> in_X = (i == k ? 1.0 : 0.0) + d * B[i + k * m][lane] +
                                              d * d * h[0][lane] * K[i + k * m][lane];
            sum += in_X * entry(mode);
            of_other += in_X * entry((mode + 1) % 4);
          }
          const double unit = i == j ? 1.0 : 0.0;
          farthest = std::max(farthest, std::abs(sum - unit));
          farthest_of_other = std::max(farthest_of_other, std::abs(of_other - unit));
        }
  EXPECT_LT(farthest, 1e-11);
  EXPECT_GT(farthest_of_other, 1e-3) << "negative control: another mode";
}

}  // namespace
}  // namespace rigidlimit
