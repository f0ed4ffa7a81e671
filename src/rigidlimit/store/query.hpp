// Questions to stores, in SQL.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// How many solves of each kind, law and solver there are, and what became of them: those of the
/// study as last run, and apart those of other variants of it, or of other code, that are kept.
extern const char* const overview_sql;

/// What a query gives, as texts: numbers with 17 digits where they need them, "" for NULL,
/// "12 bytes" for a BLOB.
struct QueryResult {
  std::vector<std::string> columns;
  std::vector<bool> numbers;  ///< one a column: every value that is not NULL is a number
  std::vector<std::vector<std::string>> rows;
};

/// What a question may cost before it is given up: --max-rows, --max-seconds and --max-memory.
struct QueryLimits {
  long rows = 1'000'000;
  double seconds = 60.0;
  long mebibytes = 1024;  ///< of SQLite's memory, and again of the answer
};

/// Runs one statement of SQL on the store at `path`: a SELECT, or a pragma that tells something
/// (table_info, table_list, integrity_check). Whatever would write, attach or set something is
/// refused, and so is none or a second statement. Throws InputError with the reason and the
/// statement, also where it costs more than `limits`. What SQLite may take in the whole process is
/// bounded meanwhile.
QueryResult query(const std::string& path, const std::string& sql, const QueryLimits& limits = {});

/// The results of one query to several stores below each other, with a first column "study".
QueryResult stacked(const std::vector<std::pair<std::string, QueryResult>>& results);

TextTable table_of(const QueryResult& result);
/// Fields quoted where RFC 4180 asks for it.
std::string csv_text(const QueryResult& result);
/// An array of objects; NULL and the missing are null.
std::string json_text(const QueryResult& result);

}  // namespace rigidlimit
