// Tests the selection of tables of a study in every format.
#include "rigidlimit/report/chosen_tables.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "support/csv_fields.hpp"
#include "support/report_texts.hpp"
#include "support/sample_friction.hpp"
#include "support/sample_result.hpp"
#include "support/typeset.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string tables(Format format, const TableChoice& choice, const TableLayout& layout = {}) {
  return formatted_tables({in_tables(test::sample_result())}, format, choice, layout, false);
}

std::string complaint(Format format, const TableChoice& choice, const TableLayout& layout = {}) {
  try {
    tables(format, choice, layout);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

/// The keys of the tables in LaTeX.
std::vector<std::string> keys_of(const TableChoice& choice) {
  std::vector<std::string> keys;
  const std::string tex = tables(Format::latex, choice), label = "\\label{tab:sample:";
  for (std::size_t at = 0; (at = tex.find(label, at)) != std::string::npos; at += label.size()) {
    const std::size_t from = at + label.size();
    keys.push_back(tex.substr(from, tex.find('}', from) - from));
  }
  return keys;
}

TEST(ChosenViews, HaveDistinctKeys) {
  std::set<std::string> keys;
  for (const View& view : in_tables(test::sample_result()).views)
    EXPECT_TRUE(keys.insert(view.key).second) << view.key;
  EXPECT_THAT(keys,
              testing::IsSupersetOf({"rigid", "errors-sup-all", "errors-sup-after", "orders"}));
}

TEST(ChosenViews, HaveOnlyTheColumnsOfTheQuantity) {
  const auto lines = test::split(
      tables(Format::markdown, {.table = "errors", .quantity = "v", .window = "all"}), '\n');
  ASSERT_EQ(lines.size(), 10u) << "caption, header, rule, five ε and blank lines";
  EXPECT_EQ(lines[2], "| ε | v error | order | steps |");
}

TEST(ChosenViews, ShowASelectedNormWithoutAnExpectation) {
  EXPECT_EQ(keys_of({.table = "errors"}).size(), 2u) << "sup over both windows";
  EXPECT_EQ(keys_of({.table = "errors", .norm = "l2"}).size(), 2u);
  EXPECT_EQ(keys_of({.table = "orders", .norm = "l2"}).size(), 1u);
  EXPECT_THAT(complaint(Format::table, {.table = "bounds"}), HasSubstr("no table"))
      << "the study has none";
  EXPECT_THAT(complaint(Format::table, {.table = "errors", .solver = "radau_iia"}),
              AllOf(HasSubstr("--solver: "), HasSubstr("cvode_bdf")));
}

// The orders of `run`, with measured / predicted; the fits have a kind of their own.
TEST(ChosenViews, OfOrdersAreThoseThatRunPrints) {
  const std::string orders = tables(Format::table, {.table = "orders"});
  EXPECT_THAT(orders, AllOf(testing::StartsWith("Orders"), HasSubstr("measured/predicted"),
                            HasSubstr("at ε"), Not(HasSubstr("over ε"))));
  // The brief text of a run moves columns of one text to the caption.
  const std::string brief = brief_text(in_tables(test::sample_result()), false);
  for (const char* header : {"fitted order", "expected", "measured/predicted", "at ε", "verdict"}) {
    EXPECT_THAT(brief, HasSubstr(header));
    EXPECT_THAT(orders, HasSubstr(header));
  }
  const std::string fitted = tables(Format::table, {.table = "orders-fitted"});
  EXPECT_THAT(fitted, AllOf(testing::StartsWith("Fitted orders"), HasSubstr("over ε"),
                            Not(HasSubstr("measured/predicted"))));
}

TEST(FormattedTables, InLatexAreFloatsWithTheirPackagesInAComment) {
  const std::string tex = tables(Format::latex, {.table = "orders"},
                                 {.caption = "Orders for t > 0", .label = "tab:mine"});
  EXPECT_THAT(tex, testing::StartsWith("% needs \\usepackage{"));
  EXPECT_THAT(tex, AllOf(HasSubstr("\\begin{table}"), HasSubstr("% sample, study "),
                         HasSubstr("\\caption{Orders for $t > 0$. Solver: "),
                         HasSubstr("}\\label{tab:mine}"), Not(HasSubstr("itemize"))));
  EXPECT_THAT(tables(Format::latex, {.table = "errors"}),
              AllOf(HasSubstr("\\label{tab:sample:errors-sup-all}"),
                    HasSubstr("\\label{tab:sample:errors-sup-after}")));
}

TEST(FormattedTables, CompileInArticleWithTheNamedPackages) {
  if (const std::string why = test::why_no_latex(); !why.empty()) GTEST_SKIP() << why;
  const std::string tex = tables(Format::latex, {.norm = "sup"});
  const std::string needs = tex.substr(8, tex.find('\n') - 8);  // after "% needs "
  EXPECT_THAT(test::complaints_of_latex(test::latex_log(tex, needs)), testing::IsEmpty());
}

TEST(FormattedTables, InCsvAreTheSelectedRows) {
  const std::string csv =
      tables(Format::csv, {.quantity = "lambda", .norm = "l2", .window = "after"});
  const auto lines = test::split(csv, '\n');
  ASSERT_EQ(lines.size(), 6u) << "the header and five ε";
  EXPECT_EQ(lines[0] + "\n", test::csv_header());
  for (std::size_t k = 1; k < lines.size(); ++k)
    EXPECT_THAT(lines[k], HasSubstr(",lambda,l2,after,"));
  EXPECT_THAT(tables(Format::csv, {.table = "orders", .quantity = "q", .norm = "sup"}),
              AllOf(HasSubstr(",order,standard_error,"), HasSubstr(",q,sup,after,")));
}

TEST(FormattedTables, InJsonAreTheSelectedParts) {
  const auto json = nlohmann::json::parse(
      tables(Format::json, {.table = "orders", .quantity = "q", .norm = "sup"}));
  EXPECT_EQ(json["name"], "sample");
  EXPECT_EQ(json["series"].size(), 2u) << "two windows";
  EXPECT_FALSE(json.contains("errors"));
}

TEST(FormattedTables, OnATerminalAndInMarkdownHaveTheirCaption) {
  const TableChoice choice{.table = "orders"};
  EXPECT_THAT(tables(Format::table, choice, {.caption = "Mine"}), testing::StartsWith("Mine"));
  EXPECT_THAT(tables(Format::markdown, choice, {.caption = "Mine"}),
              testing::StartsWith("**Mine. Solver: "));
}

TEST(FormattedTables, RefuseACaptionForSeveralAndListThem) {
  EXPECT_THAT(complaint(Format::latex, {.table = "errors"}, {.caption = "x"}),
              AllOf(HasSubstr("--caption: "), HasSubstr("errors-sup-after, errors-sup-all"),
                    HasSubstr("--window")));
  EXPECT_THAT(complaint(Format::csv, {}, {.caption = "x"}), HasSubstr("--caption: "));
  EXPECT_THAT(complaint(Format::markdown, {}, {.label = "x"}), HasSubstr("--label: "));
  EXPECT_NE(complaint(Format::latex, {.table = "bounds"}), "nothing");
}

TEST(FormattedTables, HaveOnlyTheSelectedColumnsAndRows) {
  const TableChoice choice{.table = "errors", .window = "all"};
  const auto all = test::split(tables(Format::markdown, choice), '\n');
  ASSERT_EQ(all.size(), 10u) << "caption, header, rule, five ε and blank lines";
  const std::string epsilon = test::split(all[6], ' ').at(1);
  const auto lines = test::split(
      tables(Format::markdown, choice, {.columns = {"v error"}, .rows = epsilon}), '\n');
  ASSERT_EQ(lines.size(), 6u) << "one row with " << epsilon;
  EXPECT_EQ(lines[2], "| ε | v error |") << "the key column stays";
  EXPECT_THAT(lines[4], testing::StartsWith("| " + epsilon + " |"));
  EXPECT_EQ(std::ranges::count(lines[4], '|'), 3) << lines[4];
  EXPECT_THAT(complaint(Format::table, choice, {.columns = {"w error"}}),
              AllOf(HasSubstr("--columns: "), HasSubstr("v error")));
  EXPECT_NE(complaint(Format::table, choice, {.rows = "no such text"}), "nothing");
  // A column of the data that pages leave out.
  EXPECT_THAT(tables(Format::markdown, choice, {.columns = {"rejected_steps"}}),
              HasSubstr("| ε | q rejected steps | v rejected steps | λ rejected steps |"));
  EXPECT_THAT(tables(Format::markdown, {.table = "rigid"}, {.columns = {"energy_work"}}),
              HasSubstr("| solver | energy work |"));
  EXPECT_THAT(complaint(Format::json, choice, {.rows = "e-03"}), HasSubstr("--rows: "));
}

TEST(FormattedTables, AreSelectedByTheirKeyFromAReportOfAnyKind) {
  const Result report = in_tables(run_friction_study(test::sample_friction()));
  const auto of = [&](Format format, const std::string& table) -> std::string {
    try {
      return formatted_tables({report}, format, {.table = table}, {}, false);
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(of(Format::table, "steps"), Not(HasSubstr("modes after")));
  EXPECT_THAT(of(Format::table, "events"), HasSubstr("modes after"));
  EXPECT_THAT(of(Format::latex, "errors"), HasSubstr("\\label{tab:" + report.name + ":errors-"));
  EXPECT_THAT(of(Format::table, "event"), AllOf(HasSubstr("--table: "), HasSubstr("'events'")));
  EXPECT_THAT(of(Format::csv, "events"), testing::StartsWith("study,event,t,kind,"));
}

}  // namespace
}  // namespace rigidlimit
