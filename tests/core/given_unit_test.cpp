// Tests the conversion of numbers in their given units to SI, and back.
#include "rigidlimit/core/given_unit.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <random>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/valid_values.hpp"

namespace rigidlimit {
namespace {

/// Units with their values in SI by definition (SI brochure, tables 4 and 8; the yard and pound
/// agreement of 1959), and the unit of SI in their words.
struct Known {
  const char* unit;
  double value;
  const char* si;
};

const std::vector<Known>& known() {
  constexpr double turn = 2.0 * std::numbers::pi;
  static const std::vector<Known> all{{"m", 1.0, "m"},
                                      {"N s/m", 1.0, "N s/m"},
                                      {"mm", 1e-3, "m"},
                                      {"km/h", 1.0 / 3.6, "m/s"},
                                      {"deg", turn / 360.0, "rad"},
                                      {"deg/s", turn / 360.0, "rad/s"},
                                      {"rpm", turn / 60.0, "rad/s"},
                                      {"g cm^2", 1e-7, "kg m^2"},
                                      {"kN/mm", 1e6, "N/m"},
                                      {"N mm/deg", 1e-3 / (turn / 360.0), "N m/rad"},
                                      {"N cm", 1e-2, "N m"},
                                      {"lb", 0.45359237, "kg"},
                                      {"inch", 0.0254, "m"},
                                      {"1/min", 1.0 / 60.0, "1/s"},
                                      {"kW h", 3.6e6, "W s"},
                                      {"bar", 1e5, "Pa"},
                                      {"60 s", 60.0, "s"},
                                      {"%", 0.01, "1"}};
  return all;
}

TEST(GivenUnit, HasTheValueOfItsDefinition) {
  // The factor of UDUNITS is a product of at most four rounded numbers.
  for (const Known& one : known())
    EXPECT_NEAR(value_in_si(1.0, one.unit) / one.value, 1.0, 1e-15) << one.unit;
}

TEST(GivenUnit, NamesTheUnitOfSiInItsOwnWords) {
  for (const Known& one : known()) {
    EXPECT_EQ(si_unit(one.unit), one.si) << one.unit;
    EXPECT_EQ(value_in_si(1.0, si_unit(one.unit)), 1.0) << one.unit;
  }
}

TEST(GivenUnit, ShowsEveryNumberThatWasGiven) {
  // 12 digits are fewer than the 15 that a double keeps, so the shortest number with the same value
  // in SI is the given one.
  std::mt19937 numbers(11);
  std::uniform_real_distribution<double> exponent(-6.0, 6.0);
  for (const Known& one : known())
    for (int k = 0; k < 200; ++k) {
      const double given =
          std::stod(fmt::format("{:.12g}", std::pow(10.0, exponent(numbers)) * (k % 2 ? 1 : -1)));
      const double si = value_in_si(given, one.unit);
      EXPECT_EQ(given_value(si, one.unit), given) << one.unit;
      // Negative control: a neighbour of the value is another number.
      EXPECT_NE(given_value(std::nextafter(std::nextafter(si, 1e300), 1e300), one.unit), given);
    }
}

TEST(GivenUnit, LeavesTheUnitsOfSiAndZeroExact) {
  EXPECT_EQ(value_in_si(0.1, "kg m^2"), 0.1);
  EXPECT_EQ(value_in_si(0.0, "deg"), 0.0);
  EXPECT_EQ(given_value(0.0, "deg"), 0.0);
  EXPECT_EQ(rate_unit("1"), "1/s");
  EXPECT_EQ(rate_unit(""), "1/s");
  EXPECT_EQ(value_in_si(90.0, rate_unit("deg")), value_in_si(90.0, "deg/s"));
}

TEST(GivenUnit, ConvertsBothEndsOfARange) {
  const Component tilt{.name = "tilt",
                       .unit = "rad",
                       .range = si_range({.low = -90.0, .high = 90.0, .low_open = true}, "deg"),
                       .given_unit = "deg"};
  EXPECT_EQ(range_text(tilt), "> -90 and <= 90 deg");
  EXPECT_EQ(fault_in({tilt}, VectorXd::Constant(1, 1.5)), "");
  EXPECT_EQ(fault_in({tilt}, VectorXd::Constant(1, 1.6)), "tilt must be > -90 and <= 90 deg");
  EXPECT_EQ(si_range(any_finite, "mm").text(), any_finite.text());
}

TEST(GivenUnit, ConvertsTheNumbersOfComponentsThere_AndBack) {
  const std::vector<Component> both{{.name = "x", .unit = "m", .given_unit = "mm"},
                                    {.name = "y", .unit = "m"}};
  const VectorXd given = Eigen::Vector2d(150.0, 150.0);
  EXPECT_EQ(si_values(both, given), VectorXd(Eigen::Vector2d(0.15, 150.0)));
  EXPECT_EQ(given_values(both, si_values(both, given)), given);
}

}  // namespace
}  // namespace rigidlimit
