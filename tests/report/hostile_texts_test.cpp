// Tests that every output format shows an untrusted question and source as plain text, without
// effect on a terminal, LaTeX, Markdown or a parser.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/report/latex.hpp"
#include "rigidlimit/report/text_table.hpp"
#include "support/csv_fields.hpp"
#include "support/hostile_texts.hpp"
#include "support/report_texts.hpp"
#include "support/sample_benchmark.hpp"
#include "support/sample_result.hpp"
#include "support/well_formed_xml.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::Not;

class HostileText : public testing::TestWithParam<std::string> {
 protected:
  static RollingResult result() {
    RollingResult result = test::sample_result();
    result.study.question = GetParam();
    result.study.source = GetParam();
    return result;
  }
};

INSTANTIATE_TEST_SUITE_P(All, HostileText, testing::ValuesIn(test::hostile_texts()),
                         [](const testing::TestParamInfo<std::string>& one) {
                           return "Text" + std::to_string(one.index);
                         });

/// Expects as many lines as in the report with a question of letters in words as long.
template <class Result>
void expect_no_line_more(const Result& report, const RollingResult& result) {
  RollingResult harmless = result;
  std::string words;
  for (const char c : printable(result.study.question))
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) words += c == ' ' ? ' ' : 'x';
  harmless.study.question = words;
  EXPECT_EQ(test::split(report(result), '\n').size(), test::split(report(harmless), '\n').size());
}

/// Removes all characters escaped by a backslash, and the backslashes.
std::string without_escaped(const std::string& text) {
  std::string rest;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\\')
      ++i;
    else
      rest += text[i];
  return rest;
}

TEST_P(HostileText, IsOneLineOnATerminal) {
  const auto report = [](const RollingResult& r) { return test::terminal_report(r, false); };
  expect_no_line_more(report, result());
  for (const std::string& line : test::split(report(result()), '\n'))
    EXPECT_EQ(line, printable(line));
}

TEST_P(HostileText, IsPlainTextInMarkdown) {
  expect_no_line_more(test::markdown_report<RollingResult>, result());
  const std::string shown = test::split(test::markdown_report(result()), '\n').at(2);
  EXPECT_EQ(shown, printable(shown));
  EXPECT_THAT(without_escaped(shown), testing::Not(testing::ContainsRegex("[][<>&`*_|$~#]")));
  EXPECT_FALSE(shown.starts_with("-") || shown.starts_with("=") || shown.starts_with("+"));
}

TEST_P(HostileText, IsPlainTextInHtml) {
  const std::string page = test::html_report(result());
  EXPECT_EQ(test::WellFormedXml::complaint(page), "");
  const auto tags = [](const std::string& html) { return std::ranges::count(html, '<'); };
  RollingResult harmless = result();
  harmless.study.question = "harmless";
  EXPECT_EQ(tags(page), tags(test::html_report(harmless)));
}

TEST_P(HostileText, RunsNoMacroInLatex) {
  expect_no_line_more(test::latex_report<RollingResult>, result());
  std::string shown = latex_text(GetParam().substr(0, 10'000));
  EXPECT_EQ(shown, printable(shown));
  shown = std::regex_replace(shown, std::regex("\\^\\{[0-9]+\\}"), " ");  // exponents
  // Without the macros that replace characters, the only special characters of TeX are $ in pairs.
  for (const std::string macro : {"\\textbackslash{}", "\\textasciitilde{}", "\\textasciicircum{}",
                                  "\\allowbreak{}", "\\char36", "\\varepsilon", "\\,", "\\&", "\\%",
                                  "\\$", "\\#", "\\_", "\\{", "\\}", "{}", "\\ge", "\\le", "\\to"})
    for (std::size_t at = 0; (at = shown.find(macro, at)) != std::string::npos;)
      shown.replace(at, macro.size(), " ");
  EXPECT_EQ(shown.find_first_of("\\{}&#^_~%"), std::string::npos) << shown.substr(0, 200);
  EXPECT_EQ(std::ranges::count(shown, '$') % 2, 0);
}

TEST_P(HostileText, ReadsBackFromJsonAndToml) {
  const auto json = nlohmann::json::parse(test::json_text({result()}));
  EXPECT_EQ(json["question"], GetParam());
  EXPECT_EQ(json["source"], GetParam());
  const RollingStudy again = test::study_from(resolved_toml(result().study));
  EXPECT_EQ(again.question, GetParam());
  EXPECT_EQ(again.source, GetParam());
  EXPECT_EQ(again.name, "sample") << "no key of the text's own";
}

TEST_P(HostileText, IsAbsentFromCsvAndWellFormedInXml) {
  EXPECT_EQ(test::csv_rows(result()), test::csv_rows(test::sample_result()));
  RollingResult broken = result();
  broken.series.front().judgement.verdict = Verdict::refuted;
  broken.series.front().judgement.reason = GetParam();
  const std::string xml = test::junit_text({broken}, {GetParam()});
  EXPECT_EQ(test::WellFormedXml::complaint(xml), "");
  EXPECT_EQ(test::split(xml, '\n').size(),
            test::split(test::junit_text({broken}, {"x"}), '\n').size());
}

TEST_P(HostileText, IsHarmlessInABenchmark) {
  BenchmarkResult result;
  result.benchmark = test::benchmark_from(test::sample_benchmark_text);
  result.benchmark.question = "?";
  const std::size_t lines = test::split(test::markdown_report(result), '\n').size();
  result.benchmark.question = GetParam();
  const std::vector<std::string> page = test::split(test::markdown_report(result), '\n');
  EXPECT_EQ(page.size(), lines);
  EXPECT_THAT(without_escaped(page.at(2)), testing::Not(testing::ContainsRegex("[][<>&`*_|$~#]")));
  for (const std::string& line : test::split(test::terminal_report(result, false), '\n'))
    EXPECT_EQ(line, printable(line));
  EXPECT_EQ(nlohmann::json::parse(test::json_of(result))["question"], GetParam());
  EXPECT_EQ(test::benchmark_from(resolved_toml(result.benchmark)).question, GetParam());
}

TEST(MarkdownWords, KeepUnderscoresAndEscapeTags) {
  EXPECT_EQ(markdown_words("cvode_bdf < 2 <= 3"), "cvode_bdf < 2 <= 3");
  EXPECT_EQ(markdown_words("<b>|</b>"), "\\<b>\\|\\</b>");
}

TEST(MarkdownEscaped, IsNeededForTheTextsAbove) {
  // The check in IsPlainTextInMarkdown fails for unescaped text.
  EXPECT_THAT(without_escaped(test::hostile_texts().front()),
              testing::ContainsRegex("[][<>&`*_|$~#]"));
}

}  // namespace
}  // namespace rigidlimit
