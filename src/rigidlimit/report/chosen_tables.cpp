#include "rigidlimit/report/chosen_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/report/latex.hpp"
#include "rigidlimit/report/latex_table.hpp"
#include "rigidlimit/report/provenance.hpp"
#include "rigidlimit/report/rolling_rows.hpp"

namespace rigidlimit {

namespace {

/// The key of table.json that contains the data of a table.
std::string json_part(const std::string& table) {
  if (table == "errors" || table == "ratios") return "rows";
  if (table == "orders" || table == "coefficients" || table == "laws") return "series";
  return table;
}

std::vector<std::string> json_parts(const std::string& table) {
  if (!table.empty()) return {"study", "system", json_part(table)};
  return {"study", "system", "rigid", "energy", "series", "rows", "bounds"};
}

std::string csv_tables(const std::vector<RollingResult>& results, const TableChoice& choice) {
  if (!choice.table.empty() && json_part(choice.table) != "rows")
    throw InputError(
        fmt::format(
            "CSV has only the rows of errors; export '{}' as table, markdown, latex or json",
            choice.table),
        "--table");
  std::string text;
  for (const RollingResult& result : results) {
    const DataTable rows = error_rows(chosen(result, choice));
    text += (text.empty() ? csv_header(rows) : "") + csv_lines(rows);
  }
  return text;
}

std::string json_tables(const std::vector<RollingResult>& results, const TableChoice& choice) {
  std::vector<Document> documents;
  for (const RollingResult& result : results)
    documents.push_back(document_of(chosen(result, choice)));
  return json_text(documents, json_parts(choice.table));
}

struct StudyTable {
  const RollingResult* result;
  CaptionedTable table;
};

std::vector<StudyTable> tables_of(const std::vector<RollingResult>& results,
                                  const TableChoice& choice) {
  std::vector<StudyTable> tables;
  for (const RollingResult& result : results)
    for (CaptionedTable& table : report_tables(result, choice))
      tables.push_back({&result, std::move(table)});
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

std::string provenance_comment(const RollingResult& result) {
  std::string version;
  for (const auto& [key, value] : build_provenance())
    if (key == "version") version = value;
  return fmt::format("% {}, study {}: rigidlimit {}\n", result.study.name, study_hash(result.study),
                     version);
}

std::string latex_tables(const std::vector<StudyTable>& tables, const TableLayout& layout) {
  std::string text;
  const RollingResult* last = nullptr;
  for (const auto& [result, table] : tables) {
    if (result != last) text += provenance_comment(*result);
    last = result;
    text += latex_table(
        table.table,
        {.caption = layout.caption.empty() ? table.caption : layout.caption,
         .label = layout.label.empty() ? latex_label(result->study.name, table.key) : layout.label,
         .siunitx = layout.siunitx});
  }
  return "% needs " + latex_packages(text) + "\n" + text;
}

}  // namespace

std::string formatted_tables(const std::vector<RollingResult>& results, Format format,
                             const TableChoice& choice, const TableLayout& layout, bool colour) {
  if (!layout.caption.empty() && (format == Format::csv || format == Format::json))
    throw InputError("is valid only with --format table, markdown or latex", "--caption");
  if (!layout.label.empty() && format != Format::latex)
    throw InputError("is valid only with --format latex", "--label");
  std::vector<StudyTable> tables = tables_of(results, choice);
  if (tables.empty()) throw InputError("no table of the study matches the selection");
  require_one(tables, layout);
  if (format == Format::csv) return csv_tables(results, choice);
  if (format == Format::json) return json_tables(results, choice);
  if (format == Format::latex) return latex_tables(tables, layout);
  std::string text;
  for (auto& [result, table] : tables) {
    if (!layout.caption.empty()) table.caption = layout.caption;
    text += formatted(table, format, colour);
  }
  return text;
}

}  // namespace rigidlimit
