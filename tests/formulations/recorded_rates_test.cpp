// Tests that the tapes of a problem are its right-hand side and Jacobian.
#include "rigidlimit/formulations/recorded_rates.hpp"

#include <gmock/gmock.h>

#include <span>

#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/central_difference.hpp"
#include "support/model_systems.hpp"
#include "support/random_state.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;

/// The largest difference of f and ∂f/∂y from those of the tapes near the start, relative to the
/// largest entry.
double difference(const OdeProblem& problem, const RateTapes& tapes, const VectorXd& p = {}) {
  const Index size = problem.y0.size();
  RandomNumbers random{17};
  const double t = 0.3;
  if (problem.coordinates) problem.coordinates->reset();
  VectorXd y = problem.y0, f(size), f_taped(size);
  for (double& x : y) x += 0.01 * random.uniform();
  MatrixXd J(size, size), J_taped(size, size);
  problem.rhs(t, y, f);
  problem.jacobian(t, y, J);
  const Evaluator<double> rate(tapes.rate), jacobian(tapes.jacobian);
  rate(into(f_taped), y, std::span(&t, 1), p);
  jacobian(into(J_taped), y, std::span(&t, 1), p);
  return std::max((f - f_taped).cwiseAbs().maxCoeff() / f.cwiseAbs().maxCoeff(),
                  (J - J_taped).cwiseAbs().maxCoeff() / J.cwiseAbs().maxCoeff());
}

template <class Sys>
class RecordedRates : public testing::Test {
 protected:
  System system = make_system(Sys{});
  RandomNumbers random{29};
  InitialState start = test::rolling_state(system, random);
  ViscoelasticLaw law{random.positive_definite(system.m), random.positive_definite(system.m), 1.0};
  VectorXd eta0 = VectorXd::Constant(system.m, 0.2);
};

// T ≠ I with an explicit t; a Lagrangian with two contacts.
using Systems = testing::Types<test::BodyFrameSkate, test::TwoContacts>;
TYPED_TEST_SUITE(RecordedRates, Systems);

// Both evaluate the same formulas in another order: some hundred roundings, each of up to 1/ε² =
// 100 times the result.
TYPED_TEST(RecordedRates, AreThoseOfTheProblem) {
  constexpr double tolerance = 1e4 * unit_roundoff;
  for (const OdeProblem& problem :
       {compliant_ode(this->system, this->start, this->law, 0.1, this->eta0).problem,
        compliant_adapted(this->system, this->start, this->law, 0.1, this->eta0).problem,
        rigid_eliminated(this->system, this->start).problem,
        rigid_reduced(this->system, this->start).problem}) {
    ASSERT_TRUE(problem.recorded) << problem.name;
    EXPECT_LT(difference(problem, problem.recorded()), tolerance) << problem.name;
  }
}

TYPED_TEST(RecordedRates, ForAnyLawTakeItAsAnArgument) {
  ViscoelasticLaw law = this->law;
  law.damping_exponent = 0.7;
  const double epsilon = 0.1;
  const auto problem = compliant_ode(this->system, this->start, law, epsilon, this->eta0).problem;
  const RateTapes tapes = recorded_natural_for_any_law(this->system);
  VectorXd p(2 + law.stiffness.size() + law.damping.size());
  p << epsilon, law.damping_exponent, law.stiffness.reshaped(), law.damping.reshaped();
  EXPECT_LT(difference(problem, tapes, p), 1e4 * unit_roundoff);
  p(1) = 0.8;
  EXPECT_GT(difference(problem, tapes, p), 1e-3);
}

TYPED_TEST(RecordedRates, OfAnotherEpsilonDiffer) {
  const auto problem = compliant_ode(this->system, this->start, this->law, 0.1, this->eta0).problem;
  EXPECT_GT(difference(problem, recorded_natural(this->system, this->law, 0.11)), 1e-3);
}

}  // namespace
}  // namespace rigidlimit
