// Solves on their way into a store.
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

#include "rigidlimit/store/store_rows.hpp"

namespace rigidlimit {

/// What waits to be written about one solve.
struct WaitingSolve {
  SolveIdentity solve;
  std::int64_t run;  ///< row of `runs` that it belongs to
  /// Its grid and its record; nothing: it has begun.
  std::optional<std::pair<std::vector<double>, SolveRecord>> result;
};

/// Writes solves in transactions of whole solves, by a thread of its own: within 0.2 s, or within
/// thirty times what a transaction takes on this file system, so that it costs 3 % of the time at
/// most. What cannot be written waits on.
class StoreWriter {
 public:
  /// `use` guards the connection, which others read from.
  StoreWriter(SQLite::Database& database, std::mutex& use);
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;
  ~StoreWriter() { stop(); }

  void start();  ///< the thread
  void stop();   ///< ends it and writes what is left

  /// A result replaces a beginning, nothing else is replaced. Writes at once if too much waits.
  void put(const std::string& key, WaitingSolve solve);
  /// One transaction with all that waits.
  void write();

  std::string failure() const;  ///< why the last transaction failed; empty: it did not
  int unwritten() const;        ///< finished solves that wait
  StoreRows& rows() { return rows_; }

 private:
  void write_on(const std::stop_token& stop);

  SQLite::Database& database_;
  std::mutex& use_;
  StoreRows rows_;
  std::mutex writing_;        ///< one transaction at a time
  mutable std::mutex guard_;  ///< what follows
  std::map<std::string, WaitingSolve> waiting_;
  std::size_t bytes_ = 0;  ///< of the samples that wait
  std::string failure_;
  std::condition_variable_any news_;
  std::jthread thread_;
};

}  // namespace rigidlimit
