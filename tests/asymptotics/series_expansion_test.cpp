// Tests the expansion of any order by the compliant motion, by the expansion of second order, and
// by itself.
#include "rigidlimit/asymptotics/series_expansion.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/model_systems.hpp"
#include "support/random_state.hpp"

namespace rigidlimit {
namespace {

constexpr double T = 1.0;
constexpr int highest = 5;

Motion difference(const Motion& a, const Motion& b) {
  return {.times = a.times, .q = a.q - b.q, .v = a.v - b.v, .lambda = a.lambda - b.lambda};
}

/// Distance of a motion, each of q, v, λ.
struct Errors {
  double q, v, lambda;
};
Errors distance(const Motion& a, const Motion& b) {
  const Motion d = difference(a, b);
  return {d.q.cwiseAbs().maxCoeff(), d.v.cwiseAbs().maxCoeff(), d.lambda.cwiseAbs().maxCoeff()};
}

/// A contact with the damping ratio 0.8, an unloaded start that rolls.
template <class Sys>
struct Case {
  System system = make_system(Sys{});
  test::RandomNumbers random{7};
  InitialState start = test::rolling_state(system, random);
  ViscoelasticLaw law{MatrixXd::Identity(system.m, system.m), MatrixXd()};
  VectorXd eta0 = VectorXd::Zero(system.m);

  Case() {
    law.stiffness.diagonal().setLinSpaced(4.0, 5.0);
    law.damping = 0.8 * critical_damping(delassus(system, start.q), law.stiffness);
  }
  SeriesExpansion<double> expansion(int order = highest) const {
    return {system, start, law, eta0, order, T};
  }
  /// The layer and the rest of the motion.
  static std::vector<double> times(double epsilon) {
    std::vector<double> all;
    for (int i = 1; i <= 40; ++i) all.push_back(0.1 * i * epsilon);
    for (int i = 1; i <= 20; ++i) all.push_back(4.0 * epsilon + (T - 4.0 * epsilon) * i / 20.0);
    return all;
  }
  Motion compliant(double epsilon) const {
    const auto problem = compliant_adapted(system, start, law, epsilon, eta0);
    SolveOptions options;
    options.rtol = 1e-13;
    options.atol = 1e-15;
    const Solution solution =
        find_ode_method("radau_iia")->solve(problem.problem, times(epsilon), options);
    EXPECT_EQ(solution.outcome, Outcome::success);
    return problem.motion(solution);
  }
  /// The orders of the remainder between two values of ε. Both errors are far above 1e-12.
  Errors orders(const SeriesExpansion<double>& expansion, int k, double coarse, double fine) const {
    const Errors a = distance(expansion.composite(coarse, times(coarse), k), compliant(coarse)),
                 b = distance(expansion.composite(fine, times(fine), k), compliant(fine));
    const double ratio = std::log(coarse / fine);
    return {std::log(a.q / b.q) / ratio, std::log(a.v / b.v) / ratio,
            std::log(a.lambda / b.lambda) / ratio};
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
