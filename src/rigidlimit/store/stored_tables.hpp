// The contents of a store as tables and arrays, for readers in other languages.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/experiment/plan/solve_archive.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/store/store_rows.hpp"

namespace rigidlimit {

/// A column of a table: its declared type, and a value for each row.
struct StoredColumn {
  std::string name;
  bool text = false;
  std::vector<Value> values;  ///< nothing, a count, a number or a text
};
using StoredTable = std::vector<StoredColumn>;

/// A matrix over the times of its columns.
struct StoredCurve {
  std::vector<double> times;
  MatrixXd values;  ///< rows × times
};

/// A store, opened by opened_for_reading() and kept open. It changes no file. Every function throws
/// InputError with the path for damage that SQLite or a checksum finds, and for a store that can no
/// longer be read.
class StoredTables {
 public:
  explicit StoredTables(const std::string& path);
  StoredTables(StoredTables&&) noexcept;
  StoredTables& operator=(StoredTables&&) noexcept;
  ~StoredTables();

  /// nullopt: no run has begun.
  std::optional<StoredStudy> study() const;
  /// "runs", "solves", "findings", and the tables of the report.
  std::vector<std::string> names() const;
  /// The rows of one of names(), in the order in which they were written; "solves" has those of the
  /// plan, in its order. The checksum of each finished solve is checked.
  StoredTable table(const std::string& name) const;
  /// The samples of a solve, after a check of their hash, and the times of their columns; nothing
  /// if they are not stored.
  std::vector<NamedSamples> samples(const std::string& key) const;
  std::vector<double> times_of(const std::string& key) const;
  /// The columns subject, law, solver, epsilon and name of the derived curves, and one of them.
  StoredTable curves() const;
  StoredCurve curve(std::size_t index) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace rigidlimit
