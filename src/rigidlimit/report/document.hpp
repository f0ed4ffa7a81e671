// A result in machine-readable form: named values and tables of records, written as CSV and JSON.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// Nothing, a boolean, a count, a number, a text, or several numbers or texts.
class Value {
 public:
  using Numbers = std::vector<double>;
  using Texts = std::vector<std::string>;
  using Any = std::variant<std::monostate, bool, long, double, std::string, Numbers, Texts>;

  Value() = default;
  // Implicit conversions: records are written as lists of values.
  Value(bool fact) : any_(fact) {}                      // NOLINT(google-explicit-constructor)
  Value(int count) : any_(static_cast<long>(count)) {}  // NOLINT(google-explicit-constructor)
  Value(long count) : any_(count) {}                    // NOLINT(google-explicit-constructor)
  Value(std::size_t count)                              // NOLINT(google-explicit-constructor)
      : any_(static_cast<long>(count)) {}
  Value(double number) : any_(number) {}                // NOLINT(google-explicit-constructor)
  Value(const char* text) : any_(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  Value(std::string text) : any_(std::move(text)) {}    // NOLINT(google-explicit-constructor)
  Value(Numbers numbers) : any_(std::move(numbers)) {}  // NOLINT(google-explicit-constructor)
  Value(const VectorXd& numbers)                        // NOLINT(google-explicit-constructor)
      : any_(Numbers(numbers.begin(), numbers.end())) {}
  Value(Texts texts) : any_(std::move(texts)) {}  // NOLINT(google-explicit-constructor)

  const Any& any() const { return any_; }
  bool operator==(const Value&) const = default;

 private:
  Any any_;
};

/// "work.steps" is `steps` of the object `work` in JSON, and the column `steps` in CSV.
struct Field {
  std::string name;
  Value value;
};
using Record = std::vector<Field>;

/// Its column in CSV and SQL: "steps" of "work.steps".
std::string column_name(const Field& field);

/// The records of a table: made beforehand, or made from the rows of a result when they are read,
/// as all records of a long table would take ten times the memory of its numbers.
class Records {
 public:
  Records() = default;
  /// record_of(row) for each of `rows`, which all copies share.
  template <class Row, class RecordOf>
  Records(std::shared_ptr<const std::vector<Row>> rows, RecordOf record_of)
      : count_(rows->size()), record_([rows = std::move(rows), record_of](std::size_t k) {
          return record_of((*rows)[k]);
        }) {}

  void push_back(Record record) { made_.push_back(std::move(record)); }

  std::size_t size() const { return record_ ? count_ : made_.size(); }
  bool empty() const { return size() == 0; }
  Record operator[](std::size_t k) const { return record_ ? record_(k) : made_[k]; }

 private:
  std::vector<Record> made_;
  std::size_t count_ = 0;
  std::function<Record(std::size_t)> record_;  ///< empty: all are made
};

/// In CSV all records have the fields of `columns`.
struct DataTable {
  std::string name;  ///< key in JSON, stem of the CSV file
  Record of_all;     ///< fields common to all records: CSV repeats them before each
  Record columns;    ///< a record for its field names only
  Records records;
};

/// One record for each of `rows`; `record_of` must accept a Row{}.
template <class Row, class RecordOf>
DataTable data_table(std::string name, Record of_all, const std::vector<Row>& rows,
                     const RecordOf& record_of) {
  DataTable table{std::move(name), std::move(of_all), record_of(Row{}), {}};
  for (const Row& row : rows) table.records.push_back(record_of(row));
  return table;
}

/// Names with dots are nested objects, tables are lists of objects.
struct Item {
  std::string name;
  std::variant<Value, DataTable> content;
};
using Document = std::vector<Item>;

/// Numbers with 17 digits; "nan" for every NaN, whatever its sign bit; texts with a comma, a quote
/// or a line end in quotes (RFC 4180).
std::string csv_header(const DataTable& table);
std::string csv_lines(const DataTable& table);
void write_csv(std::ostream& out, const DataTable& table);

/// An object; a value that is not finite is null.
std::string json_text(const Document& document);
void write_json(std::ostream& out, const Document& document);
/// A list of objects; `parts`: the first-level values to include; empty: all.
std::string json_text(const std::vector<Document>& documents,
                      const std::vector<std::string>& parts = {});

}  // namespace rigidlimit
