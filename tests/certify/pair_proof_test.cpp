// Tests the theorems of pairs against closed forms, the predicted terms, and motions.
#include "rigidlimit/certify/pair_proof.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "rigidlimit/asymptotics/leading_terms.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/catalogued_system.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf, testing::DoubleNear, testing::Ge, testing::Gt, testing::Le, testing::Lt;

/// A mass m held against the force m (1 + a t²/2): q' = v, w = v, Λ = m (1 + a t²/2), q̂ = v̂ = 0.
/// With the deflection η of m ε² η'' + D ε η' + C η = Λ, q = ε² η: K = max Λ/C and the leading term
/// of v is ε² Λ'/C.
struct HeldMass {
  static constexpr int nq = 1, n = 1, m = 1;
  double mass = 1.0, growth = 1.0;
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Matrix<S, n, n>(S(mass));
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&, const S& t) const {
    return Vector<S, n>(mass * (1.0 + 0.5 * growth * t * t));
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(1));
  }
};

constexpr double stiffness = 4.0, end = 2.0, after = 0.5;

ProofQuestion held_mass(double damping, double growth = 1.0) {
  const System system = make_system(HeldMass{.growth = growth});
  return {.pair = {.system = system.recorded,
                   .explicit_time = true,
                   .stiffness = MatrixXd::Constant(1, 1, stiffness),
                   .damping = MatrixXd::Constant(1, 1, damping),
                   .q = VectorXd::Zero(1),
                   .v = VectorXd::Zero(1),
                   .end = end},
          .after = after,
          .largest_epsilon = 0.01};
}

const ErrorTheorem& theorem_of(const ProofResult& result) {
  if (!result.theorem) throw std::runtime_error("not proved: " + result.reason);
  return *result.theorem;
}

MATCHER_P(Encloses, constant, "") {
  return arg.lower <= constant * (1.0 + 1e-15) && constant * (1.0 - 1e-15) <= arg.upper &&
         arg.upper - arg.lower <= 1e-7 * constant;
}

// K = max_t (1 + t²/2)/4 = 3/4 for q and max_t t/4 = 1/2 for v.
TEST(PairProof, EnclosesTheConstantsOfAHeldMass) {
  const PairTheorem theorem = proved(held_mass(4.0));
  EXPECT_THAT(theorem_of(theorem.q), Encloses(0.75));
  EXPECT_THAT(theorem_of(theorem.q_after), Encloses(0.75));
  EXPECT_THAT(theorem_of(theorem.v_after), Encloses(0.5));
  EXPECT_THAT(theorem_of(theorem.q).largest_epsilon, 0.01);
}

// Behind the layer η = (Λ − D ε Λ'/C − ε² (1 − D²/C) Λ''/C)/C exactly, since Λ is quadratic: at T
// the error is ε² (3/4 − ε D/8 − …). The theorem must allow it, and be at most twenty times as
// wide.
TEST(PairProof, AllowsTheExactErrorOfAHeldMass) {
  for (const double damping : {1.0, 4.0, 8.0}) {
    const ErrorTheorem theorem = theorem_of(proved(held_mass(damping)).q_after);
    for (const double epsilon : {1e-2, 1e-3, 1e-4}) {
      const double slope = end, curvature = 1.0, C = stiffness;
      const double error = epsilon * epsilon / C *
                           (3.0 - damping * epsilon * slope / C -
                            epsilon * epsilon * (1.0 - damping * damping / C) * curvature / C);
      EXPECT_THAT(error, AllOf(Ge(theorem.at_least(epsilon)), Le(theorem.at_most(epsilon))));
    }
    const double remainder = damping * end / (stiffness * stiffness);
    EXPECT_THAT(theorem.remainder, AllOf(Ge(remainder), Le(20.0 * remainder)));
  }
}

// A force that is 1e-3 larger has another constant.
TEST(PairProof, ExcludesASpoiltConstant) {
  const ErrorTheorem right = theorem_of(proved(held_mass(4.0)).q),
                     spoilt = theorem_of(proved(held_mass(4.0, 1.001)).q);
  EXPECT_THAT(spoilt.lower, Gt(right.upper));
}

// The layer of an undamped contact does not decay, that of a contact that pushes in the direction
// of sliding grows.
TEST(PairProof, RefusesALayerThatDoesNotDecay) {
  for (const double damping : {0.0, -1.0})
    EXPECT_THROW(proved(held_mass(damping)), std::domain_error);
}

// A window that begins with the layer has no theorem of v.
TEST(PairProof, NeedsAWindowBehindTheLayer) {
  ProofQuestion question = held_mass(4.0);
  question.after = 0.0;
  EXPECT_FALSE(proved(question).v_after.theorem);
}

/// A system of the catalogue at its default start, with critical damping.
struct OfCatalogue {
  explicit OfCatalogue(const char* name, double damping_ratio = 1.0)
      : entry(*find_system(builtin_systems(), name)),
        system(entry.make(entry.default_values())),
        start(entry.start(entry.default_values())) {
    const MatrixXd A = delassus(system, start.q);
    const MatrixXd C = MatrixXd::Identity(system.m, system.m);
    law = {C, damping_ratio * critical_damping(A, C), 1.0};
  }

  ProofQuestion question(bool prepared = false) const {
    return {.pair = {.system = system.recorded,
                     .explicit_time = system.explicit_time,
                     .stiffness = law.stiffness,
                     .damping = law.damping,
                     .q = start.q,
                     .v = start.v,
                     .end = end},
            .prepared = prepared,
            .after = after,
            .largest_epsilon = 0.01};
  }

  const SystemEntry& entry;
  System system;
  InitialState start;
  ViscoelasticLaw law;
};

// Solutions with C read its lower triangle, and its inverse is that of the whole.
TEST(PairProof, RefusesAStiffnessThatIsNotSymmetric) {
  const OfCatalogue of("rolling_coin");
  ProofQuestion question = of.question();
  question.pair.stiffness(0, 1) = 1e-15;
  EXPECT_THROW(proved(question), std::domain_error);
}

/// The predicted constants of q and v on [after, end], from the expansion in double precision.
struct Predicted {
  double q, v;
};
Predicted predicted(const OfCatalogue& of, bool prepared) {
  std::vector<double> times;
  constexpr int samples = 4000;
  for (int k = 0; k <= samples; ++k) times.push_back(after + (end - after) * k / samples);
  VectorXd eta0 = VectorXd::Zero(of.system.m);
  if (prepared)
    eta0 = of.law.stiffness.inverse() * test::kkt_at(of.system, of.start.q, of.start.v).multiplier;
  const auto terms = leading_terms_of_series(
      {.system = of.system, .state = of.start, .law = of.law, .eta0 = eta0, .end = end});
  constexpr double epsilon = 1e-3;
  const Motion motion = terms->at(epsilon, times, after);
  return {motion.q.cwiseAbs().maxCoeff() / (epsilon * epsilon),
          motion.v.cwiseAbs().maxCoeff() / (epsilon * epsilon)};
}

class PairProofOf : public testing::TestWithParam<const char*> {};

// The expansion in double precision is another computation of the constants: layer by layer, in the
// multipliers and with sampled maxima, within 1e-5 of the largest of 4000 samples.
TEST_P(PairProofOf, EnclosesThePredictedConstants) {
  for (const bool prepared : {false, true}) {
    const OfCatalogue of(GetParam());
    const PairTheorem theorem = proved(of.question(prepared));
    const Predicted constants = predicted(of, prepared);
    const ErrorTheorem q = theorem_of(theorem.q_after), v = theorem_of(theorem.v_after);
    EXPECT_THAT(0.5 * (q.lower + q.upper), DoubleNear(constants.q, 1e-5 * constants.q));
    EXPECT_THAT(0.5 * (v.lower + v.upper), DoubleNear(constants.v, 1e-5 * constants.v));
    EXPECT_GE(q.largest_epsilon, 0.002);
    EXPECT_GE(v.largest_epsilon, 0.002);
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, PairProofOf,
                         testing::Values("knife_edge", "chaplygin_sleigh", "wheel", "rolling_coin",
                                         "nonholonomic_particle", "turntable_ball"));

// ε₀ is reduced until the compliant motion stays in a tube.
TEST(PairProof, ReducesTheLargestEpsilon) {
  ProofQuestion question = OfCatalogue("chaplygin_sleigh").question();
  question.largest_epsilon = 1.0;
  const ErrorTheorem theorem = theorem_of(proved(question).v_after);
  EXPECT_THAT(theorem.largest_epsilon, AllOf(Lt(1.0), Ge(0.01)));
}

// Any damping ratio: the norm of the layer needs no eigenvectors.
TEST(PairProof, ProvesOtherDampingRatios) {
  for (const double ratio : {0.3, 0.7, 1.0 + 1e-9, 2.0}) {
    const OfCatalogue of("chaplygin_sleigh", ratio);
    const ErrorTheorem q = theorem_of(proved(of.question()).q_after);
    const double constant = predicted(of, false).q;
    EXPECT_THAT(0.5 * (q.lower + q.upper), DoubleNear(constant, 1e-5 * constant)) << ratio;
  }
}

}  // namespace
}  // namespace rigidlimit
