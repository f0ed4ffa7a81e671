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
