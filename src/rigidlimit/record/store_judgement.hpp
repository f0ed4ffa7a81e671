// A judged study as rows of a store.
#pragma once

#include <SQLiteCpp/Database.h>

#include "rigidlimit/study/result.hpp"

namespace rigidlimit {

/// Replaces the judged table, the judgement (JSON) and the curves. Throws SQLite::Exception; within
/// a transaction.
void write_judgement(const StudyResult& result, SQLite::Database& database);

}  // namespace rigidlimit
