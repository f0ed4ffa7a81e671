// Solves as rows in a store. All values are bound parameters: no text of a study becomes SQL.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <map>
#include <set>

#include "rigidlimit/experiment/plan/solve_archive.hpp"
#include "rigidlimit/store/store.hpp"

namespace rigidlimit {

/// The study of the last run.
struct StoredStudy {
  std::string name, resolved, hash;
  std::optional<std::string> result;  ///< JSON without its rows; nullopt: not judged
  bool complete = false;              ///< every solve of the plan is stored
};

/// nullopt: no run has begun. Throws DamagedRecord if the hash of the text is wrong.
std::optional<StoredStudy> read_study(SQLite::Database& database);

/// Writes the run and, if it is new, its study; empties the plan. Returns the row in `runs`. These
/// functions are called in a transaction and throw SQLite::Exception.
std::int64_t insert_run(SQLite::Database& database, const StoredRun& run);
void finish_run(SQLite::Database& database, std::int64_t run, const SolveCounts& counts);

/// Copies all runs of another store. Returns the rows here by the rows there.
std::map<std::int64_t, std::int64_t> copy_runs(SQLite::Database& from, SQLite::Database& to);

/// The run of a solve.
std::int64_t run_of(SQLite::Database& database, const std::string& key);

/// The key of a solve: a hash of its determinants and of the code that solves it.
std::string store_key(const SolveIdentity& solve);

/// "2026-11-21T23:59:01Z".
std::string utc_now();

/// Prepared statements. Functions throw SQLite::Exception.
class StoreRows {
 public:
  explicit StoreRows(SQLite::Database& database);

  /// Begins a solve: a row of status "running" with one more attempt.
  void begin(const std::string& key, const SolveIdentity& solve, std::int64_t run);
  /// Ends a solve: writes the row, its samples, and its grid if there are samples and it is new.
  void finish(const std::string& key, const SolveIdentity& solve, const std::vector<double>& times,
              const SolveRecord& record, std::int64_t run);
  /// Counts a repetition with the same result.
  void count_attempt(const std::string& key);
  void add_finding(const std::string& key, std::int64_t run, const std::string& what,
                   double difference);
  /// Adds a finding unless it exists.
  void add_grid(const std::string& id, const std::vector<double>& times);

 private:
  SQLite::Statement begin_, finish_, sample_, grid_, row_, checksum_, attempt_, finding_;
};

/// The keys of all finished solves.
std::set<std::string> finished_keys(SQLite::Database& database);

/// The finished solve with this key; nullopt: none. Throws DamagedRecord if a size or a checksum is
/// wrong, as do the functions below.
std::optional<SolveRecord> read_solve(SQLite::Database& database, const std::string& key,
                                      Samples wanted = Samples::with);

/// Identity and grid of the solve with this key, which must exist.
SolveIdentity read_identity(SQLite::Database& database, const std::string& key);
std::vector<double> read_grid(SQLite::Database& database, const std::string& id);

/// The matrix in the columns rows, columns and data from `first` on. Its size is checked before
/// memory is taken.
MatrixXd matrix_of(SQLite::Statement& row, int first);

/// Binds rows, columns and data of a matrix to the parameters from `first` on.
void bind_matrix(SQLite::Statement& statement, int first, const MatrixXd& values);

}  // namespace rigidlimit
