// Tests README and docs/: commands run, the study reads, the list of CSV columns is current.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/report_texts.hpp"
#include "support/sample_study.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

/// README.md and the pages of docs/.
std::vector<std::string> pages() {
  std::vector<std::string> paths = {test::in_repository("README.md")};
  for (const auto& entry : std::filesystem::directory_iterator(test::in_repository("docs")))
    if (entry.path().extension() == ".md") paths.push_back(entry.path().string());
  std::sort(paths.begin() + 1, paths.end());
  return paths;
}

/// The lines of all ```LANGUAGE blocks of a page, joined after a trailing backslash.
std::vector<std::string> lines_in_blocks(const std::string& page, const std::string& language) {
  std::vector<std::string> lines;
  bool inside = false, joined = false;
  for (const std::string& line : test::split(test::text_of(page), '\n')) {
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

/// The arguments of a line that calls the program.
std::string arguments_in(const std::string& line) {
  const std::string program = "rigidlimit ";
  return line.starts_with(program) ? line.substr(program.size()) : "";
}

/// The same in a short form: one compliant solver and six ε for the shipped experiments (the
/// smallest one shows their constants within the tolerance of their gates), one
/// tolerance and no times for the benchmark that `init` wrote.
std::string in_short(std::string arguments) {
  const auto is_of = [&](const char* folder) {
    return arguments.find(folder) != std::string::npos;
  };
  const bool solves = arguments.starts_with("run ") || arguments.starts_with("check ");
  const bool other_kind = is_of("/friction/") || is_of("/impacts/") || is_of("/benchmarks/");
  const bool short_already = is_of("/knife_edge_steps");  // its claims concern these ε
  if (solves && is_of(" experiments/") && !other_kind && !short_already)
    arguments.insert(arguments.find(' '),
                     " --set 'solvers.compliant=[\"cvode_bdf\"]' --set epsilon.from=1e-2 "
                     "--set epsilon.to=3e-4 --set epsilon.count=6");
  if (solves && is_of(" my_cost.toml") && arguments.find("tolerance.rtol") == std::string::npos)
    arguments += " --set 'tolerance.rtol=[1e-4]' --set timing.repeats=0";
  return arguments;
}

/// A Python for `rigidlimit report` that has every module, and draws no page but prints its
/// arguments.
std::string python_that_prints(const test::TemporaryDirectory& place) {
  place.write("python3", "#!/bin/sh\n[ \"$2\" = -c ] || echo \"$@\"\n");
  std::filesystem::permissions(place.path("python3"), std::filesystem::perms::owner_all);
  return place.path("python3");
}

/// Runs the commands of a page in a new directory and returns their number.
int run_commands_of(const std::string& page) {
  const test::TemporaryDirectory place;
  std::filesystem::create_directory_symlink(test::in_repository("experiments"),
                                            place.path("experiments"));
  const std::string python = "RIGIDLIMIT_PYTHON=" + python_that_prints(place);
  int commands = 0;
  for (const std::string& line : lines_in_blocks(page, "sh")) {
    const std::string arguments = arguments_in(line);
    if (arguments.empty()) continue;
    ++commands;
    const std::string command = fmt::format("exec {} {}", RIGIDLIMIT_PROGRAM, in_short(arguments));
    const test::Said said = test::Process({"sh", "-c", command}, place.path(), {python}).wait();
    EXPECT_EQ(said.status, 0) << page << ": " << line << "\n" << said.err << said.out;
    EXPECT_TRUE(!said.out.empty() || line.find('>') != std::string::npos ||
                line.find(" -o ") != std::string::npos)
        << page << ": " << line << " prints nothing";
  }
  return commands;
}

TEST(Pages, EveryCommandOfTheReadmeRuns) {
  EXPECT_GT(run_commands_of(test::in_repository("README.md")), 4);
}

TEST(Pages, EveryCommandOfTheStudiesPageRuns) {
  EXPECT_GT(run_commands_of(test::in_repository("docs/studies.md")), 10);
}

TEST(Pages, EveryCommandOfTheResultsPageRuns) {
  EXPECT_GT(run_commands_of(test::in_repository("docs/results.md")), 8);
}

TEST(Pages, EveryCommandOfTheClusterPageRuns) {
  EXPECT_GE(run_commands_of(test::in_repository("docs/cluster.md")), 1);
}

TEST(Pages, EveryCommandOfTheExportPageRuns) {
  EXPECT_EQ(run_commands_of(test::in_repository("docs/export.md")), 6);
}

TEST(Pages, EveryCommandOfTheCostPageRuns) {
  EXPECT_EQ(run_commands_of(test::in_repository("docs/cost.md")), 4);
}

// Negative control: the tests above name every page that has commands.
TEST(Pages, NoOtherPageHasCommands) {
  for (const std::string& page : pages()) {
    const std::string name = std::filesystem::path(page).filename();
    if (name == "README.md" || name == "studies.md" || name == "results.md" ||
        name == "cluster.md" || name == "export.md" || name == "cost.md")
      continue;
    for (const std::string& line : lines_in_blocks(page, "sh"))
      EXPECT_EQ(arguments_in(line), "") << page;
  }
}

TEST(Pages, TheStudyReads) {
  // written_system_test.cpp runs the study of docs/extending.md.
  std::string text;
  for (const std::string& page : pages())
    if (page != test::in_repository("docs/extending.md"))
      for (const std::string& line : lines_in_blocks(page, "toml")) text += line + "\n";
  ASSERT_NE(text, "") << "no toml block";
  // The last block has a base, like the files in experiments/.
  const std::size_t based = text.find("base = ");
  ASSERT_NE(based, std::string::npos);
  EXPECT_EQ(test::complaint_about(text.substr(0, based)), "") << text;
  const std::size_t swept = text.find("[sweep]");
  ASSERT_GT(swept, based);
  const RollingStudy soft = read_rolling_study(
      TomlDocument::from_texts(text.substr(based, swept - based),
                               test::in_repository("experiments/start/soft.toml"), test::text_of));
  EXPECT_EQ(soft.contact.stiffness(0, 0), 0.1);
  EXPECT_EQ(soft.system->info.name, "knife_edge");
  const SweepGrid grid =
      read_sweep_grid(TomlDocument::from_text(test::sample_text + text.substr(swept), "page.toml"));
  EXPECT_EQ(grid.size(), 4u * 5u * 2u);
}

TEST(Pages, ListTheColumnsOfTheCsv) {
  std::string words;
  for (const char c : test::text_of(test::in_repository("docs/results.md")))
    if (c != ' ' && c != '\n') words += c;
  std::string columns = test::csv_header();
  columns.pop_back();
  EXPECT_THAT(words, testing::HasSubstr("`" + columns + "`"));
}

}  // namespace
}  // namespace rigidlimit
