// Solves as rows of a store. Every value is bound: no text of a study becomes SQL.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <set>

#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// The key of a solve: a hash of its determinants and of the code that solves it.
std::string store_key(const SolveIdentity& solve);

/// What every key depends on besides: the sources behind a solve, and the libraries.
std::string code_version();

/// "2026-11-21T23:59:01Z".
std::string utc_now();

/// Statements that are prepared once; functions throw SQLite::Exception.
class StoreRows {
 public:
  explicit StoreRows(SQLite::Database& database);

  /// A solve has begun: a row of status "running", one attempt more.
  void begin(const std::string& key, const SolveIdentity& solve, std::int64_t run);
  /// It has ended; the row, its samples, and its grid if that is new.
  void finish(const std::string& key, const SolveIdentity& solve, const std::vector<double>& times,
              const SolveRecord& record, std::int64_t run);
  /// It was solved again, with the same result.
  void count_attempt(const std::string& key);
  void add_finding(const std::string& key, std::int64_t run, const std::string& what,
                   double difference);
  /// Nothing if it is there.
  void add_grid(const std::string& id, const std::vector<double>& times);

 private:
  SQLite::Statement begin_, finish_, sample_, grid_, attempt_, finding_;
};

/// Keys of all finished solves.
std::set<std::string> finished_keys(SQLite::Database& database);

/// The finished solve of this key; nullopt if there is none.
std::optional<SolveRecord> read_solve(SQLite::Database& database, const std::string& key);

/// What the solve of this key is, and its grid's times. The key must be there.
SolveIdentity read_identity(SQLite::Database& database, const std::string& key);
std::vector<double> read_grid(SQLite::Database& database, const std::string& id);

/// Binds a matrix as rows, columns and data to the parameters from `first` on.
void bind_matrix(SQLite::Statement& statement, int first, const MatrixXd& values);

}  // namespace rigidlimit
