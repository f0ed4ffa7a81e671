// Runs as rows in a store: user, study, time, build.
#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>

#include "rigidlimit/store/store.hpp"

namespace rigidlimit {

/// Writes the run and, if it is new, its study; empties the plan. Returns the row in `runs`. These
/// functions are called in a transaction and throw SQLite::Exception.
std::int64_t insert_run(SQLite::Database& database, const StoredRun& run);
void finish_run(SQLite::Database& database, std::int64_t run, const SolveCounts& counts);

/// Copies all runs of another store. Returns the rows here by the rows there.
std::map<std::int64_t, std::int64_t> copy_runs(SQLite::Database& from, SQLite::Database& to);

/// The run of a solve.
std::int64_t run_of(SQLite::Database& database, const std::string& key);

}  // namespace rigidlimit
