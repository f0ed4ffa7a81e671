#include "rigidlimit/store/store_judgement.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "rigidlimit/store/store_rows.hpp"

namespace rigidlimit {

namespace {

struct Binder {
  SQLite::Statement& statement;
  int at;
  void operator()(std::monostate) const { statement.bind(at); }
  void operator()(bool fact) const { statement.bind(at, fact ? 1 : 0); }
  void operator()(long count) const { statement.bind(at, static_cast<std::int64_t>(count)); }
  void operator()(double x) const { statement.bind(at, x); }
  void operator()(const std::string& text) const { statement.bind(at, text); }
  template <class Several>
  void operator()(const Several&) const {
    throw std::logic_error("a list is not a column value");
  }
};

const char* sql_type(const Value& value) {
  const auto& any = value.any();
  if (std::holds_alternative<double>(any)) return "REAL";
  return std::holds_alternative<std::string>(any) ? "TEXT" : "INTEGER";
}

void write_rows(const DataTable& rows, SQLite::Database& database) {
  std::vector<std::string> columns;
  for (const Record* fields : {&rows.of_all, &rows.columns})
    for (const Field& field : *fields)
      columns.push_back(fmt::format("\"{}\" {}", column_name(field), sql_type(field.value)));
  database.exec(fmt::format("DROP TABLE IF EXISTS \"{0}\"; CREATE TABLE \"{0}\" ({1})", rows.name,
                            fmt::join(columns, ", ")));
  const std::vector<std::string> places(columns.size(), "?");
  SQLite::Statement insert(
      database, fmt::format("INSERT INTO \"{}\" VALUES ({})", rows.name, fmt::join(places, ", ")));
  for (std::size_t k = 0; k < rows.records.size(); ++k) {
    const Record record = rows.records[k];
    insert.reset();
    int at = 1;
    for (const Record* fields : {&rows.of_all, &record})
      for (const Field& field : *fields) std::visit(Binder{insert, at++}, field.value.any());
    insert.exec();
  }
}

/// The tables of the report with the columns of their CSV. Motions are not included: the solves
/// contain them.
void write_tables(const Report& report, SQLite::Database& database) {
  for (const DataTable& table : report.tables)
    if (table.name != "motions") write_rows(table, database);
}

void write_curves(const std::vector<Curve>& curves, SQLite::Database& database) {
  database.exec("DELETE FROM curves");
  SQLite::Statement insert(database,
                           "INSERT INTO curves VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
  for (const Curve& curve : curves) {
    insert.reset();
    insert.clearBindings();
    insert.bind(1, curve.subject);
    if (!curve.law.empty()) insert.bind(2, curve.law);
    if (!curve.solver.empty()) insert.bind(3, curve.solver);
    insert.bind(4, curve.epsilon);
    insert.bind(5, curve.name);
    insert.bind(6, curve.grid);
    bind_matrix(insert, 7, curve.values);
    insert.exec();
  }
}

void write_texts(const Report& report, SQLite::Database& database) {
  SQLite::Statement insert(database, "INSERT OR REPLACE INTO texts VALUES (?1, ?2)");
  for (const std::string& name : names_of_formats()) {
    insert.reset();
    insert.bind(1, name);
    insert.bind(2, formatted({report}, format_named(name)));
    insert.exec();
  }
}

}  // namespace

void write_judgement(const JudgedExperiment& judged, bool texts, SQLite::Database& database) {
  const Report& report = judged.report;
  write_curves(judged.curves, database);
  database.exec("DELETE FROM texts");
  if (texts) write_texts(report, database);
  write_tables(report, database);
  Document without_errors = report.document;
  std::erase_if(without_errors, [](const Item& item) { return item.name == "errors"; });
  SQLite::Statement text(database, "UPDATE study SET result = ?1, complete = ?2");
  text.bind(1, json_text(without_errors));
  text.bind(2, judged.counts.missing == 0 && !report.interrupted ? 1 : 0);
  text.exec();
}

}  // namespace rigidlimit
