// The report of a result in every format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/report/junit_document.hpp"
#include "rigidlimit/report/text_table.hpp"
#include "rigidlimit/result/result.hpp"

namespace rigidlimit {

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

/// All reports in one text; in HTML it is a document. `screen` applies to Format::table only,
/// `siunitx` (numbers in S columns) to Format::latex only.
std::string formatted(const std::vector<Result>& reports, Format format, const Screen& screen = {},
                      bool siunitx = false);

/// The verdict and the brief tables (without any, the page) for a terminal, in some brief_lines
/// lines (of a sweep up to shortened_table points more). A caption says how many rows are left out.
std::string brief_text(const Result& report, const Screen& screen);
inline constexpr std::size_t brief_lines = 40;

/// The rows of summaries; those with equal columns share one table. Nothing for single rows.
std::string summary_text(const std::vector<Table>& summaries, Format format, const Screen& screen);

/// The whole result as JSON: facts, tables, claims, notes and provenance.
std::string json_text(const Result& report);

/// Joins texts from formatted() in one format, without a summary.
std::string joined(const std::vector<std::string>& texts, Format format);

/// One table of a report, with its caption.
std::string formatted(const CaptionedTable& table, Format format, const Screen& screen);

/// Writes result.txt, result.md, result.tex, result.html and result.json, TABLE.csv for each table
/// (but those that describe the experiment), and the experiment as resolved.toml into the
/// directory, which is created (results_folder.hpp). Throws InputError on failure.
void write_report(const Result& report, const std::string& directory);

/// results/NAME.
std::string directory_of(const std::string& results, const Result& report);

/// The claims as a JUnit suite: unjudged claims are errors.
JunitSuite junit_suite(const Result& report);

}  // namespace rigidlimit
