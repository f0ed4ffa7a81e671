// A background writer of solves; a judged experiment as rows in a store.
#pragma once

#include <SQLiteCpp/Database.h>

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/store/store_rows.hpp"

namespace rigidlimit {

/// A pending write of one solve.
struct WaitingSolve {
  SolveIdentity solve;
  std::int64_t run;  ///< row of its run in `runs`
  /// Its grid and its record; empty: the solve begins.
  std::optional<std::pair<std::vector<double>, SolveRecord>> result;
};

/// Writes solves in transactions of whole solves, in its own thread. The pause between transactions
/// is 0.2 s or thirty times the duration of a transaction on this file system, so that writing
/// takes at most 3 % of the time. Failed writes stay pending.
class StoreWriter {
 public:
  /// `use` guards the connection, which other threads read from.
  StoreWriter(SQLite::Database& database, std::mutex& use);
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;
  ~StoreWriter() { stop(); }

  void start();  ///< starts the thread
  void stop();   ///< ends it and writes all pending solves

  /// Adds a pending write; a result replaces the begin of its solve. Writes at once if too much is
  /// pending.
  void put(const std::string& key, WaitingSolve solve);
  /// Writes everything pending in one transaction.
  void write();

  std::string failure() const;  ///< error of the last transaction; empty: none
  int unwritten() const;        ///< number of pending results
  StoreRows& rows() { return rows_; }

 private:
  void write_on(const std::stop_token& stop);

  SQLite::Database& database_;
  std::mutex& use_;
  StoreRows rows_;
  std::mutex writing_;        ///< serialises transactions
  mutable std::mutex guard_;  ///< of the members below
  std::map<std::string, WaitingSolve> waiting_;
  std::size_t bytes_ = 0;  ///< of the pending samples
  std::string failure_;
  std::condition_variable_any news_;
  std::jthread thread_;
};

/// Replaces the judgement (JSON), the tables of the report and the curves; `texts`: also the report
/// in every format. To be called in a transaction; throws SQLite::Exception.
void write_judgement(const Result& report, bool texts, SQLite::Database& database);

}  // namespace rigidlimit
