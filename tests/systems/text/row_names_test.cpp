// Tests that the contact rows of a system written as text have different names.
#include <gmock/gmock.h>

#include <string>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

/// A mass in the plane, which rolls along two directions.
std::string plane_with(const std::string& constraint) {
  return "name = \"plane\"\n"
         "coordinates = [{name = \"x\", start = 0, start_rate = 0.0},\n"
         "  {name = \"y\", start = 0, start_rate = 0.0}, {name = \"z\", start = 0, start_rate = "
         "1.0}]\n"
         "kinetic_coenergy = \"mass/2*(x'^2 + y'^2 + z'^2)\"\npotential = \"0\"\n"
         "constraint = " +
         constraint + "\n[parameters]\nmass = {default = 2.0, unit = \"kg\"}\n";
}

/// The message; empty: the system is read.
std::string refusal_of_rows(const std::string& constraint) {
  try {
    system_text_in(plane_with(constraint), "plane.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RowNames, TwoOfOneNameAreRefusedWithBothPlaces) {
  const std::string text = refusal_of_rows(
      "[{row = \"x'\", name = \"along e1\"},\n  {row = \"y'\", name = \"along e1\"}]");
  EXPECT_THAT(text, HasSubstr("along e1"));
  EXPECT_THAT(text, HasSubstr("plane.toml:6:")) << "the first row";
  EXPECT_THAT(text, HasSubstr("plane.toml:7:")) << "the second row";
}

TEST(RowNames, AGivenNameMayNotBeThatOfARowWithoutAName) {
  EXPECT_THAT(refusal_of_rows("[{row = \"x'\", name = \"w2\"}, {row = \"y'\"}]"), HasSubstr("w2"));
}

TEST(RowNames, DifferentOnesAreAccepted) {  // negative control
  EXPECT_EQ(refusal_of_rows("[{row = \"x'\", name = \"along e1\"}, "
                            "{row = \"y'\", name = \"along e2\"}]"),
            "");
  EXPECT_EQ(refusal_of_rows("[\"x'\", \"y'\"]"), "");
}

}  // namespace
}  // namespace rigidlimit
