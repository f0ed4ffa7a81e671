// Tables and single values in machine-readable form: CSV and JSON.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "rigidlimit/core/table.hpp"

namespace rigidlimit {

/// A JSON object: values, tables as lists of objects, and further values. Names with dots are
/// nested.
struct Document {
  Fields head = {};
  std::vector<Table> tables = {};
  Fields tail = {};
};

/// Numbers with 17 digits; "nan" for every NaN, whatever its sign bit; texts with a comma, a quote
/// or a line end in quotes (RFC 4180).
std::string csv_text(const Value& value);
std::string csv_header(const Table& table);
std::string csv_lines(const Table& table);
/// Tables below each other; a header stands again only if the columns change.
std::string csv_text(const std::vector<Table>& tables);
void write_csv(std::ostream& out, const Table& table);

/// Whether the table has a CSV file and a table in the store.
bool has_own_file(const Table& table);

/// An object; a value that is not finite is null.
std::string json_text(const Document& document);
void write_json(std::ostream& out, const Document& document);

/// Fields as the columns of a table with one row.
Table row_of(std::string name, const Fields& fields);

/// build_provenance() as a JSON object.
std::string provenance_json();

}  // namespace rigidlimit
