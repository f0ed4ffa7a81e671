// The tables of a store, and what of a file is a store at all.
#pragma once

#include <SQLiteCpp/Database.h>

#include <string>

namespace rigidlimit {

/// The schema that this program writes; PRAGMA user_version of its stores. Older ones are read.
inline constexpr int store_version = 1;

/// Makes the tables in an empty file; leaves those of a store alone. Throws InputError with `path`
/// for a database of another kind, or of a newer version.
void prepare_store(SQLite::Database& database, const std::string& path);

/// Throws InputError unless the database is a store that can be read.
void require_store(const SQLite::Database& database, const std::string& path);

}  // namespace rigidlimit
