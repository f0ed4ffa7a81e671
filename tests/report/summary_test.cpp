// Tests the summary of several studies: one row each, with found and expected orders.
#include "rigidlimit/report/report.hpp"

#include <gmock/gmock.h>

#include "support/csv_fields.hpp"
#include "support/report_texts.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

/// The summary of two copies, because a single study has none.
std::string text_of(const RollingResult& result) {
  const Table summary = *in_tables(result).find("summary");
  return summary_text({summary, summary}, Format::table, false);
}

TEST(Summary, HasARowForEachStudy) {
  const RollingResult& result = test::sample_result();
  const Table summary = *in_tables(result).find("summary");
  ASSERT_EQ(summary.size(), 1u);
  EXPECT_EQ(summary.value(0, "study"), Value(result.study.name));
  EXPECT_EQ(summary_text({summary}, Format::table, false), "");
  const std::string text = text_of(result);
  EXPECT_EQ(test::split(text, '\n').size(), 6u) << "blank line, title, two header lines, two rows";
  EXPECT_THAT(text, HasSubstr(result.study.name));
  EXPECT_THAT(text, HasSubstr("knife_edge"));
}

TEST(Summary, ShowsFoundAndExpectedOrders) {
  const RollingResult& result = test::sample_result();
  const std::string text = text_of(result);
  EXPECT_THAT(text, HasSubstr("(2)"));
  EXPECT_THAT(text, HasSubstr("held"));
  EXPECT_THAT(text, testing::Not(HasSubstr("not held")));
}

TEST(Summary, MarksBrokenStudies) {  // negative control
  RollingResult result = test::sample_result();
  for (Series& s : result.series)
    if (s.expectation) s.judgement.verdict = Verdict::refuted;
  EXPECT_THAT(text_of(result), HasSubstr("not held"));
  EXPECT_THAT(text_of(test::troubled_result()), HasSubstr("interrupted"));
}

TEST(Summary, IsEmptyWithoutStudies) {
  EXPECT_EQ(summary_text({}, Format::table, false), "");
}

}  // namespace
}  // namespace rigidlimit
