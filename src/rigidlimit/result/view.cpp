#include "rigidlimit/result/view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "rigidlimit/core/evenly_spaced.hpp"

namespace rigidlimit {

namespace {

std::vector<std::size_t> rows_of(const Table& table, const View& view) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < table.size(); ++row)
    if (!view.rows || view.rows(table, row)) rows.push_back(row);
  if (view.sorted_by.empty()) return rows;
  std::vector<double> numbers;  // NaN is last
  for (std::size_t row = 0; row < table.size(); ++row) {
    const double x = table.number(row, view.sorted_by);
    numbers.push_back(std::isnan(x) ? std::numeric_limits<double>::infinity() : x);
  }
  std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return numbers[row]; });
  return rows;
}

std::vector<ViewColumn> view_columns(const Table& table, const View& view) {
  if (!view.columns.empty()) return view.columns;
  std::vector<ViewColumn> all;
  for (const Column& column : table.columns()) all.emplace_back(column.name);
  return all;
}

void add_header(TextTable& text, std::string header, const Column& column) {
  text.headers.push_back(std::move(header));
  text.left_aligned.push_back(column.format.empty());
}

void add_headers(TextTable& text, const Table& table, const std::vector<ViewColumn>& columns) {
  for (const ViewColumn& one : columns) {
    const Column& first = table.at(one.columns.front());
    add_header(text, one.header.value_or(first.header), first);
    if (one.columns.size() > 1) text.left_aligned.back() = true;
  }
}

Cell cell_of(const Table& table, std::size_t row, const std::string& column) {
  const Column& of = table.at(column);
  return {text_of(of, row), tone_of(of, row)};
}

Cell cell_of(const Table& table, std::size_t row, const ViewColumn& column) {
  if (column.columns.size() == 1) return cell_of(table, row, column.columns.front());
  std::vector<std::string> texts;
  for (const std::string& one : column.columns) texts.push_back(table.text(row, one));
  if (std::ranges::all_of(texts, [](const std::string& text) { return text == "-"; })) return {};
  return {fmt::format("({})", fmt::join(texts, ", "))};
}

bool is_blank(const std::string& text) {
  return text.empty() || text == "-";
}

/// The rows of a table by line and group.
class Pivoted {
 public:
  Pivoted(const Table& table, const View& view)
      : table_(table), pivot_(*view.pivot), columns_(view.columns) {
    for (const std::size_t row : rows_of(table, view)) {
      const std::size_t group = place_of(groups_, values_of(row, pivot_.across), row);
      const std::size_t line = place_of(lines_, line_values(row), row);
      cells_[{line, group}].push_back(row);
    }
    shown_ = evenly_spaced(groups_.size(), pivot_.most == 0 ? groups_.size() : pivot_.most);
  }

  TextTable text(std::size_t keys) const {
    TextTable text{.headers = {}, .left_aligned = {}, .rows = {}, .keys = keys};
    add_headers(text, table_, columns_);
    for (const std::size_t group : shown_) {
      text.breaks.push_back(text.headers.size());
      for (const Pivot::GroupCell& cell : pivot_.cells)
        add_header(text, fmt::format(fmt::runtime(cell.header), title_of(group)),
                   table_.at(cell.column));
    }
    if (!pivot_.beside.empty()) text.breaks.push_back(text.headers.size());
    for (const Pivot::Beside& one : pivot_.beside) {
      const Column& column = table_.at(one.column);
      add_header(text, column.header, column);
    }
    for (std::size_t line = 0; line < lines_.size(); ++line) text.rows.push_back(cells_of(line));
    return text;
  }

 private:
  /// The values that identify a line or a group, and its first row.
  using Key = std::pair<std::vector<std::string>, std::size_t>;

  static std::size_t place_of(std::vector<Key>& all, std::vector<std::string> values,
                              std::size_t row) {
    const auto at = std::ranges::find(all, values, &Key::first);
    if (at != all.end()) return static_cast<std::size_t>(at - all.begin());
    all.emplace_back(std::move(values), row);
    return all.size() - 1;
  }

  /// The values of a row, with all their digits.
  std::vector<std::string> values_of(std::size_t row,
                                     const std::vector<std::string>& columns) const {
    std::vector<std::string> values;
    for (const std::string& column : columns)
      values.push_back(shown(table_.value(row, column), ""));
    return values;
  }
  std::vector<std::string> line_values(std::size_t row) const {
    std::vector<std::string> values;
    for (const ViewColumn& column : columns_)
      for (std::string& value : values_of(row, column.columns)) values.push_back(std::move(value));
    return values;
  }

  std::string title_of(std::size_t group) const {
    const std::vector<std::string>& values = groups_[group].first;
    const std::size_t row = groups_[group].second;
    if (pivot_.title) return pivot_.title(table_, row);
    std::string title = table_.text(row, pivot_.across.front());
    for (std::size_t k = 1; k < values.size(); ++k) {
      const bool differs = std::ranges::any_of(
          groups_, [&](const Key& other) { return other.first[k] != values[k]; });
      if (differs) title += " " + table_.text(row, pivot_.across[k]);
    }
    return title;
  }

  std::vector<Cell> cells_of(std::size_t line) const {
    std::vector<Cell> cells;
    for (const ViewColumn& column : columns_)
      cells.push_back(cell_of(table_, lines_[line].second, column));
    std::vector<std::size_t> all;
    for (std::size_t group = 0; group < groups_.size(); ++group)
      if (const auto at = cells_.find({line, group}); at != cells_.end())
        all.insert(all.end(), at->second.begin(), at->second.end());
    for (const std::size_t group : shown_) {
      const auto at = cells_.find({line, group});
      for (const Pivot::GroupCell& cell : pivot_.cells)
        cells.push_back(at == cells_.end() ? Cell{"-"}
                                           : cell_of(table_, at->second.front(), cell.column));
    }
    for (const Pivot::Beside& one : pivot_.beside) cells.push_back(cell_beside(all, one));
    return cells;
  }

  Cell cell_beside(const std::vector<std::size_t>& rows, const Pivot::Beside& one) const {
    std::vector<Cell> cells;
    for (const std::size_t row : rows)
      if (Cell cell = cell_of(table_, row, one.column); !is_blank(cell.text))
        cells.push_back(std::move(cell));
    if (cells.empty()) return {one.of == Pivot::Of::each ? "" : "-"};
    if (one.of == Pivot::Of::first) return cells.front();
    if (one.of == Pivot::Of::last) return cells.back();
    std::vector<std::string> different;
    for (const Cell& cell : cells)
      if (std::ranges::find(different, cell.text) == different.end())
        different.push_back(cell.text);
    return {fmt::format("{}", fmt::join(different, ", ")), cells.front().tone};
  }

  const Table& table_;
  const Pivot& pivot_;
  const std::vector<ViewColumn>& columns_;
  std::vector<Key> lines_, groups_;
  std::vector<std::size_t> shown_;  ///< groups
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> cells_;
};

}  // namespace

RowFilter with_values(Fields wanted) {
  return [wanted = std::move(wanted)](const Table& table, std::size_t row) {
    return std::ranges::all_of(
        wanted, [&](const Field& one) { return table.value(row, one.name) == one.value; });
  };
}

TextTable text_table(const Table& table, const View& view) {
  if (view.pivot) return Pivoted(table, view).text(view.keys);
  const std::vector<ViewColumn> columns = view_columns(table, view);
  TextTable text{.headers = {}, .left_aligned = {}, .rows = {}, .keys = view.keys};
  add_headers(text, table, columns);
  for (const std::size_t row : rows_of(table, view)) {
    auto& cells = text.rows.emplace_back();
    for (const ViewColumn& column : columns) cells.push_back(cell_of(table, row, column));
  }
  return text;
}

TextTable text_table(const Table& table) {
  View view{.key = table.name(), .caption = {}, .table = table.name()};
  for (const Column& column : table.columns())
    if (!is_error_bar(table, column)) view.columns.emplace_back(column.name);
  return text_table(table, view);
}

bool is_error_bar(const Table& table, const Column& column) {
  return std::ranges::any_of(table.columns(), [&](const Column& other) {
    return std::ranges::find(other.bars, column.name) != other.bars.end();
  });
}

}  // namespace rigidlimit
