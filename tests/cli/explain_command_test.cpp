// Tests that `rigidlimit explain` knows every word that a table can print, and no other word.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "rigidlimit/cli/help/help_texts.hpp"
#include "rigidlimit/cli/help/markdown.hpp"
#include "rigidlimit/convergence/bound.hpp"
#include "rigidlimit/convergence/verdict.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/experiment/benchmark/benchmark.hpp"
#include "rigidlimit/experiment/judge/judge_series.hpp"
#include "rigidlimit/report/text_table.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/source_directory.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Kind = MarkdownBlock::Kind;
using Words = std::set<std::string>;

/// The names of all enumerators: name_of() has none for the number after the last.
template <class Enum>
std::vector<Enum> all_of() {
  std::vector<Enum> all;
  for (int i = 0;; ++i) {
    const std::string name = name_of(static_cast<Enum>(i));
    if (name == "?" || name == "unknown") return all;
    all.push_back(static_cast<Enum>(i));
  }
}

template <class Enum>
Words names_of_all() {
  Words names;
  for (const Enum value : all_of<Enum>()) names.insert(name_of(value));
  return names;
}

/// all_of() would stop at the state "unknown".
Words states_of_bounds() {
  Words names;
  for (int i = 0; i <= static_cast<int>(BoundState::broken); ++i)
    names.insert(name_of(static_cast<BoundState>(i)));
  return names;
}

/// The statuses of rows of which no error, or one of them, hides the model error.
Words statuses_of_rows() {
  Row fine;
  fine.sizes.model = 1.0;
  fine.sizes.solver = fine.sizes.reference = fine.sizes.sampling = 0.0;
  Words statuses{name_of(evidence_of(fine))};
  for (double ErrorSizes::*error : {&ErrorSizes::rounding, &ErrorSizes::solver,
                                    &ErrorSizes::reference, &ErrorSizes::sampling}) {
    Row row = fine;
    row.sizes.*error = 1.0;
    statuses.insert(name_of(evidence_of(row)));
  }
  Row proved;
  proved.sizes = {.model = 1.0, .proved = ProvedSizes{.lower = 1.0, .upper = 1.0}};
  statuses.insert(name_of(evidence_of(proved)));
  return statuses;
}

/// The sources that judge and print, in one text.
const std::string& sources() {
  static const std::string text = [] {
    std::string all;
    for (const char* module : {"experiment", "report"})
      for (const auto& entry : std::filesystem::recursive_directory_iterator(
               test::in_repository(std::string("src/rigidlimit/") + module)))
        if (entry.path().extension() == ".cpp") all += test::text_of(entry.path());
    return all;
  }();
  return text;
}

/// Why a row has no number although both solves succeeded.
Words reasons_of_failed_rows() {
  Words words;
  for (int i = 1; i <= static_cast<int>(Absent::no_such_event); ++i)
    words.insert(name_of(static_cast<Absent>(i)));
  return words;
}

/// Words that are string literals in the sources.
const Words literals{
    "refused",           "steps_broken", "steps_unknown",    "not judged",
    "not held",          "held",         "nothing expected", "does not converge, as expected",
    "exact, as expected"};

TEST(Explanations, CoverExactlyTheWordsOfTheProgram) {
  Words words = literals;
  for (const Words& group :
       {names_of_all<Verdict>(), names_of_all<Outcome>(), names_of_all<TrialStatus>(),
        states_of_bounds(), statuses_of_rows(), reasons_of_failed_rows()}) {
    EXPECT_GE(group.size(), 3u);
    words.insert(group.begin(), group.end());
  }
  EXPECT_THAT(names_of_explanations(), testing::UnorderedElementsAreArray(words));
  for (const std::string& word : literals) EXPECT_THAT(sources(), HasSubstr('"' + word + '"'));
}

TEST(Explanations, AreFoundByTheStatusOfAFailedRow) {
  for (const std::string& outcome : names_of_all<Outcome>()) {
    if (outcome == name_of(Outcome::success)) continue;
    for (const char* side : {"failed: ", "failed: rigid "}) {
      const Explanation* found = find_explanation(side + outcome);
      ASSERT_NE(found, nullptr) << side << outcome;
      EXPECT_EQ(found->name, outcome);
    }
  }
  EXPECT_NE(find_explanation("failed: no composite"), nullptr);
}

TEST(Explanations, AreMissingForOtherWords) {
  for (const char* word : {"", "fine", "failed: ", "failed: by magic", "Confirmed"})
    EXPECT_EQ(find_explanation(word), nullptr) << word;
}

TEST(Explanations, HaveMeaningRuleNextStepAndCommand) {
  for (const Explanation& e : explanations()) {
    ASSERT_EQ(e.blocks.size(), 4u) << e.name;
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(e.blocks[k].kind, Kind::paragraph) << e.name;
    EXPECT_THAT(e.blocks[1].text, StartsWith("How it is decided: ")) << e.name;
    EXPECT_THAT(e.blocks[2].text, StartsWith("What to do next: ")) << e.name;
    EXPECT_EQ(e.blocks[3].kind, Kind::code) << e.name;
    EXPECT_THAT(e.blocks[3].text, StartsWith("rigidlimit ")) << e.name;
  }
}

// Reports print advice(); the page says the same.
TEST(Explanations, OfVerdictsGiveTheAdviceOfTheReports) {
  for (const Verdict verdict : all_of<Verdict>()) {
    const Explanation& e = *find_explanation(name_of(verdict));
    const std::string next = e.blocks[2].text.substr(e.blocks[2].text.find(": ") + 2);
    EXPECT_EQ(e.meaning() + " " + next, advice(verdict));
  }
}

TEST(Explanations, FitIntoATerminal) {
  for (const Explanation& e : explanations())
    for (const std::string& line : test::split(text_of(e), '\n'))
      EXPECT_LE(display_width(line), 80u) << e.name << ": " << line;
}

/// The words of a command, without quotes and continuations of lines.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : command) {
    if (c == '\'')
      quoted = !quoted;
    else if (!quoted && (c == ' ' || c == '\n' || c == '\\'))
      words.emplace_back();
    else
      words.back() += c;
  }
  std::erase(words, "");
  return words;
}

/// The status of a command of a page in an empty folder, without its solves.
int status_of_command(std::vector<std::string> words, const std::string& folder) {
  words.erase(words.begin());
  if (words.front() == "check") words.front() = "run";
  if (words.front() == "run") words.emplace_back("--dry-run");
  return test::rigidlimit(words, folder).status;
}

TEST(Explanations, SuggestCommandsThatWorkInAnEmptyFolder) {
  const test::TemporaryDirectory empty;
  int studies = 0;
  for (const Explanation& e : explanations()) {
    const std::vector<std::string> words = words_of(e.blocks[3].text);
    ASSERT_GE(words.size(), 2u) << e.name;
    studies += words[1] == "run" || words[1] == "check" ? 1 : 0;
    EXPECT_EQ(status_of_command(words, empty.path()), 0) << e.blocks[3].text;
  }
  EXPECT_GE(studies, 25);
  for (const char* placeholder : {"FILE.toml", "experiments/start/knife_edge_inconsistent.toml"})
    EXPECT_EQ(status_of_command({"rigidlimit", "run", placeholder}, empty.path()), 2);
}

TEST(ExplainVerb, ExplainsAWord) {
  const test::Said said = test::rigidlimit({"explain", "pre-asymptotic"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out,
              testing::AllOf(StartsWith("pre-asymptotic (verdict"), HasSubstr("  rigidlimit run")));
}

TEST(ExplainVerb, ListsEveryWordWithoutAName) {
  const test::Said said = test::rigidlimit({"explain"});
  EXPECT_EQ(said.status, 0);
  for (const Explanation& e : explanations()) EXPECT_THAT(said.out, HasSubstr("  " + e.name));
}

TEST(ExplainVerb, SuggestsAWordWithStatus2) {
  const test::Said said = test::rigidlimit({"explain", "confirmd"});
  EXPECT_EQ(said.status, 2);
  EXPECT_EQ(said.out, "");
  EXPECT_THAT(said.err, HasSubstr("'confirmed'"));
  const test::Said unknown = test::rigidlimit({"explain", "nosuch"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("'rigidlimit explain'"));
}

}  // namespace
}  // namespace rigidlimit
