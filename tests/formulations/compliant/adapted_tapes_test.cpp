// Tests each tape of the equations of motion: in packs, in other row orders, from K* and P.
#include "rigidlimit/mechanics/adapted_tapes.hpp"

#include <gtest/gtest.h>

#include "rigidlimit/core/batched_rate.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/adapted_equations.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/rolling/rolling_disk.hpp"
#include "support/adapted_systems.hpp"
#include "support/built_in.hpp"
#include "support/central_difference.hpp"
#include "support/terms_by_duals.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::unit_roundoff;

// Entries of f are sums of at most about a hundred products; the compared values are the same sums,
// computed by different routes.
constexpr double roundings = 1e3 * unit_roundoff;

double distance(const MatrixXd& a, const MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / (1.0 + b.cwiseAbs().maxCoeff());
}

class InPacks : public testing::TestWithParam<std::string> {
 protected:
  const SystemEntry& entry = *find_system(builtin_systems(), GetParam());
  System system = entry.make(entry.default_values());
  RandomNumbers random{77};
  InitialState start = test::rolling_state(system, random);
};

std::vector<Pack> packs_of(const MatrixXd& states) {
  std::vector<Pack> packs;
  for (Index i = 0; i < states.rows(); ++i) {
    const Eigen::RowVectorXd row = states.row(i);
    packs.push_back(Pack::load(row.data()));
  }
  return packs;
}

/// Rates of eight states near `y`, at eight times, against rhs() of each state. Returns the
/// distance of the eight from the rates at y and t = 0, which proves that the lanes differ.
double expect_eight_are_eight(const OdeProblem& ode, const VectorXd& y, RandomNumbers& random) {
  const BatchedRate& batched = *ode.batched;
  const Index moving = batched.slow + batched.fast, fast = batched.fast;
  MatrixXd states = y.head(moving).replicate(1, 8), P(moving, fast), zeta(fast, 8);
  for (Index lane = 0; lane < 8; ++lane) {
    states.col(lane) += 0.05 * test::random_vector(random, moving);
    zeta.col(lane) = test::random_vector(random, fast);
  }
  const MatrixXd lambda = batched.stiffness * zeta + batched.damping * states.bottomRows(fast);
  const Eigen::RowVectorXd times = Eigen::RowVectorXd::LinSpaced(8, 0.1, 0.9);
  const std::vector<Pack> state = packs_of(states), force = packs_of(lambda);
  std::vector<Pack> rate(state.size());
  const BatchedRate::Chart chart = batched.response(y.data(), P);
  batched.rates(chart, Pack::load(times.data()), state.data(), force.data(), rate.data());
  VectorXd f(y.size());
  ode.rhs(0.0, y, f);
  const VectorXd middle = f.head(moving);
  double apart = 0.0;
  for (Index lane = 0; lane < 8; ++lane) {
    VectorXd one(y.size()), found(moving);
    one << states.col(lane), zeta.col(lane);
    ode.rhs(times(lane), one, f);
    for (Index i = 0; i < moving; ++i)
      found(i) = rate[static_cast<std::size_t>(i)][static_cast<std::size_t>(lane)];
    EXPECT_LE(distance(found, f.head(moving)), roundings) << "lane " << lane;
    apart = std::max(apart, distance(found, middle));
  }
  return apart;
}

// Near the state of the chart; every system has packs, with natural and with constant rows.
TEST_P(InPacks, EightStatesGiveTheRatesOfSingleStates) {
  const ViscoelasticLaw law{random.positive_definite(system.m), random.positive_definite(system.m),
                            1.0};
  for (const bool natural : {true, false}) {
    const AdaptedOptions options{.natural = natural};
    // Without the internal forces of redundant contacts, which λ of the batch does not contain.
    const OdeProblem compliant =
        compliant_adapted(system, start, law, 0.2, VectorXd::Zero(system.m), options).problem;
    ASSERT_NE(compliant.batched, nullptr);
    EXPECT_GT(expect_eight_are_eight(compliant, compliant.y0, random), 1e-3);
    const OdeProblem rolling = rigid_reduced(system, start, options).problem;
    ASSERT_NE(rolling.batched, nullptr);
    EXPECT_GT(expect_eight_are_eight(rolling, rolling.y0, random), 1e-3);
  }
}

std::vector<std::string> all_systems() {
  std::vector<std::string> names;
  for (const SystemEntry& entry : builtin_systems())
    if (entry.rolls()) names.push_back(entry.info.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Systems, InPacks, testing::ValuesIn(all_systems()),
                         [](const auto& test) { return test.param; });

/// A blade whose frame becomes singular in the initial row order: u first needs cos φ, then
/// sin φ.
TEST(OtherRowOrder, IsTakenAtSmallPivotsWithoutAJumpOfTheRates) {
  const System system = test::BuiltIn("knife_edge", {}).rolling();
  const auto frame = std::make_shared<const AdaptedFrame>(system, Eigen::Vector3d(0.0, 0.0, 0.0),
                                                          AdaptedOptions{});
  const AdaptedEquations equations(frame, AdaptedMotion::compliant);
  const auto at = [&](double heading) {
    VectorXd state(6), rate(6);
    state << 0.3, -0.2, heading, 0.7, 0.4, 0.1;
    const double lambda = 0.6;
    equations.write_rates<double>(state.data(), &lambda, 0.0, rate.data());
    return rate;
  };
  const auto tapes_at = [&](double heading) -> const AdaptedTapes& {
    const Eigen::Vector3d state(0.0, 0.0, heading);
    return frame->tapes_at(state.data());
  };
  const double quarter = 0.5 * 3.14159265358979323846;
  EXPECT_NE(&tapes_at(0.0), &tapes_at(quarter));
  for (double heading = 0.0; heading < 6.3; heading += 0.01) {
    // q' = (c u1 − s w, s u1 + c w, u2), (u, w)' = (g sin α c + u2 w, 0, −g sin α s − u2 u1 − λ/m).
    const double c = std::cos(heading), s = std::sin(heading), pull = 9.81 * std::sin(0.3);
    VectorXd wanted(6);
    wanted << c * 0.7 - s * 0.1, s * 0.7 + c * 0.1, 0.4, pull * c + 0.4 * 0.1, 0.0,
        -pull * s - 0.4 * 0.7 - 0.6;
    // Pivots of a quarter cost two bits of about ten roundings.
    EXPECT_LE((at(heading) - wanted).cwiseAbs().maxCoeff(), 1e2 * unit_roundoff) << heading;
  }
  // Negative control: the initial row order loses digits there.
  const double near = quarter + 1e-9;
  VectorXd state(6), lost(6);
  state << 0.3, -0.2, near, 0.7, 0.4, 0.1;
  std::vector<Pack> packs = packs_of(state.replicate(1, 8)), rate(6);
  const Pack push(0.6);
  equations.write_rates(tapes_at(0.0), packs.data(), &push, Pack(0.0), rate.data());
  for (std::size_t i = 0; i < 6; ++i) lost(static_cast<Index>(i)) = rate[i][0];
  EXPECT_GT((lost - at(near)).cwiseAbs().maxCoeff(), 1e-11);
}

/// The disc described by K* and P alone.
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
