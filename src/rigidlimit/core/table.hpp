// Tables of a result. A column is declared once: its name for data files, its header for people.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rigidlimit/core/value.hpp"

namespace rigidlimit {

/// Emphasis of a cell on a terminal with colours, and in HTML.
enum class Tone { plain, good, bad, doubtful, faint };

/// Use of a column in the comparison of two results.
enum class Role {
  key,    ///< identifies a row
  value,  ///< found by the program
  note    ///< a sentence or a time: not compared
};

/// A column of a table whose rows have the numbers 0, 1, ….
struct Column {
  std::string name;         ///< in JSON, and in CSV, SQL and pandas by flat_names()
  std::string header = {};  ///< for people, with its unit; empty: the name in words
  std::string format = {};  ///< of numbers, "{:.3e}", aligned to the right; empty: of texts
  Role role = Role::value;
  bool optional = false;               ///< a row without a value has no such member in JSON
  std::vector<std::string> bars = {};  ///< the columns whose sum is the error bar of the value
  std::function<Value(std::size_t row)> value;
  std::function<std::string(std::size_t row)> text = {};  ///< empty: the value in its format
  std::function<Tone(std::size_t row)> tone = {};         ///< empty: plain
};

/// Places in which a table is kept.
enum class Kept {
  everywhere,   ///< JSON, CSV and the store
  with_rows,    ///< in CSV and the store only if it has rows
  in_document,  ///< JSON alone: it describes the experiment
  in_files      ///< CSV alone: samples of motions, which the store has as such
};

/// Columns and the values of their rows, which are computed when they are read: all cells of a long
/// table would take ten times the memory of the result behind it.
class Table {
 public:
  Table() = default;
  /// `common`: fields that are equal in all rows; CSV repeats them before each row. Throws
  /// std::logic_error for a column without name, header or value, and for two of one name.
  Table(std::string name, std::vector<Column> columns, std::size_t size, Fields common = {});

  const std::string& name() const { return name_; }
  const std::vector<Column>& columns() const { return columns_; }
  const Fields& common() const { return common_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Kept kept() const { return kept_; }

  /// nullptr: there is no such column.
  const Column* find(std::string_view column) const;
  /// Throws std::out_of_range for an unknown column.
  const Column& at(std::string_view column) const;
  /// Nothing for an unknown column.
  Value value(std::size_t row, std::string_view column) const;
  /// NaN unless it is a number or a count.
  double number(std::size_t row, std::string_view column) const;
  /// A cell for people.
  std::string text(std::size_t row, std::string_view column) const;

  Table named(std::string name) &&;
  /// The rows with these numbers.
  Table with_rows(std::vector<std::size_t> rows) const;
  Table kept(Kept places) &&;

 private:
  std::string name_;
  std::vector<Column> columns_;
  std::size_t size_ = 0;
  Fields common_;
  Kept kept_ = Kept::with_rows;
};

/// The cell of a row for people.
std::string text_of(const Column& column, std::size_t row);
Tone tone_of(const Column& column, std::size_t row);

/// A number in this format, several joined by commas, "yes" or "no", or the text; "-" for nothing
/// and for NaN; "?" for an unknown count.
std::string shown(const Value& value, const std::string& format);

/// "steps" of "work.steps".
std::string last_name(std::string_view name);
/// The names of the common fields and the columns of a table in CSV, SQL and pandas: the last part,
/// or if several have that, all parts: "held", "ratio_held".
std::vector<std::string> flat_names(const Table& table);

/// The format of counts: an unknown count is "?".
inline constexpr const char* of_counts = "{:d}";
/// A count of a solve: nothing, if it is unknown.
inline Value count_value(long count) {
  return count < 0 ? Value() : Value(count);
}
std::string count_text(long count);

/// A column of rows of a type.
template <class Row>
struct ColumnOf {
  /// `of`: a member of the row or a function of it. Without a format that of its type: six digits
  /// of a number, all of a count.
  template <class Of>
  requires std::convertible_to<std::invoke_result_t<Of, const Row&>, Value> ColumnOf(
      std::string column, std::string title, Of of, std::string number = "",
      std::function<Tone(const Row&)> emphasis = nullptr)
      : name(std::move(column)),
        header(std::move(title)),
        format(std::move(number)),
        value([of](const Row& row) { return Value(std::invoke(of, row)); }),
        tone(std::move(emphasis)) {
    using Type = std::remove_cvref_t<std::invoke_result_t<Of, const Row&>>;
    if (!format.empty() || std::same_as<Type, bool>) return;
    if (std::floating_point<Type>) format = "{:.6g}";
    if (std::integral<Type>) format = "{}";
  }

  /// Cells for people are `of(row)`.
  ColumnOf said(std::function<std::string(const Row&)> of) && {
    text = std::move(of);
    return std::move(*this);
  }
  ColumnOf toned(std::function<Tone(const Row&)> of) && {
    tone = std::move(of);
    return std::move(*this);
  }
  /// Texts for people, aligned to the left, of a column of numbers.
  ColumnOf worded() && {
    format.clear();
    return std::move(*this);
  }
  /// The columns whose sum is the error bar of the value.
  ColumnOf within(std::vector<std::string> columns) && {
    bars = std::move(columns);
    return std::move(*this);
  }
  ColumnOf noted() && {
    role = Role::note;
    return std::move(*this);
  }
  ColumnOf if_any() && {
    optional = true;
    return std::move(*this);
  }

  std::string name, header, format;
  Role role = Role::value;
  bool optional = false;
  std::vector<std::string> bars;
  std::function<Value(const Row&)> value;
  std::function<std::string(const Row&)> text;
  std::function<Tone(const Row&)> tone;
};

template <class Row>
using Columns = std::vector<ColumnOf<Row>>;

/// The table of these rows, which all copies share. The first `keys` columns identify a row.
template <class Row>
Table table_of(std::string name, const Columns<Row>& columns,
               std::shared_ptr<const std::vector<Row>> rows, std::size_t keys = 1,
               Fields common = {}) {
  std::vector<Column> all;
  const auto at = [&rows](const auto& of) {
    return [rows, of](std::size_t row) { return of((*rows)[row]); };
  };
  for (const ColumnOf<Row>& of : columns) {
    Column column{.name = of.name,
                  .header = of.header,
                  .format = of.format,
                  .role = of.role,
                  .optional = of.optional,
                  .bars = of.bars,
                  .value = at(of.value)};
    if (all.size() < keys) column.role = Role::key;
    if (of.text) column.text = at(of.text);
    if (of.tone) column.tone = at(of.tone);
    all.push_back(std::move(column));
  }
  const std::size_t size = rows->size();
  return {std::move(name), std::move(all), size, std::move(common)};
}
template <class Row>
Table table_of(std::string name, const Columns<Row>& columns,
               std::type_identity_t<std::vector<Row>> rows, std::size_t keys = 1,
               Fields common = {}) {
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): a shared_ptr owns the rows
  return table_of(std::move(name), columns,
                  std::make_shared<const std::vector<Row>>(std::move(rows)), keys,
                  std::move(common));
}

/// Rows of one table, each with the same key.
struct KeyedPart {
  Fields keys;
  Table table;
};

/// The parts one below the other, with their keys as first columns; `headers` of the keys. Columns
/// that a part lacks are without a value there. Name, places and common fields are those of the
/// first part.
Table united(const std::vector<KeyedPart>& parts, const std::vector<std::string>& headers);

}  // namespace rigidlimit
