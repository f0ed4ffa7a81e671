// Tests forces with jumps and kinks (docs/theory.md, section 14).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/piecewise.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/systems/catalogue.hpp"
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

const std::string ratios = R"(
[[expect]]
quantity = "q"
order = 2
ratio = 1.0
ratio_within = 2e-3
[[expect]]
quantity = "v"
order = 1
ratio = 1.0
ratio_within = 2e-3
[[expect]]
quantity = "lambda"
order = 0
ratio = 1.0
ratio_within = 2e-3
)";

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
  EXPECT_NEAR(smallest(result, Quantity::lambda).model_error, jump, 1e-6);
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
  EXPECT_LT(smallest(smooth, Quantity::lambda).model_error, 0.9 * jump);
}

// The number of samples has no effect, since the switch time is a sample.
TEST(SwitchedForce, IsTheSameForAnyNumberOfSamples) {
  const std::string text =
      blade("if(t < 0.513, 1, -1) + if(x > 0.33, 0.7, -0.2)", "0.5*abs(x - 0.2)*3");
  const RollingResult few = result_of(text, "end = 1.5\nsamples = 11"),
                      many = result_of(text, "end = 1.5\nsamples = 2001");
  EXPECT_NEAR(smallest(few, Quantity::lambda).model_error,
              smallest(many, Quantity::lambda).model_error, 1e-6);
  EXPECT_GT(smallest(few, Quantity::lambda).model_error, 0.5);
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
      for (const Quantity x : all_quantities) {
        const Series& series = test::series_of(result, x);
        EXPECT_EQ(series.predicted_order, order + 1.0);
        EXPECT_NEAR(series.judgement.fit.order, order + 1.0, 0.1) << force << ", order " << order;
        if (x != Quantity::lambda) {
          EXPECT_NEAR(series.rows.back().ratio, 1.0, 0.01) << force << ", order " << order;
        }
      }
    }
}

// A force towards the switch on both sides has no expansion: the motion slides along the switch.
TEST(SwitchedForce, HasNoCoefficientsIfTheMotionSlidesAlongASwitch) {
  const RollingResult result = result_of(blade("-3*sign(x - 0.2) - 2*sign(x' - 0.1)"));
  EXPECT_FALSE(result.no_prediction.empty());
  EXPECT_TRUE(std::isnan(smallest(result, Quantity::q).predicted_coefficient));
}

TEST(SwitchedForce, IsRefusedIn113Bits) {
  EXPECT_THROW(result_of(blade("if(t < 0.5, 1, 0)", "0", "precision = \"quad\"")), InputError);
}

}  // namespace
}  // namespace rigidlimit
