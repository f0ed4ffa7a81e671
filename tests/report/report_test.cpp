// Tests the contents of the report in every format, independent of its wording.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/judge/series_tables.hpp"
#include "support/csv_fields.hpp"
#include "support/report_texts.hpp"
#include "support/sample_result.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::Not;

bool holds(const TextTable& table, const std::string& text) {
  for (const auto& row : table.rows)
    for (const Cell& cell : row)
      if (cell.text.find(text) != std::string::npos) return true;
  return false;
}

TextTable view_of(const RollingResult& result, const std::string& key) {
  return test::view_of(in_tables(result), key);
}

void expect_rectangular(const TextTable& table) {
  EXPECT_EQ(table.left_aligned.size(), table.headers.size());
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.headers.size());
}

TEST(Tables, AreRectangular) {
  for (const RollingResult& result : {test::sample_result(), test::troubled_result()}) {
    const Result report = in_tables(result);
    for (const View& view : report.views) expect_rectangular(test::view_of(report, view.key));
  }
}

TEST(ErrorTable, HasARowForEachEpsilonOfItsSolvers) {
  EXPECT_EQ(view_of(test::sample_result(), "errors-sup-all").rows.size(), 5u);
  EXPECT_TRUE(view_of(test::sample_result(), "errors-l1-all").rows.empty());
}

TEST(ErrorTable, FlagsFailedAndLimitedRows) {
  const TextTable clean = view_of(test::sample_result(), "errors-sup-all");
  EXPECT_FALSE(holds(clean, "failed"));
  EXPECT_FALSE(holds(clean, "limited"));
  RollingResult result = test::troubled_result();
  for (Series& series : result.series)
    series.rows.front().evidence = evidence_named("solver_limited");
  const TextTable flagged = view_of(result, "errors-sup-all");
  EXPECT_TRUE(holds(flagged, "failed: max_steps"));
  EXPECT_TRUE(holds(flagged, "solver_limited"));
}

TEST(VerdictTable, HasOrdersExpectationsAndVerdicts) {
  const TextTable table = view_of(test::sample_result(), "orders-fitted");
  EXPECT_EQ(table.rows.size(), 6u) << "three quantities in two windows, sup norm";
  EXPECT_TRUE(holds(table, "confirmed"));
  EXPECT_TRUE(holds(table, "settled")) << "the window without expectation";
  EXPECT_TRUE(holds(view_of(test::troubled_result(), "orders-fitted"), "refuted"));
}

// A reader of a narrow page sees the verdict without scrolling.
TEST(VerdictTable, HasTheVerdictAfterItsKeys) {
  const Result report = in_tables(test::sample_result());
  for (const char* key : {"orders-fitted", "coefficients"}) {
    const TextTable table = test::view_of(report, key);
    if (table.rows.empty()) continue;
    EXPECT_EQ(table.headers.at(table.keys), "verdict") << key;
  }
  const CaptionedTable narrow = compacted(
      {"orders-fitted", "Fitted orders", view_of(test::sample_result(), "orders-fitted")});
  const auto at = std::ranges::find(narrow.table.headers, "verdict");
  EXPECT_LE(at - narrow.table.headers.begin(), 2) << "second or third";
  EXPECT_LE(narrow.table.headers.size(), 7U);
  EXPECT_THAT(narrow.remarks, testing::Contains("norm: sup"));
  // Negative control: with norms that differ, they stay in the table.
  const RollingResult norms =
      run_rolling_study(test::sample_study({"expect=[{quantity=\"q\", norm=\"l2\", order=2.0}]"}));
  EXPECT_THAT(
      compacted({"orders-fitted", "Fitted orders", view_of(norms, "orders-fitted")}).remarks,
      Not(testing::Contains(HasSubstr("norm"))));
}

TEST(VerdictTable, ShowsOtherNormsWithAnExpectation) {
  const RollingResult result =
      run_rolling_study(test::sample_study({"expect=[{quantity=\"q\", norm=\"l2\", order=2.0}]"}));
  EXPECT_TRUE(holds(view_of(result, "orders-fitted"), "l2"));
  EXPECT_FALSE(holds(view_of(test::sample_result(), "orders-fitted"), "l2"));
}

TEST(RigidTable, NamesTheReferenceAndTheOutcome) {
  RollingResult result = test::sample_result();
  EXPECT_TRUE(holds(view_of(result, "rigid"), "closed_form"));
  result.rigid[0].outcome = Outcome::newton_failure;
  result.rigid[0].message = "gave up";
  EXPECT_TRUE(holds(view_of(result, "rigid"), "newton_failure"));
  EXPECT_TRUE(holds(view_of(result, "rigid"), "gave up"));
}

TEST(VerdictLine, StatesTheVerdictInOneLine) {
  EXPECT_THAT(in_tables(test::sample_result()).verdict,
              testing::AllOf(HasSubstr("sample: held"), HasSubstr("3"), Not(HasSubstr("\n"))));
  RollingResult broken = test::troubled_result();
  EXPECT_THAT(in_tables(broken).verdict, HasSubstr("interrupted"));
  broken.interrupted = false;
  EXPECT_THAT(in_tables(broken).verdict,
              testing::AllOf(HasSubstr("not held"), HasSubstr("refuted"), HasSubstr("2 of 3"),
                             HasSubstr("expected 2")));
  RollingResult empty = test::sample_result();
  for (Series& series : empty.series) series = {};
  EXPECT_THAT(in_tables(empty).verdict, HasSubstr("could not run")) << "nothing to judge";
  empty.study.expectations.clear();
  EXPECT_THAT(in_tables(empty).verdict, HasSubstr("could not run"));
}

TEST(FoundAndExpected, HasBothOrders) {
  for (const Series& series : test::sample_result().series) {
    const std::string text = found_and_expected(series, {});
    EXPECT_THAT(text, HasSubstr("order "));
    EXPECT_EQ(text.find("expected") != std::string::npos, series.expectation.has_value());
  }
}

/// A series of equal errors, with `scatter` of every second one, judged against order 2.
Series flat_series(double scatter, double floor = 1e-4) {
  Series series;
  std::vector<SeriesPoint> points;
  double sign = 1.0;
  for (const double epsilon : {3e-2, 1.7e-2, 9.5e-3, 5.3e-3, 3e-3}) {
    points.push_back(
        {.epsilon = epsilon, .error = 3.9e-2 * (1.0 + sign * scatter), .floor = floor});
    sign = -sign;
  }
  series.expectation.emplace().order = 2.0;
  series.judgement = judge(points, series.expectation->expected_order());
  return series;
}

// Orders 0 that scatter more than the tolerance are inconclusive although their fit is far from 2.
TEST(FoundAndExpected, SaysWhyAnOrderIsInconclusive) {
  const Series scattered = flat_series(0.02), refuted = flat_series(0.002);
  ASSERT_EQ(scattered.judgement.verdict, Verdict::inconclusive);
  ASSERT_EQ(refuted.judgement.verdict, Verdict::refuted);
  EXPECT_THAT(found_and_expected(scattered, {}), HasSubstr(": " + scattered.judgement.reason));
  EXPECT_THAT(scattered.judgement.reason, HasSubstr("neighbour orders up to"));
  EXPECT_THAT(found_and_expected(refuted, {}), Not(HasSubstr("neighbour")));
}

// Without evidence the reason has the expected order, of a refuted one it has not.
TEST(FoundAndExpected, HasTheExpectedOrderOnce) {
  for (const auto& [series, has_order] :
       {std::pair(flat_series(0.002, 1.0), false), {flat_series(0.002), true}}) {
    EXPECT_EQ(std::isnan(series.judgement.fit.order), !has_order);
    const std::string text = found_and_expected(series, {});
    const std::size_t first = text.find("expected 2");
    ASSERT_NE(first, std::string::npos) << text;
    EXPECT_EQ(text.find("expected 2", first + 1), std::string::npos) << text;
  }
}

TEST(Reports, HaveFailuresNotesAndVerdictInEveryFormat) {
  const RollingResult result = test::troubled_result();
  for (const std::string& text : {test::terminal_report(result, false),
                                  test::markdown_report(result), test::latex_report(result)}) {
    EXPECT_THAT(text, testing::AnyOf(HasSubstr("more than 5 steps"),
                                     HasSubstr("more than $5$ steps")));  // LaTeX
    EXPECT_THAT(text, testing::AnyOf(HasSubstr("a note of <weight>"),
                                     HasSubstr("a note of \\<weight>"),  // to Markdown a tag
                                     HasSubstr("a note of $<$weight$>$")))
        << text;
    EXPECT_THAT(text, HasSubstr("interrupted"));
    EXPECT_THAT(text, HasSubstr("tighter tolerance"));
  }
}

TEST(Reports, HaveColoursOnlyOnATerminal) {
  const RollingResult& result = test::sample_result();
  EXPECT_THAT(test::terminal_report(result, false), Not(HasSubstr("\x1b")));
  EXPECT_THAT(test::terminal_report(result, true), HasSubstr("\x1b["));
  EXPECT_THAT(test::markdown_report(result), Not(HasSubstr("\x1b")));
  EXPECT_THAT(test::latex_report(result), Not(HasSubstr("\x1b")));
}

TEST(Reports, RemoveEscapeCodesOfAQuestion) {
  // Study files are untrusted: "\u001b" must not reach the terminal as a command.
  RollingResult result = test::sample_result();
  result.study.question = "red \x1b[31m and\nrest";
  EXPECT_THAT(test::terminal_report(result, false), Not(HasSubstr("\x1b")));
}

TEST(LatexReport, EscapesAllSpecialCharacters) {
  const std::string text = test::latex_report(test::troubled_result());
  EXPECT_THAT(text, HasSubstr("piped\\_under \\char36{}cores\\% \\#$1$ \\{braces\\}"));
  EXPECT_THAT(text, HasSubstr("a note of $<$weight$>$ \\& $50$ \\%"));
  // Every environment is closed.
  std::vector<std::string> open;
  for (const std::string& line : test::split(text, '\n')) {
    for (std::size_t at = 0; at < line.size(); ++at) {
      const auto name = [&](std::size_t from) {
        return line.substr(from, line.find('}', from) - from);
      };
      if (line.compare(at, 7, "\\begin{") == 0) open.push_back(name(at + 7));
      if (line.compare(at, 5, "\\end{") != 0) continue;
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(name(at + 5), open.back());
      open.pop_back();
    }
  }
  EXPECT_TRUE(open.empty());
}

TEST(Reports, ShowAFewRowsOfALongTable) {
  const auto rows_in = [](std::size_t count) {
    Result report;
    report.tables.emplace_back(
        "long",
        std::vector<Column>{
            {.name = "n", .value = [](std::size_t k) { return Value(fmt::format("row{}x", k)); }}},
        count);
    report.views.push_back({.key = "long", .caption = "", .table = "long"});
    return formatted({report}, Format::markdown);
  };
  const auto count = [](const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, 'x'));
  };
  EXPECT_EQ(count(rows_in(longest_table)), longest_table);
  const std::string text = rows_in(10'000);
  EXPECT_EQ(count(text), shortened_table);
  EXPECT_THAT(text, HasSubstr("row0x"));
  EXPECT_THAT(text, HasSubstr("row9999x"));
  EXPECT_THAT(text, HasSubstr("10000"));
}

TEST(MarkdownReport, HasTablesWithABlankLineBeforeThem) {
  // Without the blank line GitHub shows the pipes as text.
  const auto lines = test::split(test::markdown_report(test::sample_result()), '\n');
  int tables = 0;
  for (std::size_t k = 1; k < lines.size(); ++k)
    if (lines[k].starts_with("|") && !lines[k - 1].starts_with("|")) {
      EXPECT_EQ(lines[k - 1], "") << lines[k];
      ++tables;
    }
  EXPECT_GE(tables, 4);
}

}  // namespace
}  // namespace rigidlimit
