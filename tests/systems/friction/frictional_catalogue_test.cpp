// Tests the properties that every system with friction in the catalogue must have.
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "support/central_difference.hpp"
#include "support/frictional_catalogued.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::NumericalDerivative;
using test::unit_roundoff;

/// A state near the default start: each coordinate moved by up to 0.1 of itself and a little more.
InitialState near_start(const SystemEntry& entry, test::RandomNumbers& random) {
  InitialState state = entry.frictional_start(entry.frictional_default_values());
  for (double& x : state.q) x += random.uniform(-0.01, 0.01) + 0.1 * x * random.uniform();
  for (double& x : state.v) x += random.uniform(-1.0, 1.0);
  return state;
}

/// The systems with friction.
std::vector<SystemEntry> entries() {
  std::vector<SystemEntry> all;
  for (const SystemEntry& entry : builtin_systems())
    if (entry.slips()) all.push_back(entry);
  return all;
}

TEST(FrictionalCatalogue, NamesAreKnownAndUnique) {
  std::set<std::string> names;
  for (const SystemEntry& entry : builtin_systems()) {
    EXPECT_TRUE(names.insert(entry.info.name).second);
    EXPECT_EQ(find_system(builtin_systems(), entry.info.name), &entry);
    EXPECT_TRUE(entry.rolls() || entry.slips());
  }
  EXPECT_THAT(names_of(builtin_systems(), &SystemEntry::slips),
              testing::UnorderedElementsAre("wheel", "wheel_euler", "wheel_and_curb",
                                            "two_point_ball", "two_point_ball_unilateral",
                                            "sliding_sphere", "spinning_disk", "bouncing_ball",
                                            "painleve_rod", "belt_oscillator", "shaken_ball"));
  EXPECT_EQ(find_system(builtin_systems(), "no_such_wheel"), nullptr);
}

TEST(FrictionalCatalogue, TextsHaveTheSizesOfTheEquations) {
  for (const SystemEntry& entry : entries()) {
    const FrictionalSystem system = entry.make_frictional(entry.frictional_default_values());
    SCOPED_TRACE(entry.info.name);
    EXPECT_EQ(static_cast<Index>(entry.info.coordinates.size()), system.smooth.nq);
    EXPECT_EQ(static_cast<Index>(entry.info.velocities.size()), system.smooth.n);
    EXPECT_EQ(static_cast<Index>(entry.info.contacts.size()), system.smooth.m);
    for (const std::string& text : {entry.info.title, entry.info.equations, entry.info.source})
      EXPECT_FALSE(text.empty());
    std::set<std::string> names;
    for (const ContactPoint& c : system.contacts) EXPECT_TRUE(names.insert(c.name).second);
    EXPECT_EQ(entry.has_closed_history, static_cast<bool>(system.closed_history));
  }
}

// Gaps ≥ 0, E v = 0 and invariants 0 to the rounding of a few products; closed contacts do not
// approach, and held coordinates do not move.
TEST(FrictionalCatalogue, DefaultStartsAreAdmissible) {
  int histories = 0;
  for (const SystemEntry& entry : entries()) {
    SCOPED_TRACE(entry.info.name);
    const FrictionalSystem system = entry.make_frictional(entry.frictional_default_values());
    const InitialState start = entry.frictional_start(entry.frictional_default_values());
    const double tolerance = 16.0 * unit_roundoff * (1.0 + start.v.cwiseAbs().maxCoeff());
    const VectorXd gap = test::gap_at(system, start.q);
    const VectorXd rate = test::normal_rows(system, start.q) * start.v;
    for (Index i = 0; i < system.nc(); ++i) {
      const bool held = system.contacts[static_cast<std::size_t>(i)].normal == Normal::bilateral;
      EXPECT_GE(gap(i), -tolerance);
      EXPECT_LE(held ? std::abs(gap(i)) : 0.0, tolerance);
      EXPECT_LE(held ? std::abs(rate(i)) : 0.0, tolerance);
      EXPECT_GE(gap(i) < tolerance ? rate(i) : 0.0, -tolerance);
    }
    if (system.smooth.ni > 0) {
      VectorXd e(system.smooth.ni);
      system.smooth.in<double>().invariants(start.q, e);
      EXPECT_LE(e.cwiseAbs().maxCoeff(), tolerance);
    }
    if (system.smooth.ne > 0) {
      EXPECT_LE(exact_velocity(system.smooth, start).cwiseAbs().maxCoeff(), tolerance);
    }
    if (!system.closed_history) continue;
    const auto history = system.closed_history(start, {0.0, 0.1});
    if (!history) continue;  // a wheel with drag
    ++histories;
    EXPECT_LE((history->motion.q.col(0) - start.q).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LE((history->motion.v.col(0) - start.v).cwiseAbs().maxCoeff(), tolerance);
  }
  EXPECT_EQ(histories, 2);
}

// N v = d g(q + s T v)/ds, and the drift is the derivative of N v at fixed v.
TEST(FrictionalCatalogue, NormalRowsAndDriftsAreDerivativesOfTheGaps) {
  test::RandomNumbers random(811);
  for (const SystemEntry& entry : entries())
    for (int i = 0; i < 10; ++i) {
      SCOPED_TRACE(entry.info.name);
      const FrictionalSystem system = entry.make_frictional(entry.frictional_default_values());
      const auto [q, v, t] = near_start(entry, random);
      const VectorXd q_rate = test::coordinate_rate_at(system, q, v);
      const VectorXd place = q, speed = v;
      const double h = 1e-3 / (1.0 + q_rate.cwiseAbs().maxCoeff());
      const NumericalDerivative rate = test::central_difference(
          [&](double s) { return test::gap_at(system, place + s * q_rate); }, 0.0, h);
      const NumericalDerivative drift = test::central_difference(
          [&](double s) -> VectorXd {
            return test::normal_rows(system, place + s * q_rate) * speed;
          },
          0.0, h);
      const VectorXd Nv = test::normal_rows(system, q) * v;
      VectorXd ours(system.nc());
      system.geometry->normal_drift(q, v, ours);
      const double rounding = 64.0 * unit_roundoff * (1.0 + ours.cwiseAbs().maxCoeff());
      EXPECT_LE((Nv - rate.value.col(0)).cwiseAbs().maxCoeff(), rate.bound + rounding);
      EXPECT_LE((ours - drift.value.col(0)).cwiseAbs().maxCoeff(), drift.bound + rounding);
    }
}

// A friction force λ at rest pushes the contact back: W M⁻¹ Wᵀ is positive at every contact.
TEST(FrictionalCatalogue, ContactsCanSlide) {
  for (const SystemEntry& entry : entries()) {
    const FrictionalSystem system = entry.make_frictional(entry.frictional_default_values());
    const MatrixXd A =
        delassus(system.smooth, entry.frictional_start(entry.frictional_default_values()).q);
    EXPECT_GT(A.diagonal().minCoeff(), 0.0) << entry.info.name;
  }
}

TEST(FrictionalCatalogue, RefusesInvalidConstants) {
  for (const SystemEntry& entry : entries()) {
    const std::vector<ParameterInfo> parameters = entry.frictional_parameters();
    for (std::size_t i = entry.parameters.size(); i < parameters.size(); ++i) {
      std::vector<double> impossible;
      if (parameters[i].name.starts_with("friction")) impossible = {-0.1};
      if (parameters[i].name == "restitution") impossible = {-0.1, 1.1};
      for (const double x : impossible) {
        EXPECT_FALSE(parameters[i].range.contains(x));
        std::vector<double> values = entry.frictional_default_values();
        values[i] = x;
        EXPECT_THROW(entry.make_frictional(values), InputError) << entry.info.name;
      }
    }
  }
}

}  // namespace
}  // namespace rigidlimit
