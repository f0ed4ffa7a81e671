#include "rigidlimit/record/query.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/record/store_schema.hpp"

namespace rigidlimit {

const char* const overview_sql =
    "SELECT CASE WHEN key IN (SELECT key FROM plan) THEN 'last run' ELSE 'other' END AS variant, "
    "kind, law, solver, count(*) AS solves, sum(outcome = 'success') AS succeeded, "
    "sum(status = 'finished' AND outcome <> 'success') AS failed, sum(status = 'running') AS "
    "unfinished, min(epsilon) AS eps_from, max(epsilon) AS eps_to, sum(steps) AS steps, "
    "round(sum(seconds), 3) AS seconds FROM solves "
    "GROUP BY variant, kind, law, solver ORDER BY variant, kind DESC, law, solver";

namespace {

bool is_blank(const char* text) {
  while (*text == ' ' || *text == '\n' || *text == '\t' || *text == ';') ++text;
  return *text == '\0';
}

/// SQLite would do the first of several statements and forget the others.
void require_one_statement(SQLite::Database& database, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const char* rest = nullptr;
  const int status = sqlite3_prepare_v2(database.getHandle(), sql.c_str(), -1, &statement, &rest);
  const bool empty = statement == nullptr;
  sqlite3_finalize(statement);
  if (status != SQLITE_OK) throw SQLite::Exception(database.getHandle(), status);
  if (empty) throw InputError("there is no statement in it", sql);
  if (!is_blank(rest)) throw InputError("is more than one statement", sql);
}

std::string text_of(const SQLite::Column& value) {
  if (value.isNull()) return {};
  if (value.isBlob()) return fmt::format("{} bytes", value.getBytes());
  if (value.isFloat()) return fmt::format("{}", value.getDouble());
  return value.getString();
}

}  // namespace

QueryResult query(const std::string& path, const std::string& sql) try {
  SQLite::Database database = opened_for_reading(path);
  require_one_statement(database, sql);
  SQLite::Statement statement(database, sql);
  QueryResult result;
  const int columns = statement.getColumnCount();
  for (int k = 0; k < columns; ++k) result.columns.emplace_back(statement.getColumnName(k));
  result.numbers.assign(result.columns.size(), true);
  while (statement.executeStep()) {
    auto& row = result.rows.emplace_back();
    for (int k = 0; k < columns; ++k) {
      const SQLite::Column value = statement.getColumn(k);
      row.push_back(text_of(value));
      if (!value.isNull() && !value.isInteger() && !value.isFloat())
        result.numbers[static_cast<std::size_t>(k)] = false;
    }
  }
  return result;
} catch (const SQLite::Exception& e) {
  throw InputError(fmt::format("{} in the statement: {}", e.what(), sql), path);
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
