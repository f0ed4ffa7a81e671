// Tests the command `prove`: its exit status, its document and its refusals.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/process.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

class ProveCommandTest : public testing::Test {
 protected:
  test::Said prove(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"prove", study, "--largest-epsilon", "0.01"});
    return test::rigidlimit(std::move(arguments), place.path());
  }
  test::TemporaryDirectory place;
  std::string study = place.write("sample.toml", test::sample_text + test::sample_expectations);
};

TEST_F(ProveCommandTest, PrintsConstantsAsIntervals) {
  const test::Said said = prove({"--format", "json"});
  const nlohmann::json found = nlohmann::json::parse(said.out);
  EXPECT_EQ(found.at("kind"), "proof");
  ASSERT_EQ(found.at("constants").size(), 3u);
  for (const nlohmann::json& constant : found.at("constants")) {
    EXPECT_EQ(constant.at("status"), "proved");
    EXPECT_EQ(constant.at("largest_epsilon"), 0.01);
    EXPECT_LT(constant.at("constant_lower"), constant.at("constant_upper"));
  }
}

// Of the orders of q, v and λ over all times, the theorems are about that of q.
TEST_F(ProveCommandTest, ListsBeforeItBeginsTheClaimsThatItCanJudge) {
  EXPECT_THAT(prove({}).err, testing::HasSubstr("can judge 1 of 3 claims; eps0 from 0.01 down"));
  EXPECT_THAT(prove({"--quiet"}).err, testing::Not(testing::HasSubstr("can judge")));
}

TEST_F(ProveCommandTest, ExitStatusTellsARefutedBound) {
  const std::string bound = "bound=[{quantity=\"q\", constant=1e-3, power=2.0}]";
  const test::Said said = prove({"--set", bound, "--set", "expect=[]"});
  EXPECT_EQ(said.status, 1) << said.err;
  const std::string wide = "bound=[{quantity=\"q\", constant=1e3, power=2.0, epsilon=[0.0, 0.01]}]";
  EXPECT_EQ(prove({"--set", wide, "--set", "expect=[]"}).status, 0);
}

TEST_F(ProveCommandTest, RefusesAnotherLaw) {
  const test::Said said = prove({"--set", "contact.damping_exponent=1.5"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, testing::HasSubstr("damping_exponent"));
}

TEST_F(ProveCommandTest, RefusesALargestEpsilonOutsideItsRange) {
  for (const char* epsilon : {"0", "-0.01", "nan", "2", "1e-7"}) {
    const test::Said said =
        test::rigidlimit({"prove", study, "--largest-epsilon", epsilon}, place.path());
    EXPECT_EQ(said.status, 2) << epsilon;
    EXPECT_THAT(said.err, testing::HasSubstr("--largest-epsilon")) << epsilon;
  }
}

}  // namespace
}  // namespace rigidlimit
