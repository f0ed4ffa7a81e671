// Runs as rows of a store: who solved what, when, with which build.
#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>

#include "rigidlimit/store/store.hpp"

namespace rigidlimit {

/// Writes the run and its study, unless that is the one that is there; empties the plan. The row of
/// `runs`. These functions throw SQLite::Exception and are called within a transaction.
std::int64_t insert_run(SQLite::Database& database, const StoredRun& run);
void finish_run(SQLite::Database& database, std::int64_t run, const SolveCounts& counts);

/// Copies all runs of another store; from the rows there to the rows here.
std::map<std::int64_t, std::int64_t> copy_runs(SQLite::Database& from, SQLite::Database& to);

/// The run that a solve belongs to.
std::int64_t run_of(SQLite::Database& database, const std::string& key);

}  // namespace rigidlimit
