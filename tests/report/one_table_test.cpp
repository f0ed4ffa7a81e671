// A number is told once: each column of each table of each kind of result has its place in data and
// in texts.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/run_benchmark.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/report/chosen_tables.hpp"
#include "rigidlimit/report/document.hpp"
#include "support/csv_fields.hpp"
#include "support/report_texts.hpp"
#include "support/sample_benchmark.hpp"
#include "support/sample_friction.hpp"
#include "support/sample_result.hpp"

namespace rigidlimit {
namespace {

/// A result of each kind.
const std::vector<Result>& reports() {
  static const std::vector<Result> all{
      in_tables(test::sample_result()), in_tables(run_friction_study(test::sample_friction())),
      in_tables(run_benchmark(test::benchmark_from(test::sample_benchmark_text))),
      in_tables(run_benchmark(test::equal_steps({"radau_iia_3"}), test::logistic(1.0)))};
  return all;
}

/// Whether a text of the table shows this column, if it is asked for by name.
bool is_in_texts(const Result& report, const Table& table, const Column& column) {
  View view{.key = "all", .caption = "", .table = table.name(), .columns = {column.name}};
  const TextTable text = text_table(table, view);
  return text.headers == std::vector{column.header} && text.rows.size() == table.size() &&
         report.find(table.name()) != nullptr;
}

const nlohmann::json* member(const nlohmann::json& object, const std::string& name) {
  const nlohmann::json* at = &object;
  for (const std::string& part : test::split(name, '.')) {
    if (!at->is_object() || !at->contains(part)) return nullptr;
    at = &at->at(part);
  }
  return at;
}

TEST(Columns, AreAllInDataAndInTexts) {
  int columns = 0;
  std::vector<std::string> one_sided;
  for (const Result& report : reports()) {
    const auto document = nlohmann::json::parse(json_text(report));
    for (const Table& table : report.tables) {
      const nlohmann::json* const rows = member(document, table.name());
      const auto names = test::csv_fields(csv_header(table)).front();
      for (const Column& column : table.columns()) {
        ++columns;
        const bool in_json = table.kept() == Kept::in_files || table.empty() || column.optional ||
                             (rows != nullptr && member(rows->at(0), column.name) != nullptr);
        const bool in_csv = names.size() == table.common().size() + table.columns().size();
        if (!in_json || !in_csv || !is_in_texts(report, table, column))
          one_sided.push_back(fmt::format("{} {}.{}", report.kind, table.name(), column.name));
      }
    }
  }
  EXPECT_GT(columns, 300);
  EXPECT_THAT(one_sided, testing::IsEmpty());
}

// A view shows columns of its table alone: each text comes from a value that data files have.
TEST(Views, ShowColumnsOfTheirTable) {
  for (const Result& report : reports())
    for (const View& view : report.views) {
      if (report.find(view.table) == nullptr) continue;
      EXPECT_NO_THROW(shown(report, view)) << report.kind << " " << view.key;
    }
}

// Every table can be exported by its name, with any of its columns.
TEST(Tables, AreExportedByNameWithAnyColumn) {
  for (const Result& report : reports())
    for (const Table& table : report.tables) {
      if (table.empty()) continue;
      SCOPED_TRACE(report.kind + " " + table.name());
      EXPECT_NO_THROW(formatted_tables({report}, Format::json, {.table = table.name()}, {}, false));
    }
  EXPECT_THROW(formatted_tables({reports().front()}, Format::json, {.table = "colours"}, {}, false),
               InputError);
}

}  // namespace
}  // namespace rigidlimit
