// Tests the knife edge's expansion: the figures of docs/theory.md, section 9, and its remainder.
#include <gmock/gmock.h>

#include <numbers>

#include "rigidlimit/core/error.hpp"
#include "support/built_in.hpp"
#include "support/expansion_checks.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using test::ExpansionCase;
using test::Spring;

constexpr double turning = 1.3;  // rad/s
const InitialState start{Eigen::Vector3d(0.0, 0.0, 0.0), Eigen::Vector3d(0.7, 0.0, turning)};

MatrixXd unit_stiffness() {
  return MatrixXd::Ones(1, 1);
}
ViscoelasticLaw critical_law() {
  return {unit_stiffness(), 2.0 * unit_stiffness()};
}
const System& system_of_knife_edge() {
  static const System system = test::BuiltIn("knife_edge", {}).rolling();
  return system;
}
ExpansionCase knife_edge(double damping_ratio, Spring spring) {
  const System& system = system_of_knife_edge();
  return {system, start, test::damped_law(system, start, unit_stiffness(), damping_ratio), spring,
          2.0};
}

SeriesExpansion<double> expansion_of(const ViscoelasticLaw& law, const VectorXd& eta0,
                                     const InitialState& from = start) {
  return {system_of_knife_edge(), from, law, eta0, 2, 2.0};
}

// Λ = −m (s sin ωt + u ω) with u' = s cos ωt. For C = 1 the outer deflection is η_0 = Λ.
TEST(KnifeEdgeExpansion, BeginsWithTheClosedForm) {
  const System& sys = system_of_knife_edge();
  const SeriesExpansion<double> e = expansion_of(critical_law(), VectorXd::Zero(1));
  for (const double t : {0.0, 0.4, 1.9}) {
    const Motion rigid = sys.closed_form(start, {t}).value();
    const VectorXd outer = e.outer(t, 0);
    EXPECT_LE((outer.head(3) - rigid.q.col(0)).norm(), 1e-13);
    EXPECT_LE((outer.segment(3, 3) - rigid.v.col(0)).norm(), 1e-13);
    EXPECT_NEAR(outer(6), rigid.lambda(0, 0), 1e-13);
    EXPECT_NEAR(outer(7), rigid.lambda(0, 0), 1e-13);
  }
}

// With A = C = m = 1, φ = 0: e₀ = Λ(0) = −0.91, M⁻¹Gᵀ = (0, 1, 0)ᵀ, so q₂(0) = (0, −0.91, 0);
// F does not depend on v, M⁻¹Gᵀ turns as (−cos φ, −sin φ, 0) ω, so v₂ₓ(0) = ω p₀; and
// G v₂ = Λ'(0) − 0 · …: (∂q G[q₂]) v̂ = −φ₂ u = 0, so v₂ᵧ(0) = Λ'(0) = −2 s ω.
TEST(KnifeEdgeExpansion, StartsFromTheMatchedValues) {
  const SeriesExpansion<double> e = expansion_of(critical_law(), VectorXd::Zero(1));
  const double rate = -2.0 * 9.81 * std::sin(0.3) * turning;
  VectorXd wanted(6);
  wanted << 0.0, -0.91, 0.0, -0.91 * turning, rate, 0.0;
  EXPECT_LE((e.outer(0.0, 2).head(6) - wanted).norm(), 1e-12);
  EXPECT_LE(e.outer(0.0, 1).head(6).norm(), 1e-13) << "q₁ = v₁ = 0";
  EXPECT_NEAR(e.layer(0.0, 0)(6), 0.91, 1e-13) << "the layer of λ begins with −Λ(0)";
}

// docs/theory.md, section 9: the last digit printed.
TEST(KnifeEdgeExpansion, HasTheCoefficientsOfTheTheory) {
  const SeriesExpansion<double> e = expansion_of(critical_law(), VectorXd::Zero(1));
  EXPECT_NEAR(e.outer(2.0, 2).head(3).cwiseAbs().maxCoeff(), 17.675, 5e-4);
  EXPECT_NEAR(e.outer_size(2).q, 17.675, 5e-4) << "the largest at T";
  const double epsilon = 0x1p-8;
  const std::vector<double> times = test::layered_times(2.0, epsilon);
  const auto terms = leading_terms_of_series({.system = system_of_knife_edge(),
                                              .state = start,
                                              .law = critical_law(),
                                              .eta0 = VectorXd::Zero(1),
                                              .end = 2.0});
  // The layer's peak at τ = 1 is a sample: |v − v̂|/ε → 0.91/e; λ begins with −Λ(0).
  const Motion leading = terms->at(epsilon, times, 0.0);
  EXPECT_NEAR(leading.v.cwiseAbs().maxCoeff(), epsilon * 0.91 / std::numbers::e, 1e-13);
  EXPECT_NEAR(leading.lambda(0, 0), 0.91, 1e-13);
  EXPECT_NEAR(leading.lambda.cwiseAbs().maxCoeff(), 0.91, 1e-13);
  // All differences begin at 0, except that of λ.
  EXPECT_LE(leading.q.col(0).norm() + leading.v.col(0).norm(), 1e-16);
}

// λ after the layer is special: its term in ε³ vanishes (measured order 4.00 at four ε).
TEST(KnifeEdgeExpansion, RemainderHasOneOrderMore) {
  for (const double damping_ratio : {1.0, 0.8})
    test::expect_remainders(knife_edge(damping_ratio, Spring::unloaded), {3.0, 2.0, 1.0},
                            {3.0, 3.0, 4.0});
}

// λ gains another order here (measured 3.00), and after the layer it meets the solver's error.
TEST(KnifeEdgeExpansion, RemainderHasOneOrderMoreFromAPreparedSpring) {
  for (const double damping_ratio : {1.0, 0.8})
    test::expect_remainders(knife_edge(damping_ratio, Spring::prepared), {3.0, 3.0, 3.0},
                            {3.0, 3.0, NAN});
}

TEST(KnifeEdgeExpansion, WrongExpansionsFail) {
  test::expect_controls_to_fail(knife_edge(1.0, Spring::unloaded));
}

// ‖measured‖/‖predicted‖ = 1 + O(ε). λ: both are Λ(0) at t = 0, exactly.
TEST(KnifeEdgeExpansion, NormsConvergeToThePredictedNormsLinearly) {
  const auto measured = knife_edge(1.0, Spring::unloaded);
  const auto terms = measured.leading();
  test::expect_orders(test::ratio_orders(measured.measured, *terms), {1.0, 1.0, NAN}, 0.15,
                      "ratio");
  const test::Triple left = test::ratio_error(measured.measured, *terms, 2);
  EXPECT_LT(left.q + left.v, 0.05);
  EXPECT_LT(left.lambda, 1e-10);
}

TEST(KnifeEdgeExpansion, RefusesInvalidInputs) {
  const VectorXd unloaded = VectorXd::Zero(1);
  const auto refusal = [&](const InitialState& from, const ViscoelasticLaw& law,
                           const VectorXd& eta0) -> std::string {
    try {
      expansion_of(law, eta0, from);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  using testing::HasSubstr;
  const MatrixXd one = unit_stiffness();
  EXPECT_EQ(refusal(start, critical_law(), unloaded), "accepted");
  EXPECT_THAT(refusal(start, {one, one, 1.5}, unloaded), HasSubstr("1.5"));
  EXPECT_THAT(refusal(start, {one, 0.0 * one}, unloaded), HasSubstr("damping"));
  EXPECT_THAT(refusal(start, {-one, one}, unloaded), HasSubstr("stiffness"));
  EXPECT_THAT(refusal(start, critical_law(), VectorXd::Zero(2)), HasSubstr("deflection 2"));
  EXPECT_THAT(refusal(start, critical_law(), VectorXd::Constant(1, NAN)), HasSubstr("nan"));
}

// A term below 1e-10 of the largest one counts as 0: the round-off of a preparation has no effect.
TEST(KnifeEdgeExpansion, SpringIsPreparedUpToRoundOff) {
  const auto order_with = [](double eta0) {
    return leading_terms_of_series({.system = system_of_knife_edge(),
                                    .state = start,
                                    .law = critical_law(),
                                    .eta0 = VectorXd::Constant(1, eta0),
                                    .end = 2.0})
        ->sup_orders(0.0)
        .v;
  };
  EXPECT_EQ(order_with(-0.91), 2.0);
  EXPECT_EQ(order_with(-0.91 + 1e-12), 2.0);
  EXPECT_EQ(order_with(-0.91 + 1e-6), 1.0);
}

}  // namespace
}  // namespace rigidlimit
