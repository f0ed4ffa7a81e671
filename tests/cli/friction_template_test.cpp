// Tests that `rigidlimit init` writes for every system with friction a study that holds.
#include <gmock/gmock.h>

#include <filesystem>
#include <regex>

#include "rigidlimit/experiment/benchmark/benchmark_template.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/friction/friction_tables.hpp"
#include "rigidlimit/experiment/friction/friction_template.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_template.hpp"
#include "rigidlimit/experiment/spec/template_page.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

FrictionStudy read(const std::string& text) {
  return read_friction_study(TomlDocument::from_text(text, "template.toml"));
}

std::string uncommented(const std::string& text) {
  return std::regex_replace(text, std::regex("\n#([a-z_]+ = )"), "\n$1");
}

/// Every key of the resolved text is in the template, given or as a comment.
void expect_every_key(const std::string& resolved, const std::string& text) {
  for (const std::string& line : test::split(resolved, '\n')) {
    const std::string key = line.substr(0, line.find(" ="));
    if (key.empty() || key == "values") continue;
    EXPECT_THAT(text, HasSubstr(line.starts_with('[') ? line : key + " ="));
  }
}

class FrictionTemplate : public testing::TestWithParam<std::string> {
 protected:
  const SystemEntry& entry = *find_system(builtin_systems(), GetParam());
  std::string text = friction_template(entry, "mine");
};

TEST_P(FrictionTemplate, HoldsUnchanged) {
  const FrictionStudy study = read(text);
  const FrictionResult result = run_friction_study(study, {.jobs = 2});
  EXPECT_TRUE(result.held()) << in_tables(result).verdict;
  EXPECT_TRUE(study.history.events.has_value());
  // A compliant side has expectations.
  EXPECT_EQ(study.epsilons.empty(), study.expectations.empty());
  // Negative control: another history breaks the claims.
  FrictionStudy other = study;
  other.epsilons.clear();
  other.expectations.clear();
  other.history.modes_at_end = "nowhere";
  EXPECT_FALSE(run_friction_study(other).held());
}

// The defaults in the template are those of the reader.
TEST_P(FrictionTemplate, StatesTrueDefaults) {
  ASSERT_NE(uncommented(text), text);
  EXPECT_EQ(resolved_toml(read(uncommented(text))), resolved_toml(read(text)));
  std::string wrong = text;
  wrong.replace(wrong.find("#damping_ratio = 1.0"), 20, "#damping_ratio = 2.0");
  EXPECT_NE(resolved_toml(read(uncommented(wrong))), resolved_toml(read(text)));
}

TEST_P(FrictionTemplate, HasEveryKey) {
  expect_every_key(resolved_toml(read(text)), text);
}

INSTANTIATE_TEST_SUITE_P(Each, FrictionTemplate,
                         testing::ValuesIn(names_of(builtin_systems(), &SystemEntry::slips)),
                         [](const auto& one) { return one.param; });

class FrictionInit : public testing::Test {
 protected:
  test::Said init(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "init");
    return test::rigidlimit(std::move(arguments), place.path());
  }
  test::TemporaryDirectory place;
};

TEST_F(FrictionInit, WritesAFrictionStudyAndNamesTheCommand) {
  const test::Said said = init({"bouncing_ball"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, AllOf(HasSubstr("bouncing_ball.toml"), HasSubstr("rigidlimit run")));
  EXPECT_EQ(read_friction_study(place.path("bouncing_ball.toml")).system->info.name,
            "bouncing_ball");
}

TEST_F(FrictionInit, KindSelectsRollingOrFriction) {
  for (const auto& [kind, subcommand] :
       {std::pair("rolling", "check"), std::pair("study", "check"), std::pair("friction", "run")})
    EXPECT_THAT(init({kind, "--system", "wheel", "--kind", kind}).out,
                HasSubstr(std::string("rigidlimit ") + subcommand));
  EXPECT_EQ(read_friction_study(place.path("friction.toml")).system->info.name, "wheel");
  EXPECT_EQ(init({"a", "--system", "knife_edge", "--kind", "friction"}).status, 2);
  EXPECT_EQ(init({"b", "--system", "bouncing_ball", "--kind", "rolling"}).status, 2);
}

}  // namespace
}  // namespace rigidlimit
