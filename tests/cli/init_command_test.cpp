// Tests that `rigidlimit init` writes for every system a study with every key, and that it holds.
#include <gmock/gmock.h>

#include <filesystem>
#include <regex>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/benchmark_template.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/friction/friction_template.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/experiment/rolling/rolling_template.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/experiment/spec/template_page.hpp"
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
  EXPECT_TRUE(result.held()) << in_tables(result).verdict;
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

/// Uncomments default values, but no optional lists and tables.
std::string with_defaults(const std::string& text) {
  return std::regex_replace(
      text, std::regex("\n#(?!classical)([a-z_]+ = )(?!\\[|\"my_|\"\"\"|\\{)"), "\n$1");
}

void expect_defaults_of_the_reader(const std::string& text) {
  const std::string uncommented = with_defaults(text);
  ASSERT_NE(uncommented, text);
  EXPECT_EQ(resolved_toml(read_benchmark(document_of(uncommented))),
            resolved_toml(read_benchmark(document_of(text))));
  // Negative control.
  EXPECT_NE(resolved_toml(read_benchmark(document_of(
                std::regex_replace(uncommented, std::regex("repeats = 5"), "repeats = 4")))),
            resolved_toml(read_benchmark(document_of(text))));
}

TEST(BenchmarkTemplate, IsABenchmarkWithTheDefaultsOfTheReader) {
  expect_defaults_of_the_reader(benchmark_template("mine"));
}

TEST(BenchmarkTemplate, OfAStudyHasTheDefaultsOfTheReader) {
  const test::TemporaryDirectory place;
  const SystemEntry& wheel = *find_system(builtin_systems(), "wheel");
  const std::string file =
      place.write("wheel.toml", rolling_template(wheel, "wheel", TemplateKind::study));
  const RollingStudy study = read_rolling_study(file);
  expect_defaults_of_the_reader(benchmark_template(
      "mine", {.file = file, .name = "disc", .system = "wheel", .end = study.time.end}));
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

/// The only problem of a benchmark.
ContactSet contact_in(const std::string& benchmark) {
  const Benchmark read = read_benchmark(benchmark);
  EXPECT_EQ(read.problems.size(), 1u);
  return std::get<ContactSet>(read.problems.at(0));
}

TEST_F(Init, WritesABenchmarkOfTheContactOfASystem) {
  const test::Said said = init({"cost", "--kind", "benchmark", "--system", "rolling_disk"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, AllOf(HasSubstr("cost_study.toml"), HasSubstr("rigidlimit run")));
  const ContactSet contact = contact_in(place.path("cost.toml"));
  EXPECT_EQ(contact.name, "rolling_disk");
  EXPECT_EQ(contact.file, "cost_study.toml");
  EXPECT_EQ(contact.study->system->info.name, "rolling_disk");
  EXPECT_EQ(contact.epsilons, (std::vector<double>{1e-2, 1e-4}));
  EXPECT_EQ(contact.formulations.size(), 2u);
  EXPECT_EQ(read_rolling_study(place.path("cost_study.toml")).name, "cost_study");
  const test::Said run = test::rigidlimit(
      {"run", "cost.toml", "--set", "tolerance.rtol=[1e-4]", "--set", "timing.repeats=0"},
      place.path());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("24 solves, 24 succeeded"));
}

TEST_F(Init, WritesABenchmarkOfAWrittenSystemForAnotherFolder) {
  std::filesystem::create_directory(place.path("cases"));
  place.write("bead.toml", R"([system]
name = "bead"
coordinates = [{name = "x", start = 0.0, start_rate = 1.0}, {name = "y", start = 0.0, start_rate = 0.0}]
kinetic_coenergy = "(x'^2 + y'^2)/2"
potential = "0"
constraint = ["y'"]
)");
  const test::Said said =
      init({"cost", "--kind", "benchmark", "--system", "bead.toml", "--directory", "cases"});
  EXPECT_EQ(said.status, 0) << said.err;
  const ContactSet contact = contact_in(place.path("cases/cost.toml"));
  EXPECT_EQ(contact.name, "bead");
  EXPECT_EQ(contact.study->system->info.name, "bead");
}

TEST_F(Init, WritesABenchmarkOfAStudy) {
  std::filesystem::create_directory(place.path("cases"));
  ASSERT_EQ(init({"mine", "--system", "wheel"}).status, 0);
  const test::Said said =
      init({"cost", "--kind", "benchmark", "--system", "mine.toml", "--directory", "cases"});
  EXPECT_EQ(said.status, 0) << said.err;
  const ContactSet contact = contact_in(place.path("cases/cost.toml"));
  EXPECT_EQ(contact.file, "../mine.toml");
  EXPECT_EQ(contact.name, "mine");
  EXPECT_FALSE(std::filesystem::exists(place.path("cases/cost_study.toml")));
}

TEST_F(Init, WritesABenchmarkOfAClassicalProblem) {
  EXPECT_EQ(init({"cost", "--kind", "benchmark"}).status, 0);
  const Benchmark read = read_benchmark(place.path("cost.toml"));
  EXPECT_EQ(std::get<ClassicalSet>(read.problems.at(0)).name, "van_der_pol");
  EXPECT_FALSE(std::filesystem::exists(place.path("cost_study.toml")));
}

TEST_F(Init, WritesBothFilesOfABenchmarkOrNone) {
  const std::vector<std::string> wanted{"cost", "--kind", "benchmark", "--system", "wheel"};
  for (const auto& [there, other] :
       {std::pair{"cost.toml", "cost_study.toml"}, {"cost_study.toml", "cost.toml"}}) {
    place.write(there, "precious");
    const test::Said said = init(wanted);
    EXPECT_EQ(said.status, 2);
    EXPECT_THAT(said.err, HasSubstr(there));
    EXPECT_EQ(test::text_of(place.path(there)), "precious");
    EXPECT_FALSE(std::filesystem::exists(place.path(other)));
    std::filesystem::remove(place.path(there));
  }
}

TEST_F(Init, RefusesABenchmarkOfASystemThatCannotRoll) {
  const test::Said said = init({"cost", "--kind", "benchmark", "--system", "wheel_and_curb"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("wheel_and_curb"));
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST_F(Init, CopiesAStudyWithTheFilesThatItReads) {
  const test::Said said = init({"mine", "--from", "suslov_inertia", "--directory", "cases"});
  EXPECT_EQ(said.status, 0) << said.err;
  const std::string text = test::text_of(place.path("cases/mine.toml"));
  EXPECT_THAT(text, HasSubstr("name = \"mine\""));
  EXPECT_TRUE(std::filesystem::exists(place.path("cases/mine_files/systems/suslov.toml")));
  const test::Said plan = test::rigidlimit({"run", "cases/mine", "--dry-run"}, place.path());
  EXPECT_EQ(plan.status, 2) << "a path with a folder has an ending";
  EXPECT_EQ(test::rigidlimit({"run", "cases/mine.toml", "--dry-run"}, place.path()).status, 0);
}

TEST_F(Init, CopiesAllFilesOfAStudyOrNone) {
  std::filesystem::create_directories(place.path("mine_files/systems"));
  place.write("mine_files/systems/suslov.toml", "precious");
  const test::Said said = init({"mine", "--from", "suslov_inertia"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("suslov.toml"));
  EXPECT_EQ(test::text_of(place.path("mine_files/systems/suslov.toml")), "precious");
  EXPECT_FALSE(std::filesystem::exists(place.path("mine.toml")));
  EXPECT_EQ(init({"other", "--from", "no_such_study"}).status, 2);
  EXPECT_EQ(init({"other", "--from", "knife_edge", "--kind", "sweep"}).status, 2);
}

TEST_F(Init, NamesTheUnwritableFile) {
  const test::Said said = init({"mine", "--directory", "no/such"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("no/such/mine.toml: "));
}

}  // namespace
}  // namespace rigidlimit
