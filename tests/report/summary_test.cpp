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

/// Row 2 of the errors of q is judged, the last row is evidence too.
RollingResult with_judged_ratio() {
  RollingResult result = test::sample_result();
  Series& q = result.series.front();
  q.expectation->ratio = 1.0;
  q.ratio.last = 2;
  q.ratio.verdict = Verdict::confirmed;
  for (Row& row : q.rows) row.ratio = 0.99286, row.ratio_error = 2e-3;
  q.rows[2].ratio = q.ratio.ratio = 0.99968;
  q.rows[2].ratio_error = 2e-4;
  return result;
}

TEST(Summary, HasTheRatioThatIsJudgedWithItsErrorBarAndEpsilon) {
  const RollingResult result = with_judged_ratio();
  const Row& judged = result.series.front().rows[2];
  ASSERT_EQ(judged.measure, Measure{.quantity = Quantity::q});
  const Result report = in_tables(result);
  const Table& summary = *report.find("summary");
  EXPECT_EQ(summary.number(0, "ratio_q"), 0.99968);
  EXPECT_EQ(summary.number(0, "ratio_q_error"), 2e-4);
  EXPECT_EQ(summary.at("ratio_q").bars, std::vector<std::string>{"ratio_q_error"});
  const Table& series = *report.find("series");
  EXPECT_EQ(summary.text(0, "ratio_q"),
            series.text(0, "last_ratio") + " at ε = " + series.text(0, "last_epsilon"))
      << "the text of run";
}

TEST(Summary, HasTheLastRatioThatIsEvidenceWithoutAClaim) {  // negative control
  RollingResult result = with_judged_ratio();
  result.series.front().expectation->ratio.reset();
  EXPECT_EQ(in_tables(result).find("summary")->number(0, "ratio_q"), 0.99286);
}

TEST(Summary, ShowsNoErrorBarAsAColumn) {
  const Table summary = *in_tables(with_judged_ratio()).find("summary");
  EXPECT_EQ(text_table(summary).headers.size() + 1, summary.columns().size());
}

TEST(Summary, IsEmptyWithoutStudies) {
  EXPECT_EQ(summary_text({}, Format::table, false), "");
}

}  // namespace
}  // namespace rigidlimit
