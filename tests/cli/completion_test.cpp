// Tests `rigidlimit completion` in bash.
#include <gmock/gmock.h>

#include <filesystem>

#include "rigidlimit/cli/completion.hpp"
#include "rigidlimit/cli/help/help_texts.hpp"
#include "rigidlimit/core/shell_word.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::UnorderedElementsAre;

class Completion : public testing::Test {
 protected:
  void SetUp() override {
    const test::Said said = test::rigidlimit({"completion", "bash"});
    ASSERT_EQ(said.status, 0) << said.err;
    place.write("bash", said.out);
    std::filesystem::create_directory(place.path("studies"));
    place.write("one.toml", "");
    place.write("notes.txt", "");
    place.write("two words.toml", "");
  }

  test::Said run_shell(const std::vector<std::string>& argv,
                       const std::vector<std::string>& variables = {}) {
    return test::Process(argv, place.path(), variables).wait();
  }

  /// The completions of bash for the last word of a line.
  std::vector<std::string> bash(const std::vector<std::string>& words) {
    std::string script = "source ./bash; COMP_WORDS=(";
    for (const std::string& word : words) script += " " + shell_quoted(word);
    script +=
        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rigidlimit; "
        "printf '%s\\n' \"${COMPREPLY[@]}\"";
    const test::Said said = run_shell({"bash", "--norc", "-uc", script});
    EXPECT_EQ(said.err, "");
    return test::split(said.out, '\n');
  }

  test::TemporaryDirectory place;
};

TEST_F(Completion, OfBashHasCommandsAndOptions) {
  EXPECT_THAT(bash({"rigidlimit", ""}),
              IsSupersetOf({"run", "check", "init", "explain", "completion", "--version"}));
  EXPECT_THAT(bash({"rigidlimit", "comp"}), ElementsAre("completion"));
  EXPECT_THAT(bash({"rigidlimit", "run", "--"}),
              IsSupersetOf({"--set", "--format", "--jobs", "--output", "--results", "--help"}));
  EXPECT_THAT(bash({"rigidlimit", "check", "--"}), Not(Contains("--format")));
}

TEST_F(Completion, OfBashHasValues) {
  EXPECT_THAT(bash({"rigidlimit", "run", "--format", ""}),
              UnorderedElementsAre("table", "csv", "json", "markdown", "latex", "html"));
  EXPECT_THAT(bash({"rigidlimit", "run", "--format", "=", "c"}), ElementsAre("csv"));
  EXPECT_THAT(bash({"rigidlimit", "list", "s"}),
              UnorderedElementsAre("systems", "solvers", "studies"));
  EXPECT_THAT(bash({"rigidlimit", "list", "--experiments", "x", "l"}), ElementsAre("laws"));
  EXPECT_THAT(bash({"rigidlimit", "completion", ""}), ElementsAre("bash"));
  EXPECT_THAT(bash({"rigidlimit", "explain", "pre"}), ElementsAre("pre-asymptotic"));
  EXPECT_THAT(bash({"rigidlimit", "describe", ""}), IsSupersetOf(names_of(builtin_systems())));
  EXPECT_THAT(bash({"rigidlimit", "describe", ""}),
              IsSupersetOf({"viscoelastic", "ida", "rosenbrock4"}));
  EXPECT_THAT(bash({"rigidlimit", "explain", "not h"}), ElementsAre("not\\ held"));
}

// Keys of plain tables are offered with "="; files are not offered as the value of a key.
TEST_F(Completion, OfBashHasTheKeysOfFiles) {
  EXPECT_THAT(bash({"rigidlimit", "run", "one.toml", "--set", "time.aft"}),
              ElementsAre("time.after="));
  EXPECT_THAT(bash({"rigidlimit", "check", "--set", "contact."}),
              IsSupersetOf({"contact.law=", "contact.damping_ratio=", "contact.creep="}));
  EXPECT_THAT(bash({"rigidlimit", "run", "--set", "time.after", "="}), ElementsAre(""));
  EXPECT_THAT(bash({"rigidlimit", "run", "--set", "time.after", "=", "o"}), ElementsAre(""));
  EXPECT_THAT(bash({"rigidlimit", "run", "--set", "time.after", "=", "0.5", "on"}),
              ElementsAre("one.toml"));
}

TEST_F(Completion, OfBashHasTheFilesThatAVerbReads) {
  EXPECT_THAT(bash({"rigidlimit", "run", ""}),
              AllOf(IsSupersetOf({"studies", "one.toml", "two words.toml", "knife_edge"}),
                    Not(Contains("notes.txt"))));
  EXPECT_THAT(bash({"rigidlimit", "run", "one.toml", "two "}), ElementsAre("two words.toml"));
  EXPECT_THAT(bash({"rigidlimit", "run", "knife_edge_pre"}),
              UnorderedElementsAre("knife_edge_prediction", "knife_edge_prepared"));
  EXPECT_THAT(bash({"rigidlimit", "run", "--results", ""}), ElementsAre("studies"));
  EXPECT_THAT(bash({"rigidlimit", "check", "--junit", "no"}), ElementsAre("notes.txt"));
}

// Names are data: the shell must neither run nor expand them.
TEST_F(Completion, RunsNothingThatANameHolds) {
  const std::string evil = "$(touch ran)'`touch ran`;\"";
  ArgumentModel argument;
  argument.names = {"WORD"};
  argument.value = ArgumentModel::Value::words;
  argument.words = {evil};
  argument.positional = true;
  const ProgramModel model{"", {{"run", evil, {argument}}}, {}};
  place.write("bash", bash_completion(model));
  EXPECT_EQ(run_shell({"bash", "-c",
                       "set -- " + bash({"rigidlimit", "run", ""}).at(0) + "; printf %s \"$1\""})
                .out,
            evil);
  EXPECT_FALSE(std::filesystem::exists(place.path("ran")));
}

TEST(CompletionVerb, RefusesAnotherShell) {
  const test::Said said = test::rigidlimit({"completion", "csh"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("csh"));
}

}  // namespace
}  // namespace rigidlimit
