// Tests --set "dotted.key=TOML value": overrides of the file, and errors that name the override.
#include <gmock/gmock.h>

#include "support/sample_study.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string complaint(const std::string& override) {
  return test::complaint_about(test::sample_text + test::sample_expectations, {override});
}

TEST(Overrides, ReplaceValuesOfTheFileAndOfEarlierOverrides) {
  const RollingStudy study =
      test::sample_study({"contact.stiffness=2.5", "time.end=1", "time.end=3.0", "study.name=\"b\"",
                          "initial.v=[0.6, 0.0, 1.1]", "solvers.compliant=[\"rosenbrock4\"]",
                          "initial.project=true", "solvers.max_steps=7"});
  EXPECT_EQ(study.contact.stiffness(0, 0), 2.5);
  EXPECT_EQ(study.time.end, 3.0);
  EXPECT_EQ(study.name, "b");
  EXPECT_EQ(study.initial.v, Eigen::Vector3d(0.6, 0.0, 1.1));
  EXPECT_THAT(study.solvers.compliant, ElementsAre("rosenbrock4"));
  EXPECT_TRUE(study.project);
  EXPECT_EQ(study.solvers.max_steps, 7);
  // Other keys keep their values.
  EXPECT_EQ(study.solvers.rtol, 1e-10);
  EXPECT_EQ(study.epsilons.size(), 5u);
}

TEST(Overrides, OfATableAreMergedIntoIt) {
  const RollingStudy study =
      test::sample_study({"epsilon={to=1e-4, count=3}", "system={mass=2.0}"});
  EXPECT_EQ(study.epsilons.front(), 1e-2) << "from stays";
  EXPECT_EQ(study.epsilons.back(), 1e-4);
  EXPECT_EQ(study.epsilons.size(), 3u);
  EXPECT_EQ(study.parameters.front(), 2.0);
  EXPECT_EQ(study.system->info.name, "knife_edge");
}

TEST(Overrides, CreateAMissingTable) {
  const RollingStudy study = test::sample_study({"solvers.cvode_bdf.rtol=1e-7"});
  EXPECT_EQ(study.solvers.tolerance_of("cvode_bdf", false).rtol, 1e-7);
  EXPECT_EQ(study.solvers.tolerance_of("cvode_bdf", false).atol, 1e-12) << "the common one";
}

TEST(Overrides, ReplaceTheListOfExpectations) {
  const RollingStudy study = test::sample_study({"expect=[{quantity=\"v\", order=1.5}]"});
  ASSERT_EQ(study.expectations.size(), 1u);
  EXPECT_EQ(study.expectations[0].order, 1.5);
  EXPECT_TRUE(test::sample_study({"expect=[]"}).expectations.empty());
}

TEST(Overrides, OfSolversIgnoreToleranceTablesOfOtherSolvers) {
  const std::string text = test::sample_text + "[solvers.rosenbrock4]\nrtol = 1e-6\n";
  const RollingStudy without = test::study_from(text, {"solvers.compliant=[\"cvode_bdf\"]"});
  EXPECT_TRUE(without.solvers.own.empty());
  const RollingStudy with = test::study_from(text, {"solvers.compliant=[\"rosenbrock4\"]"});
  EXPECT_EQ(with.solvers.tolerance_of("rosenbrock4", false).rtol, 1e-6);
  EXPECT_EQ(with.solvers.tolerance_of("rosenbrock4", true).rtol, 0.1 * 1e-6);
}

TEST(Overrides, AreNamedInTheErrorsTheyCause) {
  const auto says = [](const std::string& set, const std::string& key, const std::string& valid) {
    EXPECT_THAT(complaint(set), AllOf(StartsWith("--set " + set + ": " + key), HasSubstr(valid)));
  };
  says("contact={stiffness=0}", "contact.stiffness = 0: ", "positive definite");
  says("initial.v=[1.0, 0.1, 1.0]", "initial.v = [1, 0.1, 1]: ", "|G v| = 0.1 m/s");
  says("study=3", "study = 3: ", "[study]");
  says("expect=3", "expect = 3: ", "[[expect]]");
}

TEST(Overrides, AreNotNamedInErrorsOfTheFile) {
  const std::string text =
      test::sample_text + "[[expect]]\nquantity = \"q\"\norder = 2.0\nnomr = \"l2\"\n";
  EXPECT_THAT(test::complaint_about(text, {"time.end=3.0"}),
              StartsWith("sample.toml:21:1: expect[0].nomr: "));
}

TEST(Overrides, CannotSetAKeyInsideAValue) {
  EXPECT_THAT(complaint("study.name.first=\"a\""),
              StartsWith("--set study.name.first=\"a\": study.name "));
  EXPECT_THAT(complaint("expect.order=2.0"), StartsWith("--set expect.order=2.0: expect "));
}

TEST(Overrides, AcceptABareWordAsText) {
  // A shell removes the quotes of study.name="other".
  const test::TemporaryDirectory place;
  const std::string file = place.write("sample.toml", test::sample_text);
  EXPECT_EQ(read_rolling_study(file, {"study.name=other"}).name, "other");
  EXPECT_EQ(read_rolling_study(file, {"contact.preparation=prepared"}).contact.preparation,
            ContactSpec::Preparation::prepared);
  EXPECT_THAT(complaint("time.end=later"), HasSubstr("time.end")) << "not a number";
  EXPECT_THAT(complaint("time.end=inf"), Not(HasSubstr("dotted.key")))
      << "a valid TOML number, out of range";
}

TEST(Overrides, WithInvalidTomlAreRefusedWithTheSyntax) {
  for (const char* bad : {"contact.stiffness", "contact.stiffness=", "study.name=plain words", "=1",
                          "time.end=1 time.samples=9"}) {
    const std::string message = complaint(bad);
    EXPECT_THAT(message, StartsWith(std::string("--set ") + bad + ": "));
    EXPECT_THAT(message, HasSubstr("dotted.key=TOML value"));
  }
}

TEST(Overrides, WithoutAKeyAreRefused) {
  for (const char* empty : {"", "  ", "# contact.stiffness=2"})
    EXPECT_THAT(complaint(empty), HasSubstr("dotted.key=TOML value")) << "'" << empty << "'";
}

TEST(Overrides, SetOneKeyEach) {
  for (const char* several :
       {"time.end=1.0\ncontact.stiffness=5", "time.end=1.0\ntime.samples=9",
        "time.end=1.0\n[contact]", "time.end=1.0\r\ncontact.stiffness=5",
        "[contact]\nstiffness=5\ndamping=1.0", "[contact]", "[[expect]]\nquantity=\"q\"\norder=2.0",
        "contact.stiffness=2.0\ncontact.law=\"viscous\"", "expect=[]\n[[bound]]\nquantity=\"q\""})
    EXPECT_THAT(complaint(several), HasSubstr("one key")) << several;
  // A value may take several lines, and a comment may follow.
  EXPECT_EQ(test::sample_study({"initial.v=[0.6,\n 0.0,\n 1.1]\n"}).initial.v,
            Eigen::Vector3d(0.6, 0.0, 1.1));
  EXPECT_EQ(test::sample_study({"time.end=3.0 # s"}).time.end, 3.0);
  EXPECT_EQ(test::sample_study({"expect=[{quantity=\"v\", order=1.5}, {quantity=\"q\", order=2}]"})
                .expectations.size(),
            2u);
}

TEST(Overrides, ReplaceAlternativeKeys) {
  const test::TemporaryDirectory place;
  const std::string ladder = place.write("ladder.toml", test::sample_text);
  EXPECT_THAT(read_rolling_study(ladder, {"epsilon.values=[0.5, 0.25]"}).epsilons,
              ElementsAre(0.5, 0.25));
  const std::string list = place.write(
      "list.toml",
      "[study]\nname = \"list\"\n[system]\nname = \"knife_edge\"\n[epsilon]\nvalues = [0.5]\n"
      "[time]\nend = 1.0\n[contact]\ndamping = 0.25\ndeflection = [0.1]\n");
  EXPECT_THAT(read_rolling_study(list, {"epsilon={from=0.4, to=0.1, count=3}"}).epsilons,
              ElementsAre(0.4, testing::DoubleEq(0.2), 0.1));
  EXPECT_EQ(read_rolling_study(list, {"contact.damping_ratio=0.5"}).contact.damping_ratio, 0.5);
  EXPECT_EQ(read_rolling_study(list, {"contact.preparation=\"prepared\""}).contact.preparation,
            ContactSpec::Preparation::prepared);
  // Negative control: two contradictory overrides are refused.
  EXPECT_THROW(read_rolling_study(list, {"contact.damping=1.0", "contact.damping_ratio=0.5"}),
               InputError);
}

TEST(StudyFile, IsNamedIfUnreadable) {
  const test::TemporaryDirectory place;
  const std::vector<std::pair<std::string, std::string>> unreadable{
      {place.path("missing.toml"), ": "},
      {place.path(), ": "},
      {place.write("empty.toml", ""), ": "}};
  for (const auto& [path, reason] : unreadable) try {
      read_rolling_study(path);
      ADD_FAILURE() << path << " was read";
    } catch (const InputError& error) {
      EXPECT_EQ(error.where(), path);
      EXPECT_THAT(error.what(), StartsWith(path + reason));
    }
}

TEST(StudyFile, IsNamedWithItsPathInEveryError) {
  const test::TemporaryDirectory place;
  const std::string path = place.write("bad.toml", test::sample_text + "[wheather]\n");
  try {
    read_rolling_study(path);
    ADD_FAILURE() << "was read";
  } catch (const InputError& error) {
    EXPECT_EQ(error.where(), path + ":18:2");
  }
}

}  // namespace
}  // namespace rigidlimit
