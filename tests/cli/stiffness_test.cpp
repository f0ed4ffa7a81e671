// Tests the command `stiffness`: its exit status, its document and its refusals.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/process.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

class StiffnessCommandTest : public testing::Test {
 protected:
  test::Said stiffness(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"stiffness", study});
    return test::rigidlimit(std::move(arguments), place.path());
  }
  test::TemporaryDirectory place;
  std::string study = place.write("sample.toml", test::sample_text + test::sample_expectations);
};

TEST_F(StiffnessCommandTest, PrintsAContactThatKeepsTheWantedError) {
  const test::Said said = stiffness(
      {"--error", "q=1e-4", "--cost", "--methods", "dopri5,radau_iia", "--format", "json"});
  ASSERT_EQ(said.status, 0) << said.err;
  const nlohmann::json found = nlohmann::json::parse(said.out);
  EXPECT_EQ(found.at("kind"), "stiffness");
  EXPECT_TRUE(found.at("held"));
  const double epsilon = found.at("epsilon");
  EXPECT_DOUBLE_EQ(found.at("contact").at(0).at("stiffness"), 1.0 / (epsilon * epsilon));
  const nlohmann::json& last = found.at("errors").back();
  EXPECT_LE(last.at("model_error").get<double>() + last.at("error_bar").get<double>(), 1e-4);
  EXPECT_GT(last.at("model_error").get<double>(), 0.9e-4);
  EXPECT_EQ(found.at("costs").size(), 4u);
}

// No contact is too soft for a component that the contact does not move.
TEST_F(StiffnessCommandTest, SaysThatEveryStiffnessTriedIsEnough) {
  const auto answer = [&](const char* wanted) {
    const test::Said said = stiffness({"--error", wanted, "--quiet"});
    EXPECT_EQ(said.status, 0) << said.err;
    return said.err;
  };
  EXPECT_THAT(answer("phi=1deg"), testing::AllOf(testing::HasSubstr("for every stiffness tried"),
                                                 testing::HasSubstr("ε = 1000")));
  EXPECT_THAT(answer("x=1mm"), testing::Not(testing::HasSubstr("every stiffness")));
}

TEST_F(StiffnessCommandTest, CsvHasTheAnswer) {
  const test::Said found = stiffness({"--error", "q=1e-4", "--format", "csv"});
  const test::Said document = stiffness({"--error", "q=1e-4", "--format", "json"});
  const nlohmann::json row = nlohmann::json::parse(document.out).at("contact").at(0);
  const std::string header =
      "study,component,stiffness,stiffness_unit,damping,damping_unit,largest_explicit_step,"
      "decay_time,epsilon\n";
  EXPECT_EQ(
      found.out,
      header + fmt::format("sample,{},{:.17g},N/m,{:.17g},N s/m,{:.17g},{:.17g},{:.17g}\n",
                           row.at("component").get<std::string>(),
                           row.at("stiffness").get<double>(), row.at("damping").get<double>(),
                           row.at("largest_explicit_step").get<double>(),
                           row.at("decay_time").get<double>(), row.at("epsilon").get<double>()));
  EXPECT_EQ(stiffness({"--error", "lambda=1e-3", "--format", "csv"}).out, header)
      << "no contact has no row";
}

TEST_F(StiffnessCommandTest, ItsExitStatusTellsWhetherThereIsAContact) {
  EXPECT_EQ(stiffness({"--error", "q=1e-3"}).status, 0);
  const test::Said none = stiffness({"--error", "lambda=1e-3"});
  EXPECT_EQ(none.status, 1) << "the layer of the multiplier does not shrink";
  EXPECT_EQ(stiffness({"--error", "lambda=1e-3", "--quiet"}).out, "");
}

TEST_F(StiffnessCommandTest, RefusesWhatHasNoAnswer) {
  const std::vector<std::vector<std::string>> refused{
      {},
      {"--error", "w=1e-4"},
      {"--error", "q=0"},
      {"--error", "q=1e-4", "--cost", "--methods", "dopri6"},
      {"--error", "q=1e-4", "--set", "sweep.contact.damping_ratio=[1,2]"},
      {"--error", "q=1e-4", "--set", "time.grid=\"end\"", "--set", "expect=[]"}};
  for (const std::vector<std::string>& arguments : refused)
    EXPECT_EQ(stiffness(arguments).status, 2) << testing::PrintToString(arguments);
}

// The library names its arguments: wanted, methods, normal_force.
TEST_F(StiffnessCommandTest, MessagesNameTheOption) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused{
      {{"--error", "w=1e-4"}, " --error w=1e-4: "},
      {{"--error", "q=1e-4", "--cost", "--methods", "dopri6"}, " --methods: "}};
  for (const auto& [arguments, place] : refused)
    EXPECT_NE(stiffness(arguments).err.find(place), std::string::npos) << stiffness(arguments).err;
  const test::Said of_wheel = test::rigidlimit(
      {"stiffness", "wheel", "--error", "x=1mm", "--engine", "mujoco"}, place.path());
  EXPECT_NE(of_wheel.err.find(" --normal-force: "), std::string::npos) << of_wheel.err;
}

}  // namespace
}  // namespace rigidlimit
