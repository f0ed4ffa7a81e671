#include "rigidlimit/report/chosen_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/report/latex.hpp"
#include "rigidlimit/report/provenance.hpp"
#include "rigidlimit/report/reports.hpp"

namespace rigidlimit {

namespace {

/// The key of result.json that contains the data of a table.
std::string json_part(const std::string& table) {
  if (table == "errors" || table == "ratios") return "errors";
  if (table == "orders" || table == "coefficients" || table == "laws") return "series";
  return table;
}

std::vector<std::string> json_parts(const std::string& table) {
  if (!table.empty()) return {"name", "system", json_part(table)};
  return {"name", "system", "rigid", "energy", "series", "errors", "bounds", "steps", "growth"};
}

std::string csv_tables(const std::vector<RollingResult>& results, const TableChoice& choice) {
  if (!choice.table.empty() && json_part(choice.table) != "errors")
    throw InputError(
        fmt::format(
            "CSV has only the rows of errors; export '{}' as table, markdown, latex or json",
            choice.table),
        "--table");
  std::string text;
  for (const RollingResult& result : results) {
    const DataTable rows = report_of(chosen(result, choice)).tables.front();
    text += (text.empty() ? csv_header(rows) : "") + csv_lines(rows);
  }
  return text;
}

std::string json_tables(const std::vector<RollingResult>& results, const TableChoice& choice) {
  std::vector<Document> documents;
  for (const RollingResult& result : results)
    documents.push_back(report_of(chosen(result, choice)).document);
  return json_text(documents, json_parts(choice.table));
}

std::string provenance_comment(const RollingResult& result) {
  std::string version;
  for (const auto& [key, value] : build_provenance())
    if (key == "version") version = value;
  return fmt::format("% {}, study {}: rigidlimit {}\n", result.study.name, study_hash(result.study),
                     version);
}

struct StudyTable {
  std::string study;
  std::string comment;  ///< for LaTeX, about the study
  CaptionedTable table;
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

/// Keeps the key columns and those with these headers.
void keep_columns(TextTable& table, const std::vector<std::string>& headers) {
  TextTable kept{.headers = {}, .left_aligned = {}, .rows = {}, .keys = table.keys};
  kept.rows.resize(table.rows.size());
  for (std::size_t k = 0; k < table.headers.size(); ++k) {
    if (std::ranges::find(table.breaks, k) != table.breaks.end())
      kept.breaks.push_back(kept.headers.size());
    if (k >= table.keys && std::ranges::find(headers, typed(table.headers[k])) == headers.end())
      continue;
    kept.headers.push_back(table.headers[k]);
    kept.left_aligned.push_back(table.left_aligned[k]);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      if (k < table.rows[row].size()) kept.rows[row].push_back(table.rows[row][k]);
  }
  table = std::move(kept);
}

/// Applies the layout's columns and rows; removes tables without any of them.
void restrict_to(std::vector<StudyTable>& tables, TableLayout layout) {
  std::set<std::string> known;
  for (const StudyTable& t : tables)
    for (const std::string& header : t.table.table.headers) known.insert(typed(header));
  for (std::string& column : layout.columns) column = typed(column);
  for (const std::string& column : layout.columns)
    if (!known.contains(column))
      throw InputError(fmt::format("'{}' is not a column of these tables{}", column,
                                   suggestion(column, {known.begin(), known.end()})),
                       "--columns");
  const auto has_text = [&](const std::vector<Cell>& row) {
    return std::ranges::any_of(
        row, [&](const Cell& cell) { return cell.text.find(layout.rows) != std::string::npos; });
  };
  const auto has_column = [&](const std::string& column) {
    return std::ranges::find(layout.columns, typed(column)) != layout.columns.end();
  };
  std::erase_if(tables, [&](StudyTable& t) {
    TextTable& table = t.table.table;
    if (!layout.columns.empty() && std::ranges::none_of(table.headers, has_column)) return true;
    if (!layout.columns.empty()) keep_columns(table, layout.columns);
    std::erase_if(table.rows, [&](const auto& row) { return !has_text(row); });
    return table.rows.empty();
  });
}

/// The tables of a report of any kind with this key, or one that begins with "KEY-"; empty: all
/// with rows.
std::vector<StudyTable> tables_of(const Report& report, const std::string& key) {
  std::vector<StudyTable> tables;
  std::set<std::string> known;
  for (const auto& part : report.body)
    if (const auto* table = std::get_if<CaptionedTable>(&part)) {
      known.insert(table->key.substr(0, table->key.find('-')));
      if ((key.empty() || table->key == key || table->key.starts_with(key + "-")) &&
          !table->table.rows.empty())
        tables.push_back({report.name, fmt::format("% {}\n", report.name), *table});
    }
  if (!key.empty() && tables.empty() && !known.contains(key))
    throw InputError(fmt::format("'{}' is not a table of {}{}", key, report.name,
                                 suggestion(key, {known.begin(), known.end()})),
                     "--table");
  return tables;
}

std::vector<StudyTable> tables_of(const RollingResult& result, const TableChoice& choice) {
  const std::vector<std::string>& known = table_names();
  if (!choice.table.empty() && std::ranges::find(known, choice.table) == known.end())
    throw InputError(fmt::format("'{}' is not a table of a rolling study{}", choice.table,
                                 suggestion(choice.table, known)),
                     "--table");
  std::vector<StudyTable> tables;
  for (CaptionedTable& table : report_tables(result, choice))
    tables.push_back({result.study.name, provenance_comment(result), std::move(table)});
  return tables;
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
  for (const auto& [study, comment, table] : tables) {
    if (comment != last) text += comment;
    last = comment;
    text += latex_table(
        table.table, {.caption = layout.caption.empty() ? table.caption : layout.caption,
                      .label = layout.label.empty() ? latex_label(study, table.key) : layout.label,
                      .siunitx = layout.siunitx});
  }
  return "% needs " + latex_packages(text) + "\n" + text;
}

}  // namespace

std::string formatted_tables(const std::vector<RollingResult>& results, Format format,
                             const TableChoice& choice, const TableLayout& layout, bool colour,
                             const std::vector<Report>& others) {
  const bool is_data = format == Format::csv || format == Format::json;
  for (const auto& [given, option] :
       {std::pair(!layout.caption.empty(), "--caption"),
        std::pair(!layout.columns.empty(), "--columns"), std::pair(!layout.rows.empty(), "--rows")})
    if (given && is_data)
      throw InputError("is valid only with --format table, markdown or latex", option);
  if (!layout.label.empty() && format != Format::latex)
    throw InputError("is valid only with --format latex", "--label");
  std::vector<StudyTable> tables;
  for (const RollingResult& result : results)
    std::ranges::move(tables_of(result, choice), std::back_inserter(tables));
  for (const Report& report : others)
    std::ranges::move(tables_of(report, choice.table), std::back_inserter(tables));
  restrict_to(tables, layout);
  if (tables.empty()) throw InputError("no table of the study matches the selection");
  require_one(tables, layout);
  if (is_data && !others.empty())
    throw InputError(fmt::format("'{}' is not a rolling study: export its selected tables as "
                                 "table, markdown or latex",
                                 others.front().name),
                     "--format");
  if (format == Format::csv) return csv_tables(results, choice);
  if (format == Format::json) return json_tables(results, choice);
  if (format == Format::latex) return latex_tables(tables, layout);
  std::string text;
  for (StudyTable& t : tables) {
    if (!layout.caption.empty()) t.table.caption = layout.caption;
    text += formatted(t.table, format, colour);
  }
  return text;
}

}  // namespace rigidlimit
