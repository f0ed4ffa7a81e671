#include "rigidlimit/store/store_writer.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <variant>

#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/store/store_rows.hpp"
#include "rigidlimit/store/store_schema.hpp"

namespace rigidlimit {

namespace {

using PauseClock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds shortest_pause{0.2};          // between two transactions
constexpr double longest_share = 1.0 / 30.0;    // largest share of the time spent on writing
constexpr std::size_t most_waiting = 64 << 20;  // bytes in memory before the next transaction

std::size_t bytes_of(const WaitingSolve& item) {
  std::size_t bytes = 0;
  if (item.result)
    for (const NamedSamples& s : item.result->second.samples)
      bytes += sizeof(double) * static_cast<std::size_t>(s.values.size());
  return bytes;
}

}  // namespace

StoreWriter::StoreWriter(SQLite::Database& database, std::mutex& use)
    : database_(database), use_(use), rows_(database) {}

void StoreWriter::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { write_on(stop); });
}

void StoreWriter::stop() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  write();
}

void StoreWriter::put(const std::string& key, WaitingSolve solve) {
  bool too_much = false, first = false;
  {
    const std::scoped_lock guard(guard_);
    bytes_ += bytes_of(solve);
    too_much = bytes_ > most_waiting;
    first = waiting_.empty();
    if (solve.result)
      waiting_.insert_or_assign(key, std::move(solve));
    else
      waiting_.try_emplace(key, std::move(solve));
  }
  if (too_much)
    write();
  else if (first)
    news_.notify_one();
}

void StoreWriter::write_on(const std::stop_token& stop) {
  Seconds pause = shortest_pause;
  std::unique_lock guard(guard_);
  while (news_.wait(guard, stop, [&] { return !waiting_.empty() && failure_.empty(); })) {
    // Wait for more solves of the same transaction.
    if (news_.wait_for(guard, stop, pause, [] { return false; }) || stop.stop_requested()) return;
    guard.unlock();
    const PauseClock::time_point start = PauseClock::now();
    write();
    pause = std::max(shortest_pause, Seconds(PauseClock::now() - start) / longest_share);
    guard.lock();
  }
}

void StoreWriter::write() {
  const std::scoped_lock writing(writing_);
  std::map<std::string, WaitingSolve> batch;
  {
    const std::scoped_lock guard(guard_);
    batch.swap(waiting_);
    bytes_ = 0;
  }
  if (batch.empty()) return;
  std::string why;
  try {
    const std::scoped_lock use(use_);
    SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
    for (const auto& [key, item] : batch) {
      if (item.result)
        rows_.finish(key, item.solve, item.result->first, item.result->second, item.run);
      else
        rows_.begin(key, item.solve, item.run);
    }
    transaction.commit();
  } catch (const SQLite::Exception& e) {
    why = reason_of(e);
  }
  const std::scoped_lock guard(guard_);
  failure_ = why;
  if (!why.empty()) waiting_.merge(batch);  // pending entries added meanwhile are newer and stay
}

std::string StoreWriter::failure() const {
  const std::scoped_lock guard(guard_);
  return failure_;
}

int StoreWriter::unwritten() const {
  const std::scoped_lock guard(guard_);
  return static_cast<int>(std::ranges::count_if(
      waiting_, [](const auto& item) { return item.second.result.has_value(); }));
}

namespace {

struct Binder {
  SQLite::Statement& statement;
  int at;
  void operator()(std::monostate) const { statement.bind(at); }
  void operator()(bool fact) const { statement.bind(at, fact ? 1 : 0); }
  void operator()(long count) const { statement.bind(at, static_cast<std::int64_t>(count)); }
  void operator()(double x) const { statement.bind(at, x); }
  void operator()(const std::string& text) const { statement.bind(at, text); }
  void operator()(const Value::Numbers& numbers) const {
    statement.bind(at, fmt::format("{:.17g}", fmt::join(numbers, " ")));
  }
  void operator()(const Value::Texts& texts) const {
    statement.bind(at, fmt::format("{}", fmt::join(texts, " ")));
  }
};

/// The type of the first value of a column.
const char* sql_type(const Table& table, const Column& column) {
  for (std::size_t row = 0; row < table.size(); ++row) {
    const auto any = column.value(row).any();
    if (std::holds_alternative<double>(any)) return "REAL";
    if (std::holds_alternative<long>(any) || std::holds_alternative<bool>(any)) return "INTEGER";
    if (!std::holds_alternative<std::monostate>(any)) return "TEXT";
  }
  return column.format.empty() ? "TEXT" : "REAL";
}

/// The table as one of the store, with the columns of its CSV.
void write_table(const Table& table, SQLite::Database& database) {
  std::vector<std::string> columns = flat_names(table);
  for (std::size_t k = 0; k < columns.size(); ++k)
    columns[k] = fmt::format("\"{}\" {}", columns[k],
                             k < table.common().size()
                                 ? "TEXT"
                                 : sql_type(table, table.columns()[k - table.common().size()]));
  const std::string name = last_name(table.name());
  database.exec(fmt::format("CREATE TABLE \"{}\" ({})", name, fmt::join(columns, ", ")));
  const std::vector<std::string> places(columns.size(), "?");
  SQLite::Statement insert(
      database, fmt::format("INSERT INTO \"{}\" VALUES ({})", name, fmt::join(places, ", ")));
  for (std::size_t row = 0; row < table.size(); ++row) {
    insert.reset();
    int at = 1;
    for (const Field& field : table.common()) std::visit(Binder{insert, at++}, field.value.any());
    for (const Column& column : table.columns())
      std::visit(Binder{insert, at++}, column.value(row).any());
    insert.exec();
  }
}

/// Replaces the tables of the last report. Motions are not included: the solves contain them.
void write_tables(const Result& report, SQLite::Database& database) {
  for (const std::string& name : tables_of_reports(database))
    database.exec(fmt::format("DROP TABLE \"{}\"", name));
  for (const Table& table : report.tables)
    if (has_own_file(table) && table.kept() != Kept::in_files) write_table(table, database);
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

void write_texts(const Result& report, SQLite::Database& database) {
  SQLite::Statement insert(database, "INSERT OR REPLACE INTO texts VALUES (?1, ?2)");
  for (const std::string& name : names_of_formats()) {
    insert.reset();
    insert.bind(1, name);
    insert.bind(2, formatted({report}, format_named(name)));
    insert.exec();
  }
}

}  // namespace

void write_judgement(const Result& report, bool texts, SQLite::Database& database) {
  write_curves(report.curves, database);
  database.exec("DELETE FROM texts");
  if (texts) write_texts(report, database);
  write_tables(report, database);
  Result without_errors = report;
  std::erase_if(without_errors.tables, [](const Table& table) { return table.name() == "errors"; });
  SQLite::Statement text(database, "UPDATE study SET result = ?1, complete = ?2");
  text.bind(1, json_text(without_errors));
  text.bind(2, report.counts.missing == 0 && !report.interrupted ? 1 : 0);
  text.exec();
}

}  // namespace rigidlimit
