// Tests the warnings about systems written as text: units, missing primes, repeated rows.
#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Parts {
  std::string kinetic = "mass/2*(x'^2 + y'^2) + inertia/2*heading'^2";
  std::string potential = "bowl/2*(x^2 + y^2)";
  std::string rows = "\"cos(heading)*y' - sin(heading)*x'\"";
  std::string unit = "kg m^2";
  std::string let;
};

std::vector<std::string> warnings_of(const Parts& parts) {
  const test::TemporaryDirectory place;
  const std::string file =
      place.write("skate.toml",
                  "name = \"skate\"\n"
                  "coordinates = [{name = \"x\", unit = \"m\", start = 1, start_rate = 1},\n"
                  "  {name = \"y\", unit = \"m\", start = 0, start_rate = 0},\n"
                  "  {name = \"heading\", unit = \"rad\", start = 0, start_rate = 1}]\n"
                  "kinetic_coenergy = \"" +
                      parts.kinetic + "\"\npotential = \"" + parts.potential +
                      "\"\nconstraint = [" + parts.rows + "]\n" + parts.let +
                      "[parameters]\nmass = {default = 1.0, unit = \"kg\"}\n"
                      "inertia = {default = 0.2, unit = \"" +
                      parts.unit +
                      "\"}\n"
                      "bowl = {default = 4.0, unit = \"N/m\"}\n");
  return system_in_file(file, builtin_systems())->warnings();
}

TEST(TextWarnings, AreMissingForAllSystemsOfTheCatalogue) {
  for (const SystemEntry& entry : builtin_systems())
    if (entry.info.name != "v_groove_ball")
      EXPECT_THAT(entry.warnings(), IsEmpty()) << entry.info.name;
  // Both walls stop the sliding along the groove: its contacts are redundant on purpose.
  EXPECT_THAT(find_system(builtin_systems(), "v_groove_ball")->warnings(),
              ElementsAre(HasSubstr("redundant")));
}

TEST(TextWarnings, AreMissingForASystemWithFittingUnits) {
  EXPECT_THAT(warnings_of({}), IsEmpty());
  // A number without a name fits every unit in a sum: x + 1.
  EXPECT_THAT(warnings_of({.potential = "bowl/2*((x + 1)^2 + y^2)"}), IsEmpty());
  // And 0 times anything is 0 of every unit; 1 times a mass is a mass.
  EXPECT_THAT(warnings_of({.potential = "bowl/2*x^2 + 0*mass - 0/x*mass"}), IsEmpty());
  EXPECT_THAT(warnings_of({.potential = "bowl/2*x^2 + 1*mass"}), ElementsAre(HasSubstr("adds")));
}

TEST(TextWarnings, DoNotJudgeTheUnitsOfATextWithoutAny) {
  const test::TemporaryDirectory place;
  const std::string file =
      place.write("plain.toml",
                  "name = \"plain\"\n"
                  "coordinates = [{name = \"x\", start = 0, start_rate = 1},\n"
                  "  {name = \"phi\", start = 0, start_rate = 1}]\n"
                  "kinetic_coenergy = \"x'^2 + phi'^2\"\npotential = \"x + x^2 + cos(x)\"\n"
                  "constraint = [\"x' - phi'\"]\n");
  EXPECT_THAT(system_in_file(file, builtin_systems())->warnings(), IsEmpty());
}

TEST(TextWarnings, NameTermsOfDifferentUnits) {
  EXPECT_THAT(warnings_of({.potential = "bowl/2*(x^2 + y^2) + mass*x"}),
              ElementsAre(AllOf(HasSubstr("potential: adds"), HasSubstr("'mass*x'"),
                                HasSubstr("'bowl/2*(x^2 + y^2)'"))));
  EXPECT_THAT(warnings_of({.potential = "bowl/2*x^3"}), ElementsAre(HasSubstr("not in J")));
  EXPECT_THAT(warnings_of({.potential = "bowl/2*x^2*cos(y)"}),
              ElementsAre(HasSubstr("cos of 'y'")));
  EXPECT_THAT(
      warnings_of({.potential = "height*bowl*x", .let = "[let]\nheight = \"x + heading\"\n"}),
      ElementsAre(HasSubstr("'heading'")));
}

TEST(TextWarnings, NameATermWithoutVelocity) {
  EXPECT_THAT(warnings_of({.kinetic = "mass/2*(x'^2 + y'^2) + inertia/2*heading'^2 + "
                                      "bowl/2*x^2"}),
              ElementsAre(AllOf(HasSubstr("'bowl/2*x^2'"), HasSubstr("missing prime"))));
}

// In a text without units nothing else tells x from x'. Negative control: with units (m and m/s are
// added), and the speed of a belt.
TEST(TextWarnings, NameACoordinateInARowOfATextWithoutUnits) {
  const test::TemporaryDirectory place;
  const auto warnings = [&](const std::string& row) {
    return system_in_file(place.write("plain.toml",
                                      "name = \"plain\"\n"
                                      "coordinates = [{name = \"x\", start = 0, start_rate = 0},\n"
                                      "  {name = \"phi\", start = 0, start_rate = 0}]\n"
                                      "kinetic_coenergy = \"x'^2 + phi'^2\"\npotential = \"x\"\n"
                                      "constraint = [\"" +
                                          row + "\"]\n"),
                          builtin_systems())
        ->warnings();
  };
  EXPECT_THAT(warnings("x - phi'"),
              ElementsAre(AllOf(HasSubstr("constraint[0]"), HasSubstr("'x'"))));
  EXPECT_THAT(warnings("x' - phi' - sin(t)"), IsEmpty());
}

// Twice a row, with the other sign; negative control: two different rows.
TEST(TextWarnings, NameARepeatedRow) {
  EXPECT_THAT(warnings_of({.rows = "\"cos(heading)*y' - sin(heading)*x'\", "
                                   "\"2*sin(heading)*x' - 2*cos(heading)*y'\""}),
              ElementsAre(AllOf(HasSubstr("constraint[1]"), HasSubstr("row 0"))));
  EXPECT_THAT(warnings_of({.rows = "\"cos(heading)*y' - sin(heading)*x'\", "
                                   "\"cos(heading)*x' + sin(heading)*y'\""}),
              IsEmpty());
}

TEST(TextWarnings, RefuseAnUnknownUnitAtItsPlace) {
  try {
    warnings_of({.unit = "kgm2"});
    FAIL() << "kgm2 is no unit";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(),
                AllOf(HasSubstr("skate.toml:"), HasSubstr("inertia"), HasSubstr("'kg m^2'")));
  }
}

}  // namespace
}  // namespace rigidlimit
