// Tests units of measurement, which UDUNITS-2 reads.
#include "rigidlimit/core/units.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

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
  EXPECT_THAT(fault_in_unit("furlongs per moon"), HasSubstr("is not a unit"));
  for (const char* text : {"kg m^2", "N s/m", "1", "rad/s", "N m s/rad", "1/s^2", "W/(m/s)"})
    EXPECT_EQ(fault_in_unit(text), "") << text;
}

TEST(Unit, HasNoPowerThatIsNoRoot) {
  EXPECT_FALSE(Unit("m").power(0.5).has_value());
  EXPECT_TRUE(Unit("m").power(-2.0).has_value());
  EXPECT_FALSE(Unit("m").power(0.37).has_value());
}

}  // namespace
}  // namespace rigidlimit
