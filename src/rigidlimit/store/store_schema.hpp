// The tables of a store, and what of a file is a store at all.
#pragma once

#include <SQLiteCpp/Database.h>

#include <string>

namespace rigidlimit {

/// The schema that this program writes; PRAGMA user_version of its stores. Older ones are read.
inline constexpr int store_version = 1;

/// How long a connection waits for others on the same file, ms.
inline constexpr int store_patience = 10'000;

/// Makes the tables in an empty file; leaves those of a store alone. Throws InputError with `path`
/// for a database of another kind, or of a newer version.
void prepare_store(SQLite::Database& database, const std::string& path);

/// The store at `path`, which the connection does not change. Throws InputError unless there is
/// one that can be read.
SQLite::Database opened_for_reading(const std::string& path);

}  // namespace rigidlimit
