// Tests rolling on surfaces that move (docs/theory.md, section 16).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/mechanics/recorded_equations.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/ratio_claims.hpp"
#include "support/series_of_result.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

RollingStudy study_of(const std::string& text) {
  return read_rolling_study(TomlDocument::from_text(text, "surface.toml"), builtin_systems());
}
RollingResult result_of(const std::string& text) {
  return run_rolling_study(study_of(text));
}

std::string with_system(const std::string& system, const std::string& more = "") {
  return fmt::format(R"toml(
[study]
name = "surface"
[system]
{}
[contact]
stiffness = 1.0
damping_ratio = 1.0
[epsilon]
from = 1e-2
to = 1e-4
count = 5
[time]
end = 1.5
[solvers]
rigid = ["radau_iia"]
compliant = ["radau_iia"]
rtol = 1e-12
atol = 1e-14
{}
)toml",
                     system, more);
}

/// Whether two rows have the same error, to their bars and the rounding of the reference.
void expect_equal_errors(const RollingResult& a, const RollingResult& b, Quantity quantity,
                         Norm norm, Window window, double relative) {
  const auto& first = test::series_of(a, quantity, norm, window).rows;
  const auto& second = test::series_of(b, quantity, norm, window).rows;
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t k = 0; k < first.size(); ++k)
    EXPECT_NEAR(first[k].model_error(), second[k].model_error(),
                first[k].floor() + second[k].floor() + relative * first[k].model_error())
        << k;
}

// The frame of the plate moves by a translation, so that q, v and λ differ from those in space by
// known functions of t, and the errors are the same. The steps differ, so that the bars of both
// solves are the tolerance. Every formulation: their code for ḃ is not the same.
TEST(MovingSurface, HasTheErrorsOfTheFrameThatMovesWithIt) {
  for (const char* formulation : {"natural", "adapted"}) {
    const std::string more = fmt::format("formulation = \"{}\"", formulation);
    const RollingResult in_space =
        result_of(with_system("name = \"coin_on_plate\"\nplate_acceleration = 2.0", more));
    const RollingResult on_plate = result_of(
        with_system("name = \"rolling_coin\"\nslope = -1.5707963267948966\ngravity = 2.0", more));
    for (const Quantity quantity : {Quantity::q, Quantity::v, Quantity::lambda})
      for (const Norm norm : {Norm::sup, Norm::l2})
        for (const Window window : {Window::all, Window::after})
          expect_equal_errors(in_space, on_plate, quantity, norm, window, 1e-9);
  }
}

/// The ball on a turntable in axes at rest, with rows along these axes, or along those of the
/// table.
std::string ball_in_space(bool rows_turn) {
  const std::string along_x = "x' - 0.1*w_y + 3*y", along_y = "y' + 0.1*w_x - 3*x";
  const std::string rows = rows_turn ? fmt::format(
                                           "\"cos(3*t)*({0}) + sin(3*t)*({1})\", "
                                           "\"-sin(3*t)*({0}) + cos(3*t)*({1})\"",
                                           along_x, along_y)
                                     : fmt::format("\"{}\", \"{}\"", along_x, along_y);
  return with_system(fmt::format(R"toml(name = "ball_in_space"
coordinates = [{{name = "x", unit = "m", start = 0.5}}, {{name = "y", unit = "m", start = 0}}]
velocities = [{{name = "x'", unit = "m/s", start = 0.2}}, {{name = "y'", unit = "m/s", start = 1.6}},
  {{name = "w_x", unit = "rad/s", start = -1}}, {{name = "w_y", unit = "rad/s", start = 2}},
  {{name = "w_z", unit = "rad/s", start = 4}}]
mass_matrix = [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0.004, 0, 0], [0, 0, 0, 0.004, 0],
  [0, 0, 0, 0, 0.004]]
force = [0, 0, 0, 0, 0]
constraint = [{}]
)toml",
                                 rows));
}

// The components of λ along the axes of the table are those of the system in the frame of the
// table. They are not with rows along axes at rest: there the deflection keeps its direction in
// space, a contact of another kind.
TEST(MovingSurface, HasTheErrorsOfTheFrameThatTurnsWithIt) {
  const RollingResult turning = result_of(ball_in_space(true));
  const RollingResult at_rest = result_of(ball_in_space(false));
  const RollingResult on_table = result_of(with_system("name = \"turntable_ball\""));
  for (const Norm norm : {Norm::sup, Norm::l2})
    for (const Window window : {Window::all, Window::after})
      expect_equal_errors(turning, on_table, Quantity::lambda, norm, window, 1e-9);
  const auto after = [](const RollingResult& result) {
    return test::series_of(result, Quantity::lambda, Norm::sup, Window::after).rows.back();
  };
  EXPECT_GT(std::abs(after(at_rest).model_error() - after(on_table).model_error()),
            10.0 * (after(at_rest).floor() + after(on_table).floor()));
}

/// A wheel on a belt with this speed.
std::string wheel_on_belt(const std::string& speed, const std::string& more = "") {
  return with_system(fmt::format(R"toml(name = "wheel_on_belt"
coordinates = [{{name = "x", unit = "m", start = 0, start_rate = 0}},
               {{name = "phi", unit = "rad", start = 0, start_rate = 0}}]
mass_matrix = [[1, 0], [0, 0.02]]
force = ["1", 0]
potential = "-x"
constraint = ["x' - 0.2*phi' - ({})"]
)toml",
                                 speed),
                     more);
}

const std::string ratios = test::ratio_claims(2, 1, 0);

TEST(MovingSurface, HasThePredictedConstants) {
  EXPECT_TRUE(result_of(wheel_on_belt("0.3*sin(4*t)", ratios)).held());
}

// A ramp has a jump of ḃ, hence of Λ, as a jump of the force has.
TEST(MovingSurface, MayChangeItsAccelerationAtOnce) {
  const RollingResult result = result_of(wheel_on_belt("if(t < 0.7, 0, 2*(t - 0.7))", ratios));
  EXPECT_TRUE(result.held());
}

// x' − 0.2 φ' = b: Λ = (1 − ḃ)/(1/m + r²/J) … changes by 2/3 at the ramp. A smooth ramp has not.
TEST(MovingSurface, ASpeedThatJumpsIsAnImpulse) {
  const RollingResult result = result_of(wheel_on_belt("if(t < 0.7, 0, 0.1)"));
  for (const Row& row : test::series_of(result, Quantity::q).rows) {
    EXPECT_TRUE(row.failed()) << name_of(row.evidence);
  }
  bool told = false;
  for (const auto& side : result.rigid)
    told = told || side.message.find("0.1") != std::string::npos;
  EXPECT_TRUE(told);
}

// A floor that jumps by a millimetre under a wheel that is held on it.
TEST(MovingSurface, APositionThatJumpsIsRefused) {
  const auto on_floor = [](const std::string& height) {
    std::string text = with_system(fmt::format(R"toml(name = "lifted_wheel"
coordinates = [{{name = "x", start = 0, start_rate = 0.3}}, {{name = "z", start = 0.2, start_rate = 0}},
  {{name = "phi", start = 0, start_rate = 1.5}}]
mass_matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 0.02]]
force = ["0.4", "-9.81", 0]
[[system.contacts]]
name = "floor"
normal = "bilateral"
gap = "z - 0.2 - {}"
sliding = ["x' - 0.2*phi'"]
)toml",
                                               height));
    return result_of(text).rigid.front();
  };
  const RigidReport jumps = on_floor("if(t < 0.7, 0, 1e-3)");
  EXPECT_EQ(jumps.outcome, Outcome::inadmissible_state);
  EXPECT_THAT(jumps.message, HasSubstr("0.001"));
  EXPECT_EQ(on_floor("if(t < 0.7, 0, 1e-3*(t - 0.7)^2)").outcome, Outcome::success);
}

std::string two_wheels_on_belts(const std::string& first, const std::string& second) {
  return with_system(fmt::format(R"toml(name = "wheel_on_two_belts"
coordinates = [{{name = "x", unit = "m", start = 0, start_rate = 0.3}},
               {{name = "phi", unit = "rad", start = 0, start_rate = 0}}]
mass_matrix = [[1, 0], [0, 0.02]]
force = ["1", 0]
constraint = ["x' - 0.2*phi' - ({})", "x' - 0.2*phi' - ({})"]
)toml",
                                 first, second));
}

TEST(MovingSurface, MayCarryRedundantContactsOfEqualSpeed) {
  const RollingResult result = result_of(two_wheels_on_belts("0.3*cos(t)", "0.3*cos(t)"));
  EXPECT_FALSE(test::series_of(result, Quantity::q).rows.back().failed());
}

TEST(MovingSurface, MustNotMoveAgainstAnotherOne) {
  try {
    study_of(two_wheels_on_belts("0.3", "0.31"));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("0.01"));
  }
}

// They agree at the start only.
TEST(MovingSurface, StopsWhereItMovesAgainstAnotherOne) {
  const RollingResult result = result_of(two_wheels_on_belts("0.3", "0.3 + 0.1*t^3"));
  for (const auto& side : result.rigid) EXPECT_EQ(side.outcome, Outcome::inadmissible_state);
}

// The start slides with w = G v + b over the belt: the layer of an impulse, q of order 1, v of 0
// and λ of −1. Its constants belong to this b: with the belt at rest they are those of w = G v.
TEST(MovingSurface, HasTheLayerOfAStartThatSlidesOnIt) {
  const std::string start = R"(
[initial]
project = true
v = [0.5, 0.0]
)" + test::ratio_claims(1, 0, -1);
  const RollingResult result = result_of(wheel_on_belt("0.3*cos(4*t)", start));
  EXPECT_TRUE(result.held());
  // w(0) = 0.5 − 0.3, A = 1/m + r²/J = 3: φ' jumps by (r/J) w/A = 2/3, the largest component.
  const Row& last = test::series_of(result, Quantity::v).rows.back();
  EXPECT_NEAR(last.model_error(), 2.0 / 3.0, 1e-3);
  // Negative control: a layer that starts without b, from w = G v = 0.5, has the constant 5/3.
  EXPECT_NEAR(last.predicted_coefficient, 2.0 / 3.0, 1e-3);
  EXPECT_GT(std::abs(last.predicted_coefficient - 5.0 / 3.0), 0.9);
}

/// The system with other drifts (∂q [E; G][q']) v.
template <class Change>
System with_drift(const System& system, const Change& change) {
  auto recorded = std::make_shared<RecordedSystem>(*system.recorded);
  using V = const ExpressionVector&;
  recorded->constraint_drift =
      tape_of([&](V q, V q_rate, V v) { return change(*system.recorded, q, q_rate, v); }, system.nq,
              system.nq, system.n);
  System changed = system;
  changed.recorded = recorded;
  changed.tapes = motion_tapes_of(recorded);
  changed.equations = equations_of(*recorded);
  return changed;
}

// Without ḃ the rigid wheel keeps the speed of the belt at the start: the error has the order 0.
TEST(MovingSurface, ItsAccelerationIsNeededInTheRigidMotion) {
  RollingStudy study = study_of(wheel_on_belt("0.3*sin(4*t)"));
  EXPECT_LT(test::series_of(run_rolling_study(study), Quantity::q).rows.back().model_error(), 1e-6);
  study.model = with_drift(study.model,
                           [](const RecordedSystem& s, const auto& q, auto q_rate, const auto& v) {
                             q_rate(s.clock) = 0;
                             ExpressionVector arguments(q.size() + q_rate.size() + v.size());
                             arguments << q, q_rate, v;
                             return inlined(s.constraint_drift, arguments);
                           });
  const RollingResult result = run_rolling_study(study);
  for (const Row& row : test::series_of(result, Quantity::q).rows)
    EXPECT_TRUE(!(row.model_error() < 1e-2)) << row.epsilon;
}

}  // namespace
}  // namespace rigidlimit
