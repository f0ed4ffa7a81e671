// A judged experiment as rows in a store.
#pragma once

#include <SQLiteCpp/Database.h>

#include "rigidlimit/report/judged_experiment.hpp"

namespace rigidlimit {

/// Replaces the judgement (JSON), the tables of the report and the curves; `texts`: also the report
/// in every format. To be called in a transaction; throws SQLite::Exception.
void write_judgement(const JudgedExperiment& judged, bool texts, SQLite::Database& database);

}  // namespace rigidlimit
