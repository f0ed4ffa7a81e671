// The report of a result of any kind: composed once, written in every format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/core/table.hpp"
#include "rigidlimit/report/junit_document.hpp"
#include "rigidlimit/report/text_table.hpp"
#include "rigidlimit/report/view.hpp"

namespace rigidlimit {

using Lines = std::vector<std::string>;

/// The end of an experiment, from the states of its claims.
enum class Conclusion {
  nothing_expected,  ///< it has numbers, and claims nothing
  held,              ///< every claim holds
  not_held,          ///< every claim is judged, and one fails
  could_not,         ///< a claim is unjudged, or no number exists
  interrupted
};

/// The result of an experiment: tables, and views of them for people.
struct Report {
  std::string name;
  std::string kind;  ///< "rolling", "friction", "benchmark"
  bool is_sweep = false;
  std::string question;
  std::string source = {};
  Lines heading;      ///< the experiment
  Fields facts = {};  ///< single values, in JSON
  /// At least one, whose CSV stands for the report. One named "summary" has a row for a table of
  /// several reports.
  std::vector<Table> tables;
  std::vector<View> views = {};  ///< in the order of the page
  Lines remarks = {};            ///< failures, notes, advice
  Lines notes = {};              ///< of the result
  std::string verdict = {};      ///< "NAME: held, …", and a line for each failed claim
  Conclusion conclusion = Conclusion::nothing_expected;  ///< set by conclude()
  bool interrupted = false;
  bool has_numbers = true;
  std::vector<JunitCase> claims;
  std::string plain_csv = {};  ///< name of the table that is plain CSV; empty: the first
  std::string resolved;        ///< the experiment's text with every default filled in

  /// Whether no claim failed and nothing is missing.
  bool held() const {
    return conclusion == Conclusion::held || conclusion == Conclusion::nothing_expected;
  }
  /// nullptr: there is no such table.
  const Table* find(std::string_view table) const;
};

/// A view with its rows as texts; nullopt: it has none.
std::optional<CaptionedTable> shown(const Report& report, const View& view);

enum class Format { table, csv, json, markdown, latex, html };

/// "table", "csv", …: the names on the command line.
std::vector<std::string> names_of_formats();
Format format_named(const std::string& name);

/// Tables with more rows have shortened_table of them in texts for people; data files have all
/// rows.
inline constexpr std::size_t longest_table = 200, shortened_table = 40;

/// The rows of a long table for people: `shortened_table` of them at equal distances, the first and
/// the last among them.
CaptionedTable shortened(const CaptionedTable& whole);

/// All reports in one text. `colour` applies to Format::table only, `siunitx` (numbers in S
/// columns) to Format::latex only.
std::string formatted(const std::vector<Report>& reports, Format format, bool colour = false,
                      bool siunitx = false);

/// The verdict and the brief tables (without any, the page) for a terminal, in some brief_lines
/// lines (of a sweep up to shortened_table points more). A caption says how many rows are left out.
std::string brief_text(const Report& report, bool colour);
inline constexpr std::size_t brief_lines = 40;

/// The rows of summaries; those with equal columns share one table. Nothing for single rows.
std::string summary_text(const std::vector<Table>& summaries, Format format, bool colour);

/// The whole result as JSON: facts, tables, claims, notes and provenance.
std::string json_text(const Report& report);

/// Joins texts from formatted() in one format, without a summary.
std::string joined(const std::vector<std::string>& texts, Format format);

/// One table of a report, with its caption.
std::string formatted(const CaptionedTable& table, Format format, bool colour);

/// Writes result.txt, result.md, result.tex, result.html and result.json, TABLE.csv for each table
/// (but those that describe the experiment), and the experiment as resolved.toml into the
/// directory, which is created (results_folder.hpp). Throws InputError on failure.
void write_report(const Report& report, const std::string& directory);

/// results/NAME.
std::string directory_of(const std::string& results, const Report& report);

/// The claims as a JUnit suite: unjudged claims are errors.
JunitSuite junit_suite(const Report& report);

}  // namespace rigidlimit
