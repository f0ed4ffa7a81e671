// Tests text and tables in LaTeX: their contents, and their compilation if LaTeX is installed.
#include "rigidlimit/report/latex.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <utility>

#include "rigidlimit/experiment/friction/friction_tables.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/report/latex_width.hpp"
#include "support/csv_fields.hpp"
#include "support/hostile_texts.hpp"
#include "support/random_numbers.hpp"
#include "support/report_texts.hpp"
#include "support/sample_friction.hpp"
#include "support/sample_result.hpp"
#include "support/typeset.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(LatexText, SetsNumbersAsMathematics) {
  EXPECT_EQ(latex_text("1.751e-03 ± 6e-14"), "$1.751\\times10^{-3} \\pm 6\\times10^{-14}$");
  EXPECT_EQ(latex_text("-0.41"), "$-0.41$");
  EXPECT_EQ(latex_text("+3.000e-04"), "$+3.000\\times10^{-4}$");
  EXPECT_EQ(latex_text("1e-05"), "$10^{-5}$");
  EXPECT_EQ(latex_text("5.120e+00"), "$5.120$") << "no power 0 of ten";
  EXPECT_EQ(latex_text("1e300"), "$10^{300}$");
  EXPECT_EQ(latex_text("0.01 – 0.0001 (5 of 5)"), "$0.01$ -- $0.0001$ ($5$ of $5$)");
  EXPECT_EQ(latex_text("2.00 / 2"), "$2.00$ / $2$");
  EXPECT_EQ(latex_text("2.00 / none"), "$2.00$ / none");
  EXPECT_EQ(latex_text("-"), "--") << "a number that is not there";
}

TEST(LatexText, SetsSymbolsAsMathematics) {
  EXPECT_EQ(latex_text("t > 0.5"), "$t > 0.5$") << "in the text fonts > is an upside-down ?";
  EXPECT_EQ(latex_text("K ε^2"), "$K\\,\\varepsilon^{2}$");
  EXPECT_EQ(latex_text("ε^-1.5"), "$\\varepsilon^{-1.5}$");
  EXPECT_EQ(latex_text("‖G v‖"), "$\\|G\\,v\\|$");
  EXPECT_EQ(latex_text("K* + P"), "$K^{*} + P$");
  EXPECT_EQ(latex_text("λ error"), "$\\lambda$ error");
  EXPECT_EQ(latex_text("for ε → 0"), "for $\\varepsilon \\to 0$");
  EXPECT_EQ(latex_text("Λ(0) = 2"), "$\\Lambda$($0$) $=$ $2$");
  EXPECT_EQ(latex_text("|Δq|"), "$|\\Delta q|$") << "a blank ends the name of a macro";
  EXPECT_EQ(latex_text("q sup all t ≤ 10 ε^2.5"), "$q$ sup all $t \\le 10\\,\\varepsilon^{2.5}$");
  EXPECT_EQ(latex_text("T >= mu0"), "$T \\ge \\mu_0$");
  EXPECT_EQ(latex_text("10⁻³ Gᵀλ"), "$10^{-3}\\,G^{T}\\lambda$");
}

TEST(LatexText, KeepsWordsNamesAndUnits) {
  EXPECT_EQ(latex_text("plain text, cvode_bdf / ida"), "plain text, cvode\\_bdf / ida");
  EXPECT_EQ(latex_text("don't take a part of e.g. this"), "don't take a part of e.g. this");
  EXPECT_EQ(latex_text("p [N s]"), "$p$ [N\\,s]");
  EXPECT_EQ(latex_text("9.81 m/s^2"), "$9.81$ m/s$^{2}$");
  EXPECT_EQ(latex_text("0.5 kg m^2"), "$0.5$ kg\\,m$^{2}$");
  EXPECT_EQ(latex_text("kg of x^2"), "kg of $x^{2}$") << "no space of units";
  EXPECT_EQ(latex_text("2D, 3f2a-4b1c and 1.2.3"), "2D, 3f2a-4b1c and 1.2.3");
  EXPECT_EQ(latex_text("pre-asymptotic"), "pre-asymptotic");
}

TEST(LatexText, EscapesSpecialCharacters) {
  EXPECT_EQ(latex_text("a_b & 50% $x$ #1 {y}"),
            "a\\_b \\& $50$\\% \\char36{}$x$\\char36{} \\#$1$ \\{$y$\\}");
  EXPECT_EQ(latex_text("\\"), "\\textbackslash{}") << "its own braces are not escaped again";
  EXPECT_EQ(latex_text("~^"), "\\textasciitilde{}\\textasciicircum{}");
  EXPECT_EQ(latex_text("x^2^3"), "$x^{2}{}^{3}$") << "TeX refuses a double superscript";
  EXPECT_EQ(latex_text("--?`"), "-{}-?{}`") << "drawn together they would be other characters";
  EXPECT_EQ(latex_text("中"), "[U+4E2D]") << "the default fonts have no such character";
}

TEST(LatexText, LongWordsMayBeBroken) {
  EXPECT_THAT(latex_text("exponential_rosenbrock"), Not(HasSubstr("\\allowbreak")));
  for (const char c : {'x', '<', '-', '0'})
    EXPECT_THAT(latex_text(std::string(500, c)), ContainsRegex("(\\\\allowbreak.*){9}")) << c;
}

TEST(SiunitxNumber, IsTheWholeTextOrNothing) {
  EXPECT_EQ(siunitx_number("1.751e-03"), "1.751e-3");
  EXPECT_EQ(siunitx_number("-0.41"), "-0.41");
  EXPECT_EQ(siunitx_number("5.120e+00"), "5.120");
  for (const char* text : {"", "-", "1.2 ± 0.1", "1.2.3", "2D", "x", "1e-3 m", "\\input{x}"})
    EXPECT_EQ(siunitx_number(text), "") << text;
}

TEST(LatexLabel, HasOnlyValidCharacters) {
  EXPECT_EQ(latex_label("knife_edge", "errors-sup-all"), "tab:knife_edge:errors-sup-all");
  EXPECT_EQ(latex_label("a b", "{\\x}#~"), "tab:a-b:--x---");
}

TextTable wide_table(std::size_t rows, std::size_t numbers) {
  TextTable table{.headers = {"solvers", "norm", "ε"},
                  .left_aligned = {true, true, false},
                  .rows = {},
                  .keys = 3};
  for (std::size_t k = 0; k < numbers; ++k) {
    table.headers.push_back(fmt::format("error {} of λ", k));
    table.left_aligned.push_back(false);
  }
  table.headers.emplace_back("flags");
  table.left_aligned.push_back(true);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<Cell> cells{{row % 2 == 0 ? "radau_iia / ida" : "cvode_bdf / ida"},
                            {row % 2 == 0 ? "sup" : "l2"},
                            {"3.162e-03"}};
    for (std::size_t k = 0; k < numbers; ++k) cells.push_back({"-1.234e-05 ± 3e-14"});
    cells.push_back({row % 2 == 0 ? "" : "q failed: max_steps"});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string table_of(const TextTable& table, bool siunitx = false) {
  return latex_table({"x", "x", table}, {.label = "tab:x", .siunitx = siunitx});
}

std::size_t count(const std::string& tex, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = tex.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(LatexTable, IsABooktabsTabularWithCaptionLabelAndEqualColumns) {
  TextTable table = wide_table(2, 1);
  table.rows[1][0].text = "a & b";
  const std::string tex =
      latex_table({"errors", "Errors at t > 0.5", table}, {.label = "tab:mine"});
  EXPECT_THAT(tex, HasSubstr("\\caption{Errors at $t > 0.5$}\\label{tab:mine}"));
  for (const char* once : {"\\toprule", "\\midrule", "\\bottomrule", "\\begin{table}[tp]",
                           "\\end{table}", "\\setlength", "\\caption", "\\label"})
    EXPECT_EQ(count(tex, once), 1u) << once;
  int lines = 0;
  for (const std::string& line : test::split(tex, '\n')) {
    if (!line.ends_with("\\\\")) continue;
    ++lines;
    EXPECT_EQ(std::ranges::count(test::text_outside_maths(line), '&'), 4) << line;
  }
  EXPECT_EQ(lines, 3) << "the header and two rows";
}

TEST(LatexTable, HasEveryCellOnce) {
  for (const auto& [rows, numbers] : {std::pair(3U, 2U), std::pair(3U, 9U), std::pair(90U, 1U)}) {
    TextTable table = wide_table(rows, numbers);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t k = table.keys; k < table.headers.size(); ++k)
        table.rows[row][k].text = fmt::format("cell{}x{}y", row, k);
    const std::string tex = table_of(table);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t k = table.keys; k < table.headers.size(); ++k)
        EXPECT_EQ(count(tex, fmt::format("cell{}x{}y", row, k)), 1u);
    EXPECT_EQ(count(tex, "cell0x99y"), 0u) << "negative control";
  }
}

// The columns of one text move to the caption, so that the table is one tabular.
TEST(LatexTable, GivesColumnsOfOneTextToTheCaption) {
  TextTable table = wide_table(3, 1);
  for (auto& row : table.rows) row[0].text = "a_solver / of_many_letters";
  const std::string tex = table_of(table);
  EXPECT_EQ(count(tex, "a\\_solver"), 1u);
  EXPECT_THAT(tex, HasSubstr("\\caption{$x$. Solvers: a\\_solver"));
  EXPECT_EQ(count(tex, "\\begin{tabular}"), 1u);
  // Negative control: a text that differs in one row stays in its column.
  table.rows[1][0].text = "a_solver / of_other_letters";
  EXPECT_EQ(count(table_of(table), "a\\_solver"), 3u * count(table_of(table), "\\begin{tabular}"));
}

TEST(LatexTable, HasLinesOfHeadersAndOfTextsIfTheySaveATabular) {
  TextTable table = wide_table(4, 2);
  for (auto& row : table.rows) row.back().text.clear();
  for (const std::size_t k : {3U, 4U}) table.headers[k] = "event time of an impact sup away";
  EXPECT_EQ(count(table_of(table), "\\begin{tabular}"), 1u);
  EXPECT_EQ(count(table_of(table), "\\shortstack[r]{event time"), 2u);
  // Negative control: a narrow table keeps its lines.
  EXPECT_EQ(count(table_of(wide_table(4, 1)), "\\shortstack"), 0u);
  EXPECT_EQ(count(table_of(wide_table(4, 1)), "\\raggedright"), 0u);
}

TEST(LatexTable, HasShorterLinesOfTextsIfTheySaveATabular) {
  TextTable table{
      .headers = {"a", "fitted over", "b"},
      .left_aligned = {true, true, true},
      .rows = std::vector<std::vector<Cell>>(4, {{std::string(24, 'a')},
                                                 {"0.0178 to 0.0001 (10 of 13) without the first"},
                                                 {std::string(23, 'b')}}),
      .keys = 0};
  const std::string tex = table_of(table);
  EXPECT_EQ(count(tex, "\\begin{tabular}"), 1u);
  EXPECT_GE(count(tex, "\\raggedright"), 1u);
  EXPECT_EQ(count(tex, "\\allowbreak"), 0u);
  // Negative controls: words are not broken to save a tabular, and a narrow table keeps its lines.
  TextTable words = table;
  for (auto& row : words.rows) row[0].text = row[1].text = std::string(32, 'w');
  for (auto& row : words.rows) row[2].text = std::string(32, 'w');
  EXPECT_GE(count(table_of(words), "\\begin{tabular}"), 2u);
  for (auto& row : table.rows) row[0].text = row[2].text = "a";
  EXPECT_EQ(count(table_of(table), "\\raggedright"), 0u);
}

/// The widths in pt of the columns p{...}.
std::vector<double> paragraph_widths(const std::string& tex) {
  std::vector<double> widths;
  for (std::size_t at = 0; (at = tex.find("}p{", at)) != std::string::npos; ++at)
    widths.push_back(std::stod(tex.substr(at + 3)));
  return widths;
}

TEST(LatexTable, GivesTheRestOfTheLineToLongTexts) {
  std::string sentence;
  for (int k = 0; k < 40; ++k) sentence += "word ";
  TextTable table{.headers = {"ε", "text"},
                  .left_aligned = {false, true},
                  .rows = std::vector<std::vector<Cell>>(4, {{"1e-03"}, {sentence}})};
  const auto one = paragraph_widths(table_of(table));
  ASSERT_EQ(one.size(), 1u);
  EXPECT_GT(one[0], 300.0) << "of 345 pt";
  table.headers.emplace_back("more");
  table.left_aligned.push_back(true);
  for (auto& row : table.rows) row.push_back({sentence});
  const auto two = paragraph_widths(table_of(table));
  ASSERT_EQ(two.size(), 2u);
  EXPECT_NEAR(two[0], two[1], 0.2) << "equal shares";
  EXPECT_NEAR(two[0] + two[1] + 6.0, one[0], 0.4) << "and a space between columns";
  // Negative control: a column is not wider than its texts.
  for (auto& row : table.rows) row[1].text = std::string(sentence.begin(), sentence.begin() + 60);
  EXPECT_LT(paragraph_widths(table_of(table))[0], two[0] + 100.0);
}

// \\ and rules take "[2]" and "*" behind them as arguments.
TEST(LatexTable, KeepsBracketsAndStarsThatBeginALine) {
  TextTable table{.headers = {"[m]", "x"},
                  .left_aligned = {true, true},
                  .rows = {{{"[W]"}, {"a"}}, {{"*"}, {"b"}}}};
  EXPECT_THAT(table_of(table), AllOf(HasSubstr("\\toprule\n{}[m]"), HasSubstr("\\midrule\n{}[W]"),
                                     HasSubstr("\n{}*")));
  TextTable wide = wide_table(4, 2);
  for (auto& row : wide.rows) row.back().text.clear();
  for (const std::size_t k : {3U, 4U}) wide.headers[k] = "minimum minimum [W]minimum_minimum";
  EXPECT_THAT(table_of(wide), AllOf(HasSubstr("\\shortstack[r]{"), HasSubstr("\\\\{}[W]minimum")));
  if (const std::string why = test::why_no_latex(); !why.empty()) GTEST_SKIP() << why;
  const std::string use = "\\usepackage{array,booktabs}", tex = table_of(table);
  EXPECT_THAT(test::complaints_of_latex(test::latex_log(tex, use)), IsEmpty());
  std::string spoilt = tex;
  spoilt.replace(spoilt.find("{}[W]"), 5, "[W]");
  EXPECT_THAT(test::complaints_of_latex(test::latex_log(spoilt, use)), Not(IsEmpty()));
}

TEST(LatexTable, IsTransposedIfFewRowsAreTooWide) {
  for (const std::size_t rows : {1U, 2U}) {
    const std::string tex = table_of(wide_table(rows, 9));
    EXPECT_EQ(count(tex, "\\begin{tabular}"), 1u) << rows;
    EXPECT_THAT(tex, HasSubstr("error $8$ of $\\lambda$ & $-1.234")) << rows;
  }
  // A key without header names the row.
  TextTable named = wide_table(1, 9);
  named.headers[1] = "";
  EXPECT_THAT(table_of(named), HasSubstr("\\toprule\n & sup \\\\\n\\midrule\nsolvers & radau"));
  // Negative control: more rows.
  EXPECT_GT(count(table_of(wide_table(6, 9)), "\\begin{tabular}"), 1u);
}

// Every row of a tabular has as many cells as columns, also if its first cell is empty.
TEST(LatexTable, KeepsAnEmptyFirstCell) {
  TextTable table{
      .headers = {"", "b"}, .left_aligned = {true, true}, .rows = {{{""}, {"x"}}, {{"y"}, {"z"}}}};
  EXPECT_THAT(table_of(table), AllOf(HasSubstr("\n & b \\\\\n"), HasSubstr("\n & $x$ \\\\\n")));
}

/// Words of letters, symbols, numbers with bars and relations.
std::string random_text(test::RandomNumbers& random, std::size_t words) {
  const std::vector<std::string> all{"q",      "λ",     "radau_iia", "error", "1.234e-05 ± 3e-14",
                                     "-0.41",  "≤",     "t > 0.5",   "K ε^2", "|Δq|",
                                     "WWAVTo", "ffi",   "m/s^2",     "10⁻³",  "Größe",
                                     "50%",    "a & b", "(0.1, 2)",  "event."};
  std::string text;
  for (std::size_t k = 0; k < words; ++k)
    text +=
        (k == 0 ? "" : " ") +
        all[static_cast<std::size_t>(random.uniform(0.0, 1.0) * static_cast<double>(all.size()))];
  return text;
}

TEST(LatexExtent, IsAnUpperBoundOfTheWidthInTexWithinAFewPercent) {
  if (const std::string why = test::why_no_latex(); !why.empty()) GTEST_SKIP() << why;
  test::RandomNumbers random(7);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < 300; ++k) texts.push_back(latex_text(random_text(random, 1 + k % 6)));
  std::string body;
  for (const std::string& text : texts)
    for (const char* size : {"\\small", "\\footnotesize", "\\scriptsize"})
      body += fmt::format(
          "{{{} \\setbox0\\hbox{{{}}}\\setbox1\\hbox{{0}}\\typeout{{W \\the\\wd0 \\the\\wd1}}}}\n",
          size, text);
  const std::string log = test::latex_log(body + "x", "");
  std::size_t at = 0, measured = 0;
  for (const std::string& text : texts)
    for (int size = 0; size < 3; ++size) {
      at = log.find("\nW ", at);
      ASSERT_NE(at, log.npos);
      const double width = std::stod(log.substr(at + 3)),
                   digit = std::stod(log.substr(log.find("pt", at) + 2));
      const double bound = latex_extent(text).line * digit;
      EXPECT_GE(bound + 0.3, width) << text << ", for kerning 0.3 pt";
      EXPECT_LE(bound, 1.15 * width + 5.0) << text;
      ++at, ++measured;
    }
  EXPECT_EQ(measured, 900u);
}

TEST(LatexTable, OmitsEmptyColumns) {
  EXPECT_THAT(table_of(wide_table(1, 1)), Not(HasSubstr("flags"))) << "one row without flags";
  EXPECT_THAT(table_of(wide_table(2, 1)), HasSubstr("flags"));
}

TEST(LatexTable, IsSplitOnlyAtItsBreaksAndOnlyIfItIsMuchTooWide) {
  TextTable table = wide_table(3, 5);
  EXPECT_EQ(count(table_of(wide_table(3, 1)), "\\begin{tabular}"), 1u);
  const std::string anywhere = table_of(table);
  EXPECT_GT(count(anywhere, "\\begin{tabular}"), 2u);
  table.breaks = {3, 6};
  const std::string tex = table_of(table);
  EXPECT_EQ(count(tex, "\\begin{tabular}"), 2u);
  EXPECT_THAT(tex, ContainsRegex("error \\$2\\$ of[^&]*\\\\\\\\\n")) << "the end of the first part";
  for (const std::string& text : {anywhere, tex}) {
    EXPECT_EQ(count(text, "solvers & norm & $\\varepsilon$ &"), count(text, "\\begin{tabular}"));
    EXPECT_EQ(count(text, "\\caption"), 1u);
  }
}

TEST(LatexTable, GoesOnInFurtherFloatsIfItHasMoreRowsThanAPage) {
  const std::string tex = table_of(wide_table(100, 1));
  EXPECT_GE(count(tex, "\\begin{table}"), 3u);
  EXPECT_EQ(count(tex, "\\begin{table}"), count(tex, "\\end{table}"));
  EXPECT_EQ(count(tex, "(continued)"), count(tex, "\\begin{table}") - 1);
  EXPECT_EQ(count(tex, "\\addtocounter{table}{-1}"), count(tex, "(continued)"));
  EXPECT_EQ(count(tex, "\\label"), 1u);
  EXPECT_EQ(count(table_of(wide_table(10, 1)), "(continued)"), 0u);
}

TextTable numbers() {
  return {.headers = {"ε", "mixed", "text"},
          .left_aligned = {false, false, true},
          .rows = {{{"1e-01"}, {"-12.5"}, {"1.5"}}, {{"3.162e-03"}, {"a & b"}, {"-"}}}};
}

TEST(LatexTable, HasSColumnsOnRequest) {
  const std::string tex = table_of(numbers(), true);
  EXPECT_THAT(tex, HasSubstr("{@{}S[table-format=1.3e-1]S[table-format=+2.1]l@{}}"));
  EXPECT_THAT(tex, HasSubstr("{$\\varepsilon$} & {mixed} & text \\\\"));
  EXPECT_THAT(tex, HasSubstr("3.162e-3 & {a \\& b} & -- \\\\"));
  EXPECT_THAT(latex_packages(tex), HasSubstr("siunitx"));
  EXPECT_THAT(table_of(numbers()), HasSubstr("{@{}rrl@{}}"));
}

TEST(LatexPackages, AreThePackagesOfTheTable) {
  EXPECT_EQ(latex_packages(table_of(wide_table(2, 1))), "\\usepackage{array,booktabs}");
  EXPECT_EQ(latex_packages(latex_table({"x", "", wide_table(2, 1)}, {.place = "H"})),
            "\\usepackage{array,booktabs,float}");
}

/// LaTeX reports of a sample, of a run with failures, and of a friction study.
std::vector<std::string> reports() {
  std::vector<std::string> all{test::latex_report(test::sample_result()),
                               test::latex_report(test::troubled_result()),
                               test::latex_report(run_friction_study(test::sample_friction()))};
  return all;
}

TEST(LatexReports, HaveNoMathematicsOutsideMathMode) {
  for (const std::string& report : reports())
    for (const std::string& line : test::split(report, '\n')) {
      if (line.starts_with("\\begin{tabular}")) continue;
      EXPECT_EQ(test::text_outside_maths(line).find_first_of("<>|^"), std::string::npos) << line;
      for (const char* symbol : {"ε", "λ", "Λ", "±", "≤", "‖", "−", "→", "ζ", "μ"})
        EXPECT_THAT(line, Not(HasSubstr(symbol)));
    }
  // Negative control: a line of a former report.
  EXPECT_NE(test::text_outside_maths("sup & t > 0.5 & 1.000e-01").find('>'), std::string::npos);
}

TextTable random_table(test::RandomNumbers& random) {
  const auto below = [&](std::size_t most) {
    return static_cast<std::size_t>(random.uniform(0.0, 1.0) * static_cast<double>(most));
  };
  TextTable table{.headers = {}, .left_aligned = {}, .rows = {}, .keys = 1 + below(2)};
  table.rows.resize(1 + below(8));
  const std::size_t columns = table.keys + 1 + below(9);
  for (std::size_t k = 0; k < columns; ++k) {
    const bool is_text = k < table.keys || random.uniform() < -0.4;
    table.headers.push_back(random_text(random, 1 + below(k < table.keys ? 1 : 4)));
    table.left_aligned.push_back(is_text);
    for (auto& row : table.rows)
      row.push_back({is_text ? random_text(random, 1 + below(k < table.keys ? 1 : 3))
                             : "-1.234e-05 ± 3e-14"});
  }
  return table;
}

/// Names of up to 12 words and long identifiers, with formulas, among numbers.
TextTable random_table_of_long_texts(test::RandomNumbers& random) {
  const auto below = [&](std::size_t most) {
    return static_cast<std::size_t>(random.uniform(0.0, 1.0) * static_cast<double>(most));
  };
  const auto text = [&] {
    const std::vector<std::string> identifiers{
        "two_point_ball/thresholds_of_contacts.toml", std::string(30, 'm'),
        "EventDrivenStepperWithProjection", "radau_iia_order_5.dense"};
    return below(4) == 0 ? identifiers[below(identifiers.size())]
                         : random_text(random, 1 + below(12));
  };
  TextTable table{.headers = {}, .left_aligned = {}, .rows = {}, .keys = 1 + below(3)};
  table.rows.resize(1 + below(8));
  const std::size_t columns = table.keys + 1 + below(6);
  for (std::size_t k = 0; k < columns; ++k) {
    const bool is_text = k < table.keys || below(2) == 0;
    table.headers.push_back(below(5) == 0 ? text() : random_text(random, 1 + below(4)));
    table.left_aligned.push_back(is_text);
    for (auto& row : table.rows) row.push_back({is_text ? text() : "-1.234e-05 ± 3e-14"});
  }
  return table;
}

constexpr const char* packages = "\\usepackage{array,booktabs,float}";

TEST(LatexReports, CompileInArticleWithoutOverfullLines) {
  if (const std::string why = test::why_no_latex(); !why.empty()) GTEST_SKIP() << why;
  std::string body;
  for (const std::string& report : reports()) body += report + "\\clearpage\n";
  RollingResult result = test::sample_result();
  for (const std::string& text : test::hostile_texts()) {
    result.study.question = text.substr(0, 3000);  // TeX is slow for longer texts
    result.notes = {text.substr(0, 3000)};
    body += test::latex_report(result) + "\\clearpage\n";
  }
  for (const std::size_t numbers : {1U, 4U, 9U})
    for (const std::size_t rows : {3U, 30U, 90U})
      body += table_of(wide_table(rows, numbers)) + "\\clearpage\n";
  test::RandomNumbers random(3);
  for (int tables = 0; tables < 60; ++tables)
    body += table_of(random_table(random)) + "\\clearpage\n";
  for (int tables = 0; tables < 120; ++tables)
    body += latex_table({"x", random_text(random, 30), random_table_of_long_texts(random)},
                        {.label = "tab:x", .siunitx = false}) +
            "\\clearpage\n";
  EXPECT_THAT(test::complaints_of_latex(test::latex_log(body, packages)), IsEmpty());
  // Negative control: LaTeX reports the same table in \large, and an unknown macro.
  std::string wide = table_of(wide_table(3, 1));
  const std::string begin = "\\centering";
  const std::size_t size = wide.find(begin) + begin.size();
  wide.replace(size, wide.find("\\setlength") - size, "\\LARGE");
  EXPECT_THAT(test::complaints_of_latex(test::latex_log(wide, packages)),
              Contains(HasSubstr("Overfull")));
  EXPECT_THAT(test::complaints_of_latex(test::latex_log("\\nonsense", "")), Not(IsEmpty()));
}

TEST(LatexTable, IsSetInTheLargestSizeInWhichItFits) {
  TextTable narrow{.headers = {"a", "b"}, .left_aligned = {true, false}, .rows = {{{"x"}, {"1"}}}};
  EXPECT_THAT(table_of(narrow), HasSubstr("\\centering\\small\\setlength"));
  EXPECT_THAT(table_of(wide_table(3, 1)), Not(HasSubstr("\\centering\\small\\setlength")));
}

TEST(LatexTable, CompilesWithSiunitx) {
  if (const std::string why = test::why_no_package("siunitx"); !why.empty()) GTEST_SKIP() << why;
  std::string tex = table_of(numbers(), true);
  const std::string packages_of_it = latex_packages(tex);
  EXPECT_THAT(test::complaints_of_latex(test::latex_log(tex, packages_of_it)), IsEmpty());
  // Negative control: a text without braces in an S column.
  tex.replace(tex.find("{mixed}"), 7, "mixed");
  EXPECT_THAT(test::complaints_of_latex(test::latex_log(tex, packages_of_it)), Not(IsEmpty()));
}

}  // namespace
}  // namespace rigidlimit
