// Tests forces with jumps and kinks (docs/theory.md, section 14).
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/rigid_side.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/formulations/piecewise.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/random_numbers.hpp"
#include "support/ratio_claims.hpp"
#include "support/series_of_result.hpp"

namespace rigidlimit {
namespace {

/// A blade on a plane that turns at 0.4 rad/s from h = 0.3, pushed along x and held by a potential.
std::string blade(const std::string& force, const std::string& potential = "0",
                  const std::string& more = "") {
  return fmt::format(R"toml(
[study]
name = "blade"
[system]
name = "blade"
coordinates = [
  {{name = "x", start = 0.0, start_rate = "0.7*cos(0.3)"}},
  {{name = "y", start = 0.0, start_rate = "0.7*sin(0.3)"}},
  {{name = "h", start = 0.3, start_rate = 0.4}}]
kinetic_coenergy = "x'^2/2 + y'^2/2 + 0.3*h'^2/2"
potential = "{}"
applied_force = ["{}", "0", "0"]
constraint = ["cos(h)*y' - sin(h)*x'"]
[contact]
stiffness = 1.0
damping_ratio = 1.0
[epsilon]
from = 1e-2
to = 1e-4
count = 5
[solvers]
rigid = ["radau_iia"]
compliant = ["radau_iia"]
rtol = 1e-11
atol = 1e-13
{}
)toml",
                     potential, force, more);
}

const std::string ratios = test::ratio_claims(2, 1, 0);

RollingResult result_of(const std::string& text, const std::string& time = "end = 1.5") {
  const RollingStudy study = read_rolling_study(
      TomlDocument::from_text(text + "[time]\n" + time + "\n", "blade.toml"), builtin_systems());
  return run_rolling_study(study);
}

const Row& smallest(const RollingResult& result, Quantity quantity, Window window = Window::all) {
  return test::series_of(result, quantity, Norm::sup, window).rows.back();
}

// sup |λ − Λ| is the jump of Λ, 2 sin h(t*), which exceeds Λ(0) here. The layer of v peaks at 1/e
// of the jump, across the blade; cos h(t*) is the larger component. A parabola misses the peak by
// less than 1e-4 of it.
TEST(SwitchedForce, HasTheLayerOfItsLargestJump) {
  const double h = 0.3 + 0.4 * 0.513, jump = 2.0 * std::sin(h);
  const RollingResult result = result_of(blade("if(t < 0.513, 1, -1)", "0", ratios));
  EXPECT_TRUE(result.held());
  EXPECT_NEAR(smallest(result, Quantity::lambda).model_error(), jump, 1e-6);
  EXPECT_NEAR(smallest(result, Quantity::v).predicted_coefficient,
              jump * std::cos(h) / std::exp(1.0), 1e-4);
  EXPECT_NEAR(smallest(result, Quantity::lambda).ratio, 1.0, 1e-6);
  // The reference is as accurate as for a smooth force.
  for (const double error : result.rigid.front().error) EXPECT_LT(error, 1e-10);
  // A window that contains the jump has the order of the jump; a later window has order 2.
  EXPECT_EQ(test::series_of(result, Quantity::lambda, Norm::sup, Window::after).predicted_order,
            0.0);
  const RollingResult late = result_of(blade("if(t < 0.513, 1, -1)"), "end = 1.5\nafter = 0.9");
  const Series& after = test::series_of(late, Quantity::lambda, Norm::sup, Window::after);
  EXPECT_EQ(after.predicted_order, 2.0);
  EXPECT_NEAR(after.rows[1].ratio, 1.0, 0.05);
  // Negative control: without the jump the layer comes from Λ(0) alone.
  const RollingResult smooth = result_of(blade("1"));
  EXPECT_LT(smallest(smooth, Quantity::lambda).model_error(), 0.9 * jump);
}

// The number of samples has no effect, since the switch time is a sample.
TEST(SwitchedForce, IsTheSameForAnyNumberOfSamples) {
  const std::string text =
      blade("if(t < 0.513, 1, -1) + if(x > 0.33, 0.7, -0.2)", "0.5*abs(x - 0.2)*3");
  const RollingResult few = result_of(text, "end = 1.5\nsamples = 11"),
                      many = result_of(text, "end = 1.5\nsamples = 2001");
  EXPECT_NEAR(smallest(few, Quantity::lambda).model_error(),
              smallest(many, Quantity::lambda).model_error(), 1e-6);
  EXPECT_GT(smallest(few, Quantity::lambda).model_error(), 0.5);
}

// State-dependent switches: the compliant motion crosses at t* + ε² t₂, which changes q₂ and v₂.
TEST(SwitchedForce, PredictsCrossingsOfTheState) {
  EXPECT_TRUE(result_of(blade("if(x > 0.33, 0.7, -0.2)", "0", ratios)).held());
  EXPECT_TRUE(result_of(blade("1", "0.5*abs(x - 0.2)*3", ratios)).held());
  EXPECT_TRUE(result_of(blade("if(x' > 0.5, -1, -0.4)", "0", ratios)).held());
  // Negative control: 1.02 in place of 1.
  std::string off = ratios;
  for (std::size_t at = 0; (at = off.find("ratio = 1.0", at)) != std::string::npos; ++at)
    off.replace(at, 11, "ratio = 1.02");
  EXPECT_FALSE(result_of(blade("if(x > 0.33, 0.7, -0.2)", "0", off)).held());
}

TEST(SwitchedForce, PredictsPulsesTablesAndKinks) {
  EXPECT_TRUE(result_of(blade("if(sin(9*t) > 0, 1, 0)", "0", ratios)).held());
  EXPECT_TRUE(result_of(blade("table(t, 0.2, 1, 0.5, 2, 0.9, -1)", "0", ratios)).held());
  EXPECT_TRUE(result_of(blade("max(min(2*t, 1), 0.5*t)", "0", ratios)).held());
}

/// The study against the composite of this order.
std::string against_composite(std::string text, int order) {
  const std::string name = "name = \"blade\"\n";
  text.insert(text.find(name) + name.size(), "against = \"composite\"\n");
  const std::string from = "from = 1e-2\nto = 1e-4";
  text.replace(text.find(from), from.size(), "from = 1.5e-2\nto = 3e-3");
  text += fmt::format("[composite]\norder = {}\n", order);
  return text;
}

// The expansion continues behind a switch to any order: its remainder falls with order K + 1, in q
// and v with the predicted constant, for a switch of time, of the state and of the velocity.
// Samples between the two crossings decide on the largest error of λ. 0.1: the trend over these ε.
TEST(SwitchedForce, HasCompositesOfAnyOrder) {
  for (const char* force :
       {"if(t < 0.513, 1, -1)", "if(x > 0.33, 0.7, -0.2)", "if(x' > 0.5, -1, -0.4)"})
    for (const int order : {1, 2}) {
      const RollingResult result = result_of(against_composite(blade(force), order));
      for (const Quantity x : common_quantities) {
        const Series& series = test::series_of(result, x);
        EXPECT_EQ(series.predicted_order, order + 1.0);
        EXPECT_NEAR(series.judgement.fit.order, order + 1.0, 0.1) << force << ", order " << order;
        if (x != Quantity::lambda) {
          EXPECT_NEAR(series.rows.back().ratio, 1.0, 0.01) << force << ", order " << order;
        }
      }
    }
}

/// A cylinder on a road of straight pieces, from rest at s, of this height.
RollingStudy road(const std::string& height, double s) {
  return read_rolling_study(TomlDocument::from_text(fmt::format(R"toml(
[study]
name = "road"
[epsilon]
values = [1e-2, 1e-3]
[time]
end = 2.5
[solvers]
rigid = ["radau_iia"]
compliant = ["radau_iia"]
[system]
name = "road"
coordinates = [
  {{name = "s", unit = "m", start = {}, start_rate = 0}},
  {{name = "phi", unit = "rad", start = 0, start_rate = 0}}]
kinetic_coenergy = "0.75*s'^2 + 0.00375*phi'^2"
potential = "1.5*9.81*{}"
constraint = ["s' - 0.1*phi'"]
)toml",
                                                                s, height),
                                                    "road.toml"),
                            builtin_systems());
}

PiecewiseMotion rolled(const RollingStudy& study) {
  SolveOptions options;
  options.rtol = 1e-11;
  options.atol = 1e-13;
  return rigid_by_elimination(study, study.initial, {0.0, 1.0, 2.5}, {}, "radau_iia", options);
}

bool tells_rest(const RollingStudy& study) {
  const RollingResult result = run_rolling_study(study);
  return std::ranges::any_of(result.notes, [](const std::string& note) {
    return note.starts_with("nothing moves: v = 0 for all t");
  });
}

// From rest at a corner the slope is that of the side to which the motion goes. Slopes of 0.2 and
// 0.3 m/m up to s = 1 and 2 m accelerate by 2/3 g times the slope. A solve to 1e-11 gives the three
// parts to a multiple of that.
TEST(SwitchedForce, HasTheSlopeOfTheSideThatAMotionFromRestEnters) {
  const double a = 2.0 / 3.0 * 9.81 * 0.2, t1 = std::sqrt(2.0 / a), v1 = a * t1, b = 1.5 * a;
  const double v2 = std::sqrt(v1 * v1 + 2.0 * b), t2 = t1 + (v2 - v1) / b;
  const double end = 2.0 + v2 * (2.5 - t2);
  const std::string downhill = "table(s, 0, 0, 1, -0.2, 2, -0.5, 3, -0.5)";
  const std::string uphill = "table(s, -3, -0.5, -2, -0.5, -1, -0.2, 0, 0)";  // its mirror image
  EXPECT_NEAR(rolled(road(downhill, 0.0)).motion.q(0, 2), end, 1e-9);
  EXPECT_NEAR(rolled(road(uphill, 0.0)).motion.q(0, 2), -end, 1e-9);
  EXPECT_NEAR(rolled(road(downhill, 0.0)).motion.q(0, 1), 0.5 * a, 1e-9);
  EXPECT_FALSE(tells_rest(road(downhill, 0.0)));
  // Negative control: on the level road before the corner nothing moves.
  EXPECT_EQ(rolled(road(downhill, -0.5)).motion.v.cwiseAbs().maxCoeff(), 0.0);
  EXPECT_TRUE(tells_rest(road(downhill, -0.5)));
}

/// A driven wheel of mass 2 kg and radius 0.3 m, which moves as one of 3 kg without a wheel.
RollingStudy wheel(double x0, double v0, const std::string& force) {
  return read_rolling_study(TomlDocument::from_text(fmt::format(R"toml(
[study]
name = "wheel"
[epsilon]
values = [1e-2, 1e-3]
[time]
end = 2.5
[solvers]
rigid = ["radau_iia"]
compliant = ["radau_iia"]
[system]
name = "driven_wheel"
coordinates = [
  {{name = "x", unit = "m", start = {0}, start_rate = {1}}},
  {{name = "turn", unit = "rad", start = 0, start_rate = "{1}/0.3"}}]
kinetic_coenergy = "x'^2 + 0.045*turn'^2"
potential = 0
applied_force = ["{2}", 0]
constraint = ["x' - 0.3*turn'"]
[contact]
stiffness = 1.0
)toml",
                                                                x0, v0, force),
                                                    "wheel.toml"),
                            builtin_systems());
}

// Up to its switch, the switching function is linear in t. The motion is a parabola on each side,
// which Radau IIA integrates exactly; the switch is located to a few digits of round-off, amplified
// by the two solves of relative accuracy 1e-11.
TEST(SwitchedForce, IsReachedInUniformMotionAndUnderAConstantForce) {
  test::RandomNumbers random(74);
  constexpr double end = 2.5, mass = 3.0, tolerance = 1e-9;
  for (int k = 0; k < 25; ++k) {
    const double x0 = random.uniform(), v0 = random.uniform(0.5, 2.0),
                 push = random.uniform(1.0, 6.0), switches = random.uniform(0.1, 2.4);
    const double rest = end - switches, edge = x0 + v0 * switches;
    const RollingStudy uniform =
        wheel(x0, v0, fmt::format("if(x < {:.17g}, 0, {:.17g})", edge, push));
    const double reached = edge + v0 * rest + 0.5 * push / mass * rest * rest;
    EXPECT_NEAR(rolled(uniform).motion.q(0, 2), reached, tolerance) << "edge " << edge;
    // Negative control: the force acts later by 1e-4 s.
    EXPECT_GT(std::abs(reached - 0.5e-4 * push / mass * rest - rolled(uniform).motion.q(0, 2)),
              tolerance);
    const double a = push / mass, limit = v0 + a * switches;
    const RollingStudy limited =
        wheel(x0, v0, fmt::format("if(x' < {:.17g}, {:.17g}, 0)", limit, push));
    EXPECT_NEAR(rolled(limited).motion.q(0, 2),
                x0 + v0 * switches + 0.5 * a * switches * switches + limit * rest, tolerance)
        << "limit " << limit;
  }
}

// A force towards the switch on both sides has no expansion: the motion slides along the switch.
TEST(SwitchedForce, HasNoCoefficientsIfTheMotionSlidesAlongASwitch) {
  const RollingResult result = result_of(blade("-3*sign(x - 0.2) - 2*sign(x' - 0.1)"));
  EXPECT_FALSE(result.no_prediction.empty());
  EXPECT_TRUE(std::isnan(smallest(result, Quantity::q).predicted_coefficient));
}

/// A sleigh whose centre of mass is beside the blade, with two switches that depend on its motion.
std::string sleigh(const std::string& yaw_switch, const std::string& place, const std::string& push,
                   const std::string& torque, const std::string& epsilons, double rtol) {
  return fmt::format(R"toml(
[study]
name = "sleigh"
[system]
name = "sleigh"
coordinates = [
  {{name = "x", start = 0.0, start_rate = "0.8*cos(0.25)"}},
  {{name = "y", start = 0.0, start_rate = "0.8*sin(0.25)"}},
  {{name = "h", start = 0.25, start_rate = 0.6}}]
kinetic_coenergy = "0.7*((x'-0.12*sin(h)*h')^2+(y'+0.12*cos(h)*h')^2) + 0.11*h'^2"
potential = 0
dissipation = "0.125*(x'^2+y'^2)"
applied_force = ["if({} < 1.05, {})", 0, "if(x < {}, {})"]
constraint = ["-sin(h)*x' + cos(h)*y'"]
[contact]
stiffness = 1.6
damping = 1.1
[epsilon]
values = [{}]
[solvers]
rigid = ["radau_iia"]
compliant = ["radau_iia"]
rtol = {}
atol = {}
)toml",
                     yaw_switch, push, place, torque, epsilons, rtol, 0.01 * rtol);
}

// 1.553816e-06 and 1.000286 are from an own solve with located events (SciPy, DOP853). The grids of
// several ε have samples a few ulp apart, each of which needs its own rigid motion: with that of
// the sample before, the error is 6.6e-06.
TEST(SwitchedForce, HasTheRightRigidMotionAtSamplesThatAlmostCoincide) {
  const std::string epsilons = "2e-2, 1e-2, 5e-3, 2.5e-3, 1e-3, 3e-4, 1e-4";
  const RollingResult result = result_of(
      sleigh("h'+0.3*t+0.2*x", "0.35", "0.5, -0.6", "1.2, -0.8", epsilons, 1e-12), "end = 1.3");
  const Row& row = test::row_at(result, 3e-4, Quantity::q);
  EXPECT_NEAR(row.model_error(), 1.553816e-06, 1e-4 * 1.553816e-06);
  EXPECT_NEAR(row.ratio, 1.000286, 1e-5);
  const Series& q = test::series_of(result, Quantity::q);
  EXPECT_NEAR(q.judgement.fit.order, 2.0, 0.02);
}

// The errors at one ε do not depend on the other ε of the study: random forces with two switches,
// seven ε together and each alone, to the error bars of both. Bars are estimates: a crossing at a
// small angle amplifies the errors of the rigid motion, so that one number in 100 may be outside.
// With the samples of a neighbour, the errors would be thousands of bars off.
class ManyEpsilons : public testing::TestWithParam<unsigned> {};

TEST_P(ManyEpsilons, HaveTheErrorsOfEachAlone) {
  test::RandomNumbers random(GetParam());
  int compared = 0, switched = 0, outside = 0;
  for (int study = 0; study < 10; ++study) {
    const auto number = [&](double low, double high) {
      return fmt::format("{:.6f}", random.uniform(low, high));
    };
    const std::string yaw = fmt::format("h'+{}*t+{}*x", number(0.1, 0.8), number(-0.3, 0.5)),
                      place = number(0.1, 0.7),
                      push = fmt::format("{}, {}", number(-1, 1), number(-1, 1)),
                      torque = fmt::format("{}, {}", number(-1, 1.5), number(-1.5, 1));
    std::vector<std::string> values;
    for (double epsilon = 2e-2; values.size() < 7; epsilon *= random.uniform(0.3, 0.7))
      values.push_back(fmt::format("{:.6g}", epsilon));
    const std::string time = "end = 1.3\nsamples = 51\nlayer_samples = 31";
    const auto solved = [&](const std::string& epsilons) {
      return result_of(sleigh(yaw, place, push, torque, epsilons, 1e-9), time);
    };
    const RollingResult all = solved(fmt::format("{}", fmt::join(values, ", ")));
    for (const std::string& value : values) {
      const RollingResult alone = solved(value);
      for (const Quantity x : common_quantities) {
        const Row& one = test::series_of(alone, x).rows.front();
        const Row& among = test::row_at(all, std::stod(value), x);
        if (std::isnan(one.model_error()) && std::isnan(among.model_error())) continue;
        ++compared;
        const double bars =
            std::abs(one.model_error() - among.model_error()) / (one.floor() + among.floor());
        outside += bars > 1.0;
        EXPECT_LE(bars, 10.0) << "study " << study << ", " << name_of(x) << " at " << value;
      }
    }
    if (std::ranges::any_of(all.notes, [](const std::string& note) {
          return note.find("switches)") != std::string::npos;
        }))
      ++switched;
  }
  EXPECT_GT(compared, 180);
  EXPECT_LE(outside, compared / 100);
  EXPECT_GT(switched, 1) << "studies with two or more switches";
}

INSTANTIATE_TEST_SUITE_P(Seeds, ManyEpsilons, testing::Range(53U, 59U));

TEST(SwitchedForce, IsRefusedIn113Bits) {
  EXPECT_THROW(result_of(blade("if(t < 0.5, 1, 0)", "0", "precision = \"quad\"")), InputError);
}

}  // namespace
}  // namespace rigidlimit
