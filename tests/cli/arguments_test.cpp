// Tests --help and --version, and that bad arguments give exit status 2 and name the argument.
#include <gmock/gmock.h>

#include "support/process.hpp"

namespace rigidlimit {
namespace {

using test::rigidlimit;
using testing::HasSubstr;

TEST(Help, OfTheProgramShowsVerbsExamplesAndExitStatuses) {
  for (const char* flag : {"--help", "-h"}) {
    const test::Said said = rigidlimit({flag});
    EXPECT_EQ(said.status, 0);
    for (const char* word : {"run", "check", "list", "describe", "Examples:", "--set",
                             "rigidlimit run knife_edge\n", "Exit status", "130", "--version"})
      EXPECT_THAT(said.out, HasSubstr(word));
    EXPECT_EQ(said.err, "");
  }
}

TEST(Help, OfEachVerbShowsItsOptions) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> options{
      {"run",
       {"FILE", "--set", "KEY=VALUE", "--jobs", "--format", "csv", "latex", "--output", "--results",
        "--quiet", "--no-progress"}},
      {"check", {"FILE", "--set", "--jobs", "--junit", "--quiet", "--no-progress"}},
      {"list", {"systems", "solvers", "laws", "studies", "--experiments"}},
      {"describe", {"NAME"}}};
  for (const auto& [subcommand, words] : options) {
    const test::Said said = rigidlimit({subcommand, "--help"});
    EXPECT_EQ(said.status, 0);
    for (const std::string& word : words) EXPECT_THAT(said.out, HasSubstr(word)) << subcommand;
  }
}

TEST(Version, NamesCommitCompilerAndLibraries) {
  const test::Said said = rigidlimit({"--version"});
  EXPECT_EQ(said.status, 0);
  EXPECT_THAT(said.out, testing::StartsWith("rigidlimit "));
  for (const char* key : {"commit: ", "compiler: ", "flags: ", "sundials: ", "boost: ", "eigen: "})
    EXPECT_THAT(said.out, HasSubstr(key));
}

struct Arguments {
  const char* name;
  std::vector<std::string> words;
  const char* said;  ///< Expected on standard error.

  friend void PrintTo(const Arguments& a, std::ostream* out) { *out << a.name; }
};

class BadArguments : public testing::TestWithParam<Arguments> {};

TEST_P(BadArguments, GiveExitStatus2AndTheReason) {
  const test::Said said = rigidlimit(GetParam().words);
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr(GetParam().said));
  EXPECT_EQ(said.out, "") << "a pipe gets no result";
}

INSTANTIATE_TEST_SUITE_P(
    Each, BadArguments,
    testing::Values(
        Arguments{"None", {}, "rigidlimit: "}, Arguments{"UnknownVerb", {"fly"}, "fly"},
        Arguments{"MisspeltVerb", {"chekc", "a.toml"}, "check"},
        Arguments{"UnknownOption", {"--fly"}, "rigidlimit: "},
        Arguments{"RunWithoutFile", {"run"}, "rigidlimit run FILE"},
        Arguments{"MisspeltOption", {"run", "a.toml", "--resutls", "x"}, "'--results'"},
        Arguments{"MisspeltFormat", {"run", "a.toml", "--format", "jsn"}, "'json'"},
        Arguments{"UnknownKind",
                  {"init", "a", "--kind", "bench"},
                  "study, rolling, friction, sweep, benchmark"},
        Arguments{"ListOfNothing", {"list", "classical"}, "'classical'"},
        Arguments{"HelpIsNamed", {"run", "--fresh"}, "'rigidlimit run --help'"},
        Arguments{"SystemInCapitals", {"describe", "KNIFE_EDGE"}, "'knife_edge'"},
        Arguments{"SystemLikeNone", {"describe", "zzzzzzzz"}, "'rigidlimit list'"},
        Arguments{
            "OutputInNoDirectory", {"run", "a.toml", "-o", "/no/such/file"}, "/no/such/file: "},
        Arguments{"CheckWithoutFile", {"check"}, "FILE"},
        Arguments{"UnknownFormat", {"run", "a.toml", "--format", "xml"}, "xml"},
        Arguments{"NoJobs", {"run", "a.toml", "--jobs", "0"}, "--jobs"},
        Arguments{"JobsNotANumber", {"check", "a.toml", "--jobs", "many"}, "--jobs"},
        Arguments{"SetWithoutText", {"run", "a.toml", "--set"}, "--set"},
        Arguments{"UnknownOptionOfRun", {"run", "a.toml", "--fly"}, "--fly"},
        Arguments{"ShardIsNoOptionOfCheck", {"check", "a.toml", "--shard", "1/2"}, "--shard"},
        Arguments{"UnknownList", {"list", "rockets"}, "rockets"},
        Arguments{"DescribeNothing", {"describe"}, "NAME"},
        Arguments{"DescribeTwo", {"describe", "ida", "cvode_bdf"}, "cvode_bdf"},
        Arguments{"MissingFile", {"run", "no/such.toml"}, "no/such.toml: "},
        Arguments{"DirectoryForFile", {"check", "/"}, "/: "}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace rigidlimit
