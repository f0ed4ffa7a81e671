// The tables of a store, and the check that a file is a store.
#pragma once

#include <SQLiteCpp/Database.h>

#include <string>

namespace rigidlimit {

/// Version of the schema, PRAGMA user_version. Older versions can be read.
inline constexpr int store_version = 2;

/// Waiting time of a connection for other connections to the same file, ms.
inline constexpr int store_patience = 10'000;

/// Creates the tables in an empty file; does nothing in a store. Throws InputError with `path` for
/// another database or a newer version.
void prepare_store(SQLite::Database& database, const std::string& path);

/// A connection to the store at `path` that does not change it. Throws InputError if there is no
/// readable store.
SQLite::Database opened_for_reading(const std::string& path);

}  // namespace rigidlimit
