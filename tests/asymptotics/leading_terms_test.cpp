// Tests the leading terms on a one-dimensional contact with a known solution.
#include "rigidlimit/asymptotics/leading_terms.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "rigidlimit/asymptotics/layer.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"

namespace rigidlimit {
namespace {

constexpr double stiffness = 2.0, damping = 1.5;

/// A unit mass held by a contact against the force F(t) = 1 + a sin t: q = ε² η, G = 1, Λ = F.
struct HeldMass {
  static constexpr int nq = 1, n = 1, m = 1;
  double a = 1.0;
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Matrix<S, n, n>(S(1));
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&, const S& t) const {
    using std::sin;
    return Vector<S, n>(1.0 + a * sin(t));
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(1));
  }
};
const System& held(double a) {
  static const System constant = make_system(HeldMass{0.0}), varying = make_system(HeldMass{1.0});
  return a == 0.0 ? constant : varying;
}

CompliantStart start_of(double a, double eta0, double beta = 1.0, double v0 = 0.0) {
  return {.system = held(a),
          .state = {VectorXd::Zero(1), VectorXd::Constant(1, v0)},
          .law = {MatrixXd::Constant(1, 1, stiffness), MatrixXd::Constant(1, 1, damping), beta},
          .eta0 = VectorXd::Constant(1, eta0),
          .end = 2.0};
}

/// x'' + D x' + C x = 0 from (x, x')(0) = start, underdamped: (x, x').
Eigen::Vector2d layer(const Eigen::Vector2d& start, double tau) {
  const double a = 0.5 * damping, w = std::sqrt(stiffness - a * a);
  const double c = std::cos(w * tau), s = std::sin(w * tau) / w;
  const double x = start(0), dx = start(1);
  return std::exp(-a * tau) *
         Eigen::Vector2d(x * c + (dx + a * x) * s, dx * c - (stiffness * x + a * dx) * s);
}

const std::vector<double> grid{0.0, 0.01, 0.1, 0.5, 1.0, 2.0};
constexpr double epsilon = 0.125;
// The layer's grid resolves its functions to 1e-14 of their size.
constexpr double tolerance = 1e-12;

// By hand v₂ = C⁻¹F', q₂ = e₀ + C⁻¹(F − F(0)), λ₂ = −v₂' = −C⁻¹F''; the layer is one of x above,
// from (−e₀, 0).
TEST(LeadingTerms, AreThoseOfAnUnloadedSpring) {
  const double eta0 = 0.1, e0 = 1.0 / stiffness - eta0, e2 = epsilon * epsilon;
  const auto terms = leading_terms_of_series(start_of(1.0, eta0));
  const Motion leading = terms->at(epsilon, grid, 0.0), late = terms->at(epsilon, grid, 0.1);
  for (Index k = 0; k < std::ssize(grid); ++k) {
    const double t = grid[static_cast<std::size_t>(k)];
    const Eigen::Vector2d x = layer({-e0, 0.0}, t / epsilon);
    EXPECT_NEAR(leading.q(0, k), e2 * (e0 + std::sin(t) / stiffness + x(0)), tolerance);
    EXPECT_NEAR(leading.v(0, k), epsilon * x(1), tolerance);
    EXPECT_NEAR(leading.lambda(0, k), stiffness * x(0) + damping * x(1), tolerance);
  }
  // Behind t = 0.1 no layer begins: the outer terms lead. At T the layer has decayed.
  EXPECT_NEAR(late.v(0, 5), e2 * std::cos(2.0) / stiffness, 1e-4 * e2);
  EXPECT_NEAR(late.lambda(0, 5), e2 * std::sin(2.0) / stiffness, 1e-3 * e2);
}

TEST(LeadingTerms, AreThoseOfAPreparedSpring) {
  const Motion leading =
      leading_terms_of_series(start_of(1.0, 1.0 / stiffness))->at(epsilon, grid, 0.0);
  const double e2 = epsilon * epsilon;
  for (Index k = 0; k < std::ssize(grid); ++k) {
    const double t = grid[static_cast<std::size_t>(k)];
    const Eigen::Vector2d x =
        layer({damping / (stiffness * stiffness), -1.0 / stiffness}, t / epsilon);
    EXPECT_NEAR(leading.q(0, k), e2 * std::sin(t) / stiffness, tolerance);
    EXPECT_NEAR(leading.v(0, k), e2 * (std::cos(t) / stiffness + x(1)), tolerance);
    EXPECT_NEAR(leading.lambda(0, k), epsilon * (stiffness * x(0) + damping * x(1)), tolerance);
  }
}

// G v(0) = w₀: η_{−1}, and with it q₁ = η_{−1}, swings like x from (0, w₀).
TEST(LeadingTerms, AreThoseOfASlidingStart) {
  const double w0 = 0.3;
  const auto terms = leading_terms_of_series(start_of(1.0, 0.0, 1.0, w0));
  const Motion leading = terms->at(epsilon, grid, 0.0);
  for (Index k = 0; k < std::ssize(grid); ++k) {
    const double t = grid[static_cast<std::size_t>(k)];
    const Eigen::Vector2d x = layer({0.0, w0}, t / epsilon);
    EXPECT_NEAR(leading.q(0, k), epsilon * x(0), tolerance);
    EXPECT_NEAR(leading.v(0, k), x(1), tolerance);
    EXPECT_NEAR(leading.lambda(0, k), (stiffness * x(0) + damping * x(1)) / epsilon, 1e-11);
  }
}

// Under a constant force the difference is the frozen layer exactly, for every β: q = ε² η with
// η'' + D ε^(1−β) η' + C η = F in τ.
TEST(LeadingTerms, OfTheFrozenLayerAreExactForAConstantForce) {
  for (const double beta : {0.25, 0.5, 1.0, 1.5}) {
    const auto terms = leading_terms_of_frozen_layer(start_of(0.0, 0.0, beta));
    const Motion leading = terms->at(epsilon, grid, 0.0);
    const MatrixXd one = MatrixXd::Ones(1, 1);
    const Layer exact(one, stiffness * one, damping * std::pow(epsilon, 1.0 - beta) * one,
                      Eigen::Vector2d(-1.0 / stiffness, 0.0));
    for (Index k = 0; k < std::ssize(grid); ++k) {
      const VectorXd x = exact.state(grid[static_cast<std::size_t>(k)] / epsilon);
      EXPECT_NEAR(leading.q(0, k), epsilon * epsilon * (1.0 / stiffness + x(0)), tolerance);
      EXPECT_NEAR(leading.v(0, k), epsilon * x(1), tolerance);
    }
  }
  // Negative control: another exponent is another motion.
  const Motion a = leading_terms_of_frozen_layer(start_of(0.0, 0.0, 0.5))->at(epsilon, grid, 0.0),
               b = leading_terms_of_frozen_layer(start_of(0.0, 0.0, 0.6))->at(epsilon, grid, 0.0);
  EXPECT_GT((a.v - b.v).norm(), 1e-3 * a.v.norm());
}

// β = 2, μ = ε²: w = μ η', D η_0' = F − C η_0, and w_1 decays like e^(−D t/μ). For F = 1,
// η_0 = C⁻¹ (1 − e^(−C t/D)), q_1 = η_0, v_1 = η_0' (1 → layer), λ − Λ = −e^(−D t/μ).
TEST(LeadingTerms, OfDampingExponentTwo) {
  const double small = 0.05, mu = small * small;
  const Motion leading = leading_terms_of_series(start_of(0.0, 0.0, 2.0))->at(small, grid, 0.0);
  for (Index k = 0; k < std::ssize(grid); ++k) {
    const double t = grid[static_cast<std::size_t>(k)], gone = std::exp(-damping * t / mu),
                 slow = std::exp(-stiffness * t / damping);
    EXPECT_NEAR(leading.q(0, k), mu * (1.0 - slow) / stiffness, tolerance);
    EXPECT_NEAR(leading.v(0, k), mu * (slow - gone) / damping, tolerance);
    EXPECT_NEAR(leading.lambda(0, k), -gone, tolerance);
  }
}

// docs/theory.md, section 2; a term of size ε^k in a layer of width ε has a mean square ε^(2k+1).
TEST(LeadingTerms, HaveTheOrdersOfTheTheory) {
  const auto numbers = [](const LeadingOrders& o) { return std::vector{o.q, o.v, o.lambda}; };
  using testing::ElementsAre;
  const auto unloaded = leading_terms_of_series(start_of(1.0, 0.0)),
             prepared = leading_terms_of_series(start_of(1.0, 1.0 / stiffness)),
             sliding = leading_terms_of_series(start_of(1.0, 0.0, 1.0, 0.3)),
             slow = leading_terms_of_series(start_of(1.0, 0.0, 2.0));
  EXPECT_THAT(numbers(unloaded->sup_orders(0.0)), ElementsAre(2.0, 1.0, 0.0));
  EXPECT_THAT(numbers(unloaded->l2_orders(0.0)), ElementsAre(2.0, 1.5, 0.5));
  EXPECT_THAT(numbers(unloaded->sup_orders(0.1)), ElementsAre(2.0, 2.0, 2.0));
  EXPECT_THAT(numbers(prepared->sup_orders(0.0)), ElementsAre(2.0, 2.0, 1.0));
  EXPECT_THAT(numbers(prepared->l2_orders(0.0)), ElementsAre(2.0, 2.0, 1.5));
  EXPECT_THAT(numbers(sliding->sup_orders(0.0)), ElementsAre(1.0, 0.0, -1.0));
  EXPECT_THAT(numbers(sliding->l2_orders(0.0)), ElementsAre(1.5, 0.5, -0.5));
  EXPECT_THAT(numbers(slow->sup_orders(0.0)), ElementsAre(2.0, 2.0, 0.0));
  EXPECT_THAT(numbers(slow->l2_orders(0.0)), ElementsAre(2.0, 2.0, 1.0));
  const auto stiff = leading_terms_of_frozen_layer(start_of(1.0, 0.0, 1.5)),
             weak = leading_terms_of_frozen_layer(start_of(1.0, 0.0, 0.5));
  EXPECT_THAT(numbers(stiff->sup_orders(0.0)), ElementsAre(2.0, 1.5, 0.0));
  EXPECT_THAT(numbers(stiff->l2_orders(0.0)), ElementsAre(2.0, 1.75, 0.25));
  EXPECT_THAT(numbers(weak->sup_orders(0.0)), ElementsAre(2.0, 1.0, 0.0));
  EXPECT_THAT(numbers(weak->l2_orders(0.0)), ElementsAre(2.0, 1.25, 0.25));
}

// C → s² C, D → s D, η0 → η0/s² and ε → s ε leave the contact as it is. s is a power of 2, so that
// scaled terms differ by the rounding of pow() and of the layer's grid, 1e-13 of their size.
TEST(LeadingTerms, DoNotDependOnTheUnitOfEpsilon) {
  for (const double eta0 : {0.0, 1.0 / stiffness, (1.0 + 1e-6) / stiffness}) {
    const CompliantStart one = start_of(1.0, eta0);
    const auto expected = leading_terms_of_series(one);
    const Motion there = expected->at(epsilon, grid, 0.0);
    for (const double s : {0x1p-23, 0x1p-10, 0x1p17}) {
      CompliantStart scaled = one;
      scaled.law.stiffness *= s * s;
      scaled.law.damping *= s;
      scaled.eta0 /= s * s;
      const auto terms = leading_terms_of_series(scaled);
      for (const double from : {0.0, 0.1}) {
        const LeadingOrders a = expected->sup_orders(from), b = terms->sup_orders(from);
        EXPECT_EQ(std::vector({b.q, b.v, b.lambda}), std::vector({a.q, a.v, a.lambda})) << s;
      }
      const Motion here = terms->at(s * epsilon, grid, 0.0);
      EXPECT_LT((here.q - there.q).norm(), 1e-11 * there.q.norm()) << s;
      EXPECT_LT((here.v - there.v).norm(), 1e-11 * there.v.norm()) << s;
      EXPECT_LT((here.lambda - there.lambda).norm(), 1e-11 * there.lambda.norm()) << s;
      EXPECT_NEAR(terms->layer_share(s * epsilon), expected->layer_share(epsilon), 1e-12);
    }
    // Negative control: a millionth of the load that is missing is no rounding, in any unit.
    EXPECT_EQ(expected->sup_orders(0.0).v, eta0 == 1.0 / stiffness ? 2.0 : 1.0);
  }
}

// The remainder of the composite of order K begins with the first term behind K that is not zero:
// from a rolling start q_1 = 0, behind the layer v_1 = 0, with a prepared spring v_1 = 0
// everywhere.
TEST(FirstTerms, SkipTermsThatVanish) {
  const auto remainder = [](double eta0, int K, double from) {
    const CompliantStart s = start_of(1.0, eta0);
    const SeriesExpansion<double> series(s.system, s.state, s.law, s.eta0, K + 2, s.end);
    const LeadingOrders o = FirstTerms(series, K + 1, from).sup();
    return std::vector{o.q, o.v, o.lambda};
  };
  using testing::ElementsAre;
  EXPECT_THAT(remainder(0.0, 0, 0.0), ElementsAre(2.0, 1.0, 1.0));
  EXPECT_THAT(remainder(0.0, 0, 0.1), ElementsAre(2.0, 2.0, 2.0));
  EXPECT_THAT(remainder(1.0 / stiffness, 0, 0.0), ElementsAre(2.0, 2.0, 1.0));
}

TEST(LeadingTerms, RefuseOtherStartsAndExponents) {
  EXPECT_THROW(leading_terms_of_series(start_of(1.0, 0.0, 0.5)), InputError);
  EXPECT_THROW(leading_terms_of_frozen_layer(start_of(1.0, 0.0, 2.0)), InputError);
  EXPECT_THROW(leading_terms_of_frozen_layer(start_of(1.0, 0.0, 0.5, 0.3)), InputError);
  EXPECT_THROW(leading_terms_of_frozen_layer(start_of(1.0, 1.0 / stiffness, 0.5)), InputError);
  const auto terms = leading_terms_of_series(start_of(1.0, 0.0));
  for (const double none : {0.0, -0.1, std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_THROW(terms->at(none, grid, 0.0), InputError);
}

}  // namespace
}  // namespace rigidlimit
