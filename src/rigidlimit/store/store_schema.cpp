#include "rigidlimit/store/store_schema.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/formula_names.hpp"
#include "rigidlimit/core/input_file.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/temporary_folder.hpp"
#include "rigidlimit/store/store_seal.hpp"

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
  samples_hash TEXT,           -- of the samples, stored or not
  sampled INTEGER,             -- 1: the samples are stored
  checksum TEXT,               -- of the row (store_rows.cpp); NULL until finished
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
  format TEXT PRIMARY KEY,     -- "table", "csv", "html", "json", "markdown", "latex"
  text TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE seal (            -- one row: a checksum of the whole file, or blank (store_seal.hpp)
  content TEXT NOT NULL
);
CREATE VIEW current_solves AS  -- for readers: the solves of the last run, in the order of its plan
  SELECT kind, law, solver, epsilon, tighter, rtol, atol, formulation, precision, status, outcome,
    message, t_reached, last_step, steps, rejected_steps, rhs_evaluations, jacobian_evaluations,
    factorisations, newton_iterations, linear_solves, seconds, started, key
  FROM plan JOIN solves USING (key) JOIN runs ON runs.id = solves.run
  WHERE kind <> 'comparison' ORDER BY position;
)sql";

int pragma(SQLite::Database& database, const char* name) {
  return database.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

/// One object of the schema: type, name and the text that created it.
using SchemaObject = std::array<std::string, 3>;

/// The schema of a database, without the indices that SQLite makes itself.
std::vector<SchemaObject> schema_of(SQLite::Database& database) {
  constexpr int most = 1000;
  SQLite::Statement all(database, "SELECT type, name, sql FROM sqlite_schema");
  std::vector<SchemaObject> objects;
  while (all.executeStep() && std::ssize(objects) < most) {
    SchemaObject one{all.getColumn(0).getString(), all.getColumn(1).getString(),
                     all.getColumn(2).getString()};
    if (one[0] != "index" || !one[1].starts_with("sqlite_autoindex_") || !one[2].empty())
      objects.push_back(std::move(one));
  }
  return objects;
}

const std::vector<SchemaObject>& our_schema() {
  static const std::vector<SchemaObject> objects = [] {
    SQLite::Database memory(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    memory.exec(tables);
    return schema_of(memory);
  }();
  return objects;
}

/// Whether an object is a table as write_judgement() makes it from the columns of a report.
bool is_table_of_a_report(SQLite::Database& database, const SchemaObject& object) {
  const auto& [type, name, sql] = object;
  if (type != "table" || !is_name(name)) return false;
  SQLite::Statement columns(database, "SELECT name, type FROM pragma_table_xinfo(?1)");
  columns.bind(1, name);
  std::string text;
  while (columns.executeStep()) {
    const std::string column = columns.getColumn(0).getString();
    const std::string type_name = columns.getColumn(1).getString();
    if (column.find('"') != std::string::npos ||
        (type_name != "REAL" && type_name != "TEXT" && type_name != "INTEGER"))
      return false;
    text += fmt::format("{}\"{}\" {}", text.empty() ? "" : ", ", column, type_name);
  }
  return sql == fmt::format("CREATE TABLE \"{}\" ({})", name, text);
}

}  // namespace

std::vector<std::string> tables_of_reports(SQLite::Database& database) {
  std::vector<std::string> names;
  for (const SchemaObject& one : schema_of(database))
    if (one[1] == "errors" || std::ranges::find(our_schema(), one) == our_schema().end())
      names.push_back(one[1]);
  return names;
}

namespace {

/// Views, triggers and functions of a stranger's schema would run when it is read.
void require_our_schema(SQLite::Database& database, const std::string& path) {
  const std::vector<SchemaObject> found = schema_of(database);
  for (const SchemaObject& one : found)
    if (std::ranges::find(our_schema(), one) == our_schema().end() &&
        !is_table_of_a_report(database, one))
      throw InputError(fmt::format("is damaged, or was changed by another program: its schema has "
                                   "the {} {}, which rigidlimit does not make",
                                   printable(one[0]), shortened(printable(one[1]), 80)),
                       path);
  for (const SchemaObject& ours : our_schema())
    if (std::ranges::find(found, ours[1], [](const SchemaObject& one) { return one[1]; }) ==
        found.end())
      throw InputError(fmt::format("is damaged: the {} {} is missing", ours[0], ours[1]), path);
}

void require_store(SQLite::Database& database, const std::string& path) {
  if (pragma(database, "schema_version") == 0)
    throw EmptyStore("is empty: no run has begun in it", path);
  database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
  sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (pragma(database, "application_id") != application_id)
    throw InputError("is not a store of rigidlimit", path);
  const int version = pragma(database, "user_version");
  if (version > store_version)
    throw InputError(fmt::format("is damaged, or has schema {} of a newer rigidlimit: this program "
                                 "supports schema {}",
                                 version, store_version),
                     path);
  if (version < store_version)
    throw InputError(fmt::format("has schema {} of an older rigidlimit, and this program writes "
                                 "schema {}: move its folder away and run again",
                                 version, store_version),
                     path);
  require_our_schema(database, path);
  if (!seal_is_intact(database))
    throw InputError("is damaged: its checksum is wrong: move it away and run again", path);
}

/// The bytes of a file from `offset` on, relative to its end if negative; "" if it has fewer.
std::string bytes_in(const std::string& path, std::streamoff offset, std::size_t size) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(offset, offset < 0 ? std::ios::end : std::ios::beg);
  std::string bytes(size, '\0');
  return file.read(bytes.data(), static_cast<std::streamsize>(size)) ? bytes : std::string();
}

}  // namespace

std::string reason_of(const SQLite::Exception& error) {
  const bool of_the_system = (error.getErrorCode() & 0xff) == SQLITE_IOERR && errno != 0;
  return of_the_system ? fmt::format("{} ({})", error.what(), std::strerror(errno)) : error.what();
}

void require_harmless_files(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string journal = path + "-journal", header = bytes_in(path, 0, 100);
  std::error_code ignored;
  const fs::file_type type = fs::symlink_status(journal, ignored).type();
  if (type != fs::file_type::not_found && type != fs::file_type::regular)
    throw InputError("is not a regular file: remove it", journal);
  if (bytes_in(journal, -8, 8) == "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
    throw InputError(
        "is a journal that names a further file, which SQLite would delete; rigidlimit writes no "
        "such journal: remove it",
        journal);
  // SQLite would write files beside a store in WAL mode even when it only reads.
  if (header.size() == 100 && header.starts_with("SQLite format 3") &&
      (header[18] != 1 || header[19] != 1))
    throw InputError("is damaged, or not a store: rigidlimit uses no write-ahead log", path);
}

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
    blank_seal(database);
  }
  transaction.commit();
  require_store(database, path);
}

SQLite::Database opened_for_reading(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw InputError("does not exist: 'rigidlimit run' writes it", path);
  require_regular_file(path);
  require_harmless_files(path);
  try {
    SQLite::Database database(path, SQLite::OPEN_READONLY, store_patience);
    require_store(database, path);
    database.exec("PRAGMA query_only = ON");
    return database;
  } catch (const SQLite::Exception& e) {
    if (e.getExtendedErrorCode() != SQLITE_READONLY_ROLLBACK) throw;
  }
  // A killed process left a transaction to roll back: on a copy, since reading changes no file.
  const TemporaryFolder folder;
  const std::string copy = folder.file("results.db").string();
  std::filesystem::copy_file(path, copy);
  std::filesystem::copy_file(path + "-journal", copy + "-journal");
  SQLite::Database database(copy, SQLite::OPEN_READWRITE, store_patience);
  require_store(database, path);  // rolls back; the open file outlives its folder
  database.exec("PRAGMA query_only = ON");
  return database;
}

}  // namespace rigidlimit
