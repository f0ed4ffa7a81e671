// Tests derivatives of the balance of forces along directions against central differences.
#include "rigidlimit/mechanics/balance_along.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"
#include "support/central_difference.hpp"
#include "support/model_systems.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;

class BalanceAlongTest : public testing::TestWithParam<int> {
 protected:
  VectorXd some(Index size) {
    VectorXd x(size);
    for (double& entry : x) entry = random.uniform(-1.0, 1.0);
    return x;
  }

  System system =
      GetParam() == 0 ? make_system(test::DrivenPendulum{}) : make_system(test::TwoContacts{});
  const BalanceAlong& along = system.tapes->along();
  RandomNumbers random{61};
  double t = 0.3;
  VectorXd q = some(system.nq), v = some(system.n), x = some(system.n + system.ne + system.m);
  VectorXd dq = some(system.nq), dv = some(system.n), dx = some(x.size());
};
INSTANTIATE_TEST_SUITE_P(Models, BalanceAlongTest, testing::Values(0, 1));

/// Expects `rate` to match the difference within its own bound, and `wrong` to miss it.
void expect_derivative(const VectorXd& rate, const VectorXd& wrong,
                       const std::function<VectorXd(double)>& f) {
  const auto numerical = test::central_difference(f, 0.0, 1e-2);
  EXPECT_LE((rate - numerical.value.col(0)).cwiseAbs().maxCoeff(), numerical.bound);
  EXPECT_GT((wrong - numerical.value.col(0)).cwiseAbs().maxCoeff(), 100.0 * numerical.bound)
      << "negative control";
}

// r = 0 is the KKT system: 1e3 roundings of terms below 1e3.
TEST_P(BalanceAlongTest, ResidualIsZeroAtTheKktSolution) {
  const auto solution = solve_kkt<double>(system, independent_contacts(system.m), q, v, t);
  VectorXd found(x.size());
  found << solution.acceleration, solution.multiplier;
  const double tolerance = 1e3 * test::unit_roundoff * 1e3;
  EXPECT_LE(along.residual(t, q, v, found).norm(), tolerance);
  EXPECT_GT(along.residual(t, q, v, 1.001 * found).norm(), 1e3 * tolerance) << "negative control";
}

TEST_P(BalanceAlongTest, RatesMatchCentralDifferences) {
  const auto moved = [&](double s) -> VectorXd {
    return along.residual(t + 2.0 * s, q + s * dq, v + s * dv, x);
  };
  expect_derivative(along.residual_rate(t, q, v, x, 2.0, dq, dv),
                    along.residual_rate(t, q, v, x, 2.0, dq, 1.01 * dv), moved);
  const auto velocity = [&](double s) -> VectorXd {
    VectorXd rate(system.nq);
    system.in<double>().coordinate_rate(q + s * dq, v + s * dv, rate);
    return rate;
  };
  expect_derivative(along.coordinate_rate_change(q, v, dq, dv),
                    along.coordinate_rate_change(q, v, dq, 1.01 * dv), velocity);
  const auto energies = [&](double s) -> VectorXd {
    const VectorXd moved_q = q + s * dq;
    VectorXd both(1 + system.n);
    both(0) = system.in<double>().potential(moved_q);
    system.in<double>().inertia_force(moved_q, v, both.tail(system.n));
    return both;
  };
  expect_derivative(along.energy_change(q, v, dq), along.energy_change(q, v, 1.01 * dq), energies);
}

// The second rate; q'' and v'' are among its directions.
TEST_P(BalanceAlongTest, SecondRateIsTheDerivativeOfTheRate) {
  const VectorXd ddq = some(system.nq), ddv = some(system.n);
  const auto rate = [&](double s) -> VectorXd {
    const auto residual = [&](double more) -> VectorXd {
      const double at = s + more;
      return along.residual(t + at, q + at * dq + 0.5 * at * at * ddq,
                            v + at * dv + 0.5 * at * at * ddv, x + at * dx);
    };
    return test::central_difference(residual, 0.0, 1e-2).value.col(0);
  };
  const auto numerical = test::central_difference(rate, 0.0, 3e-2);
  const VectorXd second = along.residual_second_rate(t, q, v, x, dq, dv, dx, ddq, ddv);
  // The inner difference is off by about 1e-12; the outer one divides that by its step.
  const double bound = numerical.bound + 1e-9;
  EXPECT_LE((second - numerical.value.col(0)).cwiseAbs().maxCoeff(), bound);
  EXPECT_GT(
      (along.residual_second_rate(t, q, v, x, dq, dv, dx, ddq, 1.01 * ddv) - numerical.value.col(0))
          .cwiseAbs()
          .maxCoeff(),
      100.0 * bound)
      << "negative control";
}

}  // namespace
}  // namespace rigidlimit
