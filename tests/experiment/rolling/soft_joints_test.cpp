// Tests joints whose rows are the rates of positions (constraint_position).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/rigid_side.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/experiment/stiffness/find_stiffness.hpp"
#include "rigidlimit/experiment/stiffness/wanted_error.hpp"
#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A pendulum of 1 kg and 1 m from the horizontal at rest. `joint`: a key of [system] with its
/// rows.
std::string pendulum(const std::string& joint, const std::string& more = "",
                     const std::string& start = "1.0") {
  return fmt::format(R"toml(
[study]
name = "pendulum"
[system]
name = "pinned"
coordinates = [{{name = "x", unit = "m", start = {}, start_rate = 0.0}},
               {{name = "y", unit = "m", start = 0.0, start_rate = 0.0}}]
kinetic_coenergy = "mass/2*(x'^2 + y'^2)"
potential = "mass*gravity*y"
{}
[system.parameters]
mass = {{default = 1.0, unit = "kg", above = 0.0}}
length = {{default = 1.0, unit = "m", above = 0.0}}
gravity = {{default = 9.81, unit = "m/s^2"}}
[time]
end = 2.0
[epsilon]
values = [1e-3, 5e-4, 2.5e-4]
[solvers]
compliant = ["radau_iia"]
{}
)toml",
                     start, joint, more);
}

constexpr const char* by_position =
    "constraint_position = [{name = \"pin\", unit = \"m\", value = \"sqrt(x^2 + y^2) - length\"}]";
constexpr const char* by_velocity = "constraint = [\"(x*x' + y*y')/sqrt(x^2 + y^2)\"]";

RollingStudy read(const std::string& text) {
  return read_rolling_study(TomlDocument::from_text(text, "pendulum.toml"));
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SoftJoint, ItsRowIsTheRateOfItsPosition) {
  const System joint = read(pendulum(by_position)).model, rows = read(pendulum(by_velocity)).model;
  EXPECT_EQ(joint.np, 1);
  EXPECT_EQ(rows.np, 0) << "negative control";
  std::minstd_rand random(3);
  std::uniform_real_distribution<double> any(-2.0, 2.0);
  for (int k = 0; k < 20; ++k) {
    const Vector<double, 2> q(any(random), any(random));
    VectorXd g(1);
    MatrixXd G(1, 2), same(1, 2);
    joint.in<double>().positions(q, g);
    joint.in<double>().constraints(q, G);
    rows.in<double>().constraints(q, same);
    EXPECT_NEAR(g(0), q.norm() - 1.0, 1e-15);
    EXPECT_LT((G - same).cwiseAbs().maxCoeff(), 4e-16);
  }
}

/// The rate of g(q, t) has the part ∂g/∂t in the column of the clock.
TEST(SoftJoint, AMovingOneHasItsVelocityInTheColumnOfTheClock) {
  const RollingStudy study =
      read(pendulum("constraint_position = [{unit = \"m\", value = \"x - 1 - 0.2*sin(3*t)\"}]\n",
                    "[initial]\nv = [0.6, 0.0]"));
  ASSERT_EQ(study.model.nq, 3);
  MatrixXd rows(study.model.ne + 1, 3);
  const Vector<double, 3> q(1.0, 0.5, 0.7);
  study.model.in<double>().constraints(q, rows);
  EXPECT_NEAR(rows(study.model.ne, 0), 1.0, 1e-15);
  EXPECT_NEAR(rows(study.model.ne, 2), -0.6 * std::cos(2.1), 1e-15);
}

constexpr const char* by_distance =
    "bodies = [{name = \"bob\", position = [\"x\", \"y\"]}]\n"
    "joints = [{kind = \"distance\", child = \"bob\", length = \"length\"}]";

/// K of q and v: an own solve and a proof (132.365694 ± 3e-7 and 586.905643 ± 2e-6). With g → s g
/// and C → C/s² the motion is the same: x² + y² − L² has s = 2 L on g = 0.
TEST(SoftJoint, ThePendulumHasItsConstantInEveryFormOfItsPosition) {
  for (const std::string& text :
       {pendulum(by_position), pendulum(by_distance),
        pendulum("constraint_position = [{unit = \"m^2\", value = \"x^2 + y^2 - length^2\"}]",
                 "[contact]\nstiffness = 0.25")}) {
    const RollingResult result = run_rolling_study(read(text), {});
    int seen = 0;
    for (const Series& series : result.series) {
      const Row& last = series.rows.back();
      if (last.measure.norm != Norm::sup || last.measure.window != Window::all) continue;
      if (last.measure.quantity != Quantity::q && last.measure.quantity != Quantity::v) continue;
      const double wanted = last.measure.quantity == Quantity::q ? 132.3656935 : 586.905643;
      EXPECT_NEAR(last.predicted_coefficient, wanted, 3e-9 * wanted);
      EXPECT_NEAR(last.ratio, 1.0, 0.003);
      ++seen;
    }
    EXPECT_EQ(seen, 2);
  }
}

/// The rigid side restores g at the rate γ = 10/s, so that g stays of the size of the local error.
TEST(SoftJoint, TheRigidSideKeepsItsPosition) {
  const std::string longer = "[output]\nsamples = \"all\"";
  const auto drift = [&](const char* joint) {
    RollingStudy study = read(pendulum(joint, longer));
    study.time.end = 60.0;
    study.epsilons = {0.1};
    RunOptions options;
    const RollingResult result = run_rolling_study(study, options);
    double largest = 0.0;
    for (const RigidReport& rigid : result.rigid) largest = std::max(largest, rigid.joint_drift);
    return largest;
  };
  EXPECT_GT(drift(by_position), 0.0);
  EXPECT_LT(drift(by_position), 1e-10);
  EXPECT_EQ(drift(by_velocity), 0.0) << "a velocity row has no position";
}

/// Over 1000 s |g| of the solver has the size of its tolerance. The samples are on g = 0, to the
/// rounding of sqrt(x² + y²) − 1, and G v = 0 to that of |v| ≤ 4.5 m/s.
TEST(SoftJoint, TheSamplesOfTheRigidMotionAreProjectedOntoItsPosition) {
  const RollingStudy study = read(pendulum(by_position));
  std::vector<double> times;
  for (int k = 0; k <= 2000; ++k) times.push_back(0.5 * k);
  for (const char* name :
       {"ida", "radau_iia_index2", "radau_iia_reduced", "radau_iia", "runge_kutta_fehlberg78"}) {
    SCOPED_TRACE(name);
    SolveOptions options;
    options.rtol = 1e-8;
    options.atol = 1e-10;
    options.max_steps = 10000000;
    const RigidMotion rigid =
        solve_rigid(study, *find_rigid_solver(name), rigid_start(study), times, {}, options);
    ASSERT_EQ(rigid.outcome, Outcome::success);
    const Motion& motion = rigid.motion.rounded;
    double off = 0.0, opening = 0.0;
    for (Index k = 0; k < motion.q.cols(); ++k) {
      off = std::max(off, std::abs(motion.q.col(k).norm() - 1.0));
      opening = std::max(opening, std::abs(motion.q.col(k).dot(motion.v.col(k))));
    }
    EXPECT_LT(off, 5e-16);
    EXPECT_LT(opening, 4e-15);
    EXPECT_GT(rigid.joint_drift, 1e-13) << "negative control: that of the solver";
    EXPECT_LT(rigid.joint_drift, 1e-5);
  }
}

TEST(SoftJoint, AnOpenStartIsRefusedWithItsSizeAndTheClosedStart) {
  const std::string text = refusal(pendulum(by_position, "", "1.25"));
  EXPECT_THAT(text, AllOf(HasSubstr("pin"), HasSubstr("0.25"), HasSubstr("[1, 0]")));
  EXPECT_THAT(refusal(pendulum(by_position, "[initial]\nq = [0.6, 0.8001]")), HasSubstr("pin"));
  EXPECT_EQ(refusal(pendulum(by_position, "[initial]\nq = [0.6, 0.8]\nv = [0.0, 0.0]")), "")
      << "negative control: rounding is no gap";
}

constexpr const char* projected = "[initial]\nproject_position = true";

/// Along a ray the circle is nearest: the start 1.25 m off moves to 1 m, and the motion is that of
/// the closed start.
TEST(SoftJoint, AnOpenStartMovesToTheNearestClosedOneIfTheFileAsksForIt) {
  const RollingStudy closed = read(pendulum(by_position)),
                     open = read(pendulum(by_position, projected, "1.25"));
  ASSERT_TRUE(open.open_start);
  EXPECT_EQ((*open.open_start)(0), 1.25);
  EXPECT_LT((open.initial.q - closed.initial.q).cwiseAbs().maxCoeff(), 4e-16);
  EXPECT_FALSE(closed.open_start) << "negative control";
  const std::string again = resolved_toml(open);
  const RollingStudy resolved = read_rolling_study(TomlDocument::from_text(again, "resolved.toml"));
  EXPECT_EQ(resolved.initial.q, open.initial.q);
  EXPECT_EQ(resolved.initial.v, open.initial.v);
  EXPECT_EQ(resolved_toml(resolved), again);
  EXPECT_THAT(refusal(pendulum(by_velocity, projected)), HasSubstr("project_position"))
      << "a velocity row has no position";
}

/// From (0, 0) the gradient of the distance is not defined, so that no iteration converges.
TEST(SoftJoint, AStartWithoutANearestClosedOneIsRefused) {
  EXPECT_THAT(refusal(pendulum(by_position, projected, "0.0")), HasSubstr("open"));
}

/// In the metric of the kinetic energy (x'^2 + 4 y'^2)/2 the point nearest to (1.2, 0.9) on the
/// circle has (q − q0) M parallel to its normal to first order in the gap: the residual of that
/// condition is of its second order, 0.5² · 1.5 at most, and smaller than in the metric of the
/// coordinates.
TEST(SoftJoint, TheNearestStartIsThatOfTheKineticEnergy) {
  std::string text = pendulum(by_position,
                              "[initial]\nproject_position = true\n"
                              "q = [0.606, 0.808]\nv = [0.0, 0.0]");
  const std::string isotropic = text;
  text.replace(text.find("y'^2"), 4, "4*y'^2");
  const auto residual = [](const RollingStudy& study, double mass_of_y) {
    const VectorXd step = study.initial.q - *study.open_start;
    return std::abs(step(0) * study.initial.q(1) - mass_of_y * step(1) * study.initial.q(0)) /
           step.norm();
  };
  const RollingStudy heavy = read(text), same = read(isotropic);
  EXPECT_NEAR(heavy.initial.q.norm(), 1.0, 4e-16);
  EXPECT_LT(residual(heavy, 4.0), 0.05);
  EXPECT_LT(residual(same, 1.0), 1e-9);
  EXPECT_GT(residual(same, 4.0), 1.0) << "negative control";
}

TEST(SoftJoint, WrongPositionsAreRefused) {
  const auto of = [](const char* entry) {
    return refusal(pendulum(fmt::format("constraint_position = [{}]", entry)));
  };
  EXPECT_THAT(of("{value = \"length - 1\"}"), HasSubstr("constrains nothing"));
  EXPECT_THAT(of("{value = \"x*x' - 1\"}"), HasSubstr("x'")) << "a position has no velocities";
  EXPECT_THAT(of("{name = \"pin\"}"), HasSubstr("value"));
  EXPECT_THAT(of("{value = \"sqrt(x^2 + y^2) - length\", unit = \"metre per\"}"),
              HasSubstr("unit"));
  EXPECT_THAT(of("{value = \"sqrt(x^2 + y^2) - length\", row = \"x\"}"), HasSubstr("row"));
  EXPECT_THAT(of("\"x - 1\""), HasSubstr("value")) << "not a list of tables";
  EXPECT_THAT(of("{name = \"pin\", value = \"x - 1\"}, {name = \"gap_pin\", value = \"y\"}"),
              HasSubstr("gap_pin"))
      << "the name of a gap";
  EXPECT_THAT(of("{value = \"sqrt(x^2 + y^2) - length\"}, {value = \"x^2 + y^2 - length^2\"}"),
              HasSubstr("dependent"));
}

constexpr const char* prepared = "[contact]\npreparation = \"prepared\"\n";
/// At rest, 0.6 rad below the horizontal, where Λ(0) = 9.81 sin(0.6) N.
constexpr const char* hanging =
    "[initial]\nq = [0.82533561490967822, -0.56464247339503537]\nv = [0.0, 0.0]\n";

/// The compliant motion starts at r = 1 + ε² Λ(0)/C on the same ray, with G v = 0.
TEST(PreparedJoint, StartsOpenByItsLoad) {
  const RollingStudy study = read(pendulum(by_position, std::string(prepared) + hanging));
  const double load = 9.81 * std::sin(0.6);
  ASSERT_TRUE(moves_start(study));
  EXPECT_NEAR(initial_deflection(study)(0), load, 1e-14 * load);
  for (const double epsilon : {0.1, 1e-3}) {
    const InitialState start = compliant_start(study, epsilon, study.initial);
    EXPECT_NEAR(start.q.norm() - 1.0, epsilon * epsilon * load, 4e-16);
    EXPECT_NEAR(std::atan2(start.q(1), start.q(0)), -0.6, 2e-16);
    const auto quad = compliant_start<Quad>(
        study, epsilon, {study.initial.q.cast<Quad>(), study.initial.v.cast<Quad>()});
    EXPECT_LT((quad.q.cast<double>() - start.q).norm(), 4e-16);
  }
  const RollingStudy rows = read(pendulum(by_velocity, std::string(prepared) + hanging));
  EXPECT_FALSE(moves_start(rows)) << "negative control: a preload";
  EXPECT_EQ(compliant_start(rows, 0.1, rows.initial).q, rows.initial.q);
}

/// At a velocity v along the circle, the moved start keeps v: G(q) = q/|q| does not change along
/// the ray. In the metric of (x'^2 + 4 y'^2)/2 both q and v turn; the start agrees with its terms
/// of order ε² up to those of ε⁴: the difference falls by 16 when ε is halved.
TEST(PreparedJoint, ItsStartHasThePredictedShift) {
  std::string text =
      pendulum(by_position, std::string(prepared) + "[initial]\nq = [0.6, -0.8]\nv = [1.6, 1.2]\n");
  text.replace(text.find("y'^2"), 4, "4*y'^2");
  const RollingStudy study = read(text);
  const StartShift shift = start_shift(study, study.initial);
  EXPECT_GT(shift.q.norm(), 1.0);
  EXPECT_GT(shift.v.norm(), 1.0);
  const auto left = [&](double epsilon) {
    const InitialState start = compliant_start(study, epsilon, study.initial);
    EXPECT_LT(sliding_velocity(study.model, start).norm(), 1e-15);
    const double square = epsilon * epsilon;
    return std::array{(start.q - study.initial.q - square * shift.q).norm(),
                      (start.v - study.initial.v - square * shift.v).norm()};
  };
  const auto coarse = left(0.02), fine = left(0.01);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(coarse[k] / fine[k], 16.0, 0.5) << k;
}

/// Orders 2, 2, 1, and constants that are those of the theory: not those of the preloaded spring.
TEST(PreparedJoint, HasThePredictedConstants) {
  const auto constant_of_q = [](const char* joint) {
    const RollingResult result =
        run_rolling_study(read(pendulum(joint, std::string(prepared) + hanging)), {});
    double constant = 0.0;
    for (const Series& series : result.series) {
      const Row& last = series.rows.back();
      if (last.measure.norm != Norm::sup || last.measure.window != Window::all) continue;
      EXPECT_NEAR(last.ratio, 1.0, 0.01) << joint << " " << text_of(last.measure);
      if (last.measure.quantity == Quantity::q) constant = last.predicted_coefficient;
    }
    return constant;
  };
  const double moved = constant_of_q(by_position), preloaded = constant_of_q(by_velocity);
  EXPECT_GT(std::abs(moved - preloaded), 1.0) << "negative control";
}

/// A four-bar of uniform bars of 1, 3 and 2.5 m with 1 kg/m and a base of 3 m, from the upright
/// crank at rest.
std::string bars(const char* joints) {
  return std::string(R"toml(
study.name = "four_bar"
[system]
name = "bars"
coordinates = [{name = "a", unit = "rad", start = 1.5707963267948966, start_rate = 0.0},
               {name = "b", unit = "rad", start = 0.51216119318615, start_rate = 0.0},
               {name = "c", unit = "rad", start = 1.7253864163355364, start_rate = 0.0}]
kinetic_coenergy = "a'^2/6 + 1.5*(a'^2 + 3*cos(a - b)*a'*b' + 3*b'^2) + 2.5^3/6*c'^2"
potential = "9.81*(0.5*sin(a) + 3*sin(a) + 4.5*sin(b) + 3.125*sin(c))"
)toml") + joints +
         R"toml(
[initial]
v = [0.0, 0.0, 0.0]
[contact]
preparation = "prepared"
[time]
end = 1.0
[epsilon]
values = [2e-3, 1e-3]
[solvers]
compliant = ["radau_iia"]
)toml";
}

/// The constants are those of an own solve of the outer expansion, to 10 digits. With q(0) moved it
/// is that of the unloaded spring, which a proof encloses (12.5430266 ± 4e-8), as the start is at
/// rest; the preloaded spring has another (2.54964116 ± 8e-9).
TEST(PreparedJoint, OfAFourBarHasAnotherConstantThanItsPreload) {
  const auto constant = [](const char* joints) {
    const RollingResult result = run_rolling_study(read(bars(joints)), {});
    for (const Series& series : result.series) {
      const Row& last = series.rows.back();
      if (last.measure.norm != Norm::sup || last.measure.window != Window::all ||
          last.measure.quantity != Quantity::q)
        continue;
      EXPECT_LT(std::abs(last.ratio - 1.0), 0.6 * std::abs(series.rows.front().ratio - 1.0))
          << "the remainder has the order ε, and ε is halved";
      return last.predicted_coefficient;
    }
    return 0.0;
  };
  EXPECT_NEAR(constant("constraint_position = [{value = \"cos(a) + 3*cos(b) - 2.5*cos(c) - 3\"}, "
                       "{value = \"sin(a) + 3*sin(b) - 2.5*sin(c)\"}]"),
              12.54302662, 1e-7);
  EXPECT_NEAR(constant("constraint = [\"-sin(a)*a' - 3*sin(b)*b' + 2.5*sin(c)*c'\", "
                       "\"cos(a)*a' + 3*cos(b)*b' - 2.5*cos(c)*c'\"]"),
              2.549641167, 1e-7)
      << "negative control";
}

TEST(PreparedJoint, IsRefusedWhereItHasNoMeaning) {
  const auto with = [](const std::string& more) {
    return refusal(pendulum(by_position, std::string(prepared) + hanging + more));
  };
  EXPECT_EQ(with(""), "") << "negative control";
  EXPECT_THAT(with("[tangent]\nv = [0.5646, 0.8253]"), HasSubstr("prepared"));
  std::string composite = pendulum(by_position, std::string(prepared) + hanging);
  composite.replace(composite.find("name = \"pendulum\""), 17,
                    "name = \"pendulum\"\nagainst = \"composite\"");
  EXPECT_THAT(refusal(composite), HasSubstr("composite"));
}

/// The text of a study with joints reads back as the same joints.
TEST(SoftJoint, IsKeptInTheResolvedStudy) {
  const RollingStudy study = read(pendulum(by_position));
  const RollingStudy again =
      read_rolling_study(TomlDocument::from_text(resolved_toml(study), "resolved.toml"));
  EXPECT_EQ(again.model.np, 1);
  EXPECT_EQ(again.system->info.contacts.front().name, "pin");
  EXPECT_EQ(again.system->info.contacts.front().unit, "m/s");
}

/// The series of a quantity or component in the sup norm over all times; the first law if `law` is
/// empty.
const Series& series_of(const RollingResult& result, const std::string& quantity,
                        const std::string& law = "") {
  for (const Series& series : result.series) {
    const Row& row = series.rows.front();
    if (quantity_name(row.measure) == quantity && row.measure.norm == Norm::sup &&
        row.measure.window == Window::all && (law.empty() || row.law.name == law))
      return series;
  }
  throw std::logic_error("no series of " + quantity);
}

/// The gap is ε² Λ/C, and Λ of a pendulum from the horizontal is at most 3 m g. In m², s = 2 L.
TEST(GapOfJoint, OfThePendulumIsThreeTimesItsWeightOverItsStiffness) {
  constexpr double three_weights = 3.0 * 9.81;
  const std::string claims = R"toml(
[[expect]]
quantity = "gap"
order = 2.0
ratio = 1.0
[[expect]]
quantity = "gap_pin"
order = 2.0
[[bound]]
quantity = "gap"
constant = 29.44
power = 2.0
)toml";
  const RollingStudy study = read(pendulum(by_position, claims));
  ASSERT_EQ(study.system->info.positions.size(), 1U);
  EXPECT_EQ(study.system->info.positions.front().unit, "m");
  const RollingResult result = run_rolling_study(study, {});
  EXPECT_TRUE(result.held());
  for (const char* const name : {"gap", "gap_pin"}) {
    const Series& gap = series_of(result, name);
    EXPECT_EQ(gap.predicted_order, 2.0);
    EXPECT_NEAR(gap.rows.back().predicted_coefficient, three_weights, 1e-8);
    EXPECT_NEAR(gap.rows.back().ratio, 1.0, 1e-4);
    EXPECT_NEAR(gap.judgement.fit.order, 2.0, 1e-3);
  }
  const RollingStudy in_squares =
      read(pendulum("constraint_position = [{unit = \"m^2\", value = \"x^2 + y^2 - length^2\"}]",
                    "[[bound]]\nquantity = \"gap_g1\"\nconstant = 58.87\npower = 2.0\n"
                    "[contact]\nstiffness = 0.25"));
  EXPECT_EQ(in_squares.system->info.positions.front().unit, "m^2");
  const RollingResult squares = run_rolling_study(in_squares, {});
  EXPECT_TRUE(squares.held());
  EXPECT_NEAR(series_of(squares, "gap_g1").rows.back().predicted_coefficient, 2.0 * three_weights,
              1e-8);

  const RollingStudy stiffer = read(pendulum(by_position, claims + "[contact]\nstiffness = 2.0"));
  EXPECT_NEAR(series_of(run_rolling_study(stiffer, {}), "gap").rows.back().predicted_coefficient,
              0.5 * three_weights, 1e-8)
      << "negative control: another stiffness";
  const std::string low = "[[bound]]\nquantity = \"gap\"\nconstant = 29.42\npower = 2.0\n";
  EXPECT_FALSE(run_rolling_study(read(pendulum(by_position, low)), {}).held());
  const std::string wrong = "[[expect]]\nquantity = \"gap\"\norder = 1.0\n";
  EXPECT_FALSE(run_rolling_study(read(pendulum(by_position, wrong)), {}).held());
}

/// From the lowest point at rest Λ = m g: the deflection of an unloaded start overshoots.
TEST(GapOfJoint, HasTheOvershootOfItsLayer) {
  const auto at_rest = [](const std::string& contact) {
    std::string text = pendulum(by_position, contact, "0.0");
    const std::string zero = "{name = \"y\", unit = \"m\", start = 0.0";
    text.replace(text.find(zero), zero.size(), "{name = \"y\", unit = \"m\", start = -1.0");
    return run_rolling_study(read(text), {});
  };
  constexpr double weight = 9.81;
  const auto overshoot = [](double zeta) {
    return std::exp(-std::numbers::pi * zeta / std::sqrt(1.0 - zeta * zeta));
  };
  for (const double zeta : {0.3, 0.5}) {
    const Row row =
        series_of(at_rest(fmt::format("[contact]\ndamping_ratio = {}", zeta)), "gap").rows.back();
    EXPECT_NEAR(row.predicted_coefficient, (1.0 + overshoot(zeta)) * weight, 1e-5);
    EXPECT_NEAR(row.ratio, 1.0, 1e-4);
  }
  // Without a damper it rings between 0 and 2 m g for ever.
  const Row ringing = series_of(at_rest("[contact]\nlaw = \"elastic\""), "gap").rows.back();
  EXPECT_NEAR(ringing.predicted_coefficient, 2.0 * weight, 1e-4);
  EXPECT_NEAR(ringing.ratio, 1.0, 1e-3);
  // The damper of β = 1/2 vanishes with ε.
  const Row frozen = series_of(at_rest("[contact]\ndamping_exponent = 0.5"), "gap").rows.back();
  EXPECT_GT(frozen.predicted_coefficient, 1.5 * weight);
  EXPECT_NEAR(frozen.ratio, 1.0, 0.01);
  // A spring that carries the weight from the start keeps the joint closed.
  const RollingResult loaded = at_rest("[contact]\ndeflection = [9.81]");
  EXPECT_LT(series_of(loaded, "gap").rows.back().model_error(), 1e-10);
}

/// A preloaded spring has y = g + ε² η(0): the gap is ε² (Λ/C − η(0)).
TEST(GapOfJoint, OfAPreloadedSpringIsItsPosition) {
  const Series& gap = series_of(
      run_rolling_study(read(pendulum(by_position, "[contact]\ndeflection = [10.0]")), {}), "gap");
  EXPECT_NEAR(gap.rows.back().predicted_coefficient, 3.0 * 9.81 - 10.0, 1e-8);
  EXPECT_NEAR(gap.rows.back().ratio, 1.0, 1e-3);
}

/// g = ∫ w dt with w = ε Λ/D; a law without a spring has g(q) of its motion.
TEST(GapOfJoint, OfAViscousJointGrowsWithTime) {
  const RollingResult result = run_rolling_study(
      read(
          pendulum(by_position, "[contact]\nlaw = [\"viscoelastic\", \"viscous\"]\ndamping = 2.0")),
      {});
  const Series& viscous = series_of(result, "gap", "viscous");
  EXPECT_EQ(viscous.predicted_order, 1.0);
  EXPECT_NEAR(viscous.rows.back().ratio, 1.0, 0.01);
  EXPECT_EQ(series_of(result, "gap", "viscoelastic").predicted_order, 2.0);
}

TEST(GapOfJoint, KeepsItsDigitsIn113Bits) {
  const std::string precise =
      "precision = \"quad\"\nrigid = [\"radau_iia\"]\nrtol = 1e-20\natol = 1e-22\n";
  RollingStudy study = read(pendulum(by_position, precise));
  study.epsilons = {1e-6};
  const Row row = series_of(run_rolling_study(study, {}), "gap").rows.back();
  EXPECT_NEAR(row.ratio, 1.0, 1e-9);
  EXPECT_LT(row.sizes.solver, 1e-15 * row.model_error());
}

/// Bars of 1, 3 and 2.5 m and 1 kg/m with pins 3 m apart, from rest with a vertical crank. K of q
/// and max |Λ| of each row: an own solve.
TEST(GapOfJoint, OfAFourBarHasAConstantInEveryRow) {
  const char* const text = R"toml(
[study]
name = "four_bar"
[system]
name = "four_bar"
coordinates = [{name = "a", unit = "rad", start = "pi/2", start_rate = 0.0},
               {name = "b", unit = "rad", start = 0.51216119318615, start_rate = 0.0},
               {name = "c", unit = "rad", start = 1.7253864163355364, start_rate = 0.0}]
kinetic_coenergy = "a'^2/6 + 3/2*(a'^2 + 3*a'*b'*cos(a - b) + 3*b'^2) + 2.5^3/6*c'^2"
potential = "9.81*(sin(a)/2 + 3*(sin(a) + 1.5*sin(b)) + 2.5^2/2*sin(c))"
constraint_position = [{name = "along", unit = "m", value = "cos(a) + 3*cos(b) - 2.5*cos(c) - 3"},
                       {name = "across", unit = "m", value = "sin(a) + 3*sin(b) - 2.5*sin(c)"}]
[time]
end = 1.0
[epsilon]
values = [1e-3, 5e-4]
[solvers]
compliant = ["radau_iia"]
[[expect]]
quantity = "gap_along"
order = 2.0
[[expect]]
quantity = "gap_across"
order = 2.0
)toml";
  const RollingResult result = run_rolling_study(read(text), {});
  const auto constant = [&](const char* quantity) {
    return series_of(result, quantity).rows.back().predicted_coefficient;
  };
  EXPECT_NEAR(constant("q"), 12.54302662, 1e-7);
  EXPECT_NEAR(constant("gap_along"), 4.311913, 1e-5);
  EXPECT_NEAR(constant("gap_across"), 13.562873, 1e-5);
  EXPECT_NEAR(constant("gap"), 13.562873, 1e-5) << "the largest of its rows";
}

/// k = C/ε² with gap = 3 m g/k.
TEST(GapOfJoint, GivesItsStiffness) {
  const PairStudy study = read(pendulum(by_position));
  const StiffnessResult found =
      find_stiffness(study, {.wanted = {wanted_error_of("gap=0.1mm", study)}, .methods = {}}, {});
  ASSERT_TRUE(found.found);
  EXPECT_NEAR(found.laws.front().coefficient, 29.43, 1e-8);
  EXPECT_EQ(found.laws.front().order, 2.0);
  const double k = found.contact.rolling.stiffness(0, 0);
  EXPECT_NEAR(k, 2.943e5 / 0.98, 1e3) << "the search aims at 0.98 of the wanted error";
  EXPECT_THROW(wanted_error_of("gap=1rad", study), InputError);
  const PairStudy rows = read(pendulum(by_velocity));
  EXPECT_THROW(wanted_error_of("gap=0.1mm", rows), InputError) << "negative control";
}

TEST(GapOfJoint, BelongsToPositionsAlone) {
  const char* const claim = "[[expect]]\nquantity = \"gap\"\norder = 2.0\n";
  EXPECT_THAT(
      refusal(pendulum(by_velocity, claim)),
      AllOf(HasSubstr("pendulum.toml:22:12"), HasSubstr("gap"), HasSubstr("constraint_position")));
  EXPECT_EQ(refusal(pendulum(by_position, claim)), "");
  const RollingResult rows = run_rolling_study(read(pendulum(by_velocity)), {});
  EXPECT_THROW(series_of(rows, "gap"), std::logic_error);
  const char* const proved =
      "certified = true\n[[bound]]\nquantity = \"gap\"\nconstant = 30.0\n"
      "power = 2.0\nproved = true\n";
  EXPECT_THAT(refusal(pendulum(by_position, proved)), AllOf(HasSubstr("proved"), HasSubstr("gap")));
}

/// Certified rows bound q, v and λ, and the gap is measured beside them.
TEST(GapOfJoint, IsMeasuredInACertifiedStudy) {
  RollingStudy study = read(pendulum(by_position, "certified = true"));
  study.time.end = 0.2;
  study.after = 0.05;
  study.epsilons = {1e-3};
  const RollingResult result = run_rolling_study(study, {});
  EXPECT_NE(series_of(result, "q").rows.back().proved(), nullptr);
  EXPECT_EQ(series_of(result, "gap").rows.back().proved(), nullptr);
  EXPECT_GT(series_of(result, "gap").rows.back().model_error(), 0.0);
}

/// A study against its expansion: behind the order 2, the gap has the order 3.
TEST(GapOfJoint, HasFurtherTerms) {
  RollingStudy study = read(pendulum(by_position));
  study.against = Against::composite;
  study.composite_order = 2;
  const Series gap = series_of(run_rolling_study(study, {}), "gap");
  EXPECT_EQ(gap.predicted_order, 3.0);
  EXPECT_NEAR(gap.rows.back().ratio, 1.0, 0.02);
}

/// A bar of 1 m by a pin at its end has the constants of the rows written by hand, not those of the
/// pendulum with the mass at its end.
TEST(SoftJoint, APinOfABarHasTheConstantsOfItsRows) {
  const auto constants = [](const std::string& joint) {
    std::string text = pendulum(joint, "", "\"length/2\"");
    const auto replace = [&text](const std::string& old, const std::string& now) {
      text.replace(text.find(old), old.size(), now);
    };
    replace("start_rate = 0.0}]",
            "start_rate = 0.0}, {name = \"a\", unit = \"rad\", start = 0.0, start_rate = 0.0}]");
    replace("(x'^2 + y'^2)", "(x'^2 + y'^2 + length^2*a'^2/12)");
    std::vector<double> all;
    const RollingResult result = run_rolling_study(read(text), {});
    for (const Series& series : result.series) {
      const Row& last = series.rows.back();
      if (last.measure.norm != Norm::sup || last.measure.window != Window::all) continue;
      EXPECT_NEAR(last.ratio, 1.0, 0.02);
      all.push_back(last.predicted_coefficient);
    }
    return all;
  };
  const std::vector<double>
      pin = constants(
          "bodies = [{name = \"bar\", position = [\"x\", \"y\"], angle = \"a\"}]\n"
          "joints = [{kind = \"pin\", child = \"bar\", child_anchor = [\"-length/2\", 0]}]"),
      rows = constants(
          "constraint_position = [{value = \"x - length/2*cos(a)\"}, "
          "{value = \"y - length/2*sin(a)\"}]");
  ASSERT_EQ(pin.size(), rows.size());
  ASSERT_EQ(pin.size(), 4u);  // q, v, λ and the gap
  for (std::size_t k = 0; k < pin.size(); ++k) EXPECT_NEAR(pin[k], rows[k], 1e-8 * rows[k]);
  EXPECT_GT(std::abs(pin[0] - 132.3656935), 1.0) << "negative control";
}

}  // namespace
}  // namespace rigidlimit
