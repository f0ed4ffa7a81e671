// Tests the subcommands with a system in a text file.
#include <gmock/gmock.h>

#include "support/process.hpp"
#include "support/source_directory.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

// The listing of docs/extending.md.
TEST(WrittenSystem, OfTheDocumentationHolds) {
  const std::string file = test::in_repository("examples/unicycle/unicycle.toml");
  const test::Said said = test::rigidlimit({"check", file});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("unicycle: held, 6 of 6"));
  // Negative control: a wrong formula gives an error with its place.
  const test::Said wrong =
      test::rigidlimit({"check", file, "--set", "system.potential=\"mass*gravity*hight\""});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err,
              testing::AllOf(HasSubstr("character 14 "), HasSubstr("system.potential: ")));
  EXPECT_THAT(wrong.err, HasSubstr("'hight'"));
}

// The second listing of docs/extending.md.
TEST(WrittenSystem, WithJointsByNameOfTheDocumentationHolds) {
  const std::string file = test::in_repository("examples/slider_crank/slider_crank.toml");
  const test::Said said = test::rigidlimit({"check", file});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("slider_crank: held, 6 of 6"));
  const test::Said described = test::rigidlimit({"describe", file});
  for (const char* row : {"g of big_end.x [m] = x2 - cos(a2)*rod/2 - (x1 + cos(a1)*crank/2)",
                          "g of guide.angle [rad] = a3"})
    EXPECT_THAT(described.out, HasSubstr(row));
  // Negative control: a pin at the other end of the crank is open at the start, by its length.
  const std::string text = test::text_of(file), end = "child_anchor = [\"-crank/2\", 0]";
  const test::TemporaryDirectory place;
  std::string other = text;
  other.replace(text.find(end), end.size(), "child_anchor = [\"crank/2\", 0]");
  const test::Said open = test::rigidlimit({"check", place.write("open.toml", other)});
  EXPECT_EQ(open.status, 2);
  EXPECT_THAT(open.err, testing::AllOf(HasSubstr("bearing.x"), HasSubstr("0.5")));
  // A unit that does not fit is refused at its place.
  other.replace(other.find("[\"crank/2\", 0]"), std::string("[\"crank/2\", 0]").size(),
                "[\"spin\", 0]");
  const test::Said unit = test::rigidlimit({"check", place.write("unit.toml", other)});
  EXPECT_EQ(unit.status, 2);
  EXPECT_THAT(unit.err, testing::AllOf(HasSubstr("unit.toml:44:"),
                                       HasSubstr("child_anchor[0]: 'spin'"), HasSubstr("rad/s")));
}

TEST(WrittenSystem, IsDescribedWithItsEquationsAsWritten) {
  const std::string file = test::in_repository("experiments/systems/roller_racer.toml");
  const test::Said said = test::rigidlimit({"describe", file, "--set", "mass=2.5"});
  EXPECT_EQ(said.status, 0) << said.err;
  for (const char* text :
       {"roller_racer: Roller racer", "K* = mass/2*(x'^2 + y'^2) + seat_inertia/2*theta'^2",
        "G v = (cos(theta)*y' - sin(theta)*x',", "of seat and rider", "seat sideways",
        "rank 2 of 2"})
    EXPECT_THAT(said.out, HasSubstr(text));
  EXPECT_EQ(test::rigidlimit({"describe", file, "--set", "mas=2.5"}).status, 2);
  EXPECT_EQ(test::rigidlimit({"describe", "/no/such/file.toml"}).status, 2);
}

/// A disc on a belt that moves, with this row.
std::string study_of_disc(const std::string& row, const std::string& start_rate) {
  return "[study]\nname = \"disc\"\n[system]\nname = \"disc\"\n"
         "coordinates = [{name = \"x\", unit = \"m\", start = 1.0, start_rate = " +
         start_rate +
         "}, {name = \"phi\", unit = \"rad\", start = 0.0, start_rate = 0.0}]\n"
         "kinetic_coenergy = \"mass/2*x'^2 + inertia/2*phi'^2\"\npotential = \"0\"\n"
         "constraint = [{name = \"along\", row = \"" +
         row +
         "\"}]\n"
         "[system.parameters]\nmass = {default = 1.0, unit = \"kg\"}\n"
         "inertia = {default = 1.0, unit = \"kg m^2\"}\n"
         "radius = {default = 0.5, unit = \"m\"}\n"
         "[time]\nend = 0.5\n[epsilon]\nvalues = [4e-3, 2e-3, 1e-3, 5e-4]\n";
}

// A forgotten prime makes a right start slide: the doubt comes with the refusal.
TEST(WrittenSystem, WithAForgottenPrimeIsRefusedWithTheDoubtAboutItsUnits) {
  const test::TemporaryDirectory place;
  place.write("spoilt.toml", study_of_disc("x - radius*phi'", "0.0"));
  place.write("slides.toml", study_of_disc("x' - radius*phi'", "1.0"));
  place.write("fine.toml", study_of_disc("x' - radius*phi'", "0.0"));
  for (const char* subcommand : {"run", "check", "describe"}) {
    const test::Said said = test::rigidlimit({subcommand, "spoilt.toml"}, place.path());
    const std::size_t doubt = said.err.find("adds 'x' in m");
    EXPECT_THAT(said.err, HasSubstr("system.constraint")) << subcommand;
    EXPECT_LT(doubt, said.err.find("slides")) << subcommand;
  }
  EXPECT_EQ(test::rigidlimit({"run", "spoilt.toml"}, place.path()).status, 2);
  // Negative controls: a start that slides with right units, and one that rolls.
  const std::string slides = test::rigidlimit({"run", "slides.toml"}, place.path()).err;
  EXPECT_THAT(slides, testing::AllOf(HasSubstr("slides"), testing::Not(HasSubstr("formula"))));
  for (const char* file : {"slides.toml", "fine.toml"})
    EXPECT_EQ(test::rigidlimit({"describe", file}, place.path()).err, "");
}

// Lines of a file are filled; the text of `describe` is filled for the screen.
TEST(WrittenSystem, HasItsDescriptionWithoutTheLineBreaksOfTheFile) {
  const test::TemporaryDirectory place;
  const std::string first = "the first line of a paragraph of the file, which goes on in the",
                    next = "next one.";
  const auto described = [&](const std::string& gap) {
    std::string text = study_of_disc("x' - radius*phi'", "0.0");
    const std::string at = "[system]\n";
    text.insert(text.find(at) + at.size(),
                "description = \"\"\"\n" + first + gap + next + "\"\"\"\n");
    place.write("disc.toml", text);
    return test::rigidlimit({"describe", "disc.toml"}, place.path(), {"COLUMNS=100"}).out;
  };
  EXPECT_THAT(described("\n"), HasSubstr(first + " " + next));
  EXPECT_THAT(described("\n\n"), testing::Not(HasSubstr(first + " " + next))) << "two paragraphs";
}

TEST(WrittenSystem, IsListedBesideTheStudies) {
  const test::Said said = test::rigidlimit({"list", "systems"}, test::in_repository(""));
  EXPECT_THAT(said.out, HasSubstr("experiments/systems/suslov.toml"));
  const test::TemporaryDirectory place;
  EXPECT_THAT(test::rigidlimit({"list", "systems"}, place.path()).out,
              testing::Not(HasSubstr(".toml")));
}

TEST(WrittenSystem, InitWritesAStudyOfIt) {
  const test::TemporaryDirectory place;
  for (const char* file : {"experiments/systems/suslov.toml", "examples/unicycle/unicycle.toml"}) {
    const std::string name = file[0] == 'e' && file[2] == 'p' ? "of_a_file" : "of_a_study";
    const test::Said made = test::rigidlimit(
        {"init", name, "--system", test::in_repository(file), "--directory", place.path()});
    EXPECT_EQ(made.status, 0) << made.err;
    // Another test checks that the study holds.
    const test::Said said = test::rigidlimit({"run", "--dry-run", place.path(name + ".toml")});
    EXPECT_EQ(said.status, 0) << said.err;
  }
}

/// A study of a system in a file, with `rest` appended.
std::string study_of_suslov(const std::string& rest,
                            const std::string& file = "experiments/systems/suslov.toml") {
  return "[study]\nname = \"mine\"\n[system]\nfile = \"" + test::in_repository(file) +
         "\"\n[time]\nend = 0.5\n[solvers]\nrigid = [\"radau_iia\"]\ncompliant = "
         "[\"radau_iia\"]\n[epsilon]\nvalues = [4e-3, 2e-3, 1e-3, 5e-4]\n" +
         rest;
}

TEST(WrittenSystem, WorksInSweepsAndBenchmarks) {
  const test::TemporaryDirectory place;
  place.write("mine.toml", study_of_suslov(""));
  place.write("sweep.toml", study_of_suslov("[sweep]\ncontact.damping_ratio = [1.0]\n"));
  place.write("trial.toml",
              "[benchmark]\nname = \"trial\"\nkind = \"work_precision\"\nmethods = "
              "[\"radau_iia\"]\n[tolerance]\nrtol = [1e-6, 1e-4]\n[timing]\nrepeats = "
              "1\n[[problem]]\nstudy = \"mine.toml\"\nepsilon = [1e-2]\n");
  for (const auto& [subcommand, file, word] : {std::tuple("run", "mine.toml", "radau_iia"),
                                               std::tuple("run", "sweep.toml", "damping_ratio"),
                                               std::tuple("run", "trial.toml", "mine")}) {
    const test::Said said = test::rigidlimit({subcommand, file}, place.path());
    EXPECT_EQ(said.status, 0) << subcommand << ": " << said.err;
    EXPECT_THAT(said.out, HasSubstr(word)) << subcommand;
  }
  // Negative control: each reads the file of the system.
  const std::string spoilt = study_of_suslov("", "experiments/systems/none.toml");
  place.write("mine.toml", spoilt);
  place.write("sweep.toml", spoilt + "[sweep]\ncontact.damping_ratio = [1.0]\n");
  for (const auto& [subcommand, file] :
       {std::pair("run", "mine.toml"), std::pair("run", "sweep.toml"),
        std::pair("run", "trial.toml")})
    EXPECT_EQ(test::rigidlimit({subcommand, file}, place.path()).status, 2) << subcommand;
}

TEST(WrittenSystem, IsListedInAStudyAndAlone) {
  const test::TemporaryDirectory place;
  place.write("mine.toml", test::text_of(test::in_repository("examples/unicycle/unicycle.toml")));
  place.write("alone.toml", test::text_of(test::in_repository("experiments/systems/suslov.toml")));
  const auto listed = [&](const char* what) {
    return test::rigidlimit({"list", what, "--experiments", place.path()}).out;
  };
  EXPECT_THAT(listed("systems"), testing::AllOf(HasSubstr(place.path("mine.toml")),
                                                HasSubstr(place.path("alone.toml"))));
  EXPECT_THAT(listed("studies"), testing::AllOf(HasSubstr(place.path("mine.toml")),
                                                testing::Not(HasSubstr("alone.toml"))));
}

// The results mark the system as not built in, and name its file.
TEST(WrittenSystem, ResultsNameItsFile) {
  const test::TemporaryDirectory place;
  place.write("mine.toml", study_of_suslov(""));
  ASSERT_EQ(test::rigidlimit({"run", "mine.toml"}, place.path()).status, 0);
  const std::string json = test::text_of(place.path("results/mine/result.json"));
  EXPECT_THAT(json, HasSubstr("\"built_in\": false"));
  EXPECT_THAT(json, HasSubstr("experiments/systems/suslov.toml\""));
}

// The stored solves can be exported after the file is gone.
TEST(WrittenSystem, TheStoreHoldsItsText) {
  const test::TemporaryDirectory place;
  std::string system = "file = \"" + test::in_repository("experiments/systems/suslov.toml") + "\"";
  place.write("mine.toml", "[study]\nname = \"mine\"\n[system]\n" + system +
                               "\n[contact]\nstiffness = 1.0\n[epsilon]\nvalues = [1e-2, 1e-3]\n"
                               "[time]\nend = 0.5\n[solvers]\nrigid = [\"radau_iia\"]\n"
                               "compliant = [\"radau_iia\"]\n");
  ASSERT_EQ(test::rigidlimit({"run", "mine.toml"}, place.path()).status, 0);
  const test::Said again = test::rigidlimit({"run", "mine.toml"}, place.path());
  EXPECT_THAT(again.err, testing::ContainsRegex("mine: [0-9]+ of [0-9]+ solves"));
  std::filesystem::remove(place.path("mine.toml"));
  const test::Said shown =
      test::rigidlimit({"export", "results/mine/results.db", "--format", "csv"}, place.path());
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("mine,suslov,viscoelastic,radau_iia"));
}

}  // namespace
}  // namespace rigidlimit
