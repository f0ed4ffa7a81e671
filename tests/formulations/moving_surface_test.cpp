// Tests the terms of systems whose surfaces move, as texts state them (docs/theory.md, section 16).
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "rigidlimit/systems/text/system_text.hpp"
#include "support/central_difference.hpp"
#include "support/random_numbers.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using test::unit_roundoff;
using testing::HasSubstr;

SystemEntry entry_in(const std::string& toml) {
  return entry_of(system_text_in(toml.c_str(), "surface.toml"));
}

/// A blade on a plane that moves by (a(t), b(t)) and turns, with rates and an exact row of t.
const std::string everything = R"toml(name = "everything"
coordinates = [
  {name = "x", start = 0.2, rate = "u*cos(h) - w*sin(h) + 0.3*sin(2*t)"},
  {name = "y", start = 0.1, rate = "u*sin(h) + w*cos(h) + 0.2*x*t"},
  {name = "h", start = 0.3, rate = "o"},
  {name = "s", start = 0.0, rate = "spin"},
]
velocities = [{name = "u", start = 0.5}, {name = "w", start = 0}, {name = "o", start = 0.4},
              {name = "spin", start = 0}]
mass_matrix = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0.3, 0], [0, 0, 0, 0.1]]
force = ["0.2", "sin(t)", "0", "0.1"]
constraint = ["w + 0.1*t*u - sin(h)*t^2 - 0.05*x"]
exact_constraint = ["spin - cos(3*t) + 0.2*u*t"]
)toml";

// The drift is d(G v + b)/dt at fixed v, by differences along q' = T v + r and t.
TEST(SurfaceTerms, DriftIsTheRateOfTheRowsAlongTheMotion) {
  const System system = entry_in(everything).make({});
  ASSERT_EQ(system.nq, 5);
  ASSERT_EQ(system.n, 5);
  ASSERT_EQ(system.ne, 2);
  test::RandomNumbers random(3);
  for (int i = 0; i < 10; ++i) {
    VectorXd q = random.vector<5>(-1.0, 1.0), v = random.vector<5>(-2.0, 2.0), q_rate(5), drift(3);
    v(4) = 1.0;
    system.in<double>().coordinate_rate(q, v, q_rate);
    EXPECT_EQ(q_rate(4), 1.0);
    EXPECT_NEAR(q_rate(0),
                v(0) * std::cos(q(2)) - v(1) * std::sin(q(2)) + 0.3 * std::sin(2.0 * q(4)),
                16.0 * unit_roundoff);
    system.in<double>().constraint_drift(q, q_rate, v, drift);
    const auto rows = [&](double s) -> VectorXd {
      MatrixXd X(3, 5);
      system.in<double>().constraints(q + s * q_rate, X);
      return X * v;
    };
    const auto numerical = test::central_difference(rows, 0.0, 1.0 / 64.0);
    EXPECT_LE((drift - numerical.value.col(0)).cwiseAbs().maxCoeff(), numerical.bound);
    // Negative control: without ∂/∂t of the rows.
    q_rate(4) = 0.0;
    system.in<double>().constraint_drift(q, q_rate, v, drift);
    EXPECT_GT((drift - numerical.value.col(0)).cwiseAbs().maxCoeff(), 1e-3);
  }
}

// Along the rigid motion 0 = G v + b and spin = cos 3t − 0.2 u t, in both ODE forms. rtol 1e-11
// over some hundred steps; the rows have coefficients below 2.
TEST(SurfaceTerms, RowsHoldAlongTheRigidMotionInEveryForm) {
  const SystemEntry entry = entry_in(everything);
  const System system = entry.make({});
  InitialState start = entry.start({});
  start.v = projected_velocity<double>(system, contact_basis(system, start.q), start.q, start.v);
  SolveOptions options;
  options.rtol = 1e-11;
  options.atol = 1e-13;
  std::vector<VectorXd> ends;
  for (const bool reduced : {true, false}) {
    const auto rigid = reduced ? rigid_reduced(system, start) : rigid_eliminated(system, start);
    const Solution solution = find_ode_method("radau_iia")
                                  ->solve(rigid.problem, test::uniform_grid(0.0, 2.0, 20), options);
    ASSERT_EQ(solution.outcome, Outcome::success) << solution.message;
    const Motion motion = rigid.motion(solution);
    for (Index k = 0; k < motion.q.cols(); ++k) {
      const double t = motion.times[static_cast<std::size_t>(k)];
      const VectorXd q = motion.q.col(k), v = motion.v.col(k);
      EXPECT_NEAR(q(4), t, 1e-12);
      EXPECT_NEAR(v(1) + 0.1 * t * v(0) - std::sin(q(2)) * t * t - 0.05 * q(0), 0.0, 1e-9);
      EXPECT_NEAR(v(3) - std::cos(3.0 * t) + 0.2 * v(0) * t, 0.0, 1e-9);
    }
    ends.emplace_back(motion.q.rightCols(1));
  }
  EXPECT_LE((ends[0] - ends[1]).cwiseAbs().maxCoeff(), 1e-9);
}

/// A wheel held on a floor at this height.
SystemEntry lifted_wheel(const std::string& height) {
  return entry_in(R"toml(name = "lifted_wheel"
coordinates = [{name = "x", unit = "m", start = 0, start_rate = 0.3},
  {name = "z", unit = "m", start = 0.2, start_rate = 0.2},
  {name = "phi", unit = "rad", start = 0, start_rate = 1.5}]
mass_matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 0.02]]
force = ["0.4", "-9.81", 0]
[[contacts]]
name = "floor"
normal = "bilateral"
friction = "0.5"
sliding = ["x' - 0.2*phi'"]
gap = "z - 0.2 - )toml" +
                  height + "\"\n");
}

// A wheel held on a floor that moves up and down: N v + ∂g/∂t = 0 is an exact row.
TEST(SurfaceTerms, BilateralGapsMayDependOnTime) {
  const SystemEntry entry = lifted_wheel("0.1*sin(2*t)");
  const System system = entry.make({0.5});
  const InitialState start = entry.start({});
  EXPECT_LE(exact_velocity(system, start).cwiseAbs().maxCoeff(), 4.0 * unit_roundoff);
  const auto rigid = rigid_reduced(system, start);
  const Solution solution =
      find_ode_method("radau_iia")->solve(rigid.problem, test::uniform_grid(0.0, 3.0, 6), {});
  const Motion motion = rigid.motion(solution);
  for (Index k = 0; k < motion.q.cols(); ++k)
    EXPECT_NEAR(motion.q(1, k),
                0.2 + 0.1 * std::sin(2.0 * motion.times[static_cast<std::size_t>(k)]), 1e-6);
}

// A floor whose velocity has kinks at instants: rolling is solved from one to the next, slipping
// motions are not.
TEST(SurfaceTerms, SlippingContactsNeedSurfacesThatMoveSmoothly) {
  const SystemEntry kinked = lifted_wheel("0.1*abs(sin(2*t))"), smooth = lifted_wheel("sin(2*t)");
  EXPECT_EQ(kinked.make({0.5}).recorded->clock, 3);
  EXPECT_NE(kinked.make({0.5}).switches, nullptr);
  EXPECT_NO_THROW(smooth.make_frictional({0.5}));
  try {
    kinked.make_frictional({0.5});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("switches in time"));
  }
}

void expect_refused(const std::string& from, const std::string& to, const std::string& reason) {
  std::string text = everything;
  text.replace(text.find(from), from.size(), to);
  try {
    entry_in(text).make({});
    FAIL() << to << " was accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(reason));
  }
}

TEST(SurfaceTerms, RefuseRowsThatAreNotLinear) {
  expect_refused("0.1*t*u", "0.1*t*u^2", "is not linear");
  expect_refused("\"w + 0.1*t*u - sin(h)*t^2 - 0.05*x\"", "\"sin(h)*t^2\"",
                 "is zero for every velocity");
  expect_refused("exact_constraint", "quasi_velocities = [\"u\", \"o + t\"]\nexact_constraint",
                 "does not vanish");
  expect_refused("{name = \"s\",", "{name = \"clock\",", "name of the time");
}

// b does not depend on the parameters' values: with omega = 0 the system keeps its clock, so that
// all points of a sweep have the same sizes.
TEST(SurfaceTerms, SizesDoNotDependOnTheValuesOfParameters) {
  const SystemEntry& entry = *find_system(builtin_systems(), "tilted_turntable_ball");
  std::vector<double> values = entry.default_values();
  values[3] = 0.0;  // table_rate
  EXPECT_EQ(entry.make(values).nq, 3);
  EXPECT_EQ(entry.make(values).recorded->clock, 2);
  EXPECT_EQ(
      find_system(builtin_systems(), "turntable_ball")->make({1.0, 0.1, 0.4, 3.0}).recorded->clock,
      -1);
}

}  // namespace
}  // namespace rigidlimit
