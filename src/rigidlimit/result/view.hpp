// Views of tables for people: which columns and rows, below each other or as a pivot.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/core/table.hpp"

namespace rigidlimit {

struct Cell {
  std::string text;
  Tone tone = Tone::plain;
};

struct TextTable {
  std::vector<std::string> headers;
  std::vector<bool> left_aligned;  ///< one per column; numbers are aligned to the right
  std::vector<std::vector<Cell>> rows;
  std::size_t keys = 1;  ///< number of columns, from the left, that identify a row
  /// The columns before which a table that is too wide may be split; empty: before any column
  /// after the keys.
  std::vector<std::size_t> breaks = {};
};

/// A table of a page.
struct CaptionedTable {
  std::string key;  ///< "orders", "errors-sup-all": unique among the tables of its report
  std::string caption;
  TextTable table;
  std::vector<std::string> remarks = {};  ///< of the caption: "solver: ida", "12 of 14 rows"
};

/// A column of a text: one of the table, or several as "(1, 2, 3)".
struct ViewColumn {
  ViewColumn(const char* column) : columns{column} {}  // NOLINT(google-explicit-constructor)
  ViewColumn(std::string column)
      : columns{std::move(column)} {}  // NOLINT(google-explicit-constructor)
  /// With another header than the table's.
  ViewColumn(std::string title, std::vector<std::string> names)
      : columns(std::move(names)), header(std::move(title)) {}

  std::vector<std::string> columns;
  std::optional<std::string> header = {};  ///< of the column unless given
};

/// The rows of a table with equal keys on one line. The values of the columns `across` make groups
/// of columns, each with the same `cells`.
///
///     ε         q error             order  v error             order  steps  flags
///     1.000e-02 1.73e-04 ± 2e-09    2.00   3.10e-03 ± 4e-08    1.01   57
struct Pivot {
  /// A cell of each group: a column of the table, and its header, in which {} is the title of the
  /// group.
  struct GroupCell {
    std::string column, header;
  };
  /// A column after the groups, of the rows of a line: the text of the first or of the last that
  /// has one, or all different texts.
  enum class Of { first, last, each };
  struct Beside {
    std::string column;
    Of of = Of::first;
  };

  std::vector<std::string> across;
  std::vector<GroupCell> cells;
  std::vector<Beside> beside = {};
  std::size_t most = 0;  ///< groups, at equal distances; 0: all
  /// The title of a group, from its first row; empty: the texts of `across`, of which those after
  /// the first only if they differ between groups.
  std::function<std::string(const Table& table, std::size_t row)> title = {};
};

/// Rows of a table; empty: all.
using RowFilter = std::function<bool(const Table& table, std::size_t row)>;

/// The rows with these values.
RowFilter with_values(Fields wanted);

struct View {
  std::string key;  ///< "orders", "errors-sup-all": unique among the views of its result
  std::string caption;
  std::string table;                     ///< Table::name
  std::vector<ViewColumn> columns = {};  ///< of a pivot those that identify a line; empty: all
  std::size_t keys = 1;                  ///< of `columns`: those that identify a line
  RowFilter rows = {};
  std::string sorted_by = {};  ///< a column of numbers, the smallest first; empty: as in the table
  std::optional<Pivot> pivot = {};
  std::string says = {};  ///< a sentence below the table
  /// Pages show it, the brief text for a terminal does; `details`: pages in HTML alone.
  bool on_page = true, in_brief = false, in_details = false;
};

/// The table as texts. Throws std::out_of_range for an unknown column.
TextTable text_table(const Table& table, const View& view);
/// All columns except error bars, which the texts of their values have.
TextTable text_table(const Table& table);
/// Whether the column is the error bar of another column.
bool is_error_bar(const Table& table, const Column& column);

}  // namespace rigidlimit
