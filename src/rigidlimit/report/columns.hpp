// Tables whose columns are declared once: for texts and for data files.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// A column of a table with a line for each `Row`.
template <class Row>
struct Column {
  /// No header: in data files alone. No field: in texts alone. A format, "{:.3e}", makes a column
  /// of numbers, aligned to the right.
  Column(std::string name, std::optional<std::string> title, std::function<Value(const Row&)> of,
         std::string number = "", std::function<Tone(const Row&)> emphasis = nullptr)
      : field(std::move(name)),
        header(std::move(title)),
        value(std::move(of)),
        format(std::move(number)),
        tone(std::move(emphasis)) {}

  std::string field;                  ///< in CSV, JSON and SQL
  std::optional<std::string> header;  ///< in texts, with its unit
  std::function<Value(const Row&)> value;
  std::string format;                    ///< of numbers in texts
  std::function<Tone(const Row&)> tone;  ///< of a cell; empty: plain
};

template <class Row>
using Columns = std::vector<Column<Row>>;

/// The counters of a solve in data files.
inline constexpr std::array<std::pair<const char*, long Work::*>, 6> work_counters{
    {{"steps", &Work::steps},
     {"rejected_steps", &Work::rejected_steps},
     {"rhs_evaluations", &Work::rhs_evaluations},
     {"jacobian_evaluations", &Work::jacobian_evaluations},
     {"factorisations", &Work::factorisations},
     {"newton_iterations", &Work::newton_iterations}}};

/// A count of a solve: nothing, if it is unknown.
inline Value count_value(long count) {
  return count < 0 ? Value() : Value(count);
}

/// The format of counts in texts: unknown ones are "?".
inline constexpr const char* of_counts = "{:d}";

/// The count as text: "?" if it is unknown.
std::string count_text(long count);

/// A number in this format, several joined by commas, "yes" or "no", or the text; "-" for nothing
/// and for NaN.
std::string shown(const Value& value, const std::string& format);

/// The columns, and those of the counters of a solve: "work.steps", …
template <class Row>
Columns<Row> with_work(Columns<Row> columns, Work Row::*work) {
  for (const auto& [name, count] : work_counters)
    columns.push_back({std::string("work.") + name, {}, [work, counter = count](const Row& row) {
                         return count_value(row.*work.*counter);
                       }});
  return columns;
}

/// The table of texts. The first `keys` columns identify a line.
template <class Row>
TextTable text_table(const Columns<Row>& columns, std::type_identity_t<std::span<const Row>> rows,
                     std::size_t keys = 1) {
  TextTable table{.headers = {}, .left_aligned = {}, .rows = {}, .keys = keys};
  for (const Column<Row>& column : columns) {
    if (!column.header) continue;
    table.headers.push_back(*column.header);
    table.left_aligned.push_back(column.format.empty());
  }
  for (const Row& row : rows) {
    auto& cells = table.rows.emplace_back();
    for (const Column<Row>& column : columns)
      if (column.header)
        cells.push_back({shown(column.value(row), column.format),
                         column.tone ? column.tone(row) : Tone::plain});
  }
  return table;
}

template <class Row>
Record record_of(const Columns<Row>& columns, const Row& row) {
  Record record;
  for (const Column<Row>& column : columns)
    if (!column.field.empty()) record.push_back({column.field, column.value(row)});
  return record;
}

/// The table of data files, whose records are made when they are read.
template <class Row>
DataTable data_table(std::string name, Record of_all, Columns<Row> columns,
                     std::shared_ptr<const std::vector<Row>> rows) {
  Record names;
  for (const Column<Row>& column : columns)
    if (!column.field.empty()) names.push_back({column.field, {}});
  return {std::move(name), std::move(of_all), std::move(names),
          Records(std::move(rows), [columns = std::move(columns)](const Row& row) {
            return record_of(columns, row);
          })};
}
template <class Row>
DataTable data_table(std::string name, Record of_all, Columns<Row> columns, std::vector<Row> rows) {
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): a shared_ptr owns the rows
  return data_table(std::move(name), std::move(of_all), std::move(columns),
                    std::make_shared<const std::vector<Row>>(std::move(rows)));
}

}  // namespace rigidlimit
