// The tables of a store, and the check that a file is a store.
#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

/// A file without tables: a process was killed while it created the store.
class EmptyStore : public InputError {
 public:
  using InputError::InputError;
};

/// Version of the schema, PRAGMA user_version.
inline constexpr int store_version = 3;

/// Waiting time of a connection for other connections to the same file, ms.
inline constexpr int store_patience = 10'000;

/// The message of SQLite, with that of the system for an error of input or output. Call it at once.
std::string reason_of(const SQLite::Exception& error);

/// Looks at the files of a store before SQLite does. Throws InputError for a journal whose rollback
/// would delete a further file, and for a write-ahead log: rigidlimit writes neither.
void require_harmless_files(const std::string& path);

/// The names of the tables that come from a report, whatever its kind.
std::vector<std::string> tables_of_reports(SQLite::Database& database);

/// Creates the tables in an empty file; does nothing in a store. Throws InputError with `path` for
/// another database, another version, another schema, and a wrong checksum.
void prepare_store(SQLite::Database& database, const std::string& path);

/// A connection to the store at `path` that changes no file. If a killed process left a
/// transaction, it is rolled back on a copy. Throws InputError as prepare_store(), and if there is
/// no store.
SQLite::Database opened_for_reading(const std::string& path);

}  // namespace rigidlimit
