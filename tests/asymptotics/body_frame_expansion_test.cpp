// Tests the expansion where T ≠ I is not square and M, F, G, T and t all matter.
#include <gtest/gtest.h>

#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/expansion_checks.hpp"
#include "support/model_systems.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::BodyFrameSkate;
using test::ExpansionCase;
using test::Spring;

ExpansionCase skate(double damping_ratio, Spring spring) {
  test::RandomNumbers random(5);
  const System system = make_system(BodyFrameSkate{});
  const VectorXd q = random.vector<4>(), v = random.vector<3>(-2.0, 2.0);
  const InitialState start{q, projected_velocity<double>(system, independent_contacts(1), q, v)};
  const ViscoelasticLaw law = test::damped_law(system, start, MatrixXd::Ones(1, 1), damping_ratio);
  return {system, start, law, spring, 1.0};
}

TEST(BodyFrameExpansion, RemainderHasOneOrderMore) {
  for (const double damping_ratio : {1.0, 0.8})
    test::expect_remainders(skate(damping_ratio, Spring::unloaded), {3.0, 2.0, 1.0},
                            {3.0, 3.0, 3.0});
}

TEST(BodyFrameExpansion, RemainderHasOneOrderMoreFromAPreparedSpring) {
  for (const double damping_ratio : {1.0, 0.8})
    test::expect_remainders(skate(damping_ratio, Spring::prepared), {3.0, 3.0, 2.0},
                            {3.0, 3.0, 3.0});
}

TEST(BodyFrameExpansion, WrongExpansionsFail) {
  test::expect_controls_to_fail(skate(1.0, Spring::unloaded));
}

}  // namespace
}  // namespace rigidlimit
