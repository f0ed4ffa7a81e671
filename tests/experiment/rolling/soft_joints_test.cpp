// Tests joints whose rows are the rates of positions (constraint_position).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/experiment/stiffness/find_stiffness.hpp"
#include "rigidlimit/experiment/stiffness/wanted_error.hpp"
#include "rigidlimit/mechanics/equations.hpp"

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
    for (const RigidReport& rigid : result.rigid)
      largest = std::max(largest, rigid.invariant_drift);
    return largest;
  };
  EXPECT_GT(drift(by_position), 0.0);
  EXPECT_LT(drift(by_position), 1e-10);
  EXPECT_EQ(drift(by_velocity), 0.0) << "a velocity row has no position";
}

TEST(SoftJoint, AnOpenStartIsRefusedWithItsSizeAndTheClosedStart) {
  const std::string text = refusal(pendulum(by_position, "", "1.25"));
  EXPECT_THAT(text, AllOf(HasSubstr("pin"), HasSubstr("0.25"), HasSubstr("[1, 0]")));
  EXPECT_THAT(refusal(pendulum(by_position, "[initial]\nq = [0.6, 0.8001]")), HasSubstr("pin"));
  EXPECT_EQ(refusal(pendulum(by_position, "[initial]\nq = [0.6, 0.8]\nv = [0.0, 0.0]")), "")
      << "negative control: rounding is no gap";
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
  EXPECT_THAT(refusal(pendulum(by_position, "[contact]\npreparation = \"prepared\"")),
              HasSubstr("prepared"));
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
