// What a result says, of whatever kind it is: composed once, written in every format.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/junit_document.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

using Lines = std::vector<std::string>;

struct Report {
  std::string name;
  std::string question;
  Lines heading;  ///< what was solved
  /// In the order of the page; a table without rows is left out.
  std::vector<std::variant<CaptionedTable, Lines>> body;
  Lines remarks;             ///< failures, what a reader must know, what to do
  std::string verdict = {};  ///< "NAME: held, …", and a line for each claim that is not
  bool held = true;
  bool interrupted = false;
  bool has_numbers = true;
  std::vector<JunitCase> claims;

  /// One row of a table of many reports; reports with the same headers share one.
  TextTable summary = {};

  /// For programs; CSV on its own is the first of the tables.
  std::vector<DataTable> tables;
  Document document;

  std::string place = {};      ///< its directory within results; empty: its name
  std::string stem = "table";  ///< of its files
  std::string resolved_stem = "study";
  std::string resolved;  ///< the experiment's text with every default filled in
};

enum class Format { table, csv, json, markdown, latex };

/// "table", "csv", … as the command line has them.
std::vector<std::string> names_of_formats();
Format format_named(const std::string& name);

/// All reports in one text. `colour` matters to Format::table only.
std::string formatted(const std::vector<Report>& reports, Format format, bool colour = false);

/// Orders, coefficients and verdict of one report in at most brief_lines lines, for a terminal:
/// rows that expect nothing are left out first, then the last ones, and the text says how many.
std::string brief_text(const Report& report, bool colour);
inline constexpr std::size_t brief_lines = 22;

/// The rows of their summaries, where several reports share the headers of one.
std::string summary_text(const std::vector<Report>& reports, Format format, bool colour);

/// Texts of formatted() as one of that format, without a summary.
std::string joined(const std::vector<std::string>& texts, Format format);

/// One table of a report, with its caption.
std::string formatted(const CaptionedTable& table, Format format, bool colour);

/// Writes STEM.txt, STEM.md, STEM.tex and STEM.json, TABLE.csv of each table and the resolved
/// experiment into the directory, creating it. Each file is written beside its name and renamed, so
/// that a reader never sees half of one. Throws InputError where that fails.
void write_report(const Report& report, const std::string& directory);

/// results/PLACE.
std::string directory_of(const std::string& results, const Report& report);

/// A suite of its claims. Where no solve arrived, so that there is no number to judge, those that
/// are broken are errors and no failures.
JunitSuite junit_suite(const Report& report);

}  // namespace rigidlimit
