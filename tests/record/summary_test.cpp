// The summary of several studies: a row each, with what was found and expected.
#include "rigidlimit/record/summary.hpp"

#include <gmock/gmock.h>

#include "support/sample_result.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

std::string text_of(const std::vector<StudyResult>& results) {
  return terminal_text(summary_table(results), false);
}

TEST(Summary, HasARowForEachStudy) {
  const StudyResult& result = test::sample_result();
  const TextTable table = summary_table({result, result});
  ASSERT_EQ(table.rows.size(), 2u);
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.headers.size());
  const std::string text = text_of({result});
  EXPECT_THAT(text, HasSubstr(result.study.name));
  EXPECT_THAT(text, HasSubstr("knife_edge"));
  EXPECT_THAT(text, HasSubstr("ida / closed_form"));
}

TEST(Summary, SetsFoundOrdersBesideExpectedOnes) {
  const StudyResult& result = test::sample_result();
  const std::string text = text_of({result});
  EXPECT_THAT(text, HasSubstr("(2)"));
  EXPECT_THAT(text, HasSubstr("held"));
  EXPECT_THAT(text, testing::Not(HasSubstr("not held")));
}

TEST(Summary, SaysWhatDidNotHold) {  // the negative control
  StudyResult result = test::sample_result();
  for (Series& s : result.series)
    if (s.expectation) s.judgement.verdict = Verdict::refuted;
  EXPECT_THAT(text_of({result}), HasSubstr("not held"));
  EXPECT_THAT(text_of({test::troubled_result()}), HasSubstr("not held"));
}

TEST(Summary, OfNothingIsItsHeaderAlone) {
  EXPECT_TRUE(summary_table({}).rows.empty());
}

}  // namespace
}  // namespace rigidlimit
