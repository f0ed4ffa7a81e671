// Behind the type-erased door stand the same functions.
#include "rigidlimit/formulations/pair_of.hpp"

#include <gmock/gmock.h>

#include "support/model_systems.hpp"
#include "support/random_state.hpp"

namespace rigidlimit {
namespace {

/// The particle, with a closed form that is recognisably its own.
struct ParticleWithFormula : test::NonholonomicParticle {
  std::optional<Motion> closed_form(const InitialState& start,
                                    const std::vector<double>& times) const {
    if (times.empty()) return std::nullopt;
    return Motion{.times = times, .q = start.q, .v = start.v, .lambda = MatrixXd::Ones(1, 1)};
  }
};

TEST(PairOf, AnswersAsTheFreeFunctionsDo) {
  const ParticleWithFormula sys;
  const PairOf<ParticleWithFormula> made(sys);
  const Pair& pair = made;
  test::RandomNumbers random(111);
  const InitialState state = test::sliding_state<ParticleWithFormula>(random);
  const Eigen::Vector3d q = state.q, v = state.v;
  EXPECT_EQ(pair.coordinates() * 100 + pair.velocities() * 10 + pair.contacts(), 331);
  EXPECT_EQ(pair.sliding_velocity(state)(0), (constraint(sys, q) * v)(0));
  EXPECT_EQ(pair.projected_velocity(state), projected_velocity(sys, q, v));
  EXPECT_EQ(pair.multiplier(state)(0), solve_kkt(sys, q, v, 0.0).multiplier(0));
  EXPECT_EQ(pair.delassus(q)(0, 0), delassus(sys, q)(0, 0));
  EXPECT_EQ(pair.energy(q, v), mechanical_energy(sys, q, v));
  EXPECT_EQ(pair.energy(q, v), v.squaredNorm());  // ½ · 2 · v², no potential
}

TEST(PairOf, GivesEachProblemFromTheSameStart) {
  const ParticleWithFormula sys;
  const PairOf<ParticleWithFormula> pair(sys);
  test::RandomNumbers random(112);
  const InitialState start = test::rolling_state(sys, random);
  const ViscoelasticLaw law{MatrixXd::Ones(1, 1), MatrixXd::Ones(1, 1)};
  const DaeProblem index2 = pair.rigid_index2(start).problem;
  const DaeProblem impulse = pair.rigid_impulse(start).problem;
  EXPECT_TRUE(index2.algebraic_variables_untested);
  EXPECT_FALSE(impulse.algebraic_variables_untested);
  const OdeProblem eliminated = pair.rigid_eliminated(start).problem;
  const OdeProblem compliant = pair.compliant(start, law, 0.1, VectorXd::Ones(1)).problem;
  EXPECT_EQ(eliminated.y0.size(), 6);
  EXPECT_EQ(compliant.y0.size(), 7);
  EXPECT_EQ(compliant.y0(6), 1.0);
  for (const VectorXd& y0 : {index2.y0, impulse.y0, eliminated.y0, compliant.y0}) {
    EXPECT_EQ(y0.head(3), start.q);
    EXPECT_EQ(y0.segment(3, 3), start.v);
  }
  // The names in tables are different words.
  EXPECT_NE(index2.name, impulse.name);
  EXPECT_NE(eliminated.name, compliant.name);
}

// (A system without one: tests/study/rigid_side_test.cpp, where it need not be instantiated.)
TEST(PairOf, HasTheClosedFormOfItsSystem) {
  test::RandomNumbers random(113);
  const PairOf<ParticleWithFormula> with(ParticleWithFormula{});
  const InitialState start = test::sliding_state<ParticleWithFormula>(random);
  ASSERT_TRUE(with.closed_form(start, {0.0}).has_value());
  EXPECT_EQ(with.closed_form(start, {0.0})->lambda(0, 0), 1.0);
  EXPECT_FALSE(with.closed_form(start, {}).has_value());
}

}  // namespace
}  // namespace rigidlimit
