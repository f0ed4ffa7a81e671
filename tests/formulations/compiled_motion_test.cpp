// Compiled equations are the same functions as those that every system has.
#include "rigidlimit/formulations/compiled_motion.hpp"

#include <gtest/gtest.h>

#include "rigidlimit/core/batched_rate.hpp"
#include "rigidlimit/formulations/adapted.hpp"
#include "rigidlimit/formulations/rigid_reduced.hpp"
#include "rigidlimit/mechanics/quasi_velocity_equations_of.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/chaplygin_sleigh.hpp"
#include "rigidlimit/systems/rolling_disk.hpp"
#include "support/adapted_systems.hpp"
#include "support/catalogued_system.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;

// Entries of f and ∂f/∂y are sums of at most some hundred products; what is compared took different
// ways to the same sums.
constexpr double roundings = 1e3 * unit_roundoff;

double distance(const MatrixXd& a, const MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / (1.0 + b.cwiseAbs().maxCoeff());
}

class Compiled : public testing::TestWithParam<const char*> {
 protected:
  const SystemEntry& entry = *find_system(builtin_systems(), GetParam());
  System system = entry.make(entry.default_values());
  System erased = [this] {
    System copy = system;
    copy.compiled = nullptr;
    return copy;
  }();
  RandomNumbers random{77};
  InitialState start = test::rolling_state(system, random);
  ViscoelasticLaw law{random.positive_definite(system.m), random.positive_definite(system.m), 1.0};
  double epsilon = 0.2;

  OdeProblem compliant(const System& of) const {
    return compliant_adapted(of, start, law, epsilon, VectorXd::Ones(system.m)).problem;
  }
  VectorXd random_y(const OdeProblem& ode) {
    VectorXd y = test::random_vector(random, ode.y0.size());
    y.head(system.nq) *= 0.9;
    return y;
  }
};

TEST_P(Compiled, IsThere) {
  EXPECT_NE(system.compiled, nullptr);
  EXPECT_NE(compliant(system).batched, nullptr);
  EXPECT_EQ(compliant(erased).batched, nullptr);
}

TEST_P(Compiled, RateJacobianAndFastBlockAreTheErasedOnes) {
  const OdeProblem fast = compliant(system), slow = compliant(erased);
  const Index size = fast.y0.size(), m = system.m;
  EXPECT_LE(distance(fast.y0, slow.y0), 0.0);
  for (int k = 0; k < 10; ++k) {
    const VectorXd y = random_y(fast);
    VectorXd f(size), f_slow(size);
    fast.rhs(0.0, y, f);
    slow.rhs(0.0, y, f_slow);
    EXPECT_LE(distance(f, f_slow), roundings);
    MatrixXd J(size, size), J_slow(size, size);
    fast.jacobian(0.0, y, J);
    slow.jacobian(0.0, y, J_slow);
    EXPECT_LE(distance(J, J_slow), roundings);
    MatrixXd block(2 * m, 2 * m), block_slow = block;
    fast.fast->jacobian(y, block);
    slow.fast->jacobian(y, block_slow);
    EXPECT_LE(distance(block, block_slow), roundings);
    MatrixXd coupling(size - 2 * m, 2 * m), coupling_slow = coupling;
    fast.fast->coupling(y, coupling);
    slow.fast->coupling(y, coupling_slow);
    EXPECT_LE(distance(coupling, coupling_slow), roundings);
  }
}

TEST_P(Compiled, RollingIsTheReducedSystem) {
  const OdeProblem fast = rigid_reduced<double>(system, start).problem;
  const OdeProblem slow = rigid_reduced<double>(erased, start).problem;
  const Index size = fast.y0.size();
  for (int k = 0; k < 10; ++k) {
    const VectorXd y = random_y(fast);
    VectorXd f(size), f_slow(size);
    fast.rhs(0.0, y, f);
    slow.rhs(0.0, y, f_slow);
    EXPECT_LE(distance(f, f_slow), roundings);
    MatrixXd J(size, size), J_slow(size, size);
    fast.jacobian(0.0, y, J);
    slow.jacobian(0.0, y, J_slow);
    EXPECT_LE(distance(J, J_slow), roundings);
  }
}

// Eight states at once against one at a time, near the state of the chart.
TEST_P(Compiled, EightStatesAtOnceAreEightStates) {
  const OdeProblem ode = compliant(system);
  const BatchedRate& batched = *ode.batched;
  const Index moving = batched.slow + batched.fast, m = system.m;
  const VectorXd middle = random_y(ode);
  MatrixXd states(moving, 8), lambda(m, 8);
  for (Index lane = 0; lane < 8; ++lane) {
    states.col(lane) = middle.head(moving) + 0.1 * test::random_vector(random, moving);
    lambda.col(lane) = test::random_vector(random, m);
  }
  std::vector<Pack> state(static_cast<std::size_t>(moving)), force(static_cast<std::size_t>(m));
  std::vector<Pack> rate(state.size());
  const auto in_packs = [](const MatrixXd& rows, std::vector<Pack>& packs) {
    for (std::size_t i = 0; i < packs.size(); ++i) {
      const Eigen::RowVectorXd row = rows.row(static_cast<Index>(i));
      packs[i] = Pack::load(row.data());
    }
  };
  in_packs(states, state);
  in_packs(lambda, force);
  MatrixXd P(moving, m);
  const BatchedRate::Chart chart = batched.response(middle.data(), P);
  batched.rates(chart, state.data(), force.data(), rate.data());
  for (Index lane = 0; lane < 8; ++lane) {
    VectorXd alone(moving), found(moving);
    const VectorXd one = states.col(lane), push = lambda.col(lane);
    system.compiled->rates(one.data(), push.data(), alone.data());
    for (Index i = 0; i < moving; ++i)
      found(i) = rate[static_cast<std::size_t>(i)][static_cast<std::size_t>(lane)];
    EXPECT_LE(distance(found, alone), roundings) << "lane " << lane;
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, Compiled,
                         testing::Values("knife_edge", "chaplygin_sleigh", "rolling_disk"),
                         [](const auto& test) { return std::string(test.param); });

/// The sleigh without what its author inverted by hand.
struct PlainSleigh {
  static constexpr int nq = 3, n = 3, m = 1;
  ChaplyginSleigh sleigh;
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>& q) const {
    return sleigh.mass_matrix(q);
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    return sleigh.force(q, v);
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    return sleigh.constraint(q);
  }
  template <class S>
  Matrix<S, n - m, n> quasi_velocities(const Vector<S, nq>& q) const {
    return sleigh.quasi_velocities(q);
  }
};

/// The sleigh with an inverse that is none: the sliding velocity with the wrong sign.
struct FaultySleigh : PlainSleigh {
  template <class S>
  Vector<S, n> velocity(const Vector<S, nq>& q, const Vector<S, n - m>& u,
                        const Vector<S, m>& w) const {
    return sleigh.velocity(q, u, Vector<S, m>(-w));
  }
};

TEST(CompiledByElimination, IsWhatTheInversesByHandGiveAndAWrongInverseIsNot) {
  const QuasiVelocityEquationsOf<ChaplyginSleigh> by_hand{ChaplyginSleigh{}};
  const QuasiVelocityEquationsOf<PlainSleigh> plain{PlainSleigh{}};
  const QuasiVelocityEquationsOf<FaultySleigh> faulty{FaultySleigh{}};
  RandomNumbers random{5};
  for (int k = 0; k < 10; ++k) {
    const VectorXd state = test::random_vector(random, 6), lambda = test::random_vector(random, 1);
    VectorXd a(6), b(6), c(6);
    by_hand.rates(state.data(), lambda.data(), a.data());
    plain.rates(state.data(), lambda.data(), b.data());
    faulty.rates(state.data(), lambda.data(), c.data());
    EXPECT_LE(distance(a, b), roundings);
    EXPECT_GT(distance(c, b), 1e-3);
  }
}

/// The disc as K* and P alone describe it.
struct DiskByLagrange {
  static constexpr int nq = 5, n = 5, m = 2;
  RollingDisk disk;
  template <class S>
  S kinetic_coenergy(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    return disk.kinetic_coenergy(q, v);
  }
  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return disk.potential(q);
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    return disk.constraint(q);
  }
};

TEST(RollingDiskByHand, HasTheMassMatrixAndForceOfItsLagrangian) {
  const DiskByLagrange derived;
  const RollingDisk& disk = derived.disk;
  RandomNumbers random{9};
  for (int k = 0; k < 10; ++k) {
    const Vector<double, 5> q = random.vector<5>(-1.0, 1.0), v = random.vector<5>(-2.0, 2.0);
    EXPECT_LE(distance(disk.mass_matrix(q), mass_matrix(derived, q)), roundings);
    EXPECT_LE(distance(disk.force(q, v), force(derived, q, v, 0.0)), roundings);
    EXPECT_LE(distance(disk.mass_matrix(q) * disk.accelerations(q, v), v), roundings);
  }
}

}  // namespace
}  // namespace rigidlimit
