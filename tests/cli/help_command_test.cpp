// Tests that `rigidlimit help` documents every subcommand, option and topic.
#include <gmock/gmock.h>

#include "rigidlimit/cli/help/help_texts.hpp"
#include "rigidlimit/cli/help/markdown.hpp"
#include "rigidlimit/cli/program.hpp"
#include "rigidlimit/report/text_table.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

std::vector<std::string> verbs_of_program() {
  return names_of(make_program(builtin_systems()));
}

TEST(HelpVerb, ListsCommandsAndTopics) {
  const test::Said said = test::rigidlimit({"help"});
  EXPECT_EQ(said.status, 0) << said.err;
  for (const std::string& subcommand : verbs_of_program())
    EXPECT_THAT(said.out, HasSubstr("  " + subcommand));
  for (const Topic& topic : topics()) EXPECT_THAT(said.out, HasSubstr("  " + topic.name));
}

TEST(HelpVerb, OfASubcommandEqualsItsHelpOption) {
  for (const std::string& subcommand : verbs_of_program()) {
    const test::Said said = test::rigidlimit({"help", subcommand});
    EXPECT_EQ(said.status, 0) << subcommand;
    EXPECT_EQ(said.out, test::rigidlimit({subcommand, "--help"}).out) << subcommand;
  }
}

TEST(HelpVerb, PrintsEveryTopicWithAnExample) {
  for (const Topic& topic : topics()) {
    const test::Said said = test::rigidlimit({"help", topic.name});
    EXPECT_EQ(said.status, 0) << topic.name;
    EXPECT_THAT(said.out, testing::AllOf(testing::StartsWith(topic.title), HasSubstr("\n  ")));
    EXPECT_THAT(said.out, HasSubstr("rigidlimit ")) << topic.name;
  }
}

TEST(HelpVerb, ExplainsWordsAndSuggestsOne) {
  EXPECT_THAT(test::rigidlimit({"help", "confirmed"}).out, testing::StartsWith("confirmed ("));
  const test::Said said = test::rigidlimit({"help", "epsilom"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("'epsilon'"));
}

// A word of neither list resembles nothing; "inconclusve" does, so that it is suggested.
TEST(HelpVerb, NamesTheListsForAnUnknownWord) {
  for (const char* word : {"nosuch", "inconclusve"}) {
    const test::Said said = test::rigidlimit({"help", word});
    EXPECT_EQ(said.status, 2);
    EXPECT_THAT(said.err, HasSubstr("'rigidlimit help' and 'rigidlimit explain'"));
    EXPECT_EQ(said.err.find("'inconclusive'") != std::string::npos, word[0] == 'i') << said.err;
  }
}

TEST(StudyFilesTopic, ShowsAStudyThatReads) {
  std::string study;
  const Topic& topic = *find_topic("study-files");
  for (const MarkdownBlock& block : topic.blocks)
    if (block.text.starts_with("[study]")) study = block.text;
  ASSERT_NE(study, "");
  EXPECT_EQ(test::study_from(study).expectations.size(), 1u);
}

TEST(VerdictsTopic, ListsEveryVerdictWithItsMeaning) {
  const std::string text = text_of(*find_topic("verdicts"));
  for (const char* word : {"confirmed", "refuted", "settled", "pre-asymptotic", "floor-limited",
                           "diverging", "inconclusive"})
    EXPECT_THAT(text, HasSubstr(std::string("* ") + word + ": "));
  EXPECT_THAT(text, testing::Not(HasSubstr("* ok: ")));
}

TEST(Help, OfEveryCommandFitsIntoATerminal) {
  for (const std::string& subcommand : verbs_of_program())
    for (const std::string& line : test::split(test::rigidlimit({subcommand, "--help"}).out, '\n'))
      EXPECT_LE(display_width(line), 80u) << subcommand << ": " << line;
  // Negative control: the wrapped option has its whole text.
  std::string text = test::rigidlimit({"run", "--help"}).out;
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_THAT(text, HasSubstr("TOMLfilesofexperiments,ornamesofstudiesthatcomewiththeprogram"));
}

TEST(Topics, FitIntoATerminal) {
  for (const Topic& topic : topics())
    for (const std::string& line : test::split(text_of(topic), '\n'))
      EXPECT_LE(display_width(line), 80u) << topic.name << ": " << line;
}

}  // namespace
}  // namespace rigidlimit
