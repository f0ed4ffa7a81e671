#include "rigidlimit/report/chosen_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/provenance.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/latex.hpp"

namespace rigidlimit {

namespace {

/// Options that choose rows by the value of a column.
struct RowChoice {
  const char* option;
  const char* column;
  std::string TableChoice::*value;
};
constexpr std::array row_choices{RowChoice{"--quantity", "quantity", &TableChoice::quantity},
                                 RowChoice{"--norm", "norm", &TableChoice::norm},
                                 RowChoice{"--window", "window", &TableChoice::window},
                                 RowChoice{"--law", "law", &TableChoice::law},
                                 RowChoice{"--solver", "compliant_solver", &TableChoice::solver}};

/// Keeps the rows with this value, of the tables that have the column. Throws InputError if none
/// has the value.
void keep_rows(Result& report, const RowChoice& by, const std::string& value) {
  std::set<std::string> known;
  for (Table& table : report.tables) {
    const Column* const column = table.find(by.column);
    if (column == nullptr) continue;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < table.size(); ++row) {
      const std::string text = shown(column->value(row), "");
      known.insert(text);
      if (text == value) rows.push_back(row);
    }
    table = table.with_rows(std::move(rows));
  }
  if (known.empty())
    throw InputError(fmt::format("no table of {} has a {}", report.name, by.column), by.option);
  if (!known.contains(value))
    throw InputError(fmt::format("'{}' is not in this study{}", value,
                                 suggestion(value, {known.begin(), known.end()})),
                     fmt::format("{}: {}", report.name, by.option));
}

Result chosen(Result report, const TableChoice& choice) {
  for (const RowChoice& by : row_choices)
    if (const std::string& value = choice.*by.value; !value.empty()) keep_rows(report, by, value);
  return report;
}

/// "errors" of "errors-sup-all".
std::string kind_of(const View& view) {
  return view.key.substr(0, view.key.find('-'));
}

/// The views of a page that match, with a kind also those of the brief text and of details, and
/// with a norm those that pages leave out. A view whose key is the kind, such as the orders that
/// `run` prints, stands for all of the kind. Without such a view all columns of the table of that
/// name.
std::vector<View> chosen_views(const Result& report, const TableChoice& choice) {
  std::vector<View> views;
  std::set<std::string> known;
  for (View view : report.views) {
    const bool is_hidden = !view.on_page && !view.in_brief;
    const bool is_of_kind = !choice.table.empty() && (view.in_brief || view.in_details);
    if (!view.on_page && !is_of_kind && (!is_hidden || choice.norm.empty())) continue;
    known.insert(kind_of(view));
    if (!choice.norm.empty() && kind_of(view) == "orders" && view.table == "series") view.rows = {};
    if (choice.table.empty() || view.key == choice.table ||
        view.key.starts_with(choice.table + "-"))
      views.push_back(std::move(view));
  }
  const auto is_shown = [&](const View& view) { return shown(report, view).has_value(); };
  const auto exact = std::ranges::find(views, choice.table, &View::key);
  if (exact != views.end() && is_shown(*exact)) views = {View(*exact)};
  const Table* const table = choice.table.empty() ? nullptr : report.find(choice.table);
  if (table != nullptr && std::ranges::none_of(views, is_shown))
    views = {
        {.key = table->name(), .caption = caption_of_name(table->name()), .table = table->name()}};
  for (const Table& one : report.tables) known.insert(one.name());
  if (!choice.table.empty() && views.empty())
    throw InputError(fmt::format("'{}' is not a table of {}{}", choice.table, report.name,
                                 suggestion(choice.table, {known.begin(), known.end()})),
                     "--table");
  return views;
}

/// The tables behind views, once.
std::vector<Table> tables_behind(const Result& report, const std::vector<View>& views) {
  std::vector<Table> tables;
  for (const View& view : views)
    if (const Table* const table = report.find(view.table);
        table != nullptr && !table->empty() &&
        std::ranges::find(tables, table->name(), &Table::name) == tables.end())
      tables.push_back(*table);
  return tables;
}

std::string csv_tables(const std::vector<Result>& reports, const TableChoice& choice) {
  std::vector<Table> tables;
  for (const Result& report : reports)
    if (choice.table.empty())
      tables.push_back(report.tables.front());
    else
      std::ranges::move(tables_behind(report, chosen_views(report, choice)),
                        std::back_inserter(tables));
  return csv_text(tables);
}

std::string json_tables(const std::vector<Result>& reports, const TableChoice& choice) {
  std::string text;
  for (const Result& report : reports) {
    Document document;
    document.head.push_back({"name", report.name});
    std::ranges::copy_if(report.facts, std::back_inserter(document.head),
                         [](const Field& field) { return field.name.starts_with("system."); });
    if (choice.table.empty()) {
      for (const Table& table : report.tables)
        if (table.kept() != Kept::in_files) document.tables.push_back(table);
    } else {
      document.tables = tables_behind(report, chosen_views(report, choice));
    }
    text += json_text(document);
  }
  return text;
}

std::string provenance_comment(const Result& report) {
  std::string version;
  for (const auto& [key, value] : build_provenance())
    if (key == "version") version = value;
  return fmt::format("% {}, {} {}: rigidlimit {}\n", report.name,
                     report.kind == "benchmark" ? "benchmark" : "study",
                     content_hash(report.resolved), version);
}

struct StudyTable {
  std::string study;
  std::string comment;  ///< for LaTeX, about the study
  CaptionedTable table;
  std::vector<std::string> names;  ///< of the columns of the table behind it
};

/// A header in letters of any keyboard: "eps", "lambda error".
std::string typed(std::string header) {
  for (const auto& [symbol, letters] :
       {std::pair("ε", "eps"), std::pair("λ", "lambda"), std::pair("Λ", "Lambda"),
        std::pair("−", "-"), std::pair("→", "->"), std::pair("‖", "|")})
    for (std::size_t at = 0; (at = header.find(symbol, at)) != std::string::npos;)
      header.replace(at, std::string_view(symbol).size(), letters);
  return header;
}

/// Keeps the key columns and those whose header `is_wanted`.
void keep_columns(TextTable& table, const std::function<bool(const std::string&)>& is_wanted) {
  TextTable kept{.headers = {}, .left_aligned = {}, .rows = {}, .keys = table.keys};
  kept.rows.resize(table.rows.size());
  for (std::size_t k = 0; k < table.headers.size(); ++k) {
    if (std::ranges::find(table.breaks, k) != table.breaks.end())
      kept.breaks.push_back(kept.headers.size());
    if (k >= table.keys && !is_wanted(table.headers[k])) continue;
    kept.headers.push_back(table.headers[k]);
    kept.left_aligned.push_back(table.left_aligned[k]);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      if (k < table.rows[row].size()) kept.rows[row].push_back(table.rows[row][k]);
  }
  table = std::move(kept);
}

/// Adds the columns of a table that are asked for by name, and returns their headers.
std::vector<std::string> add_columns(View& view, const Table& table,
                                     const std::vector<std::string>& wanted) {
  std::vector<std::string> headers;
  for (const Column& column : table.columns()) {
    const bool is_wanted = std::ranges::find(wanted, column.name) != wanted.end() ||
                           std::ranges::find(wanted, last_name(column.name)) != wanted.end();
    if (!is_wanted) continue;
    headers.push_back(column.header);
    if (view.pivot)
      view.pivot->cells.push_back({column.name, "{} " + column.header});
    else if (!view.columns.empty() &&
             std::ranges::none_of(view.columns, [&](const ViewColumn& one) {
               return one.columns == std::vector{column.name};
             }))
      view.columns.emplace_back(column.name);
  }
  return headers;
}

/// The chosen views with the columns and rows of the layout; those without any are left out.
std::vector<StudyTable> chosen_tables_of(const Result& report, const TableChoice& choice,
                                         const TableLayout& layout) {
  std::vector<StudyTable> tables;
  const std::string comment = provenance_comment(report);
  for (View& view : chosen_views(report, choice)) {
    const Table* const table = report.find(view.table);
    if (table == nullptr) continue;
    std::vector<std::string> wanted;
    for (const std::string& column : layout.columns) wanted.push_back(typed(column));
    for (const std::string& header : add_columns(view, *table, layout.columns))
      wanted.push_back(typed(header));
    std::optional<CaptionedTable> text = shown(report, view);
    if (!text) continue;
    StudyTable& one = tables.emplace_back(StudyTable{report.name, comment, *std::move(text), {}});
    for (const std::string& header : one.table.table.headers) one.names.push_back(typed(header));
    for (const Column& column : table->columns()) one.names.push_back(column.name);
    if (wanted.empty()) continue;
    const auto is_wanted = [&](const std::string& header) {
      return std::ranges::any_of(wanted, [&](const std::string& name) {
        return typed(header) == name || (view.pivot && typed(header).ends_with(" " + name));
      });
    };
    if (std::ranges::none_of(one.table.table.headers, is_wanted))
      one.table.table.rows.clear();
    else
      keep_columns(one.table.table, is_wanted);
  }
  return tables;
}

/// Throws InputError for a column that no table has; removes rows without the text, and tables
/// without rows.
void restrict_to(std::vector<StudyTable>& tables, const TableLayout& layout) {
  std::set<std::string> known;
  for (const StudyTable& one : tables) known.insert(one.names.begin(), one.names.end());
  for (const std::string& column : layout.columns)
    if (std::ranges::none_of(known, [&](const std::string& name) {
          return name == column || name == typed(column) || last_name(name) == column;
        }))
      throw InputError(fmt::format("'{}' is not a column of these tables{}", column,
                                   suggestion(column, {known.begin(), known.end()})),
                       "--columns");
  const auto has_text = [&](const std::vector<Cell>& row) {
    return std::ranges::any_of(
        row, [&](const Cell& cell) { return cell.text.find(layout.rows) != std::string::npos; });
  };
  std::erase_if(tables, [&](StudyTable& one) {
    std::erase_if(one.table.table.rows, [&](const auto& row) { return !has_text(row); });
    return one.table.table.rows.empty();
  });
}

/// Rejects a caption for several tables.
void require_one(const std::vector<StudyTable>& tables, const TableLayout& layout) {
  if ((layout.caption.empty() && layout.label.empty()) || tables.size() == 1) return;
  std::set<std::string> keys;
  for (const StudyTable& t : tables) keys.insert(t.table.key);
  throw InputError(fmt::format("needs a single table, but {} match: {}. Restrict them with "
                               "--table, --quantity, --norm, --window, --law, --solver",
                               tables.size(), fmt::join(keys, ", ")),
                   layout.caption.empty() ? "--label" : "--caption");
}

std::string latex_tables(const std::vector<StudyTable>& tables, const TableLayout& layout) {
  std::string text, last;
  for (const auto& [study, comment, table, names] : tables) {
    if (comment != last) text += comment;
    last = comment;
    text += latex_table(
        table, {.label = layout.label.empty() ? latex_label(study, table.key) : layout.label,
                .study = layout.caption.empty() ? study : "",
                .siunitx = layout.siunitx});
  }
  return "% needs " + latex_packages(text) + "\n" + text;
}

}  // namespace

std::string formatted_tables(const std::vector<Result>& all, Format format,
                             const TableChoice& choice, const TableLayout& layout,
                             const Screen& screen) {
  const bool is_data = format == Format::csv || format == Format::json;
  for (const auto& [given, option] :
       {std::pair(!layout.caption.empty(), "--caption"),
        std::pair(!layout.columns.empty(), "--columns"), std::pair(!layout.rows.empty(), "--rows")})
    if (given && is_data)
      throw InputError("is valid only with --format table, markdown or latex", option);
  if (!layout.label.empty() && format != Format::latex)
    throw InputError("is valid only with --format latex", "--label");
  std::vector<Result> reports;
  for (const Result& report : all) reports.push_back(chosen(report, choice));
  std::vector<StudyTable> tables;
  for (const Result& report : reports)
    std::ranges::move(chosen_tables_of(report, choice, layout), std::back_inserter(tables));
  restrict_to(tables, layout);
  if (tables.empty()) throw InputError("no table of the study matches the selection");
  require_one(tables, layout);
  if (format == Format::csv) return csv_tables(reports, choice);
  if (format == Format::json) return json_tables(reports, choice);
  if (!layout.caption.empty())
    for (StudyTable& t : tables) t.table.caption = layout.caption;
  if (format == Format::latex) return latex_tables(tables, layout);
  std::string text;
  for (const StudyTable& t : tables) text += formatted(t.table, format, screen);
  return text;
}

}  // namespace rigidlimit
