// Tests the operations on functions of the fast time by exponentials.
#include "rigidlimit/asymptotics/layer_grid.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace rigidlimit {
namespace {

template <class T>
class Layer : public testing::Test {
 public:
  static constexpr int order = 6;
  /// Rates 1 and 1.7 on one grid, B diagonal.
  Layer()
      : grid((MatrixX<T>(2, 2) << T(-1), T(0), T(0), T(-17) / 10).finished(),
             Eigen::Vector2cd(-1.0, -1.7), order) {}

  /// c τ^i e^(−rate τ).
  LayerFunction<T> decaying(const T& c, int i, const T& rate) const {
    using std::exp, std::pow;
    LayerFunction<T> x;
    x.decaying.resize(grid.nodes().size());
    for (Index j = 0; j < x.decaying.size(); ++j) {
      const T tau = grid.nodes()(j);
      x.decaying(j) = c * (i == 0 ? T(1) : T(pow(tau, i))) * exp(T(-rate * tau));
    }
    return x;
  }
  /// The largest difference of the decaying parts, times (1 + τ)^order: later terms amplify it so.
  double error(const LayerFunction<T>& x, const LayerFunction<T>& y) const {
    using std::abs, std::pow;
    double largest = 0.0;
    for (Index j = 0; j < x.decaying.size(); ++j) {
      const T weight = pow(T(1 + grid.nodes()(j)), order);
      largest =
          std::max(largest, static_cast<double>(T(abs(x.decaying(j) - y.decaying(j)) * weight)));
    }
    return largest;
  }

  LayerGrid<T> grid;
};
using Types = testing::Types<double, Quad>;
TYPED_TEST_SUITE(Layer, Types);

// Round-off times the weight, 6^6 e^(−5) = 300 at its largest, times the condition of 50 of a
// panel.
template <class T>
constexpr double tolerance = 3e4 * 4.5e-16;
template <>
constexpr double tolerance<Quad> = 3e4 * 4.0e-34;

// x' = −x + e^(−rate τ) from x(0) = 1, for the rates of products of up to seven terms.
TYPED_TEST(Layer, SolvesTheOscillatorOnDecayingForces) {
  using T = TypeParam;
  for (int rate = 2; rate <= 7; ++rate) {
    const auto x = this->grid.solution((VectorX<T>(2) << T(1), T(0)).finished(),
                                       {this->decaying(T(1), 0, T(rate)), LayerFunction<T>()});
    const T share = T(1) / T(rate - 1);
    const auto exact = this->decaying(T(1) + share, 0, T(1)) - this->decaying(share, 0, T(rate));
    EXPECT_LT(this->error(x[0], exact), tolerance<T>) << rate;
  }
}

// In resonance the degree of the polynomial rises. The weight times τ^5 e^(−τ) is 1e7 at its
// largest, 3e4 times the 300 of the tolerance.
TYPED_TEST(Layer, SolvesResonance) {
  using T = TypeParam;
  for (int i = 0; i <= 4; ++i) {
    const auto x = this->grid.solution(VectorX<T>::Zero(2),
                                       {this->decaying(T(i + 1), i, T(1)), LayerFunction<T>()});
    EXPECT_LT(this->error(x[0], this->decaying(T(1), i + 1, T(1))), 1e5 * tolerance<T>) << i;
  }
}

TYPED_TEST(Layer, IntegratesAPolynomialAndADecayingPart) {
  using T = TypeParam;
  LayerFunction<T> x = this->decaying(T(3), 0, T(3));
  x.polynomial = {T(2), T(1)};
  const LayerFunction<T> y = this->grid.integral(x);
  EXPECT_EQ(y.coefficient(1), T(2));
  EXPECT_EQ(y.coefficient(2), T(0.5));
  EXPECT_LT(std::abs(static_cast<double>(y.coefficient(0) - T(1))), tolerance<T>);
  EXPECT_LT(this->error(y, this->decaying(T(-1), 0, T(3))), tolerance<T>);
}

}  // namespace
}  // namespace rigidlimit
