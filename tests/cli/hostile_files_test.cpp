// Studies, names and paths that mean harm, through the program; and what it says of a run before
// it begins.
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "support/hostile_texts.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> entries_of(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    names.push_back(entry.path().filename().string());
  return names;
}

TEST(HostileFiles, MakeNoFileButTheResults) {
  const test::TemporaryDirectory place;
  place.write("study.toml",
              test::sample_text + "[[expect]]\nquantity = \"q\"\norder = 2.0\n" + "[study.x]\n");
  EXPECT_EQ(test::rigidlimit({"run", "study.toml"}, place.path()).status, 2) << "unknown key";
  std::string text = test::sample_text;
  text.replace(text.find("name = \"sample\"\n"), 16,
               "name = \"sample\"\nquestion = \"$(touch x) `touch x` '; touch x; \\u001b[31m\"\n");
  place.write("study.toml", text);
  for (const char* format : {"table", "csv", "json", "markdown", "latex"}) {
    const test::Said said =
        test::rigidlimit({"run", "study.toml", "--format", format}, place.path());
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(said.out + said.err, Not(HasSubstr("\x1b")));
  }
  EXPECT_THAT(entries_of(place.path()), testing::UnorderedElementsAre("study.toml", "results"));
  EXPECT_THAT(entries_of(place.path("results")), testing::ElementsAre("sample"));
}

TEST(HostileFiles, CannotNameADirectoryElsewhere) {
  const test::TemporaryDirectory place;
  for (const char* name : {"../out", "/tmp/out", "..", "a/b", "-rf"}) {
    place.write("study.toml", test::renamed(test::sample_text, name));
    const test::Said said = test::rigidlimit({"run", "study.toml"}, place.path());
    EXPECT_EQ(said.status, 2) << name;
    EXPECT_THAT(said.err, HasSubstr("study.toml:2:8: study.name = ")) << name;
  }
  EXPECT_THAT(entries_of(place.path()), testing::ElementsAre("study.toml"));
}

TEST(HostileFiles, SayNothingToTheTerminal) {
  const test::TemporaryDirectory place;
  // A name of a file may be any bytes.
  const std::string name = "a\x1b[31m\xff\u202e.toml";
  for (const std::string text :
       {std::string("[study"), test::sample_text + "\"\\u001b[1m\" = 1\n"}) {
    place.write(name, text);
    const test::Said said = test::rigidlimit(
        {"run", name, "--set", "\x1b[5m=1", "--results", "r\x1b[7m"}, place.path());
    EXPECT_EQ(said.status, 2);
    EXPECT_NE(said.err, "");
    EXPECT_THAT(said.out + said.err, Not(HasSubstr("\x1b")));
    EXPECT_THAT(said.err, HasSubstr("\ufffd")) << "the byte that is no UTF-8";
  }
}

TEST(DryRun, TellsThePlanAndWritesNothing) {
  const test::TemporaryDirectory place;
  place.write("study.toml", test::sample_text);
  const test::Said before = test::rigidlimit({"run", "study.toml", "--dry-run"}, place.path());
  EXPECT_EQ(before.status, 0) << before.err;
  EXPECT_THAT(before.out, HasSubstr("compliant   viscoelastic  cvode_bdf"));
  EXPECT_THAT(before.out, HasSubstr("how long they take shows once some are"));
  EXPECT_THAT(entries_of(place.path()), testing::ElementsAre("study.toml"));
  ASSERT_EQ(test::rigidlimit({"run", "study.toml"}, place.path()).status, 0);
  const test::Said after = test::rigidlimit({"run", "study.toml", "--dry-run"}, place.path());
  EXPECT_THAT(after.out, HasSubstr("kept in results/sample/results.db"));
  EXPECT_THAT(after.out, HasSubstr("nothing to do"));
  // Two more ε: the rest is kept, and tells the time.
  const test::Said more = test::rigidlimit(
      {"run", "study.toml", "--dry-run", "--set", "epsilon.values=[1e-2, 1e-3, 5e-4]"},
      place.path());
  EXPECT_THAT(more.out, testing::ContainsRegex("about .* to go for [0-9]+ solves"));
}

TEST(LongStudy, SaysSoOffATerminalAndHowToGoOn) {
  const test::TemporaryDirectory place;
  // Without damping the contact rings on: half a second a solve to t = 40, and 10 000 of them.
  std::string text = test::sample_text;
  const std::string ladder = "from = 1e-2\nto = 1e-3\ncount = 5";
  text.replace(text.find(ladder), ladder.size(), "from = 1.1e-3\nto = 1e-3\ncount = 5000");
  text.replace(text.find("end = 2.0"), 9, "end = 40.0\nsamples = 3\nlayer_samples = 2");
  text.replace(text.find("[epsilon]"), 0, "damping = 0.0\n");
  place.write("long.toml", text);
  test::Process process({RIGIDLIMIT_PROGRAM, "run", "long.toml"}, place.path());
  std::string said;
  for (int tenths = 0; tenths < 600 && said.empty() && process.running(); ++tenths) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    said = process.errors();
  }
  process.send(SIGINT);
  EXPECT_EQ(process.wait().status, 130);
  EXPECT_THAT(said, testing::MatchesRegex("sample: about .* to go for [0-9]+ solves; Ctrl-C stops, "
                                          "the same command goes on from there\n"));
}

}  // namespace
}  // namespace rigidlimit
