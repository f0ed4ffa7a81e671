// Tests motions under the realisations of the constraint in (q, v): figures, invariants and limits.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "support/realised_systems.hpp"

namespace rigidlimit {
namespace {

using test::damper;
using test::RandomNumbers;
using test::Skate;
using test::skate_start;
using test::Undamped;

constexpr double rtol = 1e-11;

SolveOptions tight() {
  SolveOptions options;
  options.rtol = rtol;
  options.atol = 1e-2 * rtol;
  return options;
}

/// 401 times on [0, 2] and 41 in a layer of width 20 δ.
std::vector<double> times_for(double delta) {
  std::vector<double> times;
  for (int k = 0; k <= 400; ++k) times.push_back(0.005 * k);
  for (int k = 1; k <= 40; ++k) times.push_back(0.5 * delta * k + 1e-9);
  std::ranges::sort(times);
  return times;
}

template <class Problem>
Motion solved(const Problem& problem, const std::vector<double>& times) {
  const Solution solution = solve_radau_iia(problem.problem, times, tight(), {});
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  return problem.motion(solution);
}

/// Largest differences of q, v, λ from the rigid motion.
std::array<double, 3> errors(const System& system, const InitialState& start, Realisation kind,
                             double delta) {
  const std::vector<double> times = times_for(delta);
  const Motion a = solved(realised(system, start, kind, damper(system.m), delta), times);
  const Motion b = solved(rigid_eliminated(system, start), times);
  return {(a.q - b.q).cwiseAbs().maxCoeff(), (a.v - b.v).cwiseAbs().maxCoeff(),
          (a.lambda - b.lambda).cwiseAbs().maxCoeff()};
}

// docs/theory.md, section 5: three digits, computed elsewhere, of the viscous law with D = 1 and
// D/δ = 400.
TEST(RealisedMotion, HasThePublishedFiguresOfTheKnifeEdge) {
  const System skate = make_system(Skate{});
  const double digits = 5e-3;
  const auto viscous = errors(skate, skate_start, Realisation::viscous, damper(1)(0, 0) / 400.0);
  EXPECT_NEAR(viscous[0], 2.73e-2, digits * 2.73e-2);
  EXPECT_NEAR(viscous[1], 3.30e-2, digits * 3.30e-2);
  const auto parasitic = errors(skate, skate_start, Realisation::parasitic, 2.5e-3);
  EXPECT_NEAR(parasitic[0], 4.71e-5, digits * 4.71e-5);
  EXPECT_NEAR(parasitic[1], 2.36e-5, digits * 2.36e-5);
  EXPECT_NEAR(parasitic[2], 9.43e-3, digits * 9.43e-3);
}

// From a rolling start G v stays zero. The motion is the rigid one up to the errors of two solvers,
// each some hundred steps of rtol |y| with |y| < 10, which grow less than tenfold on [0, 2].
TEST(RealisedMotion, BaumgarteIsRigidFromARollingStart) {
  const double tolerance = 2.0 * 100.0 * 10.0 * rtol * 10.0;
  RandomNumbers random(504);
  const System two = make_system(Undamped{});
  const InitialState rolling = test::rolling_state(two, random);
  for (const double delta : {0.1, 0.01}) {
    for (const double error :
         errors(make_system(Skate{}), skate_start, Realisation::baumgarte, delta))
      EXPECT_LE(error, tolerance / delta);  // λ contains w/δ
    for (const double error : errors(two, rolling, Realisation::baumgarte, delta))
      EXPECT_LE(error, tolerance / delta);
  }
  EXPECT_GT(errors(two, rolling, Realisation::viscous, 0.01)[0], 1e-3) << "negative control";
}

TEST(RealisedMotion, BaumgarteDampsASlidingVelocityExponentially) {
  RandomNumbers random(505);
  const System system = make_system(Undamped{});
  InitialState start = test::rolling_state(system, random);
  start.v(0) += 0.3;
  const VectorXd w0 = sliding_velocity(system, start);
  const double delta = 0.2;
  const std::vector<double> times{0.0, 0.1, 0.2, 0.4, 1.0};
  const Motion motion =
      solved(realised(system, start, Realisation::baumgarte, damper(2), delta), times);
  for (std::size_t k = 0; k < times.size(); ++k) {
    const auto column = static_cast<Index>(k);
    const VectorXd w = sliding_velocity(system, {motion.q.col(column), motion.v.col(column)});
    // A hundred steps of rtol |y|, |y| < 10.
    EXPECT_LE((w - w0 * std::exp(-times[k] / delta)).norm(), 100.0 * rtol * 10.0);
  }
}

// Lagrange's equations of K* + |G v|²/(2δ) without time and damping conserve its energy, to some
// hundred steps of rtol times energies below 100.
TEST(RealisedMotion, InertialLawConservesItsEnergy) {
  RandomNumbers random(506);
  const System two = make_system(Undamped{});
  const InitialState rolling = test::rolling_state(two, random);
  const double delta = 0.1, tolerance = 100.0 * rtol * 100.0;
  for (const auto& [system, start] :
       {std::pair{make_system(Skate{}), skate_start}, std::pair{two, rolling}}) {
    const Motion motion = solved(
        realised(system, start, Realisation::inertial, damper(system.m), delta), times_for(delta));
    const auto energy = [&](Index k, double virtual_mass) {
      const InitialState at{motion.q.col(k), motion.v.col(k)};
      return mechanical_energy(system, at.q, at.v) +
             0.5 * virtual_mass * sliding_velocity(system, at).squaredNorm();
    };
    double change = 0.0, without = 0.0;
    for (Index k = 0; k < motion.q.cols(); ++k) {
      change = std::max(change, std::abs(energy(k, 1.0 / delta) - energy(0, 1.0 / delta)));
      without = std::max(without, std::abs(energy(k, 0.0) - energy(0, 0.0)));
    }
    EXPECT_LE(change, tolerance);
    EXPECT_GT(without, 1e4 * tolerance) << "negative control";
  }
}

// Kozlov's limit is vakonomic: the constraint holds ever better, w = O(δ), but the motion differs.
TEST(RealisedMotion, InertialLawKeepsTheConstraintButDoesNotConvergeToRolling) {
  const System skate = make_system(Skate{});
  const auto coarse = errors(skate, skate_start, Realisation::inertial, 1e-2);
  const auto fine = errors(skate, skate_start, Realisation::inertial, 1e-3);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GT(fine[i], 0.1);
    EXPECT_NEAR(fine[i] / coarse[i], 1.0, 0.1);
  }
  const auto sliding = [&](double delta) {
    const Motion motion = solved(
        realised(skate, skate_start, Realisation::inertial, damper(1), delta), times_for(delta));
    double largest = 0.0;
    for (Index k = 0; k < motion.q.cols(); ++k)
      largest =
          std::max(largest, sliding_velocity(skate, {motion.q.col(k), motion.v.col(k)}).norm());
    return largest;
  };
  EXPECT_NEAR(sliding(1e-2) / sliding(1e-3), 10.0, 1.0);
  // Negative control: the viscous law converges.
  const double viscous = errors(skate, skate_start, Realisation::viscous, 1e-2)[0] /
                         errors(skate, skate_start, Realisation::viscous, 1e-3)[0];
  EXPECT_NEAR(viscous, 10.0, 2.0);
}

}  // namespace
}  // namespace rigidlimit
