// The equations of motion as one program are the functions that a dozen programs make together.
#include "rigidlimit/formulations/quasi_velocity_motion.hpp"

#include <gtest/gtest.h>

#include "rigidlimit/core/batched_rate.hpp"
#include "rigidlimit/formulations/adapted.hpp"
#include "rigidlimit/formulations/rigid_reduced.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/knife_edge.hpp"
#include "rigidlimit/systems/rolling_disk.hpp"
#include "support/adapted_systems.hpp"
#include "support/catalogued_system.hpp"
#include "support/terms_by_duals.hpp"

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

void expect_same_rate_and_jacobian(const OdeProblem& a, const OdeProblem& b, const VectorXd& y) {
  const Index size = y.size();
  VectorXd f(size), f_other(size);
  a.rhs(0.0, y, f);
  b.rhs(0.0, y, f_other);
  EXPECT_LE(distance(f, f_other), roundings);
  MatrixXd J(size, size), J_other(size, size);
  a.jacobian(0.0, y, J);
  b.jacobian(0.0, y, J_other);
  EXPECT_LE(distance(J, J_other), roundings);
}

class InOneProgram : public testing::TestWithParam<std::string> {
 protected:
  const SystemEntry& entry = *find_system(builtin_systems(), GetParam());
  System system = entry.make(entry.default_values());
  System apart = [this] {
    System copy = system;
    copy.quasi_velocity_equations = nullptr;
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

TEST_P(InOneProgram, IsThere) {
  EXPECT_NE(system.quasi_velocity_equations, nullptr);
  EXPECT_NE(compliant(system).batched, nullptr);
  EXPECT_EQ(compliant(apart).batched, nullptr);
}

TEST_P(InOneProgram, RateJacobianAndFastBlockAreThoseOfManyPrograms) {
  const OdeProblem fast = compliant(system), slow = compliant(apart);
  const Index size = fast.y0.size(), m = system.m;
  EXPECT_LE(distance(fast.y0, slow.y0), 0.0);
  for (int k = 0; k < 10; ++k) {
    const VectorXd y = random_y(fast);
    expect_same_rate_and_jacobian(fast, slow, y);
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

TEST_P(InOneProgram, RollingIsTheReducedSystem) {
  const OdeProblem fast = rigid_reduced<double>(system, start).problem;
  const OdeProblem slow = rigid_reduced<double>(apart, start).problem;
  for (int k = 0; k < 10; ++k) {
    const VectorXd y = random_y(fast);
    expect_same_rate_and_jacobian(fast, slow, y);
  }
}

// Eight states at once against one at a time, near the state of the chart.
TEST_P(InOneProgram, EightStatesAtOnceAreEightStates) {
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
    system.quasi_velocity_equations->rates(one.data(), push.data(), alone.data());
    for (Index i = 0; i < moving; ++i)
      found(i) = rate[static_cast<std::size_t>(i)][static_cast<std::size_t>(lane)];
    EXPECT_LE(distance(found, alone), roundings) << "lane " << lane;
  }
}

/// All of the catalogue that can have them.
std::vector<std::string> natural_systems() {
  std::vector<std::string> names;
  for (const SystemEntry& entry : builtin_systems()) {
    const System system = entry.make(entry.default_values());
    if (system.quasi_velocity_equations &&
        !contact_basis(system, entry.start(entry.default_values()).q).redundant())
      names.push_back(entry.info.name);
  }
  return names;
}
INSTANTIATE_TEST_SUITE_P(Systems, InOneProgram, testing::ValuesIn(natural_systems()),
                         [](const auto& test) { return test.param; });

TEST(NaturalSystems, AreMoreThanAnybodyWouldInvertByHand) {
  EXPECT_GE(natural_systems().size(), 8u);
}

/// A blade whose frame is singular in the order of the rows that serves elsewhere: u first needs
/// cos φ, then sin φ.
TEST(AnotherOrderOfTheRows, IsTakenWhereAPivotIsSmallAndTheRatesDoNotJump) {
  const System system = make_system(KnifeEdge{});
  const QuasiVelocityEquations& equations = *system.quasi_velocity_equations;
  const auto at = [&](double heading) {
    VectorXd state(6), rate(6);
    state << 0.3, -0.2, heading, 0.7, 0.4, 0.1;
    const double lambda = 0.6;
    equations.rates(state.data(), &lambda, rate.data());
    return rate;
  };
  const auto order = [&](double heading) {
    const Eigen::Vector3d state(0.0, 0.0, heading);
    return equations.chart(state.data());
  };
  const double quarter = 0.5 * 3.14159265358979323846;
  EXPECT_NE(order(0.0), order(quarter));
  for (double heading = 0.0; heading < 6.3; heading += 0.01) {
    // q' = (c u1 − s w, s u1 + c w, u2), (u, w)' = (g sin α c + u2 w, 0, −g sin α s − u2 u1 − λ/m).
    const KnifeEdge blade;
    const double c = std::cos(heading), s = std::sin(heading), pull = blade.downhill();
    VectorXd wanted(6);
    wanted << c * 0.7 - s * 0.1, s * 0.7 + c * 0.1, 0.4, pull * c + 0.4 * 0.1, 0.0,
        -pull * s - 0.4 * 0.7 - 0.6 / blade.mass;
    // Pivots of a quarter cost two bits of the some ten roundings.
    EXPECT_LE((at(heading) - wanted).cwiseAbs().maxCoeff(), 1e2 * unit_roundoff) << heading;
  }
  // Negative control: with the order that does not serve there, digits are lost.
  const double near = quarter + 1e-9;
  VectorXd state(6), lost(6);
  state << 0.3, -0.2, near, 0.7, 0.4, 0.1;
  std::vector<Pack> packs(6), push(1, Pack(0.6)), rate(6);
  for (std::size_t i = 0; i < 6; ++i) packs[i] = state(static_cast<Index>(i));
  equations.rates(order(0.0), packs.data(), push.data(), rate.data());
  for (std::size_t i = 0; i < 6; ++i) lost(static_cast<Index>(i)) = rate[i][0];
  EXPECT_GT((lost - at(near)).cwiseAbs().maxCoeff(), 1e-11);
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
  }
}

}  // namespace
}  // namespace rigidlimit
