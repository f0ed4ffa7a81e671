#include "rigidlimit/store/query.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/store/store_schema.hpp"

namespace rigidlimit {

const char* const overview_sql =
    "SELECT CASE WHEN key IN (SELECT key FROM plan) THEN 'last run' ELSE 'other' END AS variant, "
    "kind, law, solver, count(*) AS solves, sum(outcome = 'success') AS succeeded, "
    "sum(status = 'finished' AND outcome <> 'success') AS failed, sum(status = 'running') AS "
    "unfinished, min(epsilon) AS eps_from, max(epsilon) AS eps_to, sum(steps) AS steps, "
    "round(sum(seconds), 3) AS seconds FROM solves "
    "WHERE kind <> 'comparison' GROUP BY variant, kind, law, solver ORDER BY variant, kind DESC, law, solver";

namespace {

/// A statement as quoted in a message.
std::string shown(const std::string& sql) {
  return shortened(printable(sql), 300);
}

/// Maximum bytes of one value, more than the samples of the longest possible motion.
constexpr int longest_value = 1 << 28;
sqlite3_int64 bytes(const QueryLimits& limits) {
  return sqlite3_int64{limits.mebibytes} << 20;
}

/// Number of SQLite instructions between two checks of the time: at most some microseconds each.
constexpr int between_looks = 10'000;

/// Actions of a statement that only read: functions, tables, and pragmas that set nothing with any
/// argument.
int allow_reading(void*, int action, const char* name, const char* second, const char*,
                  const char*) {
  constexpr std::string_view telling[] = {"integrity_check", "quick_check", "table_info",
                                          "table_xinfo", "table_list"};
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION:
      return std::string_view(second) == "load_extension" ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
      return std::ranges::count(telling, std::string_view(name)) > 0 ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY;
  }
}

/// Restricts a connection to reading and to a limited time, as long as it lives.
class Answering {
 public:
  Answering(SQLite::Database& database, const QueryLimits& limits)
      : handle_(database.getHandle()),
        memory_before_(sqlite3_hard_heap_limit64(bytes(limits))),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(limits.seconds))) {
    // Sort in memory: sorting in files would circumvent the limit.
    database.exec("PRAGMA temp_store = MEMORY");
    sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, longest_value);
    sqlite3_progress_handler(handle_, between_looks, is_over, this);
    sqlite3_set_authorizer(handle_, allow_reading, nullptr);
  }
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;
  ~Answering() {
    sqlite3_set_authorizer(handle_, nullptr, nullptr);
    sqlite3_progress_handler(handle_, 0, nullptr, nullptr);
    sqlite3_hard_heap_limit64(memory_before_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static int is_over(void* self) {
    return Clock::now() > static_cast<const Answering*>(self)->end_ ? 1 : 0;
  }

  sqlite3* handle_;
  sqlite3_int64 memory_before_;  // the limit applies to the process
  Clock::time_point end_;
};

/// The first statement of `text`, and the rest; nullptr: none.
std::pair<bool, const char*> first_statement(SQLite::Database& database, const char* text) {
  sqlite3_stmt* statement = nullptr;
  const char* rest = nullptr;
  const int status = sqlite3_prepare_v2(database.getHandle(), text, -1, &statement, &rest);
  const bool found = statement != nullptr;
  sqlite3_finalize(statement);
  if (status != SQLITE_OK) throw SQLite::Exception(database.getHandle(), status);
  return {found, rest};
}

/// SQLite would run the first of several statements and ignore the others.
void require_one_statement(SQLite::Database& database, const std::string& sql) {
  // SQLite reads a text up to its first NUL.
  if (sql.find('\0') != std::string::npos)
    throw InputError(fmt::format("'{}' contains a NUL character", shown(sql)));
  const auto [found, rest] = first_statement(database, sql.c_str());
  if (!found) throw InputError(fmt::format("'{}' has no statement", shown(sql)));
  // The rest may be a comment.
  for (const char* more = rest; *more != '\0';) {
    const auto [another, after] = first_statement(database, more);
    if (another) throw InputError(fmt::format("'{}' is more than one statement", shown(sql)));
    if (after == more) break;
    more = after;
  }
}

/// The reason of SQLite's error, and advice.
std::string reason(const SQLite::Exception& e, const QueryLimits& limits) {
  const int code = e.getErrorCode() & 0xff;
  // SQLite does not use its error code for a refused function or table.
  if (code == SQLITE_AUTH || std::string_view(e.what()).starts_with("not authorized"))
    return "only a single SELECT is allowed (or PRAGMA table_info, table_list, integrity_check)";
  switch (code) {
    case SQLITE_INTERRUPT:
      return fmt::format("exceeds the time limit of {} s: select less, or raise --max-seconds",
                         limits.seconds);
    case SQLITE_NOMEM:
      return fmt::format(
          "exceeds the memory limit of {} MiB: select less (a LIMIT, fewer columns, no sorting of "
          "long values), or raise --max-memory",
          limits.mebibytes);
    case SQLITE_TOOBIG:
      return fmt::format("a value has more than {} MiB: select its length()", longest_value >> 20);
    default: return e.what();
  }
}

std::string text_of(const SQLite::Column& value) {
  if (value.isNull()) return {};
  if (value.isBlob()) return fmt::format("{} bytes", value.getBytes());
  if (value.isFloat()) return fmt::format("{}", value.getDouble());
  return value.getString();
}

}  // namespace

QueryResult query(const std::string& path, const std::string& sql, const QueryLimits& limits) try {
  SQLite::Database database = opened_for_reading(path);
  const Answering answering(database, limits);
  require_one_statement(database, sql);
  SQLite::Statement statement(database, sql);
  QueryResult result;
  const int columns = statement.getColumnCount();
  for (int k = 0; k < columns; ++k) result.columns.emplace_back(statement.getColumnName(k));
  result.numbers.assign(result.columns.size(), true);
  sqlite3_int64 size = 0;
  while (statement.executeStep()) {
    if (std::ssize(result.rows) == limits.rows)
      throw InputError(
          fmt::format("more than {} rows in the result of {}: add a LIMIT, or raise --max-rows",
                      limits.rows, shown(sql)),
          path);
    auto& row = result.rows.emplace_back();
    for (int k = 0; k < columns; ++k) {
      const SQLite::Column value = statement.getColumn(k);
      row.push_back(text_of(value));
      size += static_cast<sqlite3_int64>(sizeof(std::string) + row.back().size());
      if (!value.isNull() && !value.isInteger() && !value.isFloat())
        result.numbers[static_cast<std::size_t>(k)] = false;
    }
    if (size > bytes(limits))
      throw InputError(fmt::format("the result of {} is longer than {} MiB: add a LIMIT, select "
                                   "fewer columns, or raise --max-memory",
                                   shown(sql), limits.mebibytes),
                       path);
  }
  return result;
} catch (const SQLite::Exception& e) {
  throw InputError(fmt::format("{}; the statement: {}", reason(e, limits), shown(sql)), path);
}

QueryResult stacked(const std::vector<std::pair<std::string, QueryResult>>& results) {
  QueryResult all;
  for (const auto& [study, result] : results) {
    if (all.columns.empty()) {
      all = result;
      all.rows.clear();
      all.columns.insert(all.columns.begin(), "study");
      all.numbers.insert(all.numbers.begin(), false);
    }
    for (std::size_t k = 0; k < result.numbers.size(); ++k)
      all.numbers[k + 1] = all.numbers[k + 1] && result.numbers[k];
    for (std::vector<std::string> row : result.rows) {
      row.insert(row.begin(), study);
      all.rows.push_back(std::move(row));
    }
  }
  return all;
}

TextTable table_of(const QueryResult& result) {
  TextTable table{.headers = result.columns, .left_aligned = {}, .rows = {}};
  for (const bool number : result.numbers) table.left_aligned.push_back(!number);
  for (const auto& row : result.rows) {
    auto& cells = table.rows.emplace_back();
    for (const std::string& text : row) cells.push_back({printable(text)});
  }
  return table;
}

std::string csv_text(const QueryResult& result) {
  const auto line = [](const std::vector<std::string>& fields) {
    std::string text;
    for (const std::string& field : fields) {
      if (&field != &fields.front()) text += ',';
      if (field.find_first_of(",\"\r\n") == std::string::npos) {
        text += field;
        continue;
      }
      text += '"';
      for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
      text += '"';
    }
    return text + "\n";
  };
  std::string text = line(result.columns);
  for (const auto& row : result.rows) text += line(row);
  return text;
}

std::string json_text(const QueryResult& result) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const auto& row : result.rows) {
    auto& object = json.emplace_back(nlohmann::ordered_json::object());
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (row[k].empty())
        object[result.columns[k]] = nullptr;
      else if (result.numbers[k])
        object[result.columns[k]] = nlohmann::ordered_json::parse(row[k], nullptr, false);
      else
        object[result.columns[k]] = row[k];
    }
  }
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace rigidlimit
