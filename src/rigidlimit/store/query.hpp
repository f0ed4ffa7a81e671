// SQL queries to stores.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// Counts of the solves by kind, law, solver and status: those of the study as last run, and
/// separately those of its other variants or of other code.
extern const char* const overview_sql;

/// Result of a query as texts: numbers with as many digits as they need (up to 17), "" for NULL,
/// "12 bytes" for a BLOB.
struct QueryResult {
  std::vector<std::string> columns;
  std::vector<bool> numbers;  ///< one per column: all values except NULL are numbers
  std::vector<std::vector<std::string>> rows;
};

/// Limits of a query: --max-rows, --max-seconds and --max-memory.
struct QueryLimits {
  long rows = 1'000'000;
  double seconds = 60.0;
  long mebibytes = 1024;  ///< for SQLite's memory, and separately for the result
};

/// Runs one SQL statement on the store at `path`: a SELECT, or a reading pragma (table_info,
/// table_list, integrity_check). Statements that write, attach or set anything are rejected, as are
/// none and several statements. Throws InputError with the reason and the statement, also if it
/// exceeds `limits`. Meanwhile, SQLite's memory is limited in the whole process.
QueryResult query(const std::string& path, const std::string& sql, const QueryLimits& limits = {});

/// The results of one query to several stores as one, with a first column "study".
QueryResult stacked(const std::vector<std::pair<std::string, QueryResult>>& results);

TextTable table_of(const QueryResult& result);
/// Fields are quoted as RFC 4180 requires.
std::string csv_text(const QueryResult& result);
/// An array of objects; NULL and missing values are null.
std::string json_text(const QueryResult& result);

}  // namespace rigidlimit
