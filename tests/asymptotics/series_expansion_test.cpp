// Tests the expansion of any order by the compliant motion, by the expansion of second order, and
// by itself.
#include "rigidlimit/asymptotics/series_expansion.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "support/model_systems.hpp"
#include "support/series_case.hpp"

namespace rigidlimit {
namespace {

using test::Errors, test::distance, test::difference;

constexpr int highest = 5;

template <class Sys>
struct Case : test::SeriesCase<Sys> {
  SeriesExpansion<double> expansion(int order = highest) const {
    return test::SeriesCase<Sys>::template expansion<double>(order);
  }
  /// The orders of the remainder between two values of ε. Both errors are far above 1e-12.
  Errors orders(const SeriesExpansion<double>& expansion, int k, double coarse, double fine) const {
    const auto error = [&](double epsilon) {
      return distance(expansion.composite(epsilon, this->times(epsilon), k),
                      this->compliant(epsilon));
    };
    return test::order_between(error(coarse), error(fine), coarse, fine);
  }
};

template <class Sys>
class AnyOrder : public testing::Test, public Case<Sys> {};
// T ≠ I and explicit t, m = 1; a Lagrangian, m = 2.
using Systems = testing::Types<test::BodyFrameSkate, test::TwoContacts>;
TYPED_TEST_SUITE(AnyOrder, Systems);

// The matching principle: the polynomial part of the layer problem is the outer motion. Both are
// computed independently; coefficients of order k lose some k + 1 digits.
TYPED_TEST(AnyOrder, LayerAndOuterMotionMatch) {
  const SeriesExpansion<double> expansion = this->expansion();
  for (int k = 0; k <= highest; ++k)
    EXPECT_LT(expansion.matching_defect(k), std::pow(10.0, k - 14)) << k;
}

// The remainder after order k is O(ε^(k+1)). Its next term is a fraction ε |x_{k+2}/x_{k+1}| of it,
// 10 ε at most here: 0.3 in the order.
TYPED_TEST(AnyOrder, EachOrderGainsAPowerOfEpsilon) {
  const SeriesExpansion<double> expansion = this->expansion();
  for (int k = 1; k <= 4; ++k) {
    const Errors order = this->orders(expansion, k, 0.014, 0.007);
    EXPECT_NEAR(order.v, k + 1.0, 0.3) << k;
    EXPECT_NEAR(order.lambda, k + 1.0, 0.3) << k;
    EXPECT_GT(order.q, k + 0.7) << k;
  }
}

TYPED_TEST(AnyOrder, AnotherLawStopsAtItsFirstOrder) {
  const SeriesExpansion<double> expansion = this->expansion(3);
  this->law.stiffness *= 1.01;
  const Errors order = this->orders(expansion, 3, 0.02, 0.01);
  EXPECT_LT(order.v, 1.5) << "negative control";
}

// A spring that carries Λ(0): the layer of v is one order smaller.
TYPED_TEST(AnyOrder, APreparedStartHasASmallerLayer) {
  const SeriesExpansion<double> unloaded = this->expansion(1);
  const VectorXd lambda =
      unloaded.outer(0.0, 0).segment(this->system.nq + this->system.n, this->system.m);
  this->eta0 = this->law.stiffness.ldlt().solve(lambda);
  const SeriesExpansion<double> prepared = this->expansion(1);
  EXPECT_LT(prepared.layer_size(1).v, 1e-9 * unloaded.layer_size(1).v);
  EXPECT_NEAR(this->orders(prepared, 1, 0.02, 0.01).v, 2.0, 0.3);
}

// A start that slides: the layer of v is O(1), λ begins with 1/ε.
TYPED_TEST(AnyOrder, ASlidingStartKeepsItsOrders) {
  this->start.v(1) += 0.3;
  const SeriesExpansion<double> expansion = this->expansion(3);
  EXPECT_TRUE(expansion.slides());
  EXPECT_GT(expansion.layer_size(0).v, 0.01);
  EXPECT_NEAR(this->orders(expansion, 3, 0.02, 0.01).v, 4.0, 0.4);
}

TYPED_TEST(AnyOrder, OtherExponentsAreRefused) {
  this->law.damping_exponent = 0.5;
  EXPECT_THROW(this->expansion(), InputError);
}

}  // namespace
}  // namespace rigidlimit
