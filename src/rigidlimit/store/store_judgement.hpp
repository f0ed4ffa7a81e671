// A judged study as rows in a store.
#pragma once

#include <SQLiteCpp/Database.h>

#include <string>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

/// Replaces the judged table, the judgement (JSON) and the curves. To be called in a transaction;
/// throws SQLite::Exception.
void write_judgement(const RollingResult& result, SQLite::Database& database);

/// Replaces the judgement and the tables as texts; `complete`: every solve of the plan is present.
void write_judgement(const Report& report, bool complete, SQLite::Database& database);

}  // namespace rigidlimit
