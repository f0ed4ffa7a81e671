// rigidlimit check: verdicts and exit status for a CI system.
#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "rigidlimit/convergence/verdict.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"
#include "support/well_formed_xml.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

class CheckVerbTest : public testing::Test {
 protected:
  test::Said check(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "check");
    return test::rigidlimit(std::move(arguments), place.path());
  }
  test::TemporaryDirectory place;
  std::string good = place.write("good.toml", test::sample_text + test::sample_expectations);
  std::string silent = place.write("silent.toml", test::renamed(test::sample_text, "silent"));
};

TEST_F(CheckVerbTest, PrintsOneVerdictLineAStudyAndWritesNothing) {
  const test::Said said = check({good});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_EQ(test::split(said.out, '\n').size(), 1u) << said.out;
  EXPECT_THAT(said.out, HasSubstr("sample: held, 3 of 3"));
  EXPECT_FALSE(std::filesystem::exists(place.path("results")));
}

TEST_F(CheckVerbTest, ExitsWith1WhereAnExpectationBrokeAndSaysWhich) {
  const test::Said said = check({good, "--set", "expect=[{quantity=\"v\", order=2.0}]"});
  EXPECT_EQ(said.status, 1);
  EXPECT_THAT(said.out,
              testing::AllOf(HasSubstr("not held"), HasSubstr("order of v (sup, all t), cvode_bdf"),
                             HasSubstr("expected 2"), HasSubstr("refuted")));
  // The line ends with the reason and with what to do; the negative control is a line that holds.
  EXPECT_THAT(said.out, testing::AllOf(HasSubstr("of 5 ε, "), HasSubstr(advice(Verdict::refuted))));
  EXPECT_THAT(check({good}).out, testing::Not(HasSubstr(advice(Verdict::refuted))));
}

TEST_F(CheckVerbTest, RefusesAStudyThatExpectsNothing) {
  const test::Said said = check({silent, good});
  EXPECT_EQ(said.status, 2) << "green without a check would be a lie";
  EXPECT_THAT(said.err, HasSubstr("no [[expect]]"));
  EXPECT_THAT(said.out, HasSubstr("sample: held")) << "the other is checked";
}

TEST_F(CheckVerbTest, ALooseSolverDoesNotHold) {
  const test::Said said = check({good, "--set", "solvers.rtol=1e-3", "--set", "solvers.atol=1e-3"});
  EXPECT_EQ(said.status, 1);
  EXPECT_THAT(said.out, HasSubstr("not held"));
}

TEST_F(CheckVerbTest, WritesJunitForAllStudiesThatRan) {
  const test::Said said = check({good, "--junit", "report.xml"});
  EXPECT_EQ(said.status, 0);
  const std::string held = test::text_of(place.path("report.xml"));
  EXPECT_EQ(test::WellFormedXml::complaint(held), "") << held;
  EXPECT_THAT(held, HasSubstr("<testsuites tests=\"3\" failures=\"0\" errors=\"0\">"));
  EXPECT_EQ(check({good, "--junit", "report.xml", "--set", "expect=[{quantity=\"q\", order=1.0}]"})
                .status,
            1);
  const std::string broken = test::text_of(place.path("report.xml"));
  EXPECT_EQ(test::WellFormedXml::complaint(broken), "") << broken;
  EXPECT_THAT(broken, HasSubstr("<testsuites tests=\"1\" failures=\"1\" errors=\"0\">"));
}

TEST_F(CheckVerbTest, AJunitFileThatCannotBeWrittenGives2BeforeAnythingIsSolved) {
  for (const char* path : {"good.toml/report.xml", "missing/report.xml"}) {
    const test::Said said = check({good, "--junit", path});
    EXPECT_EQ(said.status, 2);
    EXPECT_THAT(said.err,
                HasSubstr(std::string(path) + ": cannot be written: there is no directory"));
    EXPECT_EQ(said.out, "");
  }
}

TEST_F(CheckVerbTest, SaysWhichSolvesFailedWhereThereIsNoOrder) {
  const test::Said said = check({good, "--set", "solvers.max_steps=5", "--junit", "report.xml"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.out, HasSubstr("no order (5 of 5 ε failed: max_steps), expected 2 ± 0.05"));
  EXPECT_THAT(test::text_of(place.path("report.xml")),
              HasSubstr("<testsuites tests=\"3\" failures=\"0\" errors=\"3\">"));
}

TEST_F(CheckVerbTest, TheReportNamesTheFileAndTheTime) {
  EXPECT_EQ(check({good, "--junit", "report.xml"}).status, 0);
  EXPECT_THAT(
      test::text_of(place.path("report.xml")),
      testing::ContainsRegex("<testsuite [^>]* file=\"[^\"]*good.toml\" time=\"[0-9.]+\">"));
}

/// What `run` keeps of a study, and what `check` makes of it.
class CheckOfAStore : public CheckVerbTest {
 protected:
  CheckOfAStore() {
    without = check({good});
    ran = test::rigidlimit({"run", good, "--quiet"}, place.path());
  }
  void change(const std::string& sql) { SQLite::Database(store, SQLite::OPEN_READWRITE).exec(sql); }
  test::Said without, ran;
  std::string store = place.path("results/sample/results.db");
};

TEST_F(CheckOfAStore, SolvesNothingThatIsKeptAndSaysTheSameToTheByte) {
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(without.err, testing::Not(HasSubstr("reused")));
  const std::string before = test::text_of(store);
  const test::Said with = check({good});
  EXPECT_EQ(with.status, without.status);
  EXPECT_EQ(with.out, without.out);
  // Prediction, energy of the rigid motion, IDA and what judges it, five ε twice.
  EXPECT_THAT(with.err, HasSubstr("sample: 14 of 14 solves were reused"));
  EXPECT_EQ(test::text_of(store), before) << "it writes nothing";
  // Negative control: solves that are kept elsewhere.
  EXPECT_THAT(check({good, "--results", "none"}).err, testing::Not(HasSubstr("reused")));
  EXPECT_FALSE(std::filesystem::exists(place.path("none")));
}

TEST_F(CheckOfAStore, JudgesAsTheFileAsksNowAndSolvesWhatIsMissing) {
  const test::Said other = check({good, "--set", "expect=[{quantity=\"v\", order=2.0}]"});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.err, HasSubstr("14 of 14"));
  change("DELETE FROM solves WHERE kind = 'compliant' AND tighter = 1");
  const test::Said rest = check({good});
  EXPECT_EQ(rest.out, without.out);
  EXPECT_THAT(rest.err, HasSubstr("9 of 14"));
  EXPECT_THAT(check({good}).err, HasSubstr("9 of 14")) << "what is solved here is not kept";
}

TEST_F(CheckOfAStore, UsesNothingThatAnotherProgramsPhysicsHasSolved) {
  // A key is a hash of what the solve depends on and of the code: other code has other keys.
  change("UPDATE solves SET key = 'f' || key");
  const test::Said said = check({good});
  EXPECT_EQ(said.out, without.out);
  EXPECT_THAT(said.err, testing::Not(HasSubstr("reused")));
}

TEST_F(CheckOfAStore, ADamagedStoreStopsNoCheck) {
  std::ofstream(store) << "no database";
  const test::Said said = check({good});
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.out, without.out);
  EXPECT_THAT(said.err, testing::AllOf(HasSubstr("stored solves are not used"),
                                       HasSubstr("is damaged, or not a store")));
}

TEST_F(CheckOfAStore, ASolveWhoseSamplesAreDamagedIsSolvedAgain) {
  change("UPDATE samples SET data = x'00' WHERE name = 'lambda'");
  const test::Said said = check({good});
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.out, without.out);
  EXPECT_THAT(said.err, HasSubstr("samples differ in size from their row"));
}

TEST_F(CheckOfAStore, ALockedStoreStopsNoCheck) {
  SQLite::Database other(store, SQLite::OPEN_READWRITE);
  other.exec("BEGIN EXCLUSIVE");
  const test::Said said = check({good});
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.out, without.out);
  EXPECT_THAT(said.err, testing::AllOf(HasSubstr("not used"), HasSubstr("locked")));
}

TEST_F(CheckVerbTest, QuietSaysNothingButItsStatus) {
  const test::Said said = check({good, "--quiet"});
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.out + said.err, "");
}

}  // namespace
}  // namespace rigidlimit
