// Tests colours and the progress line on a terminal.
#include <gmock/gmock.h>

#include <algorithm>

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
  EXPECT_THAT(text, HasSubstr("13 of 13 solves"));
  EXPECT_THAT(text, HasSubstr(" s left"));
  // Cleared before the table begins.
  const std::size_t last = text.rfind(rewritten);
  ASSERT_NE(last, std::string::npos);
  EXPECT_GT(last, text.rfind(" s left"));
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
  EXPECT_THAT(shown({"--no-progress"}), Not(HasSubstr(" s left")));
  EXPECT_THAT(shown({"--quiet"}), Not(HasSubstr(" s left")));
}

TEST_F(OnATerminal, ProgramFormatsAreNeverColoured) {
  EXPECT_THAT(shown({"--no-progress", "--format", "json"}), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace rigidlimit
