#include "rigidlimit/store/store.hpp"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/input_file.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/solve_archive.hpp"
#include "rigidlimit/report/results_folder.hpp"
#include "rigidlimit/store/store_failure.hpp"
#include "rigidlimit/store/store_lock.hpp"
#include "rigidlimit/store/store_rows.hpp"
#include "rigidlimit/store/store_schema.hpp"
#include "rigidlimit/store/store_seal.hpp"
#include "rigidlimit/store/store_writer.hpp"

namespace rigidlimit {

namespace {

/// The difference of two records that should be equal.
struct RecordDifference {
  std::string what;      ///< "q differs by up to 3.1e-12 of its largest entry"
  double largest = 0.0;  ///< of the samples, relative to the largest entry of each; NaN if samples
                         ///< are missing in one of the two or differ in size
};

/// Relative to the largest finite entry; NaN if the two cannot be compared.
double largest_difference(const MatrixXd& a, const MatrixXd& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::nan("");
  double scale = 0.0, apart = 0.0;
  for (Index k = 0; k < a.size(); ++k) {
    const double x = a.data()[k], y = b.data()[k];
    if (std::isnan(x) != std::isnan(y)) return std::nan("");
    if (std::isnan(x)) continue;
    scale = std::max({scale, std::abs(x), std::abs(y)});
    apart = std::max(apart, std::abs(x - y));
  }
  return apart > 0.0 ? apart / scale : 0.0;
}

/// Empty if they agree bit by bit (same_result).
std::optional<RecordDifference> difference_between(const SolveRecord& kept,
                                                   const SolveRecord& other) {
  if (same_result(kept, other)) return std::nullopt;
  if (kept.outcome != other.outcome)
    return RecordDifference{fmt::format("the outcome was {} and is now {}", name_of(kept.outcome),
                                        name_of(other.outcome)),
                            std::nan("")};
  if (!kept.samples_hash.empty() && hash_of_samples(kept) != hash_of_samples(other))
    return RecordDifference{"its samples differ (their hash is stored)", std::nan("")};
  RecordDifference worst{"its samples are equal, but its counts or messages differ", 0.0};
  for (const NamedSamples& samples : kept.samples) {
    const auto twin = std::ranges::find(other.samples, samples.name, &NamedSamples::name);
    if (twin == other.samples.end())
      return RecordDifference{samples.name + " is missing", std::nan("")};
    const double apart = largest_difference(samples.values, twin->values);
    if (std::isnan(apart))
      return RecordDifference{samples.name + " has another size or other missing values", apart};
    if (apart > worst.largest)
      worst = {fmt::format("{} differs by up to {:.2g} of its largest entry", samples.name, apart),
               apart};
  }
  return worst;
}

/// "compliant, viscoelastic, cvode_bdf, eps = 0.001, the tighter solve": for messages.
std::string description_of(const SolveIdentity& solve) {
  std::string text = name_of(solve.kind);
  if (!solve.law.empty()) text += ", " + solve.law;
  text += ", " + solve.solver;
  if (!std::isnan(solve.epsilon)) text += fmt::format(", eps = {:.6g}", solve.epsilon);
  return text + (solve.tighter ? ", the tighter solve" : "");
}

struct Mismatch {
  std::string key;
  Finding finding;
  double difference;
};

/// Empty if the directory exists already or cannot be created.
void make_directory_of(const std::string& path) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

void require_no_link(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path place(path);
  for (const std::filesystem::path& one : {place.parent_path(), place})
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(one, ignored)))
      refuse_link(one.string());
}

/// The new row of a run that was copied.
std::int64_t run_in(const std::map<std::int64_t, std::int64_t>& runs, std::int64_t run) {
  const auto at = runs.find(run);
  if (at == runs.end()) throw DamagedRecord(fmt::format("its run {} is missing", run));
  return at->second;
}

/// Error for a solve that was in the file when it was opened and is no longer there.
[[noreturn]] void fail_taken(const SolveIdentity& solve, const std::string& path) {
  throw InputError(fmt::format("another program has removed {} from it: let only one program write "
                               "there, and repeat the command",
                               quotable(description_of(solve))),
                   path);
}

}  // namespace

std::string store_path(const std::string& results, const std::string& name, Shard shard) {
  const std::filesystem::path place = std::filesystem::path(results) / name;
  if (shard.is_whole()) return (place / "results.db").string();
  return (place / "shards" / fmt::format("{}-of-{}.db", shard.index, shard.count)).string();
}

struct Store::File {
  File(const std::string& where, bool write)
      : path(where),
        lock(write ? std::make_unique<StoreLock>(where + ".lock") : nullptr),
        writable(lock && lock->held()) {
    if (write && !writable && !exists(where))
      throw InputError(
          "cannot be created; if the directory is read-only, name another one with --results DIR",
          where);
  }

  void open() {
    if (writable) {
      database = std::make_unique<SQLite::Database>(
          path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, store_patience);
      database->exec("PRAGMA cache_size = -65536");  // KiB: a transaction stays in memory
      prepare_store(*database, path);
      writer = std::make_unique<StoreWriter>(*database, use);
    } else {
      database = std::make_unique<SQLite::Database>(opened_for_reading(path));
    }
    keys = finished_keys(*database);
  }

  /// Calls look(database). Throws InputError for an SQLite error.
  template <class Look>
  auto read(const Look& look) try {
    const std::scoped_lock guard(use);
    return look(*database);
  } catch (const SQLite::Exception& e) {
    fail(path, e);
  } catch (const DamagedRecord& damage) {
    fail(path, damage);
  }

  /// The stored result of `key` if it equals `record`; otherwise adds a mismatch to the notes,
  /// described by `whose`.
  std::optional<SolveRecord> compared(const std::string& key, const SolveIdentity& solve,
                                      const SolveRecord& record, const std::string& whose = "") {
    auto had = read([&](SQLite::Database& db) { return read_solve(db, key); });
    if (!had) fail_taken(solve, path);
    const auto difference = difference_between(*had, record);
    if (!difference) return had;
    const std::scoped_lock guard(notes);
    mismatches.push_back(
        {key, {description_of(solve), difference->what + whose}, difference->largest});
    return std::nullopt;
  }

  /// Calls change() in a transaction. Throws InputError for an SQLite error.
  template <class Change>
  void write(const Change& change) try {
    const std::scoped_lock guard(use);
    SQLite::Transaction transaction(*database, SQLite::TransactionBehavior::IMMEDIATE);
    if (sealed) blank_seal(*database);
    change();
    transaction.commit();
    sealed = false;
  } catch (const SQLite::Exception& e) {
    fail(path, e);
  }

  std::string path;
  std::unique_ptr<StoreLock> lock;
  bool writable;
  std::unique_ptr<SQLite::Database> database;
  std::mutex use;              ///< guards the database
  bool sealed = true;          ///< perhaps: nothing has been written
  std::int64_t run = 0;        ///< row of `runs`
  std::set<std::string> keys;  ///< solves that were finished before this run
  mutable std::mutex notes;    ///< guards the members below
  std::vector<Mismatch> mismatches;
  std::set<std::string> kept;           ///< keys of this run: stored or pending
  std::vector<std::string> repeated;    ///< keys of solves that were repeated with the same result
  std::unique_ptr<StoreWriter> writer;  ///< last, to be destroyed before the members it uses
};

Store::Store(const std::string& path, Access access) {
  require_regular_file(path);
  if (access == Access::write) {
    require_no_link(path);
    require_harmless_files(path);
    make_directory_of(path);
  }
  file_ = std::make_unique<File>(path, access == Access::write);
  try {
    file_->open();
  } catch (const SQLite::Exception& e) {
    fail(path, e);
  }
}

/// Seals a store that was written. A failure leaves it without a seal, which is valid.
Store::~Store() {
  if (!file_ || !file_->writable || file_->sealed || !file_->writer->failure().empty()) return;
  try {
    file_->writer->stop();
    const std::scoped_lock guard(file_->use);
    write_seal(*file_->database);
  } catch (const std::exception&) {
  }
}

std::string Store::name() const {
  return file_->path;
}

void Store::clear() {
  file_->write([&] {
    for (const char* table : {"solves", "samples", "grids", "plan", "errors", "curves", "texts",
                              "findings", "runs", "study"})
      file_->database->exec(fmt::format("DELETE FROM {}", table));
  });
  file_->keys.clear();
}

void Store::begin_run(const StoredRun& run) {
  if (!file_->writable) return;
  file_->write([&] { file_->run = insert_run(*file_->database, run); });
  file_->writer->start();
}

void Store::end_run(const SolveCounts& counts) {
  if (!file_->writable) return;
  file_->writer->stop();
  if (const std::string why = file_->writer->failure(); !why.empty())
    throw InputError(fmt::format("{}: {} finished solves could not be stored. Free disk space and "
                                 "repeat the command; it continues from the stored solves",
                                 why, file_->writer->unwritten()),
                     file_->path);
  file_->write([&] {
    for (const std::string& key : file_->repeated) file_->writer->rows().count_attempt(key);
    for (const Mismatch& m : file_->mismatches)
      file_->writer->rows().add_finding(m.key, file_->run, m.finding.solve + ": " + m.finding.what,
                                        m.difference);
    finish_run(*file_->database, file_->run, counts);
  });
}

void Store::write_judgement(const Result& judged, bool texts) {
  if (!file_->writable) return;
  file_->write([&] { rigidlimit::write_judgement(judged, texts, *file_->database); });
}

void Store::copy_to(const std::string& path) {
  if (file_->writable) file_->writer->write();
  if (const std::string why = failure(); !why.empty()) throw InputError(why, file_->path);
  file_->read([&](SQLite::Database& db) {
    SQLite::Database copy(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    SQLite::Backup(copy, db).executeStep();
  });
}

void Store::limit_size() {
  file_->database->exec("PRAGMA max_page_count = 1");  // SQLite takes the present size instead
}

bool Store::read_only() const {
  return !file_->writable;
}

int Store::finished() const {
  return static_cast<int>(file_->keys.size());
}

std::string Store::study() const {
  return file_->read([](SQLite::Database& db) {
    const auto found = read_study(db);
    return found ? found->resolved : std::string();
  });
}

std::vector<StoredRunRow> Store::runs_that_solved() const {
  return file_->read([](SQLite::Database& db) {
    std::vector<StoredRunRow> runs;
    SQLite::Statement row(db,
                          "SELECT started, ended, provenance FROM runs WHERE computed > 0 OR id = "
                          "(SELECT max(id) FROM runs) ORDER BY id");
    while (row.executeStep())
      runs.push_back({row.getColumn(0).getString(), row.getColumn(1).getString(),
                      row.getColumn(2).getString()});
    return runs;
  });
}

std::string Store::text(const std::string& format) const {
  return file_->read([&](SQLite::Database& db) {
    SQLite::Statement text(db, "SELECT text FROM texts WHERE format = ?1");
    text.bind(1, format);
    return text.executeStep() ? text.getColumn(0).getString() : std::string();
  });
}

std::string Store::failure() const {
  return file_->writable ? file_->writer->failure() : std::string();
}

std::vector<Finding> Store::findings() const {
  const std::scoped_lock guard(file_->notes);
  std::vector<Finding> all;
  for (const Mismatch& m : file_->mismatches) all.push_back(m.finding);
  return all;
}

void Store::plan(const std::vector<SolveIdentity>& solves) {
  if (!file_->writable) return;
  file_->write([&] {
    SQLite::Statement insert(*file_->database, "INSERT INTO plan (key) VALUES (?1)");
    for (const SolveIdentity& solve : solves) {
      insert.reset();
      insert.bind(1, store_key(solve));
      insert.exec();
    }
  });
}

std::optional<SolveRecord> Store::find(const SolveIdentity& solve, Samples wanted) {
  const std::string key = store_key(solve);
  if (!file_->keys.contains(key)) {
    const std::scoped_lock guard(file_->notes);
    if (!file_->kept.contains(key)) return std::nullopt;
  }
  auto record = file_->read([&](SQLite::Database& db) { return read_solve(db, key, wanted); });
  if (record && wanted == Samples::with && !record->samples_hash.empty()) return std::nullopt;
  return record;
}

void Store::begin(const SolveIdentity& solve) {
  if (!file_->writable)
    throw InputError(
        fmt::format(
            "is read-only, and {} is missing in it: name another directory with --results DIR",
            description_of(solve)),
        file_->path);
  const std::string key = store_key(solve);
  if (!file_->keys.contains(key)) file_->writer->put(key, {solve, file_->run, std::nullopt});
}

void Store::keep(const SolveIdentity& solve, const std::vector<double>& times,
                 const SolveRecord& record, Samples kept) {
  const std::string key = store_key(solve);
  const auto put = [&] {
    const bool whole = kept == Samples::with;
    file_->writer->put(key, {solve, file_->run,
                             std::pair(whole ? times : std::vector<double>(),
                                       whole ? record : without_samples(record))});
  };
  if (!file_->keys.contains(key)) {
    {
      const std::scoped_lock guard(file_->notes);
      if (!file_->kept.insert(key).second) return;  // two points of a sweep share a rigid motion
    }
    return put();
  }
  const auto stored = file_->compared(key, solve, record);
  if (!stored) return;
  if (kept == Samples::with && !stored->samples_hash.empty()) return put();
  const std::scoped_lock guard(file_->notes);
  file_->repeated.push_back(key);
}

int Store::take_from(const std::string& other) try {
  SQLite::Database source = opened_for_reading(other);
  std::map<std::int64_t, std::int64_t> runs;
  file_->write([&] { runs = copy_runs(source, *file_->database); });
  int taken = 0;
  for (const std::string& key : finished_keys(source)) {
    const SolveIdentity solve = read_identity(source, key);
    const auto record = read_solve(source, key);
    if (!record) fail_taken(solve, other);
    if (file_->keys.contains(key)) {
      file_->compared(key, solve, *record, " in " + other);
      continue;
    }
    file_->writer->put(key, {solve, run_in(runs, run_of(source, key)),
                             std::pair(read_grid(source, solve.grid), *record)});
    if (solve.kind != SolveIdentity::Kind::comparison) ++taken;
  }
  file_->writer->write();
  if (const std::string why = file_->writer->failure(); !why.empty())
    throw InputError(why, file_->path);
  file_->keys = file_->read(finished_keys);
  return taken;
} catch (const SQLite::Exception& e) {  // of `other`: errors of this store are InputErrors
  fail(other, e);
} catch (const DamagedRecord& damage) {
  if (!damage.where().empty()) throw;  // of this store
  fail(other, damage);
}

}  // namespace rigidlimit
