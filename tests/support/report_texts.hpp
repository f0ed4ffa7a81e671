// The texts of the reports of a result, with one function for each format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/benchmark/benchmark_tables.hpp"
#include "rigidlimit/experiment/friction/friction_tables.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/report.hpp"
#include "support/sample_result.hpp"

namespace rigidlimit::test {

inline std::vector<Result> reports_of(const std::vector<RollingResult>& results) {
  std::vector<Result> reports;
  for (const RollingResult& result : results) reports.push_back(in_tables(result));
  return reports;
}

inline std::string formatted(const std::vector<RollingResult>& results, Format format,
                             bool colour) {
  return rigidlimit::formatted(reports_of(results), format, colour);
}

/// The view of a report with this key, whether a page shows it or not; without rows if it has none.
inline TextTable view_of(const Result& report, const std::string& key) {
  for (const View& view : report.views)
    if (view.key == key)
      if (const std::optional<CaptionedTable> table = shown(report, view)) return table->table;
  return {};
}

/// The lines of table number `which` without the header.
template <class Found>
std::string csv_rows(const Found& result, std::size_t which = 0) {
  return csv_lines(in_tables(result).tables.at(which));
}

/// The lines of table number `which` with the header.
template <class Found>
std::string csv_of(const Found& result, std::size_t which = 0) {
  const Table table = in_tables(result).tables.at(which);
  return csv_header(table) + csv_lines(table);
}

/// The header of errors.csv.
inline std::string csv_header() {
  return rigidlimit::csv_header(in_tables(sample_result()).tables.front());
}

inline std::string json_text(const std::vector<RollingResult>& results) {
  return formatted(results, Format::json, false);
}

/// The JSON object of a result's file.
template <class Found>
std::string json_of(const Found& result) {
  return rigidlimit::json_text(in_tables(result));
}

inline std::string junit_text(const std::vector<RollingResult>& results,
                              const std::vector<std::string>& errors = {}) {
  std::vector<JunitSuite> suites;
  for (const Result& report : reports_of(results)) suites.push_back(junit_suite(report));
  return junit_document(suites, errors);
}

template <class Found>
std::string html_report(const Found& result) {
  return rigidlimit::formatted({in_tables(result)}, Format::html, false);
}

template <class Found>
std::string terminal_report(const Found& result, bool colour) {
  return rigidlimit::formatted({in_tables(result)}, Format::table, colour);
}

template <class Found>
std::string markdown_report(const Found& result) {
  return rigidlimit::formatted({in_tables(result)}, Format::markdown);
}

template <class Found>
std::string latex_report(const Found& result) {
  return rigidlimit::formatted({in_tables(result)}, Format::latex);
}

/// Writes all files of a report, and returns their folder.
template <class Found>
std::string write_results(const Found& result, const std::string& directory) {
  const Result report = in_tables(result);
  const std::string place = directory_of(directory, report);
  write_report(report, place);
  return place;
}

}  // namespace rigidlimit::test
