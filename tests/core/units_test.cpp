// Tests units of measurement, which UDUNITS-2 reads.
#include "rigidlimit/core/units.hpp"
#include "rigidlimit/core/printable.hpp"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Unit, ConvertsByTheDefinitionsOfTheSi) {
  EXPECT_DOUBLE_EQ(Unit("mm").in(Unit("m")), 1e-3);
  EXPECT_DOUBLE_EQ(Unit("kN/m").in(Unit("N/m")), 1e3);
  EXPECT_DOUBLE_EQ(Unit("deg").in(Unit("rad")), 3.14159265358979323846 / 180.0);
  EXPECT_DOUBLE_EQ((Unit("kg") * Unit("m") / Unit("s^2")).in(Unit("N")), 1.0);
  EXPECT_DOUBLE_EQ(Unit("m^2/s^2").power(0.5).value().in(Unit("km/h")), 3.6);
}

TEST(Unit, TakesAPlaneAngleForANumber) {
  EXPECT_TRUE(Unit("N m s/rad").is_convertible_to(Unit("N m s")));
  EXPECT_TRUE(Unit("rad/s").is_convertible_to(Unit("1/s")));
  // Negative controls.
  EXPECT_FALSE(Unit("m/s").is_convertible_to(Unit("rad/s")));
  EXPECT_THROW(Unit("kg").in(Unit("m")), InputError);
}

TEST(Unit, RefusesATextThatIsNoUnitAndNamesTheOneThatIsMeant) {
  EXPECT_THAT(fault_in_unit("kgm2"), HasSubstr("'kg m^2'"));
  EXPECT_THAT(fault_in_unit("kilogramm"), HasSubstr("'kilogram'?")) << "no metre is meant";
  EXPECT_THAT(fault_in_unit("Nm"), HasSubstr("'N m'"));
  EXPECT_THAT(fault_in_unit("rad kgm/s"), HasSubstr("'rad kg m/s'"));
  EXPECT_THAT(fault_in_unit("kgm qqz"), Not(HasSubstr("mean")));
  EXPECT_THAT(fault_in_unit("furlongs per moon"), HasSubstr("is not a unit"));
  for (const char* text : {"kg m^2", "N s/m", "1", "rad/s", "N m s/rad", "1/s^2", "W/(m/s)"})
    EXPECT_EQ(fault_in_unit(text), "") << text;
}

TEST(Unit, RefusesUnitsWhoseNumbersAreNoMultiplesOfSi) {
  // °C and °F begin elsewhere, dates have no zero, decibels and pH are logarithms.
  for (const char* text : {"degC", "celsius", "degF", "seconds since 1970-01-01", "lg(re 1 mW)",
                           "dBZ", "K @ 273.15", "-1 m", "1e60 m", "km^200"})
    EXPECT_NE(fault_in_unit(text), "") << text;
  // Negative controls: their differences and powers are multiples.
  for (const char* text : {"K", "degC/s", "mW", "1e30 m", "km^10"})
    EXPECT_EQ(fault_in_unit(text), "") << text;
}

TEST(Unit, RefusesALongTextInConstantTime) {
  for (const std::string& part : {std::string("m "), std::string("m"), std::string("(")}) {
    std::string text;
    while (text.size() < 100'000) text += part;
    // UDUNITS would need minutes; the message has a piece of the text alone.
    EXPECT_LT(fault_in_unit(text).size(), 200U);
    EXPECT_THAT(fault_in_unit(text), HasSubstr(std::to_string(text.size())));
  }
  EXPECT_EQ(fault_in_unit("m" + std::string(70, ' ') + "s"), "");
}

TEST(Unit, NamesDimensionsInTheWordsOfMechanics) {
  for (const auto& [unit, words] :
       std::vector<std::pair<std::string, std::string>>{{"kg m^2/s^2", "J"},
                                                        {"N m", "J"},
                                                        {"J/s", "W"},
                                                        {"kg m/s^2", "N"},
                                                        {"W/(rad/s)", "N m"},
                                                        {"J/rad^2", "N m/rad"},
                                                        {"kg m^2", "kg m^2"},
                                                        {"N m s", "N m s"},
                                                        {"kg/s", "N s/m"},
                                                        {"kg/s^2", "N/m"},
                                                        {"m^2/s^2", "m^2/s^2"},
                                                        {"J/kg", "m^2/s^2"},
                                                        {"m/s", "m/s"},
                                                        {"rad/s", "rad/s"},
                                                        {"s^-1", "1/s"},
                                                        {"kN/m^2", "Pa"},
                                                        {"kg/m^3", "kg/m^3"},
                                                        {"K", "K"},
                                                        {"1/(kg m)", "1/(kg m)"},
                                                        {"1", "1"}})
    EXPECT_EQ(Unit(unit).text(), words) << unit;
}

TEST(Unit, NamesADimensionByAUnitThatHasIt) {
  // Words are a unit again, of the same dimension and with the factor 1.
  for (int kg = -2; kg <= 2; ++kg)
    for (int m = -3; m <= 3; ++m)
      for (int s = -4; s <= 2; ++s)
        for (int rad = -2; rad <= 2; ++rad) {
          const Unit unit = *Unit("kg").power(kg) * *Unit("m").power(m) * *Unit("s").power(s) *
                            *Unit("rad").power(rad);
          const Unit read(unit.text());
          EXPECT_TRUE(read.is_convertible_to(unit)) << unit.text();
          EXPECT_EQ(read.in(unit), 1.0) << unit.text();
          EXPECT_EQ(unit.text().find("Gy"), std::string::npos);
        }
}

TEST(Unit, HasNoPowerThatIsNoRoot) {
  EXPECT_FALSE(Unit("m").power(0.5).has_value());
  EXPECT_TRUE(Unit("m").power(-2.0).has_value());
  EXPECT_FALSE(Unit("m").power(0.37).has_value());
}

// UDUNITS reads up to the NUL. Negative control: the text before it is a unit.
TEST(Unit, RefusesANul) {
  for (const std::string& text : {std::string("a\0b", 3), std::string("m\0", 2)})
    EXPECT_NE(fault_in_unit(text), "");
  for (const std::string text : {"kg m^\x01"
                                 "32",
                                 "m\x1b[31m", "m\u202e", "m\xff"}) {
    const std::string fault = fault_in_unit(text);
    EXPECT_NE(fault, "");
    EXPECT_EQ(printable(fault), fault);
  }
  EXPECT_EQ(fault_in_unit("m"), "");
}

}  // namespace
}  // namespace rigidlimit
