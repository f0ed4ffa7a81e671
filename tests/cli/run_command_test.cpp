// Tests `rigidlimit run` of rolling studies: output, files, overrides, exit status.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "rigidlimit/report/report.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::Not;

class RunVerbTest : public testing::Test {
 protected:
  test::Said run(std::vector<std::string> arguments, const std::vector<std::string>& vars = {}) {
    arguments.insert(arguments.begin(), "run");
    return test::rigidlimit(std::move(arguments), place.path(), vars);
  }
  test::TemporaryDirectory place;
  std::string good = place.write("good.toml", test::sample_text + test::sample_expectations);
  std::string silent = place.write("silent.toml", test::renamed(test::sample_text, "silent"));
  std::string wrong = place.write("wrong.toml", test::renamed(test::sample_text, "wrong") +
                                                    "[[expect]]\nquantity = \"q\"\norder = 1.0\n");
};

TEST_F(RunVerbTest, ExitsWith0IfAllHoldsOrNothingIsExpected) {
  const test::Said said = run({good});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, testing::AllOf(HasSubstr("confirmed"), HasSubstr("sample: held")));
  EXPECT_EQ(run({silent}).status, 0);
}

TEST_F(RunVerbTest, ExitsWith1IfAnExpectationBreaks) {
  const test::Said said = run({wrong});
  EXPECT_EQ(said.status, 1);
  EXPECT_THAT(said.out, testing::AllOf(HasSubstr("refuted"), HasSubstr("not held")));
  EXPECT_EQ(run({wrong, good}).status, 1) << "one broken study suffices";
}

TEST_F(RunVerbTest, PrintsTheVerdictFirstAndTwoTables) {
  const auto lines = [&](const std::string& text) { return test::split(text, '\n').size(); };
  const test::Said brief = run({wrong});
  EXPECT_EQ(brief.status, 1);
  EXPECT_THAT(brief.out, testing::StartsWith("wrong: not held"));
  EXPECT_LE(lines(brief.out), brief_lines);
  EXPECT_THAT(brief.out, testing::AllOf(HasSubstr("fitted order"), HasSubstr("model error"),
                                        Not(HasSubstr("Energy"))));
  EXPECT_EQ(run({wrong, "--brief"}).out, brief.out);
  // Negative controls: the page has all tables, like the file.
  const std::string page = run({wrong, "--full"}).out;
  EXPECT_GT(lines(page), brief_lines);
  EXPECT_THAT(page, HasSubstr("Energy"));
  EXPECT_THAT(test::text_of(place.path("results/wrong/result.txt")), HasSubstr("Energy"));
  EXPECT_EQ(run({wrong, "--brief", "--format", "csv"}).status, 2);
}

// With --no-compile the built-in machine code still runs.
TEST_F(RunVerbTest, CompiledEquationsGiveTheBitsOfTheInterpreter) {
  const test::Said code = run({good, "--format", "csv", "--results", "code", "--no-compile"});
  const test::Said interpreted =
      run({good, "--format", "csv", "--results", "interpreted"}, {"RIGIDLIMIT_INTERPRET=1"});
  EXPECT_EQ(code.status, 0) << code.err;
  EXPECT_THAT(code.out, HasSubstr("cvode"));
  EXPECT_EQ(code.out, interpreted.out);
}

TEST_F(RunVerbTest, NamesTheVariantThatItReplaces) {
  const auto named = testing::ContainsRegex("damping_ratio = [0-9.]+ \\(was");
  EXPECT_THAT(run({good}).err, Not(named));
  EXPECT_THAT(run({good}).err, Not(named)) << "the same variant";
  const std::string other = "contact.damping_ratio=2";
  const test::Said said = run({good, "--set", other});
  EXPECT_THAT(said.err, testing::ContainsRegex("sample: .*contact.damping_ratio = 2 .*was 1"));
  EXPECT_THAT(run({good}).err, testing::ContainsRegex("contact.damping_ratio = 1 .*was 2"));
  EXPECT_THAT(run({good, "--quiet", "--set", other}).err, Not(named));
}

TEST_F(RunVerbTest, ResultsOfTwoStudiesAreThoseOfEach) {
  const std::string first = run({good, "--format", "json"}).out;
  const std::string second = run({silent, "--format", "json"}).out;
  EXPECT_TRUE(nlohmann::json::parse(first).is_object());
  EXPECT_EQ(run({good, silent, "--format", "json"}).out, first + second);
  const std::string csv = run({good, silent, "--format", "csv"}).out;
  EXPECT_EQ(csv.find("study,"), csv.rfind("study,")) << "one header";
}

TEST_F(RunVerbTest, SetOverridesTheFile) {
  const test::Said said =
      run({good, "--set", "epsilon.count=3", "--set", "study.name=\"other\"", "--format", "csv"});
  EXPECT_EQ(test::csv_fields(said.out).size(), 1u + 36u);
  EXPECT_TRUE(std::filesystem::exists(place.path("results/other/resolved.toml")));
  const test::Said list = run({good, "--set", "epsilon.values=[1e-2, 5e-3]", "--format", "csv"});
  EXPECT_EQ(test::csv_fields(list.out).size(), 1u + 24u) << list.err;
  EXPECT_EQ(run({good, "--set", "expect=[{quantity=\"q\", order=1.0}]"}).status, 1);
}

TEST_F(RunVerbTest, OptionsMayStandBeforeAndBetweenTheFiles) {
  const test::Said said = run({"--set", "epsilon.count=3", good, "--jobs", "1", silent, "--set",
                               "system.mass=2.0", "--format", "csv"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_EQ(test::csv_fields(said.out).size(), 1u + 36u + 36u);
  EXPECT_EQ(run({"--set", "epsilon.count=3", good, silent}).status, 0);
}

TEST_F(RunVerbTest, OffATerminalThereIsNoEscapeCodeAndNoProgress) {
  for (const auto& variables : {std::vector<std::string>{}, {"NO_COLOR=1"}, {"TERM=dumb"}}) {
    const test::Said said = run({good}, variables);
    for (const std::string& text : {said.out, said.err}) {
      EXPECT_THAT(text, Not(HasSubstr("\x1b")));
      EXPECT_THAT(text, Not(HasSubstr("\r")));
    }
    EXPECT_THAT(said.err, Not(HasSubstr(" solves, ")));
  }
}

}  // namespace
}  // namespace rigidlimit
