// Tests the JUnit XML for CI systems.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/experiment/rolling/judge_rolling.hpp"
#include "support/report_texts.hpp"
#include "support/sample_result.hpp"
#include "support/well_formed_xml.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

int count_of(const std::string& text, const std::string& word) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size())
    ++count;
  return count;
}

TEST(WellFormedXml, RefusesMalformedXml) {
  using test::WellFormedXml;
  EXPECT_EQ(WellFormedXml::complaint("<?xml version=\"1.0\"?>\n<a x=\"1\"><b/>&lt;</a>\n"), "");
  for (const char* bad :
       {"<a>", "<a></b>", "<a/><b/>", "<a x=\"1\" x=\"2\"/>", "<a x=1/>", "<a>&</a>", "<a>\x01</a>",
        "<a x=\"<\"/>", "text", "<a/>text", "<a x=\"&what;\"/>", "", "<", "<a><b></a></b>"})
    EXPECT_NE(WellFormedXml::complaint(bad), "") << bad;
}

TEST(JunitText, IsWellFormedForEveryText) {
  for (const auto& results : std::vector<std::vector<RollingResult>>{
           {}, {test::sample_result()}, {test::sample_result(), test::troubled_result()}}) {
    const std::string xml = test::junit_text(results);
    EXPECT_EQ(test::WellFormedXml::complaint(xml), "") << xml;
    EXPECT_EQ(count_of(xml, "<testsuite "), static_cast<int>(results.size()));
  }
}

TEST(JunitText, HasACasePerExpectationAndCountsFailures) {
  const std::string held = test::junit_text({test::sample_result()});
  EXPECT_THAT(held, HasSubstr("<testsuites tests=\"3\" failures=\"0\" errors=\"0\">"));
  EXPECT_EQ(count_of(held, "<testcase "), 3);
  EXPECT_EQ(count_of(held, "<failure "), 0);

  RollingResult broken = test::sample_result();
  broken.series.front().judgement.verdict = Verdict::refuted;
  broken.series.front().judgement.reason = "order <2> & \"so\" on";
  const std::string both = test::junit_text({test::sample_result(), broken});
  EXPECT_EQ(test::WellFormedXml::complaint(both), "");
  EXPECT_THAT(both, HasSubstr("<testsuites tests=\"6\" failures=\"1\" errors=\"0\">"));
  EXPECT_THAT(both,
              HasSubstr("<testsuite name=\"sample\" tests=\"3\" failures=\"1\" errors=\"0\">"));
  EXPECT_EQ(count_of(both, "<failure type=\"refuted\""), 1);
  EXPECT_THAT(both, HasSubstr("order &lt;2&gt; &amp; &quot;so&quot; on"));
}

TEST(JunitText, HasACaseForEachBoundAndSolverPair) {
  RollingResult result = test::sample_result();
  result.study.bounds = {
      {.bound = {.constant = 17.8, .power = 2.0}},
      {.bound = {.constant = 10.0, .power = 2.5, .from = 1e-3, .to = 5e-3}},
      {.subject = BoundSpec::Subject::solver_error, .bound = {.constant = 1e-20}}};
  result.bounds = judged_bounds(result.study, result.series);
  const std::string xml = test::junit_text({result});
  EXPECT_EQ(test::WellFormedXml::complaint(xml), "") << xml;
  EXPECT_THAT(xml,
              HasSubstr("<testsuite name=\"sample\" tests=\"6\" failures=\"2\" errors=\"0\">"));
  EXPECT_THAT(xml, testing::ContainsRegex("name=\"[^\"]*≤ 17.8 ε²[^\"]*\"/>"));
  // q = 17.66 ε² at ε = 1e-3: 1.766e-5 over 10 · 1e-3^2.5 = 3.162e-7.
  EXPECT_THAT(xml, testing::ContainsRegex("<failure type=\"bound_broken\" message=\"[^\"]*≤ 10 "
                                          "ε\\^2.5 for 0.001 ≤ ε ≤ 0.005[^\"]* ε = 0.001[^\"]* "
                                          "1.766e-05 ± [^\"]* 3.162e-07\""));
  EXPECT_THAT(xml, testing::ContainsRegex("<failure type=\"bound_broken\" [^>]*≤ 1e-20"));
}

TEST(JunitText, NamesTheQuantityWindowAndSolversOfACase) {
  EXPECT_THAT(
      test::junit_text({test::sample_result()}),
      testing::ContainsRegex("name=\"[^\"]*lambda \\(sup, all t\\), cvode_bdf[^\"]* ida\""));
}

TEST(JunitText, CountsExpectationsWithoutAnySolveAsErrors) {
  RollingResult result = test::sample_result();
  for (Series& series : result.series) {
    series.judgement = {};
    for (Row& row : series.rows) {
      row.sizes.model = std::nan("");
      row.evidence = evidence_named("failed: max_steps");
    }
  }
  const std::string xml = test::junit_text({result});
  EXPECT_THAT(xml, HasSubstr("<testsuites tests=\"3\" failures=\"0\" errors=\"3\">"));
  EXPECT_THAT(xml, testing::ContainsRegex("<error type=\"inconclusive\" [^>]*5 of 5 ε[^>]*max_steps"
                                          "[^>]*2 ± 0.05"));
}

TEST(JunitText, NamesFileAndTimeOfAStudy) {
  JunitSuite suite = junit_suite(in_tables(test::sample_result()));
  suite.file = "a & b.toml";
  suite.seconds = 1.25;
  const std::string xml = junit_document({suite}, {});
  EXPECT_EQ(test::WellFormedXml::complaint(xml), "") << xml;
  EXPECT_THAT(xml, HasSubstr(" file=\"a &amp; b.toml\" time=\"1.250\">"));
  EXPECT_EQ(count_of(xml, "file=\"a &amp; b.toml\"/>"), 3) << "each case has the file";
}

}  // namespace
}  // namespace rigidlimit
