// Tests viscoelastic rolling in constraint-adapted velocities: the same motion as in (q, v, η),
// exact derivatives, and changes of coordinates that keep the state of the body.
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/core/dense.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "rigidlimit/formulations/compliant/adapted_frame.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/adapted_systems.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;

struct Model {
  std::string name;
  std::function<System()> make;
  AdaptedOptions options = {};
  // random states are drawn near this q; empty: |q_i| ≤ 1
  VectorXd near = {};
};

class Adapted : public testing::TestWithParam<Model> {
 protected:
  System system = GetParam().make();
  Index nq = system.nq, n = system.n, m = system.m, natural_size = nq + n + m;
  RandomNumbers random{201};
  double epsilon = 0.25;
  ViscoelasticLaw law{random.positive_definite(m), random.positive_definite(m), 1.5};
  InitialState start = random_state();
  VectorXd eta0 = test::random_vector(random, m);
  MotionProblem<OdeProblem> rolling =
      compliant_adapted(system, start, law, epsilon, eta0, GetParam().options);
  const OdeProblem& ode = rolling.problem;
  /// The frame of the start: equals the frame of `ode` until that changes.
  AdaptedFrame frame{system, start.q, GetParam().options};
  Index free = frame.free(), r = frame.rank(), size = nq + free + 2 * r, fast_size = 2 * r;

  VectorXd rate(double t, const VectorXd& y) const {
    VectorXd f = VectorXd::Constant(size, 777.0);
    ode.rhs(t, y, f);
    return f;
  }
  VectorXd output(const VectorXd& y) const {
    VectorXd out = VectorXd::Constant(ode.output_size(), 777.0);
    ode.coordinates->output(0.0, y, out);
    return out;
  }
  /// (u, w_I) of B v.
  VectorXd without_exact(const VectorXd& Bv) const {
    VectorXd uw(free + r);
    uw << Bv.head(free), Bv.tail(r);
    return uw;
  }
  VectorXd adapted_velocities(const VectorXd& q, const VectorXd& v) const {
    return without_exact(frame.at(q) * v);
  }
  InitialState random_state() {
    const VectorXd& near = GetParam().near;
    if (near.size() == 0) return test::held_state(system, random);
    InitialState state{near + test::random_vector(random, nq, 0.1), test::random_vector(random, n)};
    // Off the invariants the restoring rate moves exact rows: E v = 0 along q' then differs between
    // (q, v) and (q, u, w), which contain no other v. A restoring step of a tenth of a second is a
    // Newton step.
    for (int i = 0; system.ne > 0 && i < 8; ++i) {
      VectorXd pull(nq);
      system.in<double>().restoring_rate(state.q, pull);
      state.q += 0.1 * pull;
    }
    return state;
  }
  VectorXd random_y() {
    const InitialState state = random_state();
    VectorXd y(size);
    y << state.q, adapted_velocities(state.q, state.v), test::random_vector(random, r);
    return y;
  }
  /// f from the natural formulation by differences, its error bound, and v'.
  struct NaturalRates {
    VectorXd f;
    double tolerance;
    VectorXd v_rate;
  };
  NaturalRates natural_rates(double t, const VectorXd& y) const {
    const OdeProblem natural = compliant_ode(system, start, law, epsilon, eta0).problem;
    const VectorXd qv_eta = output(y).head(natural_size);
    VectorXd qv_rate(natural_size);
    natural.rhs(t, qv_eta, qv_rate);
    const auto moved = [&](double tau) -> VectorXd {
      const VectorXd z = qv_eta + tau * qv_rate;
      return adapted_velocities(z.head(nq), z.segment(nq, n));
    };
    const double h = 1.0 / (64.0 * (1.0 + qv_rate.norm()));
    const auto numerical = test::central_difference(moved, 0.0, h);
    VectorXd f(size);
    // η' = H ζ', and row i of H that belongs to an independent contact is a unit vector.
    f << qv_rate.head(nq), numerical.value, VectorXd(qv_rate.tail(m))(frame.contacts().rows);
    // Two solves, with B and with M, in either formulation.
    const double rounding = 200.0 * unit_roundoff * condition_of_frame(y) * (1.0 + f.norm());
    return {f, rounding + 2.0 * numerical.bound, qv_rate.segment(nq, n)};
  }
  /// J agrees with differences, to their bound and 500 roundings of J (solves with B and M).
  /// Returns this tolerance.
  double expect_exact_jacobian(const VectorXd& y, double t) const {
    const auto at_t = [&](const VectorXd& z) { return rate(t, z); };
    const auto numerical = test::central_jacobian(at_t, y, 1.0 / 512.0);
    MatrixXd J = MatrixXd::Constant(size, size, 777.0);
    ode.jacobian(t, y, J);
    const double rounding = 500.0 * unit_roundoff * condition_of_frame(y) * J.cwiseAbs().maxCoeff();
    EXPECT_LE((J - numerical.value).cwiseAbs().maxCoeff(), numerical.bound + rounding);
    return numerical.bound + rounding;
  }
  MatrixXd contact_rows(const VectorXd& q) const {
    MatrixXd rows(system.ne + m, n);
    system.in<double>().constraints(q, rows);
    return rows.bottomRows(m);
  }
  double condition_of_frame(const VectorXd& y) const {
    const MatrixXd B = frame.at(y.head(nq));
    return B.norm() * inverse_of(B).norm();
  }
};

// S constant, T ≠ I, nq ≠ n, explicit t, m = 1; a Lagrangian, autonomous, m = 2; S(q); m = 3 of
// rank 2; an exact row, invariants and singular M.
INSTANTIATE_TEST_SUITE_P(
    Systems, Adapted,
    testing::Values(Model{"skate", test::skate}, Model{"two_contacts", test::two_contacts},
                    Model{"quasi_velocities", test::skate_with_quasi_velocities},
                    Model{"proportional_contacts", test::proportional_contacts},
                    Model{"bead_on_cylinder", test::bead_on_cylinder}),
    [](const testing::TestParamInfo<Model>& model) { return model.param.name; });

// y ↦ (q, v, η, w) by a solve with B: 50 roundings, amplified by cond B.
TEST_P(Adapted, OutputAtTheStartIsTheStart) {
  ASSERT_EQ(ode.output_size(), nq + n + 2 * m);
  const VectorXd out = output(ode.y0);
  const double tolerance = 50.0 * unit_roundoff * condition_of_frame(ode.y0) * 10.0;
  EXPECT_EQ(out.head(nq), start.q);
  EXPECT_LE((out.segment(nq, n) - start.v).norm(), tolerance);
  EXPECT_EQ(out.segment(nq + n, m), eta0);
  EXPECT_LE((out.tail(m) - contact_rows(start.q) * start.v).norm(), tolerance);
}

// Along the natural right-hand side (q', v', η') the adapted velocities B(q) v change at the rate
// d/dτ B(q + τ q')(v + τ v'), taken by differences.
TEST_P(Adapted, RightHandSideIsTheNaturalOneInOtherVariables) {
  for (int i = 0; i < 20; ++i) {
    const VectorXd y = random_y();
    const double t = random.uniform(0.0, 3.0);
    const auto [rates, tolerance, v_rate] = natural_rates(t, y);
    EXPECT_LE((rates - rate(t, y)).norm(), tolerance);
    // Negative control: without the rate of B the derivative differs.
    const VectorXd frozen = adapted_velocities(y.head(nq), v_rate);
    EXPECT_GT((frozen - rates.segment(nq, free + r)).norm(), 10.0 * tolerance);
  }
}

// λ of the motion is C η + D ε^(−β) G v of the natural formulation.
TEST_P(Adapted, MotionIsThatOfTheNaturalFormulation) {
  const auto natural = compliant_ode(system, start, law, epsilon, eta0);
  const VectorXd y = random_y();
  Solution adapted_solution, natural_solution;
  adapted_solution.times = natural_solution.times = {0.5};
  adapted_solution.states = output(y);
  natural_solution.states = output(y).head(natural_size);
  const Motion adapted = rolling.motion(adapted_solution);
  const Motion expected = natural.motion(natural_solution);
  const double tolerance =
      50.0 * unit_roundoff * condition_of_frame(y) * (1.0 + expected.lambda.norm());
  EXPECT_EQ(adapted.q, expected.q);
  EXPECT_EQ(adapted.v, expected.v);
  EXPECT_EQ(adapted.times, expected.times);
  EXPECT_LE((adapted.lambda - expected.lambda).norm(), tolerance);
  EXPECT_GT(expected.lambda.norm(), 1e3 * tolerance);
}

TEST_P(Adapted, JacobianIsTheDerivativeOfTheRightHandSide) {
  for (int i = 0; i < 5; ++i) {
    const VectorXd y = random_y();
    const double tolerance = expect_exact_jacobian(y, random.uniform(0.0, 3.0));
    // Negative control: with a frozen frame, v = B(q̄)⁻¹ (u, w), the first rows have no ∂v/∂q.
    MatrixXd J(size, size);
    ode.jacobian(0.0, y, J);
    EXPECT_GT(J.topLeftCorner(nq, nq).cwiseAbs().maxCoeff(), 1e2 * tolerance);
  }
}

TEST_P(Adapted, HasATimeDerivativeIffTheForceDependsOnTime) {
  ASSERT_EQ(static_cast<bool>(ode.time_derivative), system.explicit_time);
  if (!ode.time_derivative) return;
  const VectorXd y = random_y();
  const auto at_y = [&](double t) { return rate(t, y); };
  const auto numerical = test::central_difference(at_y, 0.9, 1.0 / 64.0);
  VectorXd dfdt = VectorXd::Constant(size, 777.0);
  ode.time_derivative(0.9, y, dfdt);
  const double tolerance =
      numerical.bound + 500.0 * unit_roundoff * condition_of_frame(y) * dfdt.norm();
  EXPECT_LE((dfdt - numerical.value).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_GT(dfdt.norm(), 1e3 * tolerance);  // negative control: zero fails
}

// The columns of (w_I, ζ): −P HᵀDH ε^(−β) + R, −P HᵀCH in the rows of u, P = S M⁻¹ G_Iᵀ; −A HᵀDH
// ε^(−β) + R, −A HᵀCH in those of w_I; 1/ε², 0 in those of ζ; R, 0 in those of q. The slow part R
// does not depend on ε: λ enters through (u, w)' = … − (P, A) λ alone. Rounding is relative to the
// largest entry.
TEST_P(Adapted, FastColumnsDifferFromTheJacobianByAnEpsilonIndependentPart) {
  const Index slow = size - fast_size;
  const VectorXd y = random_y();
  MatrixXd slow_part;
  for (const double eps : {1.0, 0.1, 0.01, 0.001}) {
    const OdeProblem problem =
        compliant_adapted(system, start, law, eps, eta0, GetParam().options).problem;
    ASSERT_TRUE(problem.splitting);
    MatrixXd J(size, size), stiff = MatrixXd::Constant(size, size, 777.0);
    problem.jacobian(0.3, y, J);
    problem.splitting->stiff_jacobian(0.3, y, stiff);
    EXPECT_EQ(stiff.leftCols(slow).cwiseAbs().maxCoeff(), 0.0);
    const MatrixXd fast = stiff.bottomRightCorner(fast_size, fast_size);
    const MatrixXd coupling = stiff.topRightCorner(slow, fast_size);
    MatrixXd rest = J.rightCols(fast_size);
    rest.topRows(slow) -= coupling;
    rest.bottomRows(fast_size) -= fast;
    const double tolerance = 500.0 * static_cast<double>(n) * unit_roundoff *
                             condition_of_frame(y) * fast.cwiseAbs().maxCoeff();
    EXPECT_LE(rest.rightCols(r).cwiseAbs().maxCoeff(), tolerance) << eps;
    EXPECT_EQ(rest.bottomRows(r).cwiseAbs().maxCoeff(), 0.0) << eps;
    EXPECT_EQ(coupling.topRows(nq).cwiseAbs().maxCoeff(), 0.0) << eps;
    if (eps == 1.0) slow_part = rest.leftCols(r);
    EXPECT_LE((rest.leftCols(r) - slow_part).cwiseAbs().maxCoeff(), tolerance) << eps;
    EXPECT_GT(coupling.cwiseAbs().maxCoeff(), 1e3 * tolerance);  // negative control: zero fails
  }
  // Negative control: the omitted slow part of fast and of slow rows is not zero.
  EXPECT_GT(slow_part.topRows(slow).norm(), 1e-3);
  EXPECT_GT(slow_part.middleRows(slow, r).norm(), 1e-3);
}

// New coordinates describe the same body: the output stays, and y_new = change · y_old. Rounding as
// above, for two frames.
TEST_P(Adapted, ChangeMapsOldToNewCoordinates) {
  const auto& coordinates = *ode.coordinates;
  const VectorXd y_old = random_y();
  VectorXd y = y_old;
  const VectorXd before = output(y_old);
  MatrixXd change = MatrixXd::Constant(size, size, 777.0);
  const bool moved = coordinates.rechoose(0.0, y, change);
  ASSERT_EQ(moved, !frame.natural());
  if (!moved) {
    EXPECT_EQ(y, y_old);
    EXPECT_EQ(change, MatrixXd::Constant(size, size, 777.0));
    return;
  }
  const double tolerance = 200.0 * unit_roundoff * condition_of_frame(y_old) * 10.0;
  EXPECT_LE((change * y_old - y).norm(), tolerance);
  EXPECT_LE((output(y) - before).norm(), tolerance);
  EXPECT_GT((y_old - y).norm(), 1e-3);  // negative control: the coordinates did change
  EXPECT_GT((output(y_old) - before).norm(), 1e-3);

  // Further columns: the same states of the body, which the product with `change` misses.
  coordinates.reset();
  MatrixXd states(size, 2), again(size, size);
  states << y_old, random_y();
  const VectorXd other = states.col(1), seen = output(other);
  ASSERT_TRUE(coordinates.rechoose(0.0, states, again));
  EXPECT_EQ(states.col(0), y);
  EXPECT_LE((output(states.col(1)) - seen).norm(),
            tolerance * std::max(1.0, condition_of_frame(other)));
  EXPECT_GT((output(again * other) - seen).norm(), 1e-6) << "negative control";

  // At q̄ the condition number is 1: a bound above it causes no further change.
  const VectorXd settled = y;
  EXPECT_FALSE(coordinates.rechoose(1.0 + 1e-6, y, change));
  EXPECT_EQ(y, settled);
  // reset() restores the start bit by bit.
  coordinates.reset();
  EXPECT_EQ(output(y_old), before);
}

/// Every system of the catalogue, near its start, with its natural rows S and with constant rows.
/// Negative controls are above: a system without drift, for example, is valid.
using AdaptedCatalogue = Adapted;

std::vector<Model> catalogued() {
  std::vector<Model> models;
  for (const SystemEntry& entry : builtin_systems())
    for (const bool natural : entry.rolls() ? std::vector{true, false} : std::vector<bool>())
      models.push_back({entry.info.name + (natural ? "" : "_with_constant_rows"),
                        [&entry] { return entry.make(entry.default_values()); },
                        {.natural = natural},
                        entry.start(entry.default_values()).q});
  return models;
}
INSTANTIATE_TEST_SUITE_P(Systems, AdaptedCatalogue, testing::ValuesIn(catalogued()),
                         [](const auto& model) { return model.param.name; });

TEST_P(AdaptedCatalogue, RightHandSideIsTheNaturalOneInOtherVariables) {
  for (int i = 0; i < 10; ++i) {
    const VectorXd y = random_y();
    const double t = random.uniform(0.0, 3.0);
    const NaturalRates natural = natural_rates(t, y);
    EXPECT_LE((natural.f - rate(t, y)).norm(), natural.tolerance);
    EXPECT_LT(natural.tolerance, 1e-6 * (1.0 + natural.f.norm()));
  }
}

TEST_P(AdaptedCatalogue, DerivativesAreThoseOfTheRightHandSide) {
  for (int i = 0; i < 3; ++i) expect_exact_jacobian(random_y(), random.uniform(0.0, 3.0));
}

}  // namespace
}  // namespace rigidlimit
