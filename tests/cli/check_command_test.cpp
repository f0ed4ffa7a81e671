// Tests `rigidlimit check`: verdicts, JUnit, exit status and the use of stored solves.
#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>

#include <fstream>

#include "rigidlimit/convergence/verdict.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"
#include "support/stored_rows.hpp"
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

TEST_F(CheckVerbTest, ABrokenExpectationIsNamedAndGivesStatus1) {
  const test::Said said = check({good, "--set", "expect=[{quantity=\"v\", order=2.0}]"});
  EXPECT_EQ(said.status, 1);
  EXPECT_THAT(said.out, testing::AllOf(HasSubstr("not held"), HasSubstr("cvode_bdf"),
                                       HasSubstr("expected 2"), HasSubstr("refuted")));
  // A line for the study, one for the expectation, one for the advice. Negative control: a held
  // one.
  EXPECT_EQ(test::split(said.out, '\n').size(), 3u) << said.out;
  EXPECT_THAT(said.out, HasSubstr(advice(Verdict::refuted)));
  EXPECT_EQ(test::split(check({good}).out, '\n').size(), 1u);
  EXPECT_THAT(check({good}).out, testing::Not(HasSubstr(advice(Verdict::refuted))));
}

TEST_F(CheckVerbTest, RejectsAStudyWithoutExpectations) {
  const test::Said said = check({silent, good});
  EXPECT_EQ(said.status, 2) << "nothing was checked";
  EXPECT_THAT(said.err, HasSubstr("[[expect]]"));
  EXPECT_THAT(said.out, HasSubstr("sample: held")) << "the second file is checked";
}

TEST_F(CheckVerbTest, ALooseSolverBreaksTheExpectation) {
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

TEST_F(CheckVerbTest, CountsFailedSolvesIfThereIsNoOrder) {
  const test::Said said = check({good, "--set", "solvers.max_steps=5", "--junit", "report.xml"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.out,
              testing::AllOf(HasSubstr("5 of 5 ε"), HasSubstr("max_steps"), HasSubstr("2 ± 0.05")));
  EXPECT_THAT(test::text_of(place.path("report.xml")),
              HasSubstr("<testsuites tests=\"3\" failures=\"0\" errors=\"3\">"));
}

/// A study that was checked without a store, then run.
class CheckOfAStore : public CheckVerbTest {
 protected:
  CheckOfAStore() {
    without = check({good});
    ran = test::rigidlimit({"run", good, "--quiet"}, place.path());
  }
  void change(const std::string& sql) { test::change_store(store, sql); }
  test::Said without, ran;
  std::string store = place.path("results/sample/results.db");
};

TEST_F(CheckOfAStore, JudgesByTheCurrentFileAndSolvesTheMissing) {
  const test::Said other = check({good, "--set", "expect=[{quantity=\"v\", order=2.0}]"});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.err, HasSubstr("13 of 13"));
  change("DELETE FROM solves WHERE kind = 'compliant' AND tighter = 1");
  const test::Said rest = check({good});
  EXPECT_EQ(rest.out, without.out);
  EXPECT_THAT(rest.err, HasSubstr("8 of 13"));
  EXPECT_THAT(check({good}).err, HasSubstr("8 of 13")) << "check stores no solve";
}

TEST_F(CheckOfAStore, UsesNoSolveOfOtherCode) {
  // A key is a hash of the inputs of the solve and of the code: other code has other keys.
  change("UPDATE solves SET key = 'f' || key");
  const test::Said said = check({good});
  EXPECT_EQ(said.out, without.out);
  EXPECT_THAT(said.err, testing::Not(HasSubstr("of 13")));
}

TEST_F(CheckOfAStore, WorksWithADamagedStore) {
  std::ofstream(store) << "no database";
  const test::Said said = check({good});
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.out, without.out);
  EXPECT_THAT(said.err, testing::AllOf(HasSubstr("results.db"), HasSubstr("damaged")));
}

TEST_F(CheckOfAStore, RepeatsASolveWithDamagedSamples) {
  change("UPDATE samples SET data = x'00' WHERE name = 'lambda'");
  const test::Said said = check({good});
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.out, without.out);
  EXPECT_THAT(said.err, HasSubstr("samples"));
}

TEST_F(CheckOfAStore, WorksWithALockedStore) {
  SQLite::Database other(store, SQLite::OPEN_READWRITE);
  other.exec("BEGIN EXCLUSIVE");
  const test::Said said = check({good});
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.out, without.out);
  EXPECT_THAT(said.err, testing::AllOf(HasSubstr("results.db"), HasSubstr("locked")));
}

}  // namespace
}  // namespace rigidlimit
