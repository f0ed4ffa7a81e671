// Tests the subcommands with an initial value problem in a text file.
#include <gmock/gmock.h>

#include <set>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/source_directory.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

const std::string folder = test::in_repository("examples/own_problem/");

TEST(WrittenProblemFile, EntersABenchmarkBesideAShippedProblem) {
  const test::TemporaryDirectory place;
  const test::Said said =
      test::rigidlimit({"run", folder + "benchmark.toml", "--set", "timing.repeats=0", "--set",
                        "tolerance.rtol=[1e-6]", "--format", "json"},
                       place.path());
  EXPECT_EQ(said.status, 0) << said.err;
  const std::string rows = test::text_of(place.path("results/own_problem/errors.csv"));
  std::set<std::string> problems;
  const auto lines = test::split(rows, '\n');
  for (const std::string& line : lines) {
    if (line != lines.front()) {
      EXPECT_THAT(line, HasSubstr(",ok,"));
    }
    problems.insert(test::split(line, ',').at(2));
  }
  EXPECT_EQ(problems, (std::set<std::string>{"problem", "reaction", "slower", "robertson_40"}));
}

TEST(WrittenProblemFile, IsDescribedAndExported) {
  const test::Said described = test::rigidlimit({"describe", folder + "reaction.toml"});
  EXPECT_EQ(described.status, 0) << described.err;
  EXPECT_THAT(described.out,
              testing::AllOf(HasSubstr("DAE of index 1"), HasSubstr("slow"), HasSubstr("0.04")));
  const test::Said exported = test::rigidlimit(
      {"export-problem", folder + "reaction.toml", "--reference", "none", "--set", "slow=0.05"});
  EXPECT_EQ(exported.status, 0) << exported.err;
  EXPECT_THAT(exported.out, HasSubstr("0.05"));
  // Negative control: a file of a system is no problem.
  EXPECT_THAT(
      test::rigidlimit({"describe", test::in_repository("examples/unicycle/unicycle.toml")}).out,
      testing::Not(HasSubstr("DAE")));
  EXPECT_EQ(test::rigidlimit({"describe", folder + "benchmark.toml"}).status, 2);
}

}  // namespace
}  // namespace rigidlimit
