// Tests the command `expand`: its exit status, its document and its refusals.
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "support/process.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

class ExpandCommandTest : public testing::Test {
 protected:
  test::Said expand(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"expand", study});
    return test::rigidlimit(std::move(arguments), place.path());
  }
  test::TemporaryDirectory place;
  std::string study = place.write("sample.toml", test::sample_text + test::sample_expectations);
};

TEST_F(ExpandCommandTest, PrintsTheTermsOfEveryOrder) {
  const test::Said said = expand({"--order", "3", "--format", "json"});
  ASSERT_EQ(said.status, 0) << said.err;
  const nlohmann::json found = nlohmann::json::parse(said.out);
  EXPECT_EQ(found.at("kind"), "expansion");
  EXPECT_TRUE(found.at("held"));
  const nlohmann::json& terms = found.at("terms");
  ASSERT_EQ(terms.size(), 8u) << "outer and layer, orders 0 to 3";
  for (const nlohmann::json& term : terms) EXPECT_LT(term.at("matching_defect"), 1e-10);
  // docs/theory.md, sections 3 and 4: q_1 = 0, and the layer of q begins at order 2.
  EXPECT_EQ(terms.at(2).at("part"), "outer");
  EXPECT_LT(terms.at(2).at("q"), 1e-12);
  EXPECT_LT(terms.at(3).at("q"), 1e-12);
  EXPECT_GT(terms.at(5).at("q"), 1e-3);
}

TEST_F(ExpandCommandTest, PrintsTheBoundsOfTheDampingRatio) {
  const test::Said said = expand({"--order", "1", "--set", "contact.damping_ratio=0.25"});
  ASSERT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, testing::HasSubstr("ζ² = 0.0625"));
  EXPECT_THAT(said.out, testing::HasSubstr("1/ζ = 4"));
  const test::Said given = expand({"--order", "1", "--set", "contact.damping=2.0"});
  ASSERT_EQ(given.status, 0) << given.err;
  EXPECT_THAT(given.out, testing::Not(testing::HasSubstr("ζ²"))) << "the study gives D, not ζ";
}

TEST_F(ExpandCommandTest, WritesTheTermsAsFunctionsOfTime) {
  const std::string file = place.path() + "/terms.csv";
  const test::Said said = expand({"--order", "2", "--csv", file, "--set", "time.samples=11"});
  ASSERT_EQ(said.status, 0) << said.err;
  std::ifstream in(file);
  std::string line;
  ASSERT_TRUE(std::getline(in, line));
  EXPECT_EQ(line, "study,damping_ratio,quantity,component,order,part,largest_epsilon,time,value");
  std::map<std::string, int> rows;
  while (std::getline(in, line))
    ++rows[line.find(",outer,") != std::string::npos ? "outer" : "layer"];
  EXPECT_EQ(rows["outer"], 3 * 7 * 11) << "3 orders, 3 + 3 + 1 components, 11 times";
  EXPECT_EQ(rows["layer"] % (3 * 7), 0);
  EXPECT_GT(rows["layer"], 0);
}

TEST_F(ExpandCommandTest, RefusesAFileThatCannotBeWrittenBeforeItExpands) {
  const test::Said said = expand({"--csv", place.path() + "/missing/terms.csv"});
  EXPECT_EQ(said.status, 2);
  EXPECT_EQ(said.out, "");
}

TEST_F(ExpandCommandTest, RefusesWhatHasNoExpansion) {
  const std::vector<std::vector<std::string>> refused{
      {"--order", "9"},
      {"--order", "-1"},
      {"--set", "contact.damping_exponent=0.5"},
      {"--set", "contact.law=\"viscous\""},
      {"--set", "sweep.contact.damping_ratio=[1,2]"}};
  for (const std::vector<std::string>& arguments : refused)
    EXPECT_EQ(expand(arguments).status, 2) << testing::PrintToString(arguments);
}

}  // namespace
}  // namespace rigidlimit
