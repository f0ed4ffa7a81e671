// Tests the leading terms of a contact without damping on systems with variable M, G and forces.
#include <gtest/gtest.h>

#include <limits>

#include "rigidlimit/asymptotics/leading_terms.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/stop_request.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/expansion_checks.hpp"
#include "support/model_systems.hpp"
#include "support/random_state.hpp"

namespace rigidlimit {
namespace {

/// A contact that rings for the whole time, with its measured differences.
template <class Sys>
struct Ringing {
  System system = make_system(Sys{});
  test::RandomNumbers random{7};
  InitialState start = test::rolling_state(system, random);
  ViscoelasticLaw law{MatrixXd::Ones(1, 1), MatrixXd::Zero(1, 1), 1.0};
  VectorXd eta0 = VectorXd::Zero(1);
  test::MeasuredDifferences measured =
      test::measure(system, start, law, eta0, 1.0, {0x1p-6, 0x1p-7, 0x1p-8});

  std::unique_ptr<LeadingTerms> terms(double stiffness = 1.0) const {
    ViscoelasticLaw other = law;
    other.stiffness *= stiffness;
    return leading_terms_of_ringing(
        {.system = system, .state = start, .law = other, .eta0 = eta0, .end = 1.0});
  }
  test::Triple orders(const LeadingTerms& terms) const {
    return test::remainder_orders(measured, test::leading_of(terms), -1.0);
  }
};

template <class Sys>
class RingingContact : public testing::Test, public Ringing<Sys> {};
// T ≠ I, M, F and G of all variables and t; a given particle with a constant force.
using Systems = testing::Types<test::BodyFrameSkate, test::NonholonomicParticle>;
TYPED_TEST_SUITE(RingingContact, Systems);

// Remainders one order higher, over the whole time: amplitude, phase and the mean force on q₂ are
// right. 0.3: the next order is a fraction ε |x_{k+1}/x_k| of the remainder, up to 20 ε.
TYPED_TEST(RingingContact, RemainderHasOneOrderMore) {
  test::expect_orders(this->orders(*this->terms()), {3.0, 2.0, 1.0}, 0.3, "ringing");
}

TYPED_TEST(RingingContact, AnotherStiffnessFails) {
  const test::Triple orders = this->orders(*this->terms(1.05));
  EXPECT_LT(orders.v, 1.5) << "negative control";
  EXPECT_LT(orders.lambda, 0.5);
}

TEST(Ringing, AsksWhetherToStopWhileTheSlowMotionIsSolved) {
  const System system = make_system(test::NonholonomicParticle{});
  test::RandomNumbers random{7};
  long asked = 0, most = std::numeric_limits<long>::max();
  const auto terms =
      leading_terms_of_ringing({.system = system,
                                .state = test::rolling_state(system, random),
                                .law = {MatrixXd::Ones(1, 1), MatrixXd::Zero(1, 1), 1.0},
                                .eta0 = VectorXd::Zero(1),
                                .end = 1.0,
                                .stop_requested = [&] { return ++asked > most; }});
  const std::vector<double> times{0.0, 0.5, 1.0};
  most = asked + 3;
  EXPECT_THROW(terms->at(0.01, times, 0.0), Stopped);
  most = std::numeric_limits<long>::max();
  const long before = asked;
  EXPECT_EQ(terms->at(0.01, times, 0.0).times, times) << "control: nothing requests a stop";
  EXPECT_GT(asked, before + 5);
  // The slow motion of another ε and of other times is the same: it is not solved again.
  most = asked;
  EXPECT_EQ(terms->at(0.001, {0.0, 0.3}, 0.0).times.size(), 2u);
}

TEST(Ringing, RefusesOtherContacts) {
  const System two = make_system(test::TwoContacts{});
  test::RandomNumbers random{7};
  const MatrixXd one = MatrixXd::Identity(2, 2);
  EXPECT_THROW(leading_terms_of_ringing({.system = two,
                                         .state = test::rolling_state(two, random),
                                         .law = {one, 0.0 * one},
                                         .eta0 = VectorXd::Zero(2),
                                         .end = 1.0}),
               InputError);
}

}  // namespace
}  // namespace rigidlimit
