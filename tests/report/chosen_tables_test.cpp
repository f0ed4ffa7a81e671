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
  return formatted_tables({test::sample_result()}, format, choice, layout, false);
}

std::string complaint(Format format, const TableChoice& choice, const TableLayout& layout = {}) {
  try {
    tables(format, choice, layout);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(ReportTables, HaveDistinctKeys) {
  std::set<std::string> keys;
  for (const CaptionedTable& t : report_tables(test::sample_result())) {
    EXPECT_TRUE(keys.insert(t.key).second) << t.key;
    EXPECT_THAT(table_names(), testing::Contains(t.key.substr(0, t.key.find('-'))));
    EXPECT_FALSE(t.table.rows.empty()) << t.key;
  }
  EXPECT_THAT(keys,
              testing::IsSupersetOf({"rigid", "errors-sup-all", "errors-sup-after", "orders"}));
}

TEST(ReportTables, HaveOnlyTheColumnsOfTheQuantity) {
  const auto chosen_tables = report_tables(
      test::sample_result(), {.table = "errors", .quantity = Quantity::v, .window = Window::all});
  ASSERT_EQ(chosen_tables.size(), 1u);
  EXPECT_THAT(chosen_tables[0].table.headers,
              testing::ElementsAre("ε", "v error", "order", "steps", "flags"));
  EXPECT_EQ(chosen_tables[0].table.rows.size(), 5u);
}

TEST(ReportTables, ShowASelectedNormWithoutAnExpectation) {
  const auto of = [](const TableChoice& choice) {
    return report_tables(test::sample_result(), choice).size();
  };
  EXPECT_EQ(of({.table = "errors"}), 2u) << "sup over both windows";
  EXPECT_EQ(of({.table = "errors", .norm = Norm::l2}), 2u);
  EXPECT_EQ(of({.table = "orders", .norm = Norm::l2}), 1u);
  EXPECT_EQ(of({.table = "bounds"}), 0u) << "the study has none";
  EXPECT_EQ(of({.table = "errors", .solver = "radau_iia"}), 0u);
}

TEST(FormattedTables, InLatexAreFloatsWithTheirPackagesInAComment) {
  const std::string tex = tables(Format::latex, {.table = "orders"},
                                 {.caption = "Orders for t > 0", .label = "tab:mine"});
  EXPECT_THAT(tex, testing::StartsWith("% needs \\usepackage{"));
  EXPECT_THAT(tex, AllOf(HasSubstr("\\begin{table}"), HasSubstr("% sample, study "),
                         HasSubstr("\\caption{Orders for $t > 0$}\\label{tab:mine}"),
                         Not(HasSubstr("itemize"))));
  EXPECT_THAT(tables(Format::latex, {.table = "errors"}),
              AllOf(HasSubstr("\\label{tab:sample:errors-sup-all}"),
                    HasSubstr("\\label{tab:sample:errors-sup-after}")));
}

TEST(FormattedTables, CompileInArticleWithTheNamedPackages) {
  if (const std::string why = test::why_no_latex(); !why.empty()) GTEST_SKIP() << why;
  const std::string tex = tables(Format::latex, {.norm = Norm::sup});
  const std::string needs = tex.substr(8, tex.find('\n') - 8);  // after "% needs "
  EXPECT_THAT(test::complaints_of_latex(test::latex_log(tex, needs)), testing::IsEmpty());
}

TEST(FormattedTables, InCsvAreTheSelectedRows) {
  const std::string csv = tables(
      Format::csv, {.quantity = Quantity::lambda, .norm = Norm::l2, .window = Window::after});
  const auto lines = test::split(csv, '\n');
  ASSERT_EQ(lines.size(), 6u) << "the header and five ε";
  EXPECT_EQ(lines[0] + "\n", test::csv_header());
  for (std::size_t k = 1; k < lines.size(); ++k)
    EXPECT_THAT(lines[k], HasSubstr(",lambda,l2,after,"));
  EXPECT_THAT(complaint(Format::csv, {.table = "orders"}), HasSubstr("--table: "));
}

TEST(FormattedTables, InJsonAreTheSelectedParts) {
  const auto json = nlohmann::json::parse(
      tables(Format::json, {.table = "orders", .quantity = Quantity::q, .norm = Norm::sup}));
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["name"], "sample");
  EXPECT_EQ(json[0]["series"].size(), 2u) << "two windows";
  EXPECT_FALSE(json[0].contains("errors"));
}

TEST(FormattedTables, OnATerminalAndInMarkdownHaveTheirCaption) {
  const TableChoice choice{.table = "orders"};
  EXPECT_THAT(tables(Format::table, choice, {.caption = "Mine"}), testing::StartsWith("Mine\n"));
  EXPECT_THAT(tables(Format::markdown, choice, {.caption = "Mine"}),
              testing::StartsWith("**Mine**\n\n|"));
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
  const TableChoice choice{.table = "errors", .window = Window::all};
  const auto all = test::split(tables(Format::markdown, choice), '\n');
  ASSERT_EQ(all.size(), 10u) << "caption, header, rule, five ε and blank lines";
  const std::string epsilon = test::split(all[6], ' ').at(1);
  const auto lines = test::split(
      tables(Format::markdown, choice, {.columns = {"v error", "flags"}, .rows = epsilon}), '\n');
  ASSERT_EQ(lines.size(), 6u) << "one row with " << epsilon;
  EXPECT_EQ(lines[2], "| ε | v error | flags |") << "the key column stays";
  EXPECT_THAT(lines[4], testing::StartsWith("| " + epsilon + " |"));
  EXPECT_EQ(std::ranges::count(lines[4], '|'), 4) << lines[4];
  EXPECT_THAT(complaint(Format::table, choice, {.columns = {"w error"}}),
              AllOf(HasSubstr("--columns: "), HasSubstr("v error")));
  EXPECT_NE(complaint(Format::table, choice, {.rows = "no such text"}), "nothing");
  EXPECT_THAT(complaint(Format::json, choice, {.rows = "e-03"}), HasSubstr("--rows: "));
}

TEST(FormattedTables, AreSelectedByTheirKeyFromAReportOfAnyKind) {
  const Report report = report_of(run_friction_study(test::sample_friction()));
  const auto of = [&](Format format, const std::string& table) -> std::string {
    try {
      return formatted_tables({}, format, {.table = table}, {}, false, {report});
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(of(Format::table, "steps"), Not(HasSubstr("modes after")));
  EXPECT_THAT(of(Format::table, "events"), HasSubstr("modes after"));
  EXPECT_THAT(of(Format::latex, "errors"), HasSubstr("\\label{tab:" + report.name + ":errors-"));
  EXPECT_THAT(of(Format::table, "event"), AllOf(HasSubstr("--table: "), HasSubstr("'events'")));
  EXPECT_THAT(of(Format::csv, "events"), HasSubstr("--format: "));
}

}  // namespace
}  // namespace rigidlimit
