#include "rigidlimit/store/store_rows.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <SQLiteCpp/Statement.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <utility>

#include "rigidlimit/core/word_hash.hpp"
#include "rigidlimit/experiment/plan/build_info.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/program_code.hpp"
#include "rigidlimit/experiment/plan/provenance.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/store/store_lock.hpp"

namespace rigidlimit {

std::optional<StoredStudy> read_study(SQLite::Database& database) {
  SQLite::Statement row(database, "SELECT name, resolved, hash, result, complete FROM study");
  if (!row.executeStep()) return std::nullopt;
  StoredStudy study{.name = row.getColumn(0).getString(),
                    .resolved = row.getColumn(1).getString(),
                    .hash = row.getColumn(2).getString(),
                    .result = {},
                    .complete = row.getColumn(4).getInt() != 0};
  if (!row.isColumnNull(3)) study.result = row.getColumn(3).getString();
  if (content_hash(study.resolved) != study.hash) throw DamagedRecord("the study has another hash");
  return study;
}

std::int64_t insert_run(SQLite::Database& database, const StoredRun& run) {
  SQLite::Statement insert(database,
                           "INSERT INTO runs (started, host, process, jobs, shard, provenance) "
                           "VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
  insert.bind(1, utc_now());
  insert.bind(2, host_name());
  insert.bind(3, static_cast<std::int64_t>(getpid()));
  insert.bind(4, run.jobs);
  if (!run.shard.is_whole()) insert.bind(5, fmt::format("{}/{}", run.shard.index, run.shard.count));
  insert.bind(6, provenance_json());
  insert.exec();
  const std::int64_t row = database.getLastInsertRowid();

  SQLite::Statement forget(database, "DELETE FROM study WHERE hash <> ?1");
  forget.bind(1, run.hash);
  if (forget.exec() > 0) database.exec("DELETE FROM errors; DELETE FROM curves; DELETE FROM texts");
  SQLite::Statement study(database,
                          "INSERT INTO study SELECT ?1, ?2, ?3, NULL, 0 "
                          "WHERE NOT EXISTS (SELECT * FROM study)");
  study.bind(1, run.name);
  study.bind(2, run.resolved);
  study.bind(3, run.hash);
  study.exec();
  database.exec("UPDATE study SET complete = 0; DELETE FROM plan");
  return row;
}

void finish_run(SQLite::Database& database, std::int64_t run, const SolveCounts& counts) {
  SQLite::Statement end(database,
                        "UPDATE runs SET ended = ?1, computed = ?2, reused = ?3 WHERE id = ?4");
  end.bind(1, utc_now());
  end.bind(2, counts.computed);
  end.bind(3, counts.reused);
  end.bind(4, run);
  end.exec();
}

std::map<std::int64_t, std::int64_t> copy_runs(SQLite::Database& from, SQLite::Database& to) {
  std::map<std::int64_t, std::int64_t> rows;
  SQLite::Statement all(from,
                        "SELECT id, started, ended, host, process, jobs, shard, computed, reused, "
                        "provenance FROM runs");
  SQLite::Statement insert(
      to,
      "INSERT INTO runs (started, ended, host, process, jobs, shard, computed, "
      "reused, provenance) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
  while (all.executeStep()) {
    insert.reset();
    insert.clearBindings();
    for (int k = 1; k <= 9; ++k) {
      const SQLite::Column value = all.getColumn(k);
      if (value.isInteger())
        insert.bind(k, value.getInt64());
      else if (!value.isNull())
        insert.bind(k, value.getString());
    }
    insert.exec();
    rows[all.getColumn(0).getInt64()] = to.getLastInsertRowid();
  }
  return rows;
}

std::int64_t run_of(SQLite::Database& database, const std::string& key) {
  SQLite::Statement row(database, "SELECT run FROM solves WHERE key = ?1");
  row.bind(1, key);
  row.executeStep();
  return row.getColumn(0).getInt64();
}

static_assert(std::endian::native == std::endian::little,
              "samples are stored as little-endian numbers");

namespace {

SolveIdentity::Kind kind_of(const std::string& name) {
  const auto at =
      std::ranges::find_if(all_solve_kinds, [&](auto kind) { return name == name_of(kind); });
  if (at == all_solve_kinds.end())
    throw DamagedRecord("a solve has the unknown kind '" + name + "'");
  return *at;
}

constexpr const char* insert_running =
    "INSERT INTO solves (key, kind, law, solver, epsilon, tighter, rtol, atol, formulation, "
    "precision, status, attempts, run, grid, determinants) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'running', 1, ?11, ?12, ?13) "
    "ON CONFLICT (key) DO UPDATE SET attempts = attempts + 1, run = excluded.run";

/// Ends a solve, whether its begin was written or not: one attempt in either case.
constexpr const char* insert_finished =
    "INSERT INTO solves (key, kind, law, solver, epsilon, tighter, rtol, atol, formulation, "
    "precision, status, attempts, run, grid, determinants, outcome, message, t_reached, last_step, "
    "steps, rejected_steps, rhs_evaluations, jacobian_evaluations, factorisations, "
    "newton_iterations, linear_solves, factor_nonzeros, seconds, finished, samples_hash, sampled) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'finished', 1, ?11, ?12, ?13, ?14, ?15, ?16, "
    "?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29) "
    "ON CONFLICT (key) DO UPDATE SET status = 'finished', run = excluded.run, "
    "outcome = excluded.outcome, message = excluded.message, t_reached = excluded.t_reached, "
    "last_step = excluded.last_step, steps = excluded.steps, "
    "rejected_steps = excluded.rejected_steps, rhs_evaluations = excluded.rhs_evaluations, "
    "jacobian_evaluations = excluded.jacobian_evaluations, "
    "factorisations = excluded.factorisations, newton_iterations = excluded.newton_iterations, "
    "linear_solves = excluded.linear_solves, factor_nonzeros = excluded.factor_nonzeros, "
    "seconds = excluded.seconds, finished = excluded.finished, "
    "samples_hash = excluded.samples_hash, sampled = excluded.sampled";

void bind_text(SQLite::Statement& statement, int index, const std::string& text) {
  if (text.empty())
    statement.bind(index);
  else
    statement.bind(index, text);
}

void bind_identity(SQLite::Statement& s, const std::string& key, const SolveIdentity& solve,
                   std::int64_t run) {
  s.reset();
  s.clearBindings();
  s.bind(1, key);
  s.bind(2, name_of(solve.kind));
  bind_text(s, 3, solve.law);
  s.bind(4, solve.solver);
  s.bind(5, solve.epsilon);
  s.bind(6, solve.tighter ? 1 : 0);
  s.bind(7, solve.rtol);
  s.bind(8, solve.atol);
  bind_text(s, 9, solve.formulation);
  s.bind(10, solve.precision);
  s.bind(11, run);
  s.bind(12, solve.grid);
  s.bind(13, solve.determinants);
}

}  // namespace

MatrixXd matrix_of(SQLite::Statement& row, int first) {
  const std::int64_t rows = row.getColumn(first).getInt64();
  const std::int64_t columns = row.getColumn(first + 1).getInt64();
  const SQLite::Column data = row.getColumn(first + 2);
  const auto bytes = static_cast<std::int64_t>(data.getBytes());
  const std::int64_t entries = bytes / static_cast<std::int64_t>(sizeof(double));
  const std::int64_t most = std::max<std::int64_t>(entries, 1'000'000);  // of an empty matrix
  if (bytes != entries * static_cast<std::int64_t>(sizeof(double)) || rows < 0 || columns < 0 ||
      rows > most || columns > most || rows * columns != entries)
    throw DamagedRecord("samples differ in size from their row");
  MatrixXd values(rows, columns);
  if (bytes > 0) std::memcpy(values.data(), data.getBlob(), static_cast<std::size_t>(bytes));
  return values;
}

namespace {

/// The columns that the checksum of a row covers, in this order: all that a result is read from.
constexpr const char* select_solve =
    "SELECT outcome, message, t_reached, last_step, seconds, steps, rejected_steps, "
    "rhs_evaluations, jacobian_evaluations, factorisations, newton_iterations, linear_solves, "
    "factor_nonzeros, samples_hash, sampled, kind, law, solver, epsilon, tighter, rtol, atol, "
    "formulation, precision, grid, determinants, key, checksum, status FROM solves WHERE key = ?1";
constexpr int covered = 27;

std::string checksum_of(const SQLite::Statement& row) {
  WordHash hash;
  for (int k = 0; k < covered; ++k) {
    const SQLite::Column value = row.getColumn(k);
    hash.add(static_cast<std::int64_t>(value.getType()));
    if (value.isInteger())
      hash.add(value.getInt64());
    else if (value.isFloat())
      hash.add(value.getDouble());
    else if (!value.isNull())
      hash.add(value.getBlob(), static_cast<std::size_t>(value.getBytes()));
  }
  return fmt::format("{:016x}", hash.value());
}

/// The row of a solve, after a check of its checksum if it is finished; false: there is none.
bool step_to_solve(SQLite::Statement& row, const std::string& key) {
  row.bind(1, key);
  if (!row.executeStep()) return false;
  const SQLite::Column checksum = row.getColumn(covered);
  if (!checksum.isNull() && checksum.getString() != checksum_of(row))
    throw DamagedRecord("the checksum of a solve is wrong");
  return true;
}

}  // namespace

namespace {

/// The other part of every key: a hash of the sources behind a solve, and the library versions.
std::string code_version(std::string text) {
  for (const auto& [name, value] : build_provenance())
    if (name == "sundials" || name == "boost" || name == "eigen")
      text += fmt::format(" {} {}", name, value);
  return text;
}

}  // namespace

std::string store_key(const SolveIdentity& solve) {
  static const std::string code = code_version(build_physics()),
                           comparing = code_version(build_comparison());
  const bool compares = solve.kind == SolveIdentity::Kind::comparison;
  return content_hash(solve.determinants + " code=" + (compares ? comparing : code));
}

std::string utc_now() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

void bind_matrix(SQLite::Statement& statement, int first, const MatrixXd& values) {
  statement.bind(first, static_cast<std::int64_t>(values.rows()));
  statement.bind(first + 1, static_cast<std::int64_t>(values.cols()));
  const auto size = sizeof(double) * static_cast<std::size_t>(values.size());
  // A null pointer would bind NULL.
  const void* data = size > 0 ? static_cast<const void*>(values.data()) : "";
  statement.bindNoCopy(first + 2, data, static_cast<int>(size));
}

StoreRows::StoreRows(SQLite::Database& database)
    : begin_(database, insert_running),
      finish_(database, insert_finished),
      sample_(database, "INSERT OR REPLACE INTO samples VALUES (?1, ?2, ?3, ?4, ?5)"),
      grid_(database, "INSERT OR IGNORE INTO grids VALUES (?1, ?2, ?3)"),
      row_(database, select_solve),
      checksum_(database, "UPDATE solves SET checksum = ?2 WHERE key = ?1"),
      attempt_(database, "UPDATE solves SET attempts = attempts + 1 WHERE key = ?1"),
      finding_(database,
               "INSERT INTO findings (key, found, run, what, difference) "
               "VALUES (?1, ?2, ?3, ?4, ?5)") {}

void StoreRows::begin(const std::string& key, const SolveIdentity& solve, std::int64_t run) {
  bind_identity(begin_, key, solve, run);
  begin_.exec();
}

void StoreRows::finish(const std::string& key, const SolveIdentity& solve,
                       const std::vector<double>& times, const SolveRecord& record,
                       std::int64_t run) {
  bind_identity(finish_, key, solve, run);
  finish_.bind(14, name_of(record.outcome));
  bind_text(finish_, 15, record.message);
  finish_.bind(16, record.t_reached);
  finish_.bind(17, record.last_step);
  const Work& w = record.work;
  int at = 18;
  for (const long count :
       {w.steps, w.rejected_steps, w.rhs_evaluations, w.jacobian_evaluations, w.factorisations,
        w.newton_iterations, w.linear_solves, w.factor_nonzeros})
    finish_.bind(at++, static_cast<std::int64_t>(count));
  finish_.bind(at++, record.seconds);
  finish_.bind(at++, utc_now());
  finish_.bind(at++, hash_of_samples(record));
  finish_.bind(at, record.samples_hash.empty() ? 1 : 0);
  finish_.exec();
  checksum_.reset();
  checksum_.bind(1, key);
  row_.bind(1, key);
  row_.executeStep();
  checksum_.bind(2, checksum_of(row_));
  row_.reset();
  checksum_.exec();
  if (!record.samples.empty() && !times.empty()) add_grid(solve.grid, times);
  for (const NamedSamples& samples : record.samples) {
    sample_.reset();
    sample_.bind(1, key);
    sample_.bind(2, samples.name);
    bind_matrix(sample_, 3, samples.values);
    sample_.exec();
  }
}

void StoreRows::add_grid(const std::string& id, const std::vector<double>& times) {
  grid_.reset();
  grid_.bind(1, id);
  grid_.bind(2, static_cast<std::int64_t>(times.size()));
  grid_.bindNoCopy(3, times.data(), static_cast<int>(sizeof(double) * times.size()));
  grid_.exec();
}

void StoreRows::count_attempt(const std::string& key) {
  attempt_.reset();
  attempt_.bind(1, key);
  attempt_.exec();
}

void StoreRows::add_finding(const std::string& key, std::int64_t run, const std::string& what,
                            double difference) {
  finding_.reset();
  finding_.bind(1, key);
  finding_.bind(2, utc_now());
  finding_.bind(3, run);
  finding_.bind(4, what);
  finding_.bind(5, difference);
  finding_.exec();
}

std::set<std::string> finished_keys(SQLite::Database& database) {
  std::set<std::string> keys;
  SQLite::Statement all(database, "SELECT key FROM solves WHERE status = 'finished'");
  while (all.executeStep()) keys.insert(all.getColumn(0).getString());
  return keys;
}

std::optional<SolveRecord> read_solve(SQLite::Database& database, const std::string& key,
                                      Samples wanted) {
  SQLite::Statement row(database, select_solve);
  if (!step_to_solve(row, key)) return std::nullopt;
  if (row.isColumnNull(covered)) {
    if (row.getColumn(covered + 1).getString() != "finished") return std::nullopt;
    throw DamagedRecord("the checksum of a solve is missing");
  }
  // NULL stands for NaN, which SQLite does not have.
  const auto number = [&](int column) {
    return row.isColumnNull(column) ? std::nan("") : row.getColumn(column).getDouble();
  };
  const auto count = [&](int column) {
    return static_cast<long>(row.getColumn(column).getInt64());
  };
  SolveRecord record{{.outcome = outcome_named(row.getColumn(0).getString()),
                      .message = row.getColumn(1).getString(),
                      .t_reached = number(2),
                      .last_step = number(3),
                      .work = {.steps = count(5),
                               .rejected_steps = count(6),
                               .rhs_evaluations = count(7),
                               .jacobian_evaluations = count(8),
                               .factorisations = count(9),
                               .newton_iterations = count(10),
                               .linear_solves = count(11),
                               .factor_nonzeros = count(12)}},
                     number(4),
                     {},
                     row.getColumn(13).getString()};
  if (row.getColumn(14).getInt() == 0) return record;
  if (wanted == Samples::without) return record;  // with the hash of the samples that are left out
  const std::string stored_hash = std::exchange(record.samples_hash, "");
  SQLite::Statement samples(
      database, "SELECT name, \"rows\", columns, data FROM samples WHERE key = ?1 ORDER BY rowid");
  samples.bind(1, key);
  while (samples.executeStep())
    record.samples.push_back({samples.getColumn(0).getString(), matrix_of(samples, 1)});
  if (hash_of_samples(record) != stored_hash)
    throw DamagedRecord("the samples of a solve have another checksum");
  return record;
}

SolveIdentity read_identity(SQLite::Database& database, const std::string& key) {
  SQLite::Statement row(database, select_solve);
  step_to_solve(row, key);
  return {.kind = kind_of(row.getColumn(15).getString()),
          .law = row.getColumn(16).getString(),
          .solver = row.getColumn(17).getString(),
          .epsilon = row.isColumnNull(18) ? std::nan("") : row.getColumn(18).getDouble(),
          .tighter = row.getColumn(19).getInt() != 0,
          .rtol = row.getColumn(20).getDouble(),
          .atol = row.getColumn(21).getDouble(),
          .formulation = row.getColumn(22).getString(),
          .precision = row.getColumn(23).getString(),
          .grid = row.getColumn(24).getString(),
          .determinants = row.getColumn(25).getString()};
}

std::vector<double> read_grid(SQLite::Database& database, const std::string& id) {
  SQLite::Statement row(database, "SELECT count, times FROM grids WHERE id = ?1");
  row.bind(1, id);
  std::vector<double> times;
  if (!row.executeStep()) return times;
  const SQLite::Column data = row.getColumn(1);
  const auto size = static_cast<std::size_t>(data.getBytes());
  if (row.getColumn(0).getInt64() != static_cast<std::int64_t>(size / sizeof(double)) ||
      size % sizeof(double) != 0)
    throw DamagedRecord("a grid differs in size from its row");
  times.resize(size / sizeof(double));
  if (size > 0) std::memcpy(times.data(), data.getBlob(), size);
  if (grid_hash(times) != id) throw DamagedRecord("the times of a grid have another hash");
  return times;
}

}  // namespace rigidlimit
