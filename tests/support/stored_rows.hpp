// What an SQL statement finds in a store.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <filesystem>
#include <string>
#include <vector>

namespace rigidlimit::test {

/// The rows as texts; "" for NULL.
inline std::vector<std::vector<std::string>> stored_rows(const std::string& path,
                                                         const std::string& sql) {
  // Not read-only: a killed process may have left a transaction to roll back.
  const SQLite::Database database(path, SQLite::OPEN_READWRITE, 10'000);
  SQLite::Statement statement(database, sql);
  std::vector<std::vector<std::string>> rows;
  while (statement.executeStep()) {
    std::vector<std::string>& row = rows.emplace_back();
    for (int k = 0; k < statement.getColumnCount(); ++k)
      row.push_back(statement.getColumn(k).getString());
  }
  return rows;
}

/// The first value, of all rows, as a number.
inline long stored_number(const std::string& path, const std::string& sql) {
  return std::stol(stored_rows(path, sql).at(0).at(0));
}

/// Whether a run has created the tables of a store. Until its first transaction is committed, the
/// file is missing, empty, or has pages that the next program to open it rolls back.
inline bool is_created(const std::string& path) {
  return std::filesystem::exists(path) && std::filesystem::file_size(path) > 0 &&
         stored_number(path, "SELECT count(*) FROM sqlite_schema") > 0;
}

/// Changes a store behind the program's back, and blanks its seal as a run does that is killed.
inline void change_store(const std::string& path, const std::string& sql) {
  SQLite::Database store(path, SQLite::OPEN_READWRITE);
  store.exec(sql);
  store.exec("UPDATE seal SET content = 'rigidlimit sealed ----------------'");
}

}  // namespace rigidlimit::test
