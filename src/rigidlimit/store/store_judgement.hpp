// A judged experiment as rows in a store.
#pragma once

#include <SQLiteCpp/Database.h>

#include "rigidlimit/report/kinds.hpp"

namespace rigidlimit {

/// Replaces the judgement (JSON), the tables of the report, as rows and as texts, and the curves.
/// To be called in a transaction; throws SQLite::Exception.
void write_judgement(const JudgedExperiment& judged, SQLite::Database& database);

}  // namespace rigidlimit
