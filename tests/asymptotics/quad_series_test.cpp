// Tests the expansion of any order in 113 bits, where remainders of order 7 are far above
// round-off.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/asymptotics/layer_terms.hpp"
#include "support/model_systems.hpp"
#include "support/series_case.hpp"

namespace rigidlimit {
namespace {

using test::Errors, test::distance, test::order_between;

constexpr int highest = 6;

template <class Sys>
class QuadSeries : public testing::Test, public test::SeriesCase<Sys> {};
// T ≠ I and explicit t, m = 1; a Lagrangian, m = 2.
using Systems = testing::Types<test::BodyFrameSkate, test::TwoContacts>;
TYPED_TEST_SUITE(QuadSeries, Systems);

Motion rounded(const MotionOf<Quad>& x) {
  return {.times = x.times,
          .q = x.q.cast<double>(),
          .v = x.v.cast<double>(),
          .lambda = x.lambda.cast<double>()};
}

/// |a − b| against a bound for each of q, v, λ.
void expect_within(const Motion& a, const Motion& b, const TermSizes& bound) {
  const Errors error = distance(a, b);
  EXPECT_LT(error.q, bound.q);
  EXPECT_LT(error.v, bound.v);
  EXPECT_LT(error.lambda, bound.lambda);
}

// ε = 0.1: the terms of all orders count. Both start from the same doubles, which slide by 1e-17.
TYPED_TEST(QuadSeries, DoubleAgreesWithinItsRounding) {
  const double epsilon = 0.1;
  const auto times = this->times(epsilon);
  const SeriesExpansion<double> in_double = this->expansion(highest);
  const SeriesExpansion<Quad> in_quad = this->template expansion<Quad>(highest, true);
  expect_within(in_double.deviation(epsilon, times, highest),
                rounded(in_quad.deviation(epsilon, times, highest)), in_double.rounding(epsilon));
}

// 1e-34 is the round-off; coefficients of order k lose some k/2 digits.
TYPED_TEST(QuadSeries, LayerAndOuterMotionMatch) {
  const SeriesExpansion<Quad> expansion = this->template expansion<Quad>(highest);
  for (int k = 0; k <= highest; ++k) EXPECT_LT(expansion.matching_defect(k), 1e-30) << k;
}

// At ε = 1e-3 the next term is 1 % of the remainder: 0.03 in the order. The solver's error of 1e-25
// is below 1e-3 of the least remainder.
TYPED_TEST(QuadSeries, EachOrderGainsAPowerOfEpsilon) {
  const double coarse = 1e-3, fine = 5e-4;
  const SeriesExpansion<Quad> expansion = this->template expansion<Quad>(highest);
  const MotionOf<Quad> first = this->template compliant<Quad>(coarse),
                       second = this->template compliant<Quad>(fine);
  for (int k = 1; k <= highest; ++k) {
    const Errors order =
        order_between(distance(expansion.composite(coarse, first.times, k), first),
                      distance(expansion.composite(fine, second.times, k), second), coarse, fine);
    EXPECT_NEAR(order.q, k + 1.0, 0.05) << k;
    EXPECT_NEAR(order.v, k + 1.0, 0.05) << k;
    EXPECT_NEAR(order.lambda, k + 1.0, 0.05) << k;
  }
}

// 1e-8 of v_3 is 1e3 times the remainder of order 6 at ε = 1e-3.
TYPED_TEST(QuadSeries, ASpoiltCoefficientStopsTheLadderAtItsRung) {
  const double coarse = 1e-3, fine = 5e-4;
  const SeriesExpansion<Quad> expansion = this->template expansion<Quad>(highest);
  const auto error = [&](double epsilon) {
    const MotionOf<Quad> motion = this->template compliant<Quad>(epsilon);
    MotionOf<Quad> spoilt = expansion.composite(epsilon, motion.times, highest);
    spoilt.v += Quad(1e-8) * expansion.term(epsilon, motion.times, 3).v;
    return distance(spoilt, motion);
  };
  const Errors order = order_between(error(coarse), error(fine), coarse, fine);
  EXPECT_NEAR(order.v, 3.0, 0.05) << "negative control";
  EXPECT_NEAR(order.lambda, 7.0, 0.05);
}

// The roots of the layer coincide at the damping ratio 1. The terms depend on it smoothly: a change
// by 1e-9 changes them by 1e-6 of the change for 1e-3, to a factor of 2, and by round-off.
TYPED_TEST(QuadSeries, CriticalDampingIsNoException) {
  const double epsilon = 0.1;
  const auto times = this->times(epsilon);
  const auto damped = [&](double ratio) {
    this->damp(ratio);
    return this->expansion(highest);
  };
  const SeriesExpansion<double> critical = damped(1.0), near = damped(1.0 + 1e-9),
                                far = damped(1.0 + 1e-3);
  for (int k = 1; k <= highest; ++k) {
    const Motion term = critical.term(epsilon, times, k);
    const Errors step = distance(far.term(epsilon, times, k), term);
    const TermSizes outer = critical.outer_size(k), layer = critical.layer_size(k);
    const double round_off = 1e-13 * std::pow(epsilon, k);
    expect_within(near.term(epsilon, times, k), term,
                  {.q = 2e-6 * step.q + round_off * (1.0 + outer.q + layer.q),
                   .v = 2e-6 * step.v + round_off * (1.0 + outer.v + layer.v),
                   .lambda = 2e-6 * step.lambda + round_off * (1.0 + outer.lambda + layer.lambda)});
    EXPECT_GT(step.v, 1e-5 * term.v.cwiseAbs().maxCoeff()) << "the damping matters";
  }
}

double largest(const std::vector<LayerFunction<double>>& x) {
  double size = 0.0;
  for (const auto& one : x)
    if (one.decaying.size() > 0) size = std::max(size, one.decaying.cwiseAbs().maxCoeff());
  return size;
}

// A start on the slow manifold to order J: η_k and v_{k+1} begin at the limits of their layers,
// k ≤ J. The limit of η_k depends on the start of lower orders only.
TYPED_TEST(QuadSeries, APreparedStartHasALayerOfTheNextOrder) {
  const EquationForms forms(this->system);
  const ActingContacts<double> contacts(contact_basis(this->system, this->start.q), this->law);
  constexpr int J = 2;
  StartSeries<double> prepared{.t = {}, .q = {this->start.q}, .v = {this->start.v}, .eta = {}};
  const LayerTerms<double> without = layer_terms(forms, contacts, prepared, J + 1);
  for (int k = 0; k <= J; ++k) {
    const LayerTerms<double> terms = layer_terms(forms, contacts, prepared, J + 1);
    const auto at = static_cast<std::size_t>(k);
    prepared.eta.push_back(LayerTerms<double>::limit(terms.eta[at + 1]));
    prepared.v.push_back(LayerTerms<double>::limit(terms.v[at + 1]));
  }
  const LayerTerms<double> terms = layer_terms(forms, contacts, prepared, J + 1);
  for (std::size_t k = 0; k <= J; ++k) {
    EXPECT_LT(largest(terms.lambda[k + 1]), 1e-12 * largest(without.lambda[k + 1])) << k;
    EXPECT_LT(largest(terms.v[k + 1]), 1e-12 * largest(without.v[k + 1])) << k;
  }
  EXPECT_GT(largest(terms.lambda[J + 2]), 1e-3 * largest(without.lambda[J + 2]));
}

/// A particle with the constraint y' = z x', and a drag that is rational in the velocity.
struct RationalDrag {
  static constexpr int nq = 3, n = 3, m = 1;
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Vector<S, n>::Constant(S(2.0)).asDiagonal();
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>& v) const {
    const S drag = 0.7 / (1.0 + v(0) * v(0) + v(1) * v(1) + v(2) * v(2));
    return {0.3 - drag * v(0), -0.2 - drag * v(1), 0.5 - drag * v(2)};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    return Matrix<S, m, n>(-q(2), S(1), S(0));
  }
};

// The force is a function of the sliding layer of v_0: no polynomial in its exponentials.
TEST(QuadSeriesOfASlidingStart, RationalForcesKeepTheirOrder) {
  test::SeriesCase<RationalDrag> sliding;
  sliding.start.v(1) += 0.25;
  const double coarse = 2e-3, fine = 1e-3;
  const SeriesExpansion<Quad> expansion = sliding.expansion<Quad>(highest, true);
  EXPECT_TRUE(expansion.slides());
  const MotionOf<Quad> first = sliding.compliant<Quad>(coarse, true),
                       second = sliding.compliant<Quad>(fine, true);
  for (int k = 1; k <= highest; ++k) {
    const Errors order =
        order_between(distance(expansion.composite(coarse, first.times, k), first),
                      distance(expansion.composite(fine, second.times, k), second), coarse, fine);
    EXPECT_NEAR(order.q, k + 1.0, 0.1) << k;
    EXPECT_NEAR(order.v, k + 1.0, 0.1) << k;
    EXPECT_NEAR(order.lambda, k + 1.0, 0.1) << k;
  }
}

}  // namespace
}  // namespace rigidlimit
