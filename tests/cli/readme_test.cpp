// The README's commands run, its study reads, and its list of CSV columns is the true one.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>

#include "rigidlimit/record/rows.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

const std::string readme = test::in_repository("README.md");

/// The lines of all ```LANGUAGE blocks, a line that ends with a backslash joined to the next.
std::vector<std::string> lines_in_blocks(const std::string& language) {
  std::vector<std::string> lines;
  bool inside = false, joined = false;
  for (const std::string& line : test::split(test::text_of(readme), '\n')) {
    if (line.starts_with("```")) {
      inside = !inside && line == "```" + language;
      continue;
    }
    if (!inside) continue;
    joined ? lines.back() += line : lines.emplace_back(line);
    joined = line.ends_with("\\");
    if (joined) lines.back().pop_back();
  }
  return lines;
}

/// The arguments of the program, if the line calls it.
std::string arguments_in(const std::string& line) {
  for (const std::string program : {"rigidlimit ", "build/release/src/rigidlimit "})
    if (line.starts_with(program)) return line.substr(program.size());
  return "";
}

TEST(Readme, EveryCommandRuns) {
  ASSERT_TRUE(std::filesystem::exists(readme)) << readme;
  const test::TemporaryDirectory place;
  std::filesystem::create_directory_symlink(test::in_repository("experiments"),
                                            place.path("experiments"));
  int commands = 0;
  for (const std::string& line : lines_in_blocks("sh")) {
    std::string arguments = arguments_in(line);
    if (arguments.empty()) continue;
    ++commands;
    // In a short form: one compliant solver, six ε.
    const bool solves = arguments.starts_with("run ") || arguments.starts_with("check ");
    if (solves)
      arguments.insert(arguments.find(' '),
                       " --set 'solvers.compliant=[\"cvode_bdf\"]' --set epsilon.from=1e-2 "
                       "--set epsilon.to=1e-3 --set epsilon.count=6");
    // The natural variables, which it compares, take a hundred times the steps at 1e-5.
    if (arguments.starts_with("steps ")) arguments += " --set epsilon.to=1e-3";
    if (arguments.starts_with("map "))
      arguments += " --set 'map.damping_ratio=[1]' --set 'map.damping_exponent=[1]'";
    const std::string command = fmt::format("exec {} {}", RIGIDLIMIT_PROGRAM, arguments);
    const test::Said said = test::Process({"sh", "-c", command}, place.path()).wait();
    EXPECT_EQ(said.status, 0) << line << "\n" << said.err << said.out;
    EXPECT_TRUE(!said.out.empty() || line.find('>') != std::string::npos ||
                line.find(" -o ") != std::string::npos)
        << line << " says nothing";
  }
  EXPECT_GT(commands, 0) << "no command found in the sh blocks of " << readme;
}

TEST(Readme, ItsStudyReads) {
  ASSERT_TRUE(std::filesystem::exists(readme)) << readme;
  std::string text;
  for (const std::string& line : lines_in_blocks("toml")) text += line + "\n";
  ASSERT_NE(text, "") << "no toml block";
  EXPECT_EQ(test::complaint_about(text), "") << text;
}

TEST(Readme, ShowsTheExampleThatTheConsumerTestBuilds) {
  const std::string example =
      test::text_of(test::in_repository("examples/bowl_skate/bowl_skate.cpp"));
  EXPECT_GT(example.size(), 1000u);
  EXPECT_THAT(test::text_of(readme), testing::HasSubstr("```cpp\n" + example + "```\n"));
}

TEST(Readme, ListsTheColumnsOfTheCsv) {
  ASSERT_TRUE(std::filesystem::exists(readme)) << readme;
  std::string words;
  for (const char c : test::text_of(readme))
    if (c != ' ' && c != '\n') words += c;
  std::string columns = csv_header();
  columns.pop_back();
  EXPECT_THAT(words, testing::HasSubstr("`" + columns + "`"));
}

}  // namespace
}  // namespace rigidlimit
