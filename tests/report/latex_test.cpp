// Tests text and tables in LaTeX: their contents, and their compilation if LaTeX is installed.
#include "rigidlimit/report/latex.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/report/friction_tables.hpp"
#include "rigidlimit/report/latex_table.hpp"
#include "support/csv_fields.hpp"
#include "support/hostile_texts.hpp"
#include "support/report_texts.hpp"
#include "support/sample_friction.hpp"
#include "support/sample_result.hpp"
#include "support/typeset.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string tex_of(const std::string& plain) {
  return latex_text(plain).tex;
}

TEST(LatexText, SetsNumbersAsMathematics) {
  EXPECT_EQ(tex_of("1.751e-03 ± 6e-14"), "$1.751\\times10^{-3} \\pm 6\\times10^{-14}$");
  EXPECT_EQ(tex_of("-0.41"), "$-0.41$");
  EXPECT_EQ(tex_of("+3.000e-04"), "$+3.000\\times10^{-4}$");
  EXPECT_EQ(tex_of("1e-05"), "$10^{-5}$");
  EXPECT_EQ(tex_of("5.120e+00"), "$5.120$") << "no power 0 of ten";
  EXPECT_EQ(tex_of("1e300"), "$10^{300}$");
  EXPECT_EQ(tex_of("0.01 – 0.0001 (5 of 5)"), "$0.01$ -- $0.0001$ ($5$ of $5$)");
  EXPECT_EQ(tex_of("2.00 / 2"), "$2.00/2$");
  EXPECT_EQ(tex_of("2.00 / none"), "$2.00$ / none");
  EXPECT_EQ(tex_of("-"), "--") << "a number that is not there";
}

TEST(LatexText, SetsSymbolsAsMathematics) {
  EXPECT_EQ(tex_of("t > 0.5"), "$t > 0.5$") << "in the text fonts > is an upside-down ?";
  EXPECT_EQ(tex_of("K ε^2"), "$K\\,\\varepsilon^{2}$");
  EXPECT_EQ(tex_of("ε^-1.5"), "$\\varepsilon^{-1.5}$");
  EXPECT_EQ(tex_of("‖G v‖"), "$\\|G\\,v\\|$");
  EXPECT_EQ(tex_of("K* + P"), "$K^{*} + P$");
  EXPECT_EQ(tex_of("λ error"), "$\\lambda$ error");
  EXPECT_EQ(tex_of("for ε → 0"), "for $\\varepsilon \\to 0$");
  EXPECT_EQ(tex_of("Λ(0) = 2"), "$\\Lambda(0) = 2$");
  EXPECT_EQ(tex_of("|Δq|"), "$|\\Delta q|$") << "a blank ends the name of a macro";
  EXPECT_EQ(tex_of("q sup all t ≤ 10 ε^2.5"), "$q$ sup all $t \\le 10\\,\\varepsilon^{2.5}$");
  EXPECT_EQ(tex_of("T >= mu0"), "$T \\ge \\mu_0$");
  EXPECT_EQ(tex_of("10⁻³ Gᵀλ"), "$10^{-3}\\,G^{T}\\lambda$");
}

TEST(LatexText, KeepsWordsNamesAndUnits) {
  EXPECT_EQ(tex_of("plain text, cvode_bdf / ida"), "plain text, cvode\\_bdf / ida");
  EXPECT_EQ(tex_of("don't take a part of e.g. this"), "don't take a part of e.g. this");
  EXPECT_EQ(tex_of("p [N s]"), "$p$ [N s]");
  EXPECT_EQ(tex_of("9.81 m/s^2"), "$9.81$ m/s${}^{2}$");
  EXPECT_EQ(tex_of("2D, 3f2a-4b1c and 1.2.3"), "2D, 3f2a-4b1c and 1.2.3");
  EXPECT_EQ(tex_of("pre-asymptotic"), "pre-asymptotic");
}

TEST(LatexText, EscapesSpecialCharacters) {
  EXPECT_EQ(tex_of("a_b & 50% $x$ #1 {y}"),
            "a\\_b \\& $50$\\% \\char36{}$x$\\char36{} \\#$1$ \\{$y$\\}");
  EXPECT_EQ(tex_of("\\"), "\\textbackslash{}") << "its own braces are not escaped again";
  EXPECT_EQ(tex_of("~^"), "\\textasciitilde{}\\textasciicircum{}");
  EXPECT_EQ(tex_of("x^2^3"), "$x^{2}{}^{3}$") << "TeX refuses a double superscript";
  EXPECT_EQ(tex_of("--?`"), "-{}-?{}`") << "drawn together they would be other characters";
  EXPECT_EQ(tex_of("中"), "[U+4E2D]") << "the default fonts have no such character";
}

TEST(LatexText, BreaksLongWords) {
  EXPECT_EQ(tex_of("exponential_rosenbrock").find("\\allowbreak"), std::string::npos);
  EXPECT_LT(latex_text(std::string(5000, 'x')).longest, 100.0);
  EXPECT_LT(latex_text(std::string(5000, '<')).longest, 100.0);
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
    std::vector<Cell> cells{{"radau_iia_7 / radau_iia_5"}, {"sup"}, {"3.162e-03"}};
    for (std::size_t k = 0; k < numbers; ++k) cells.push_back({"-1.234e-05 ± 3e-14"});
    cells.push_back(
        {row % 2 == 0 ? "" : "q failed: max_steps, v solver_limited, λ solver_limited"});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

TEST(LatexTable, IsABooktabsTabularWithCaptionLabelAndEqualColumns) {
  TextTable table = wide_table(2, 1);
  table.rows[1][0].text = "a & b";
  const std::string tex = latex_table(table, {.text = "Errors at t > 0.5", .label = "tab:mine"});
  EXPECT_THAT(tex, HasSubstr("\\caption{Errors at $t > 0.5$}\\label{tab:mine}"));
  for (const char* rule : {"\\toprule", "\\midrule", "\\bottomrule"})
    EXPECT_THAT(tex, HasSubstr(rule));
  int lines = 0;
  for (const std::string& line : test::split(tex, '\n')) {
    if (!line.ends_with("\\\\")) continue;
    ++lines;
    EXPECT_EQ(std::ranges::count(test::text_outside_maths(line), '&'), 3) << line;
  }
  EXPECT_EQ(lines, 3) << "the header and two rows; the norm is the same in all";
  EXPECT_THAT(tex, HasSubstr("norm sup"));
}

TEST(LatexTable, IsNoWiderThanThePage) {
  for (const std::size_t numbers : {1U, 2U, 4U, 9U})
    for (const double width : {345.0, 240.0, 500.0})
      for (const double part : latex_table_widths(wide_table(5, numbers), width))
        EXPECT_LE(part, width) << numbers << " numbers";
  EXPECT_EQ(latex_table_widths(wide_table(5, 1), 1000.0).size(), 1u);
  EXPECT_GT(latex_table_widths(wide_table(5, 9)).size(), 2u) << "nine do not fit side by side";
}

TEST(LatexTable, IsSplitInsideAGroupThatIsTooWide) {
  TextTable table = wide_table(3, 5);
  table.breaks = {3};
  for (const double part : latex_table_widths(table)) EXPECT_LE(part, article_width);
}

TEST(LatexTable, OmitsEmptyColumns) {
  TextTable table = wide_table(1, 1);  // one row without flags
  EXPECT_THAT(latex_table(table, {.text = "", .label = ""}), Not(HasSubstr("flags")));
}

TEST(LatexTable, RepeatsTheKeysInEveryPart) {
  const std::string tex = latex_table(wide_table(3, 9), {.text = "x", .label = ""});
  const auto count = [&](const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = tex.find(what, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  EXPECT_EQ(count("$\\varepsilon$ &"), count("\\begin{tabular}"));
  EXPECT_EQ(count("error $8$ of $\\lambda$"), 1u);
  EXPECT_EQ(count("\\caption"), 1u);
}

TEST(LatexTable, IsALongtableIfItHasManyRows) {
  EXPECT_THAT(latex_table(wide_table(100, 1), {.text = "x", .label = ""}),
              HasSubstr("\\begin{longtable}"));
  EXPECT_THAT(latex_table(wide_table(10, 1), {.text = "x", .label = ""}),
              Not(HasSubstr("longtable")));
}

TEST(LatexPackages, AreThePackagesOfTheTable) {
  EXPECT_EQ(latex_packages(latex_table(wide_table(2, 1), {.text = "", .label = ""}, 1000.0)),
            "\\usepackage{booktabs}");
  EXPECT_EQ(latex_packages(latex_table(wide_table(100, 1), {.text = "", .label = ""})),
            "\\usepackage{array,booktabs,longtable}");
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
      if (line.starts_with("\\") && line.find("p{") != std::string::npos) continue;  // columns
      EXPECT_EQ(test::text_outside_maths(line).find_first_of("<>|^"), std::string::npos) << line;
      for (const char* symbol : {"ε", "λ", "Λ", "±", "≤", "‖", "−", "→", "ζ", "μ"})
        EXPECT_THAT(line, Not(HasSubstr(symbol)));
    }
  // Negative control: a line of a former report.
  EXPECT_NE(test::text_outside_maths("sup & t > 0.5 & 1.000e-01").find('>'), std::string::npos);
}

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
      body += latex_table(wide_table(rows, numbers), {.text = "t > 0.5", .label = ""}) +
              "\\clearpage\n";
  EXPECT_THAT(
      test::complaints_of_latex(test::latex_log(body, "\\usepackage{array,booktabs,longtable}")),
      IsEmpty());
  // Negative control: LaTeX reports a wide table and an unknown macro.
  const std::string wide = latex_table(wide_table(3, 4), {.text = "", .label = ""}, 600.0);
  EXPECT_THAT(test::complaints_of_latex(test::latex_log(wide, latex_packages(wide))),
              Not(IsEmpty()));
  EXPECT_THAT(test::complaints_of_latex(test::latex_log("\\nonsense", "")), Not(IsEmpty()));
}

TEST(LatexText, WidthIsThatOfLatexOrATenthMore) {
  if (const std::string why = test::why_no_latex(); !why.empty()) GTEST_SKIP() << why;
  const std::vector<std::string> samples{"1.751e-03 ± 6e-14",
                                         "t > 0.5",
                                         "‖G v‖",
                                         "K* + P",
                                         "q: K ε^2",
                                         "|ratio − 1| falls with",
                                         "0.01 – 0.0001 (5 of 5)",
                                         "solver error of q sup all t ≤ 1e-08",
                                         "q sup all t ≤ 10 ε^2.5 for ε ≤ 0.01",
                                         "radau_iia_7 / radau_iia_5",
                                         "measured/predicted",
                                         "mass = 1 kg, gravity = 9.81 m/s^2",
                                         "T = 2 s, Λ(0) = (1.5, -0.2)",
                                         "confirmed, pre-asymptotic, floor-limited",
                                         "viscoelastic, exponential_rosenbrock",
                                         "the compliant motion at ε = 0.001",
                                         "+3.000e-04",
                                         "order of q",
                                         "5e-324"};
  std::string body = "\\newdimen\\wide\n";
  for (std::size_t k = 0; k < samples.size(); ++k)
    body += fmt::format("\\settowidth{{\\wide}}{{{}}}\\typeout{{WIDTH {} \\the\\wide}}\n",
                        tex_of(samples[k]), k);
  std::size_t measured = 0;
  std::istringstream lines(test::latex_log(body + "x", ""));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    std::size_t k = 0;
    double width = 0.0;
    if (!(words >> word >> k >> width) || word != "WIDTH" || k >= samples.size()) continue;
    ++measured;
    EXPECT_GE(latex_text(samples[k]).width, width - 0.1) << samples[k];
    EXPECT_LE(latex_text(samples[k]).width, 1.1 * width + 2.0) << samples[k];
  }
  EXPECT_EQ(measured, samples.size());
}

}  // namespace
}  // namespace rigidlimit
