#include "rigidlimit/store/stored_tables.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/store/store_failure.hpp"
#include "rigidlimit/store/store_rows.hpp"
#include "rigidlimit/store/store_schema.hpp"

namespace rigidlimit {

namespace {

/// Tables of the store that have functions of their own, or serve the store alone.
constexpr std::array<std::string_view, 7> others{"study",  "plan",  "grids", "samples",
                                                 "curves", "texts", "seal"};

constexpr const char* solves_of_the_plan =
    "SELECT s.* FROM solves AS s JOIN (SELECT key, min(position) AS position FROM plan GROUP BY "
    "key) AS p ON s.key = p.key ORDER BY p.position";

Value value_of(const SQLite::Column& value) {
  if (value.isNull()) return {};
  if (value.isInteger()) return static_cast<long>(value.getInt64());
  if (value.isFloat()) return value.getDouble();
  if (value.isBlob()) throw DamagedRecord("a value is a BLOB");
  return value.getString();
}

StoredTable rows_of(SQLite::Statement statement) {
  StoredTable table(static_cast<std::size_t>(statement.getColumnCount()));
  for (int k = 0; k < statement.getColumnCount(); ++k) {
    StoredColumn& column = table[static_cast<std::size_t>(k)];
    column.name = statement.getColumnName(k);
    column.text = std::string_view(statement.getColumnDeclaredType(k)) == "TEXT";
  }
  while (statement.executeStep())
    for (int k = 0; k < statement.getColumnCount(); ++k)
      table[static_cast<std::size_t>(k)].values.push_back(value_of(statement.getColumn(k)));
  return table;
}

}  // namespace

struct StoredTables::File {
  std::string path;
  SQLite::Database database;

  /// look(database). Throws InputError with the path.
  template <class Look>
  auto read(const Look& look) try {
    return look(database);
  } catch (const SQLite::Exception& e) {
    fail(path, e);
  } catch (const DamagedRecord& damage) {
    fail(path, damage);
  }
};

StoredTables::StoredTables(const std::string& path) try
    : file_(new File{path, opened_for_reading(path)}) {
} catch (const SQLite::Exception& e) {
  fail(path, e);
}
StoredTables::StoredTables(StoredTables&&) noexcept = default;
StoredTables& StoredTables::operator=(StoredTables&&) noexcept = default;
StoredTables::~StoredTables() = default;

std::optional<StoredStudy> StoredTables::study() const {
  return file_->read(read_study);
}

std::vector<std::string> StoredTables::names() const {
  return file_->read([](SQLite::Database& database) {
    SQLite::Statement all(database,
                          "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid");
    std::vector<std::string> names;
    while (all.executeStep())
      if (const std::string name = all.getColumn(0).getString();
          std::ranges::find(others, name) == others.end())
        names.push_back(name);
    return names;
  });
}

StoredTable StoredTables::table(const std::string& name) const {
  const std::vector<std::string> known = names();
  if (std::ranges::find(known, name) == known.end())
    throw InputError(fmt::format("has no table '{}'", printable(name)), file_->path);
  return file_->read([&](SQLite::Database& database) {
    if (name != "solves")
      return rows_of({database, fmt::format("SELECT * FROM \"{}\" ORDER BY rowid", name)});
    StoredTable solves = rows_of({database, solves_of_the_plan});
    const auto keys = std::ranges::find(solves, "key", &StoredColumn::name);
    for (const Value& value : keys->values) {
      const auto* key = std::get_if<std::string>(&value.any());
      if (!key) throw DamagedRecord("the key of a solve is not a text");
      read_solve(database, *key, Samples::without);
    }
    return solves;
  });
}

std::vector<NamedSamples> StoredTables::samples(const std::string& key) const {
  return file_->read([&](SQLite::Database& database) {
    const auto record = read_solve(database, key);
    return record ? record->samples : std::vector<NamedSamples>();
  });
}

std::vector<double> StoredTables::times_of(const std::string& key) const {
  return file_->read([&](SQLite::Database& database) {
    return read_grid(database, read_identity(database, key).grid);
  });
}

StoredTable StoredTables::curves() const {
  return file_->read([](SQLite::Database& database) {
    return rows_of(
        {database, "SELECT subject, law, solver, epsilon, name FROM curves ORDER BY rowid"});
  });
}

StoredCurve StoredTables::curve(std::size_t index) const {
  return file_->read([&](SQLite::Database& database) {
    SQLite::Statement row(database,
                          "SELECT grid, \"rows\", columns, data FROM curves ORDER BY rowid "
                          "LIMIT 1 OFFSET ?1");
    row.bind(1, static_cast<std::int64_t>(index));
    if (!row.executeStep()) throw InputError(fmt::format("has no curve {}", index), file_->path);
    StoredCurve curve{read_grid(database, row.getColumn(0).getString()), matrix_of(row, 1)};
    if (curve.times.empty())
      throw InputError(fmt::format("the times of curve {} are not stored", index), file_->path);
    if (curve.values.cols() != std::ssize(curve.times))
      throw DamagedRecord("a curve differs in size from its grid");
    return curve;
  });
}

}  // namespace rigidlimit
