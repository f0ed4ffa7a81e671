// Tests enclosures of both motions of a pair against closed forms and against spoilt systems.
#include "rigidlimit/certify/enclosed_pair.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "rigidlimit/certify/enclosed_motions.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {
namespace {

using testing::Each, testing::Gt, testing::Le, testing::Lt;

using Quantity = EnclosedPair::Quantity;

std::array<BallVector, 3> compliant_at(const EnclosedPair& pair, double t) {
  return pair.motions().at(&EnclosedPair::Motions::Step::compliant, t);
}

std::array<BallVector, 3> rigid_at(const EnclosedPair& pair, double t) {
  return pair.motions().at(&EnclosedPair::Motions::Step::rigid, t);
}

constexpr std::array epsilons{1e-2, 1e-4, 1e-6};

/// A mass 1 held against the force 1 + a t²/2, with C = 4 and critical damping D = 4: q = ε² η,
/// ε² η'' + 4 ε η' + 4 η = 1 + a t²/2, at rest at the start.
struct HeldMass {
  static constexpr int nq = 1, n = 1, m = 1;
  double growth = 1.0, kink = 0.0;
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Matrix<S, n, n>(S(1));
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&, const S& t) const {
    using std::abs;
    return Vector<S, n>(S(1.0 + 0.5 * growth * t * t + kink * abs(t - 1.0)));
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(1));
  }
};

EnclosureQuestion held_mass(double epsilon, const HeldMass& mass = {}, double damping = 4.0) {
  return {.pair = {.system = make_system(mass).recorded,
                   .explicit_time = true,
                   .stiffness = MatrixXd::Constant(1, 1, 4.0),
                   .damping = MatrixXd::Constant(1, 1, damping),
                   .q = VectorXd::Zero(1),
                   .v = VectorXd::Zero(1),
                   .end = 2.0},
          .epsilon = epsilon,
          .deflection = VectorXd::Zero(1)};
}

/// η = (Λ − 4 ε Λ'/4 + 3 ε² Λ''/4)/4 + (A + B τ) e^(−2τ), τ = t/ε, and its derivative by τ, in
/// balls.
struct HeldMotion {
  Ball epsilon, growth = 1;
  Ball eta(const Ball& t) const {
    return particular(t) + (A() + B() * t / epsilon) * exp(Ball(-2) * t / epsilon);
  }
  Ball rate(const Ball& t) const {
    const Ball decay = exp(Ball(-2) * t / epsilon);
    return epsilon * growth * (t - epsilon) / Ball(4) +
           (B() - Ball(2) * (A() + B() * t / epsilon)) * decay;
  }

 private:
  Ball particular(const Ball& t) const {
    return (Ball(1) + growth * (t * t / Ball(2) - epsilon * t + Ball(0.75) * epsilon * epsilon)) /
           Ball(4);
  }
  Ball A() const { return -particular(Ball(0)); }
  Ball B() const { return Ball(2) * A() + epsilon * epsilon * growth / Ball(4); }
};

constexpr std::array times{0.0, 1e-7, 3e-6, 2e-4, 0.003, 0.02, 0.1, 0.5, 1.3, 1.999, 2.0};

TEST(EnclosedPair, EnclosesTheExactMotionOfAHeldMass) {
  for (const double epsilon : epsilons) {
    const EnclosedPair pair(held_mass(epsilon));
    const HeldMotion exact{Ball(epsilon)};
    EXPECT_THAT(pair.radii(), Each(Le(1e-15)));
    for (const double t : times) {
      const Ball eta = exact.eta(Ball(t)), f = exact.rate(Ball(t));
      const std::array<BallVector, 3> values = compliant_at(pair, t), rigid = rigid_at(pair, t);
      EXPECT_TRUE(values[0](0).contains(Ball(epsilon) * Ball(epsilon) * eta)) << t;
      EXPECT_TRUE(values[1](0).contains(Ball(epsilon) * f)) << t;
      EXPECT_TRUE(values[2](0).contains(Ball(4) * (eta + f))) << t;
      EXPECT_TRUE(rigid[0](0).contains(Ball(0))) << t;
      EXPECT_TRUE(rigid[2](0).contains(Ball(1) + Ball(t) * Ball(t) / Ball(2))) << t;
    }
  }
}

// A force off by 1e-10 changes q by 1e-10 ε²/8 and more, at t = 2.
TEST(EnclosedPair, ExcludesAHeldMassWithAnotherForce) {
  constexpr double spoilt = 1.0 + 1e-10;
  for (const double epsilon : epsilons) {
    const EnclosedPair pair(held_mass(epsilon));
    const HeldMotion other{Ball(epsilon), Ball(spoilt)};
    EXPECT_FALSE(
        compliant_at(pair, 2.0)[0](0).contains(Ball(epsilon) * Ball(epsilon) * other.eta(Ball(2))));
  }
}

// q − q̂ = ε² η grows behind the layer and is largest at t = 2, v at t = 2, and λ − Λ at t = 0,
// where it is 1. The square of η: by Simpson's rule with 2^14 intervals on [0.5, 2], where η is a
// polynomial of degree 2 up to e^(−100), so that the rule is exact for η² up to 1e-17.
TEST(EnclosedPair, EnclosesTheSizesOfTheDifferenceOfAHeldMass) {
  for (const double epsilon : epsilons) {
    const EnclosedPair pair(held_mass(epsilon));
    const HeldMotion exact{Ball(epsilon)};
    const auto expect_near = [](const Enclosure& found, double value) {
      EXPECT_THAT(found.lower, Le(value * (1.0 + 1e-15)));
      EXPECT_THAT(found.upper, Gt(value * (1.0 - 1e-15)));
      EXPECT_THAT(found.upper - found.lower, Le(1e-7 * value));
    };
    const double eta = exact.eta(Ball(2)).middle();
    expect_near(pair.largest(Quantity::q, -1, 0.0), epsilon * epsilon * eta);
    expect_near(pair.largest(Quantity::q, 0, 0.5), epsilon * epsilon * eta);
    expect_near(pair.largest(Quantity::v, -1, 0.5), epsilon * exact.rate(Ball(2)).middle());
    expect_near(pair.largest(Quantity::lambda, -1, 0.0), 1.0);
    constexpr int intervals = 1 << 14;
    Ball sum = 0;
    for (int k = 0; k <= intervals; ++k) {
      const Ball x = exact.eta(Ball(0.5) + Ball(1.5) * Ball(k) / Ball(intervals));
      sum += x * x * Ball(k == 0 || k == intervals ? 1 : k % 2 == 1 ? 4 : 2);
    }
    const Ball mean = sqrt(sum / Ball(3 * intervals));
    expect_near(pair.mean_square(Quantity::q, -1, 0.5), epsilon * epsilon * mean.middle());
  }
}

// The last step ends at a double, which may be behind the end. A window has the times from its
// begin to the end and no others.
TEST(EnclosedPair, WindowsHaveTheExactTimes) {
  constexpr double from = 0.3, end = 1.7;
  bool behind = false;
  for (const double epsilon : epsilons) {
    EnclosureQuestion question = held_mass(epsilon);
    question.pair.end = end;
    const EnclosedPair pair(question);
    const auto parts = pair.motions().parts_from(from);
    const auto middle = [&](const StepPart& part) {
      const EnclosedPair::Motions::Step& step = pair.motions().steps[part.step];
      return step.begin + step.half;
    };
    EXPECT_TRUE(middle(parts.front()) + parts.front().begin == Ball(from));
    EXPECT_TRUE(middle(parts.back()) + parts.back().end == Ball(end));
    const EnclosedPair::Motions::Step& last = pair.motions().steps.back();
    behind = behind || last.begin + last.half + last.half > Ball(end);
  }
  EXPECT_TRUE(behind) << "negative control: a step ends behind the end";
}

// The distance to a motion that is off by 1e-9 is 1e-9 up to the rounding of its doubles.
TEST(EnclosedPair, BoundsTheDistanceToAMotion) {
  constexpr double epsilon = 1e-3, off = 1e-9, rounding = 1e-15;
  const EnclosedPair pair(held_mass(epsilon));
  Motion motion{
      .times = {0.3, 1.7}, .q = MatrixXd(1, 2), .v = MatrixXd(1, 2), .lambda = MatrixXd(1, 2)};
  for (Index k = 0; k < 2; ++k) {
    const auto at = compliant_at(pair, motion.times[static_cast<std::size_t>(k)]);
    motion.q(0, k) = at[0](0).middle() + off;
    motion.v(0, k) = at[1](0).middle();
    motion.lambda(0, k) = at[2](0).middle();
  }
  const auto [least, most] = pair.compliant_distance(motion);
  for (const double x : least.q.reshaped()) EXPECT_NEAR(x, off, rounding);
  for (const double x : most.q.reshaped()) EXPECT_NEAR(x, off, rounding);
  for (const double x : most.v.reshaped()) EXPECT_THAT(x, Le(rounding));
  for (const double x : most.lambda.reshaped()) EXPECT_THAT(x, Le(rounding));
}

// Without damping nothing decays: η = 1/4 (1 − cos 2τ) for the force 1. At ε = 1e-2 the steps
// resolve the oscillation, at 1e-4 they would be too many.
TEST(EnclosedPair, ResolvesAnUndampedContactAtALargeEpsilonOnly) {
  constexpr double epsilon = 1e-2;
  const EnclosedPair pair(held_mass(epsilon, {.growth = 0.0}, 0.0));
  for (const double t : {0.01, 0.7, 2.0}) {
    const Ball eta = (Ball(1) - cos(Ball(2) * Ball(t) / Ball(epsilon))) / Ball(4);
    EXPECT_TRUE(compliant_at(pair, t)[0](0).contains(Ball(epsilon) * Ball(epsilon) * eta));
  }
  EXPECT_THAT(pair.radii()[0], Le(1e-12));
  EXPECT_THROW(EnclosedPair(held_mass(1e-4, {.growth = 0.0}, 0.0)), std::domain_error);
}

// The force has no derivative at t = 1.
TEST(EnclosedPair, RefusesAKink) {
  EXPECT_THROW(EnclosedPair(held_mass(1e-2, {.kink = 1.0})), std::domain_error);
}

TEST(EnclosedPair, StopsOnRequest) {
  EnclosureQuestion question = held_mass(1e-2);
  question.pair.stop_requested = [] { return true; };
  EXPECT_THROW(EnclosedPair{question}, ProofStopped);
}

EnclosureQuestion of_catalogue(const char* name, double epsilon, double spoilt = 1.0) {
  const SystemEntry& entry = *find_system(builtin_systems(), name);
  std::vector<double> values = entry.default_values();
  values.front() *= spoilt;
  const System system = entry.make(values);
  const InitialState start = entry.start(entry.default_values());
  const MatrixXd C = MatrixXd::Identity(system.m, system.m);
  return {.pair = {.system = system.recorded,
                   .explicit_time = system.explicit_time,
                   .stiffness = C,
                   .damping = critical_damping(delassus(system, start.q), C),
                   .q = start.q,
                   .v = start.v,
                   .t = start.t,
                   .end = 2.0},
          .epsilon = epsilon,
          .deflection = VectorXd::Zero(system.m)};
}

TEST(EnclosedPair, RefusesAStiffnessThatIsNotSymmetric) {
  EnclosureQuestion question = of_catalogue("rolling_coin", 1e-2);
  question.pair.stiffness(0, 1) = 1e-15;
  EXPECT_THROW(EnclosedPair{question}, std::domain_error);
}

class EnclosedPairOf : public testing::TestWithParam<const char*> {};

// The steps follow the motion and not ε: between 1e-2 and 1e-6 they grow by those of the layer.
TEST_P(EnclosedPairOf, HasNarrowBoundsInStepsThatDoNotDependOnEpsilon) {
  int steps = 0;
  for (const double epsilon : epsilons) {
    const EnclosedPair pair(of_catalogue(GetParam(), epsilon));
    EXPECT_THAT(pair.radii()[0], Le(1e-12));
    EXPECT_THAT(pair.radii()[1], Le(1.1e-12));
    EXPECT_THAT(pair.radii()[2], Le(1e-10));
    if (steps == 0) steps = pair.steps();
    EXPECT_THAT(pair.steps(), Lt(steps + 50));
    const auto [lower, upper] = pair.largest(Quantity::q, -1, 0.0);
    EXPECT_THAT(upper - lower, Le(1e-5 * lower));
  }
}

// The first parameter off by 1e-10 moves the rigid or the compliant motion out of the enclosure.
TEST_P(EnclosedPairOf, ExcludesASpoiltParameter) {
  constexpr double epsilon = 1e-2;
  const EnclosedPair pair(of_catalogue(GetParam(), epsilon)),
      spoilt(of_catalogue(GetParam(), epsilon, 1.0 + 1e-10));
  const auto all = [](const EnclosedPair& of) {
    return std::array{rigid_at(of, 1.9), compliant_at(of, 1.9)};
  };
  bool apart = false;
  const auto a = all(pair), b = all(spoilt);
  for (std::size_t side = 0; side < a.size(); ++side)
    for (std::size_t k = 0; k < a[side].size(); ++k)
      for (Index i = 0; i < a[side][k].size(); ++i) {
        const Ball difference = a[side][k](i) - b[side][k](i);
        apart = apart || !difference.contains(Ball(0));
      }
  EXPECT_TRUE(apart);
}

INSTANTIATE_TEST_SUITE_P(Systems, EnclosedPairOf,
                         testing::Values("knife_edge", "chaplygin_sleigh", "rolling_coin",
                                         "turntable_ball", "race_roller", "rolling_disk"));

}  // namespace
}  // namespace rigidlimit
