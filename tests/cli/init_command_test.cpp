// Tests that `rigidlimit init` writes for every system a study with every key, and that it holds.
#include <gmock/gmock.h>

#include <filesystem>
#include <regex>

#include "rigidlimit/cli/benchmark_template.hpp"
#include "rigidlimit/cli/rolling_template.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/report/reports.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TomlDocument document_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return TomlDocument::from_text(text, "template.toml", overrides, alternative_keys());
}

class Template : public testing::TestWithParam<std::string> {
 protected:
  const SystemEntry& entry = *find_system(builtin_systems(), GetParam());
  std::string text = rolling_template(entry, "mine", TemplateKind::study);
};

// With the full ε and samples of the template: with fewer, too few rows stay above the floor for a
// fast start (rattleback) or for an error peak between two samples (sleigh).
TEST_P(Template, HoldsUnchanged) {
  const RollingStudy study = read_rolling_study(document_of(text));
  const RollingResult result = run_rolling_study(study);
  EXPECT_TRUE(result.held()) << report_of(result).verdict;
  EXPECT_EQ(study.expectations.size(), 7u);
}

// The defaults in the template are those of the reader.
TEST_P(Template, StatesTrueDefaults) {
  const std::string uncommented = std::regex_replace(text, std::regex("\n#([a-z_]+ = )"), "\n$1");
  ASSERT_NE(uncommented, text);
  EXPECT_EQ(resolved_toml(read_rolling_study(document_of(uncommented))),
            resolved_toml(read_rolling_study(document_of(text))));
}

// Every key of the resolved study is in the template, given or as a comment.
TEST_P(Template, HasEveryKey) {
  for (const std::string& line :
       test::split(resolved_toml(read_rolling_study(document_of(text))), '\n')) {
    const std::string key = line.substr(0, line.find(" ="));
    // The values of ε are given in another form.
    if (key.empty() || key == "values") continue;
    EXPECT_THAT(text, HasSubstr(line.starts_with('[') ? line : key + " ="));
  }
}

TEST_P(Template, OfASweepCanBeRead) {
  const TomlDocument sweep = document_of(rolling_template(entry, "mine", TemplateKind::sweep));
  const SweepGrid grid = read_sweep_grid(sweep);
  EXPECT_EQ(grid.least.size(), 1u);
  for (const std::size_t point : {std::size_t{0}, grid.size() - 1})
    EXPECT_EQ(read_rolling_study(document_at(sweep, grid, point)).system.get(), &entry);
}

/// The systems with a rolling study by default.
std::vector<std::string> rolling_names() {
  std::vector<std::string> names;
  for (const SystemEntry& entry : builtin_systems())
    if (entry.rolls() && (!entry.slips() || entry.has_closed_form))
      names.push_back(entry.info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Each, Template, testing::ValuesIn(rolling_names()),
                         [](const auto& one) { return one.param; });

TEST(BenchmarkTemplate, IsABenchmarkWithTheDefaultsOfTheReader) {
  const std::string text = benchmark_template("mine");
  const std::string uncommented =
      std::regex_replace(text, std::regex("\n#([a-z_]+ = )(?!\\[|\"my_|\"\"\"|\\{)"), "\n$1");
  ASSERT_NE(uncommented, text);
  EXPECT_EQ(resolved_toml(read_benchmark(document_of(uncommented))),
            resolved_toml(read_benchmark(document_of(text))));
  // Negative control.
  EXPECT_NE(resolved_toml(read_benchmark(document_of(
                std::regex_replace(uncommented, std::regex("repeats = 5"), "repeats = 4")))),
            resolved_toml(read_benchmark(document_of(text))));
}

// Negative control of StatesTrueDefaults.
TEST(Defaults, ThatAreWrongAreDetected) {
  const std::string text = rolling_template(builtin_systems().front(), "mine", TemplateKind::study);
  std::string wrong = text;
  wrong.replace(wrong.find("#samples = 401"), 14, "samples = 402 ");
  EXPECT_NE(resolved_toml(read_rolling_study(document_of(wrong))),
            resolved_toml(read_rolling_study(document_of(text))));
}

class Init : public testing::Test {
 protected:
  test::Said init(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "init");
    return test::rigidlimit(std::move(arguments), place.path());
  }
  test::TemporaryDirectory place;
};

TEST_F(Init, WritesAFileThatReads) {
  const test::Said said = init({"mine", "--system", "wheel"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, AllOf(HasSubstr("mine.toml"), HasSubstr("rigidlimit check")));
  EXPECT_EQ(read_rolling_study(place.path("mine.toml")).system->info.name, "wheel");
  EXPECT_EQ(read_rolling_study(place.path("mine.toml")).name, "mine");
}

TEST_F(Init, UsesTheSystemOfThatName) {
  EXPECT_EQ(init({"snakeboard"}).status, 0);
  EXPECT_EQ(read_rolling_study(place.path("snakeboard.toml")).system->info.name, "snakeboard");
}

TEST_F(Init, DoesNotOverwriteFiles) {
  place.write("mine.toml", "precious");
  const test::Said said = init({"mine"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("mine.toml"));
  EXPECT_EQ(test::text_of(place.path("mine.toml")), "precious");
}

TEST_F(Init, RefusesBadFileNames) {
  for (const std::string name : {"../mine", "a/b", ".hidden", "two words", "$(id)", ""}) {
    const test::Said said = init({name});
    EXPECT_EQ(said.status, 2) << name;
    EXPECT_EQ(said.out, "");
  }
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST_F(Init, SuggestsASystem) {
  const test::Said said = init({"mine", "--system", "kinfe_edge"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, AllOf(HasSubstr("'knife_edge'"), HasSubstr("wheel")));
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST_F(Init, NamesTheUnwritableFile) {
  const test::Said said = init({"mine", "--directory", "no/such"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("no/such/mine.toml: "));
}

}  // namespace
}  // namespace rigidlimit
