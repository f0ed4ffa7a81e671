#include "rigidlimit/store/store_schema.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>

#include <filesystem>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/input_file.hpp"

namespace rigidlimit {

namespace {

constexpr int application_id = 0x52474c4d;  // "RGLM", in the header of the file

constexpr const char* tables = R"sql(
CREATE TABLE study (           -- one row: the study of the last run
  name TEXT NOT NULL,
  resolved TEXT NOT NULL,      -- TOML, every default filled in
  hash TEXT NOT NULL,
  result TEXT,                 -- JSON, the judgement without its rows; NULL until judged
  complete INTEGER NOT NULL    -- 1: every solve of the plan is stored
);
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  started TEXT NOT NULL,       -- ISO 8601, UTC
  ended TEXT,                  -- NULL: running, or killed
  host TEXT NOT NULL,
  process INTEGER NOT NULL,
  jobs INTEGER NOT NULL,
  shard TEXT,                  -- "2/4"; NULL: the whole study
  computed INTEGER,            -- solves
  reused INTEGER,
  provenance TEXT NOT NULL     -- JSON
);
CREATE TABLE solves (
  key TEXT PRIMARY KEY,        -- hash of determinants and of the code
  kind TEXT NOT NULL, law TEXT, solver TEXT NOT NULL, epsilon REAL, tighter INTEGER NOT NULL,
  rtol REAL, atol REAL, formulation TEXT, precision TEXT NOT NULL,
  status TEXT NOT NULL,        -- "running" (or killed), "finished"
  outcome TEXT, message TEXT,
  attempts INTEGER NOT NULL,
  t_reached REAL, last_step REAL,
  steps INTEGER, rejected_steps INTEGER, rhs_evaluations INTEGER, jacobian_evaluations INTEGER,
  factorisations INTEGER, newton_iterations INTEGER, linear_solves INTEGER, factor_nonzeros INTEGER,
  seconds REAL,
  run INTEGER NOT NULL REFERENCES runs (id),
  finished TEXT,               -- when
  samples_hash TEXT,           -- of samples that are not stored; NULL: they are
  grid TEXT NOT NULL,          -- grid of its samples; in the table grids if they are stored
  determinants TEXT NOT NULL   -- inputs that determine the result
) WITHOUT ROWID;
CREATE TABLE plan (            -- solves of the last run; the table solves may have more
  position INTEGER PRIMARY KEY,
  key TEXT NOT NULL
);
CREATE TABLE grids (
  id TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  times BLOB NOT NULL          -- little-endian doubles
) WITHOUT ROWID;
CREATE TABLE samples (
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  "rows" INTEGER NOT NULL,
  columns INTEGER NOT NULL,
  data BLOB NOT NULL,          -- little-endian doubles, column by column
  PRIMARY KEY (key, name)
);
CREATE TABLE errors (          -- recreated with the columns of errors.csv when a run is judged
  study TEXT, system TEXT, law TEXT, rigid_solver TEXT, compliant_solver TEXT, epsilon REAL,
  quantity TEXT, norm TEXT, window TEXT, model_error REAL, solver_error REAL, reference_error REAL,
  sampling_error REAL, "order" REAL, predicted_coefficient REAL, ratio REAL, ratio_error REAL,
  verdict TEXT, status TEXT,
  steps INTEGER, rejected_steps INTEGER, rhs_evaluations INTEGER, jacobian_evaluations INTEGER,
  factorisations INTEGER, newton_iterations INTEGER
);
CREATE TABLE curves (          -- for figures
  subject TEXT NOT NULL, law TEXT, solver TEXT, epsilon REAL, name TEXT NOT NULL,
  grid TEXT NOT NULL, "rows" INTEGER NOT NULL, columns INTEGER NOT NULL, data BLOB NOT NULL
);
CREATE TABLE findings (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  found TEXT NOT NULL,
  run INTEGER,
  what TEXT NOT NULL,
  difference REAL              -- the largest, relative to the largest entry
);
CREATE TABLE texts (           -- the report, if its system is in one program alone
  format TEXT PRIMARY KEY,     -- "table", "csv", "json", "markdown", "latex"
  text TEXT NOT NULL
) WITHOUT ROWID;
)sql";

int pragma(SQLite::Database& database, const char* name) {
  return database.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

void require_store(SQLite::Database& database, const std::string& path) {
  if (pragma(database, "application_id") != application_id)
    throw InputError("is not a store of rigidlimit", path);
  const int version = pragma(database, "user_version");
  if (version > store_version)
    throw InputError(fmt::format("has schema {}, but this program supports schemas up to {}: use "
                                 "the newer rigidlimit that wrote it",
                                 version, store_version),
                     path);
  if (version < store_version)
    throw InputError(fmt::format("has schema {} of an older rigidlimit, and this program writes "
                                 "schema {}: move the file away and run again",
                                 version, store_version),
                     path);
}

}  // namespace

void prepare_store(SQLite::Database& database, const std::string& path) {
  const auto is_empty = [&] { return pragma(database, "schema_version") == 0; };
  if (!is_empty()) {
    require_store(database, path);
    return;
  }
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  if (is_empty()) {
    database.exec(tables);
    database.exec(fmt::format("PRAGMA application_id = {}", application_id));
    database.exec(fmt::format("PRAGMA user_version = {}", store_version));
  } else {
    require_store(database, path);
  }
  transaction.commit();
}

SQLite::Database opened_for_reading(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw InputError("does not exist: 'rigidlimit run' writes it", path);
  require_regular_file(path);
  // Not OPEN_READONLY, which could not roll back the partial write of a killed process. SQLite
  // falls back to it by itself if the file cannot be written.
  SQLite::Database database(path, SQLite::OPEN_READWRITE, store_patience);
  require_store(database, path);
  database.exec("PRAGMA query_only = ON");
  return database;
}

}  // namespace rigidlimit
