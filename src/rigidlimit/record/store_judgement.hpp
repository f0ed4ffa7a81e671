// A judged study as rows of a store.
#pragma once

#include <SQLiteCpp/Database.h>

#include <string>

#include "rigidlimit/study/result.hpp"

namespace rigidlimit {

/// Replaces the judged table, the judgement (JSON) and the curves. Throws SQLite::Exception; within
/// a transaction.
void write_judgement(const StudyResult& result, SQLite::Database& database);

/// Replaces the judgement alone.
void write_judgement(const std::string& json, bool complete, SQLite::Database& database);

}  // namespace rigidlimit
