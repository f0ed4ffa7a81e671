// Tests colours and the progress line on a terminal.
#include <gmock/gmock.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "rigidlimit/cli/terminal.hpp"
#include "rigidlimit/core/wrapped_text.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* rewritten = "\r\x1b[K";  // how the progress line starts anew
constexpr const char* green = "\x1b[32m";

class OnATerminal : public testing::Test {
 protected:
  std::string shown(const std::vector<std::string>& options,
                    const std::vector<std::string>& variables = {}) {
    std::vector<std::string> argv{RIGIDLIMIT_PROGRAM, "run", "good.toml"};
    argv.insert(argv.end(), options.begin(), options.end());
    const test::Said said = test::TerminalProcess(argv, place.path(), variables).wait();
    EXPECT_EQ(said.status, 0) << said.out;
    return said.out;
  }
  test::TemporaryDirectory place;
  std::string good = place.write("good.toml", test::sample_text + test::sample_expectations);
};

TEST_F(OnATerminal, ColoursAndATransientProgressLineAreShown) {
  const std::string text = shown({});
  EXPECT_THAT(text, HasSubstr(green));
  EXPECT_THAT(text, HasSubstr("13 of 13 solves, "));
  // Cleared before the table begins.
  const std::size_t last = text.rfind(rewritten);
  ASSERT_NE(last, std::string::npos);
  EXPECT_GT(last, text.rfind(" of 13 solves, "));
  EXPECT_LT(last, text.find("Rigid motion"));
}

TEST_F(OnATerminal, TheProgressLineIsNoWiderThanTheTerminal) {
  const test::Said said =
      test::TerminalProcess({RIGIDLIMIT_PROGRAM, "run", "good.toml"}, place.path(), {}, 50).wait();
  EXPECT_EQ(said.status, 0) << said.out;
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = said.out.find(rewritten, at)) != std::string::npos;) {
    at += std::string(rewritten).size();
    const std::string line = said.out.substr(at, said.out.find_first_of("\r\n", at) - at);
    if (line.find("sample [") == std::string::npos) continue;
    ++lines;
    const auto characters = std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
    EXPECT_LT(characters, 50) << line;
  }
  EXPECT_GE(lines, 13u);
}

TEST_F(OnATerminal, NoColorAndDumbTerminalsGetPlainTables) {
  for (const char* variable : {"NO_COLOR=1", "TERM=dumb"}) {
    const std::string text = shown({"--no-progress"}, {variable});
    EXPECT_THAT(text, Not(HasSubstr("\x1b"))) << variable;
    EXPECT_THAT(text, HasSubstr("confirmed"));
  }
}

TEST_F(OnATerminal, NoProgressAndQuietHaveNoProgressLine) {
  EXPECT_THAT(shown({"--no-progress"}), Not(HasSubstr(" of 13 solves, ")));
  EXPECT_THAT(shown({"--quiet"}), Not(HasSubstr(" of 13 solves, ")));
}

TEST_F(OnATerminal, ProgramFormatsAreNeverColoured) {
  EXPECT_THAT(shown({"--no-progress", "--format", "json"}), Not(HasSubstr("\x1b")));
}

// No estimate without progress: "about 0 s left" at 0 % was false.
TEST(TimeLeftText, IsEmptyForAnUnknownTimeAndBelowHalfASecond) {
  EXPECT_EQ(time_left_text(60.2), ", about 60 s left");
  for (const double seconds : {std::numeric_limits<double>::quiet_NaN(), 0.4, 0.0, -3.0})
    EXPECT_EQ(time_left_text(seconds), "") << seconds;
}

// --- the width of tables

std::size_t widest(std::string text) {
  std::erase(text, '\r');  // a terminal ends lines with it
  std::size_t width = 0;
  for (const std::string& line : test::split(text, '\n'))
    width = std::max(width, display_width(line));
  return width;
}

/// Commands whose tables have long names and texts.
std::vector<std::vector<std::string>> printing_commands() {
  std::vector<std::vector<std::string>> all{{"run", "knife_edge"},
                                            {"run", "wheel_slip_to_roll"},
                                            {"run", "knife_edge", "--full"},
                                            {"run", "curb_plastic", "--full"},
                                            {"run", "chain", "--quick"},
                                            {"stiffness", "two_wheeled_cart", "--error", "x=1mm"},
                                            {"prove", "knife_edge_prediction"},
                                            {"expand", "knife_edge"},
                                            {"run", "knife_edge", "--dry-run"}};
  for (const char* what : {"systems", "solvers", "laws", "problems", "studies"})
    all.push_back({"list", what});
  for (const char* name : {"rattleback", "epicyclic_gear", "hires", "radau_iia", "viscoelastic"})
    all.push_back({"describe", name});
  return all;
}

// Words longer than a line, as the formulas of a system, are the only longer lines.
TEST(TableWidth, IsThatOfColumnsOrOfATerminal) {
  const test::TemporaryDirectory place;
  for (std::vector<std::string> command : printing_commands()) {
    const std::string called = fmt::format("{}", fmt::join(command, " "));
    for (const std::size_t columns : {80u, 100u}) {
      const std::string out =
          test::rigidlimit(command, place.path(), {fmt::format("COLUMNS={}", columns)}).out;
      EXPECT_LE(widest(out), columns) << called << "\n" << out;
    }
    command.insert(command.begin(), RIGIDLIMIT_PROGRAM);
    command.push_back(command[1] == "list" || command[1] == "describe" ? "--format=table"
                                                                       : "--no-progress");
    const std::string shown =
        test::TerminalProcess(command, place.path(), {"NO_COLOR=1"}, 80).wait().out;
    EXPECT_LE(widest(shown), 80u) << called << "\n" << shown;
  }
  // Negative control: files and pipes have the full width.
  EXPECT_GT(widest(test::rigidlimit({"run", "knife_edge", "--full"}, place.path()).out), 100u);
}

TEST(Verdict, IsFoldedAtColumnsAndHasOneLineForEachClaimInAPipe) {
  const test::TemporaryDirectory place;
  const auto checked = [&](const char* columns) {
    return test::rigidlimit({"check", "wheel", "--set", "epsilon.to=1"}, place.path(), {columns})
        .out;
  };
  EXPECT_LE(widest(checked("COLUMNS=80")), 80u);
  EXPECT_GT(widest(checked("COLUMNS=")), 200u);
}

}  // namespace
}  // namespace rigidlimit
