// Tests which contact rows a study accepts, and the ranges of coordinates along a motion.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/proof/study_proof.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

namespace rigidlimit {
namespace {

/// A plane body that starts with y' = h' = 0, with further lines of its system.
RollingStudy body_with(const std::string& rows, const std::string& range_of_x = "",
                       const std::string& more = "") {
  return read_rolling_study(TomlDocument::from_text(fmt::format(R"toml(
study.name = "rows"
epsilon.values = [1e-2]
time.end = 1.0
time.samples = 21
solvers.rigid = ["radau_iia"]
solvers.compliant = ["radau_iia"]
[system]
name = "body"
coordinates = [{{name = "x", unit = "m", start = 0.0, start_rate = 0.7{}}},
               {{name = "y", unit = "m", start = 0.0, start_rate = 0.0}},
               {{name = "h", unit = "rad", start = 0.0, start_rate = 0.0}}]
kinetic_coenergy = "0.5*(x'^2 + y'^2) + 0.25*h'^2"
potential = "0.2*cos(x)"
constraint = {}
{}
)toml",
                                                                range_of_x, rows, more),
                                                    "rows.toml"));
}

/// w and scale (w + d h') with w = −sin h x' + cos h y' + 0.3 h'.
std::string two_rows(double d, double scale = 1.0) {
  const std::string w = "-sin(h)*x' + cos(h)*y' + 0.3*h'";
  return fmt::format("[\"{0}\", \"{2:.17g}*({0} + {1:.17g}*h')\"]", w, d, scale);
}

// As unit vectors the rows are apart by d/1.09 in the direction that is independent, |w| = 1.04 at
// h = 0. Neither their lengths nor their units enter.
TEST(ContactRows, AreIndependentDependentOrRefused) {
  for (const double scale : {1.0, 1e-12, 1e12}) {
    for (const double d : {1.0, 1e-3, 1e-6})
      EXPECT_EQ(body_with(two_rows(d, scale)).contacts.rank(), 2) << d << ' ' << scale;
    for (const double d : {5e-7, 1e-7, 2e-9, 1e-10, 1e-12})
      EXPECT_THROW(body_with(two_rows(d, scale)), InputError) << d << ' ' << scale;
    EXPECT_EQ(body_with(two_rows(0.0, scale)).contacts.rank(), 1) << scale;
  }
}

TEST(ContactRows, ThatAreNearlyDependentAreNamedWithTheirSize) {
  try {
    body_with(two_rows(1e-10));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("rows \"w1\" and \"w2\""),
                               testing::HasSubstr("nearly dependent"), testing::HasSubstr("e-11")));
  }
}

TEST(ContactRows, NeedAFreedom) {
  const std::string one_row = "[\"y'\"]";
  EXPECT_NO_THROW(body_with(one_row, "", "exact_constraint = [\"h'\"]"));
  EXPECT_THROW(body_with(one_row, "", "exact_constraint = [\"h'\", \"y'\", \"x' - 0.7*y'\"]"),
               InputError);
}

// x grows from 0 to about 0.8 m.
TEST(CoordinateRanges, HoldAlongTheMotion) {
  const std::string rows = "[\"-sin(h)*x' + cos(h)*y'\"]";
  const RollingResult inside = run_rolling_study(body_with(rows, ", max = 2.0"), {});
  EXPECT_EQ(inside.rigid.front().departure, "");
  EXPECT_TRUE(inside.held());
  const RollingResult outside = run_rolling_study(body_with(rows, ", max = 0.3"), {});
  EXPECT_THAT(outside.rigid.front().departure, testing::StartsWith("x = 0.3"));
  EXPECT_FALSE(outside.held());
}

TEST(CoordinateRanges, HoldForATheorem) {
  const auto proof_within = [](const std::string& range) {
    return study_proof(consumers::proof,
                       body_with("[\"-sin(h)*x' + cos(h)*y'\"]", range,
                                 "applied_force = [\"0\", \"0.3\", \"0.2\"]"),
                       1e-2);
  };
  EXPECT_TRUE(proof_within(", max = 2.0").proves_something());
  EXPECT_FALSE(proof_within(", max = 0.3").proves_something());
}

}  // namespace
}  // namespace rigidlimit
